import type { TimelineEntry } from '../activities/contract.ts';

/** How many of the latest entries the `timeline` query answers; PostgreSQL has all of them. */
export const MAX_TIMELINE_ENTRIES = 100;

/** The latest of what happened, for ops who ask the workflow itself. */
export class Timeline {
  #entries: readonly TimelineEntry[] = [];

  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  replace(entries: readonly TimelineEntry[]): void {
    this.#entries = entries;
  }

  add({ type, actor, at }: { readonly type: string; readonly actor: string; readonly at: string }): void {
    this.#entries = [...this.#entries, { event: type, actor, at }].slice(-MAX_TIMELINE_ENTRIES);
  }
}
