import { MAX_TIMELINE_ENTRIES, type TimelineEntry } from '../activities/contract.ts';
import { byInstant } from '../domain/time.ts';

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
