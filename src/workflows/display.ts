import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { RUN_ATTRIBUTES } from './search-attributes.ts';

/** What ops see of a run in the Temporal UI. No names, no texts. */

/** The words for one kind of entity. Every text is Markdown or one line. */
export type Display<State, Event> = {
  /** How it stands, in paragraphs. */
  readonly describe: (state: State | null) => readonly string[];
  /** What a step asks of the database: `resolve 200.00 USD to the seller`. `next` is what the step would lead to. */
  readonly request: (next: State, event: Event) => string;
  /** What happened: `RESOLVED 200.00 USD`. */
  readonly outcome: (next: State, event: Event) => string;
  readonly facts: (state: State) => Facts;
  /** The commands that it takes now, and who else may move it. */
  readonly waitingFor: (state: State) => readonly string[];
  /** What the run answers when it ends. */
  readonly result: (state: State) => object;
};

/** What lists are filtered by, besides status, sequence and deadline. */
export type Facts = {
  readonly amountCents: bigint;
  /** Public ids. */
  readonly buyer?: string;
  readonly seller?: string;
  readonly attention: readonly string[];
};

type Shown = Facts & {
  readonly status: string;
  readonly seq: number;
  /** What the latest step of this run led to; null before the first. */
  readonly lastEvent: string | null;
  readonly deadline: string | null;
};

/**
 * Keeps the search attributes. A change costs a history event, so nothing is written where nothing changed. The event of a
 * step names its outcome: the marker of the step only says what was asked.
 */
export function showAttributes(shown: Shown): void {
  const { status, seq, lastEvent, deadline, amountCents, buyer, seller, attention } = shown;
  const { typedSearchAttributes: current } = workflowInfo();
  const all: SearchAttributeUpdatePair[] = [
    { key: RUN_ATTRIBUTES.status, value: status },
    { key: RUN_ATTRIBUTES.seq, value: seq },
    ...(lastEvent === null ? [] : [{ key: RUN_ATTRIBUTES.lastEvent, value: lastEvent }]),
    { key: RUN_ATTRIBUTES.deadline, value: deadline === null ? null : new Date(deadline) },
    { key: RUN_ATTRIBUTES.amount, value: Number(amountCents) },
    { key: RUN_ATTRIBUTES.buyer, value: buyer ?? null },
    { key: RUN_ATTRIBUTES.seller, value: seller ?? null },
    { key: RUN_ATTRIBUTES.attention, value: attention.length === 0 ? null : [...attention] },
  ];
  const changed = all.filter(({ key, value }) => JSON.stringify(current.get(key) ?? null) !== JSON.stringify(value));
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/** Paragraphs, the last of them empty: the UI cuts off the last line. */
export function showDetails(paragraphs: readonly string[]): void {
  setCurrentDetails(`${paragraphs.join('\n\n')}\n\n`);
}
