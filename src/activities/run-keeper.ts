import type { OpenRun } from '../db/operations/open-runs.ts';

/** The Temporal operations that the sweep needs. */

/** An open run in Temporal's lists, which may lag briefly. */
export type ListedRun = {
  readonly workflowId: string;
  readonly runId: string;
  readonly startedAt: Date;
  /** Whether the run is on the task queue of our workers. No worker serves any other run of an entity. */
  readonly isReachable: boolean;
  /** The entity's status as the run knows it; null before it has read its row. */
  readonly status: string | null;
  /** The time of the run's next timer; null if it has none. */
  readonly deadline: Date | null;
};

export type RunKeeper = {
  readonly workflowIdOf: (open: OpenRun) => string;
  /** The subset of `workflowIds` with an open run. */
  readonly findRunning: (workflowIds: readonly string[]) => Promise<readonly ListedRun[]>;
  /** A page of all runs of escrows, payment links and withdrawals. `next` is null after the last page. */
  readonly listRunning: (
    page: string | null,
    limit: number,
  ) => Promise<{ readonly runs: readonly ListedRun[]; readonly next: string | null }>;
  /** Starts a run. Returns false if there is one already. */
  readonly start: (open: OpenRun) => Promise<boolean>;
  /** Tells the run to read its row again. Returns false if the run has ended meanwhile. */
  readonly refresh: (run: ListedRun) => Promise<boolean>;
  /** Whether the run's workflow task fails repeatedly, so that signals have no effect. */
  readonly isStuck: (run: ListedRun) => Promise<boolean>;
  readonly terminate: (run: ListedRun, reason: string) => Promise<void>;
};
