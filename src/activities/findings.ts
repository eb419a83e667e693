/** What a sweep finds. Workflows and tools import this file; sweep.ts imports the database. */

/** The possible faults of an entity's run. */
export const FINDINGS = [
  /** The row is open, but there is no run: a run is started. */
  'missing',
  /** The run has another status or deadline than the row: it reads the row again. */
  'behind',
  /** A deadline passed without an event: the run reads the row again and sets its timer. */
  'overdue',
  /** The row is final or missing, but a run is open: it reads the row again and ends. */
  'final',
  /**
   * A run that is behind, overdue or final and does not react to signals, or a run on a task queue without our workers. It is
   * terminated, and a new run is started if the row is open.
   */
  'stuck',
] as const;
export type Finding = (typeof FINDINGS)[number];

/** How often each fault was found and repaired. */
export type Healed = Readonly<Record<Finding, number>>;
export const NOTHING_HEALED: Healed = { missing: 0, behind: 0, overdue: 0, final: 0, stuck: 0 };

export function sumHealed(one: Healed, other: Healed): Healed {
  const sums = FINDINGS.map((finding) => [finding, one[finding] + other[finding]]);
  return Object.fromEntries(sums) as Healed; // every finding is in it
}

/** The result of one batch. `next` is the start of the next batch; null if there is none. */
export type SweptBatch = { readonly checked: number; readonly healed: Healed; readonly next: string | null };
