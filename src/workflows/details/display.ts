import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { RUN_ATTRIBUTES } from '../search-attributes.ts';

/** The texts that operators see of a run in the Temporal UI. No names, no stored texts. */

/** The texts for one kind of entity. Every text is Markdown or one line. */
export type Display<State, Event> = {
  /** The current state, in paragraphs. */
  readonly describe: (state: State | null) => readonly string[];
  /** The database step: `resolve 200.00 USD to the seller`. `next` is the state after the step. */
  readonly request: (next: State, event: Event) => string;
  /** The event: `RESOLVED 200.00 USD`. */
  readonly outcome: (next: State, event: Event) => string;
  readonly facts: (state: State) => Facts;
  /** The commands that the run accepts now, and the other writers that may change its state. */
  readonly waitingFor: (state: State) => readonly string[];
  /** The result of the run when it ends. */
  readonly result: (state: State) => object;
};

/** The filters of lists, besides status and deadline. */
export type Facts = {
  readonly amountCents: bigint;
  /** Public ids. */
  readonly buyer?: string;
  readonly seller?: string;
  readonly attention: readonly string[];
};

/** A step that was written. */
export type Step = {
  readonly outcome: string;
  /** Whether the step carried out an update. The completion of the update then shows the outcome in the history. */
  readonly isAnswered: boolean;
};

type Shown = Facts & {
  readonly status: string;
  /** The latest step of this run; null before the first. */
  readonly step: Step | null;
  readonly deadline: string | null;
};

/**
 * Maintains the search attributes. A change costs a history event and a write of Temporal's visibility store, about a fifth of a
 * command, so unchanged values are not written. The event shows the outcome of a step too. A step that changed no attribute
 * writes its outcome only if no update was answered with it.
 */
export function showAttributes(shown: Shown): void {
  const { status, step, deadline, amountCents, buyer, seller, attention } = shown;
  const { typedSearchAttributes: current } = workflowInfo();
  const all: SearchAttributeUpdatePair[] = [
    { key: RUN_ATTRIBUTES.status, value: status },
    { key: RUN_ATTRIBUTES.deadline, value: deadline === null ? null : new Date(deadline) },
    { key: RUN_ATTRIBUTES.amount, value: Number(amountCents) },
    { key: RUN_ATTRIBUTES.buyer, value: buyer ?? null },
    { key: RUN_ATTRIBUTES.seller, value: seller ?? null },
    { key: RUN_ATTRIBUTES.attention, value: attention.length === 0 ? null : [...attention] },
  ];
  const isChanged = ({ key, value }: SearchAttributeUpdatePair) =>
    JSON.stringify(current.get(key) ?? null) !== JSON.stringify(value);
  const changed = all.filter(isChanged);
  if (step !== null && (changed.length > 0 || !step.isAnswered)) {
    const outcome = { key: RUN_ATTRIBUTES.lastEvent, value: step.outcome };
    if (isChanged(outcome)) changed.push(outcome);
  }
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/** Shows why a person should look at a run that has no state yet. */
export function showAttention(attention: readonly string[]): void {
  const shown = workflowInfo().typedSearchAttributes.get(RUN_ATTRIBUTES.attention) ?? [];
  if (JSON.stringify(shown) === JSON.stringify(attention)) return;
  const value = attention.length === 0 ? null : [...attention];
  upsertSearchAttributes([{ key: RUN_ATTRIBUTES.attention, value }]);
}

/**
 * The UI cuts off the last two lines, and ignores white space at the end. A zero-width space does not count as white space,
 * and is invisible.
 */
const INVISIBLE = ['\u200b', '\u200b'];

/** Shows the state in paragraphs, and `problems` after the first two: they should not be overlooked below a long list. */
export function showDetails(paragraphs: readonly string[], problems: readonly string[]): void {
  const shown = [...paragraphs.slice(0, 2), ...problems, ...paragraphs.slice(2), ...INVISIBLE];
  setCurrentDetails(shown.join('\n\n'));
}
