import type { TimelineEntry } from '../activities/contract.ts';

/** The maximum number of entries that the `timeline` query returns; PostgreSQL has all of them. */
export const MAX_TIMELINE_ENTRIES = 100;

/** The latest events, for operators who query the workflow itself. */
export class Timeline {
  #entries: readonly TimelineEntry[] = [];
  #refused: readonly TimelineEntry[] = [];

  /** Events, and the signals that were refused since this run started. */
  get entries(): readonly TimelineEntry[] {
    return [...this.#entries, ...this.#refused]
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      .slice(-MAX_TIMELINE_ENTRIES);
  }

  replace(entries: readonly TimelineEntry[]): void {
    this.#entries = entries;
  }

  addRefusal(signal: string, code: string): void {
    const entry = { event: 'REFUSED', actor: 'SYSTEM', at: new Date().toISOString(), signal, code };
    this.#refused = [...this.#refused, entry].slice(-MAX_TIMELINE_ENTRIES);
  }

  add({ type, actor, at }: { readonly type: string; readonly actor: string; readonly at: string }): void {
    this.#entries = [...this.#entries, { event: type, actor, at }].slice(-MAX_TIMELINE_ENTRIES);
  }
}
