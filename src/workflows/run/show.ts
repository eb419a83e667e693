import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { log, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { MAX_TIMELINE_ENTRIES, type TimelineEntry } from '../../activities/contract.ts';
import { byInstant, type Instant } from '../../domain/time.ts';
import { RUN_ATTRIBUTES } from '../search-attributes.ts';
import type { AnyEvent, AnyState, Display, EventLogLine, EventLogs, Facts } from './served-entity.ts';

/** What operators see of a run in the Temporal UI. No names, no stored texts. */

/** A step that was written. */
export type Step = {
  /** The event as one line. */
  readonly line: string;
  /** Whether the step carried out an update. The completion of the update then shows the event in the history. */
  readonly isAnswered: boolean;
};

/** What a run shows besides its state. Null: there is none. */
type Circumstances = {
  /** The latest step of this run. */
  readonly step: Step | null;
  readonly deadline: Instant | null;
  /** The latest refused message, and a denial of the database. Each as one line of Markdown. */
  readonly refusal: string | null;
  readonly denial: string | null;
};

/** Updates details and search attributes. A run without a state shows a refusal in its details only. */
export function showRun<State extends AnyState, Event extends AnyEvent>(
  display: Display<State, Event>,
  state: State | null,
  circumstances: Circumstances,
): void {
  const { refusal, denial } = circumstances;
  const problems = [denial, refusal].filter((problem) => problem !== null);
  showDetails(display.describe(state), problems);
  const reasons = [...(refusal === null ? [] : ['signal_refused']), ...(denial === null ? [] : ['database_denies'])];
  if (state === null) showAttention(denial === null ? [] : reasons);
  else {
    const { attention, ...facts } = display.facts(state);
    showAttributes(state.status, { ...facts, attention: [...attention, ...reasons] }, circumstances);
  }
}

/**
 * Maintains the search attributes. A change costs a history event and a write of Temporal's visibility store, about a fifth of a
 * command, so unchanged values are not written. The event shows the latest event of the entity too. A step that changed no attribute
 * writes its event only if no update was answered with it.
 */
function showAttributes(
  status: string,
  { amountCents, buyer, seller, attention }: Facts,
  { step, deadline }: Circumstances,
): void {
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
    const lastEvent = { key: RUN_ATTRIBUTES.lastEvent, value: step.line };
    if (isChanged(lastEvent)) changed.push(lastEvent);
  }
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/** Shows why a person should look at a run that has no state yet. */
function showAttention(attention: readonly string[]): void {
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
function showDetails(paragraphs: readonly string[], problems: readonly string[]): void {
  const shown = [...paragraphs.slice(0, 2), ...problems, ...paragraphs.slice(2), ...INVISIBLE];
  setCurrentDetails(shown.join('\n\n'));
}

/** The latest events, for operators who query the workflow itself. */
export class Timeline {
  #entries: readonly TimelineEntry[] = [];

  /** The latest of the events and of `others`. */
  entriesWith(others: readonly TimelineEntry[]): readonly TimelineEntry[] {
    return [...this.#entries, ...others].sort(byInstant).slice(-MAX_TIMELINE_ENTRIES);
  }

  replace(entries: readonly TimelineEntry[]): void {
    this.#entries = entries;
  }

  add({ type, actor, at }: { readonly type: string; readonly actor: string; readonly at: string }): void {
    this.#entries = [...this.#entries, { event: type, actor, at }].slice(-MAX_TIMELINE_ENTRIES);
  }
}

/** Logs the event if `logs` has a line for it. `id`: of the entity. */
export function logEvent<Event extends { readonly type: string }>(
  logs: EventLogs<Event> | undefined,
  event: Event,
  id: string,
): void {
  const line = logs?.[event.type as Event['type']] as EventLogLine<Event> | undefined; // the table pairs type and line
  if (line !== undefined) log[line.level](line.text, { id, ...line.fields(event) });
}
