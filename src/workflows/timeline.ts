import type { Actor, Instant } from '../domain/escrow/escrow.ts';

export type TimelineEntry = { readonly event: string; readonly actor: Actor; readonly at: Instant };

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

  add({ type, actor, at }: { readonly type: string; readonly actor: Actor; readonly at: Instant }): void {
    this.#entries = [...this.#entries, { event: type, actor, at }].slice(-MAX_TIMELINE_ENTRIES);
  }
}
