import type { MikroORM } from '@mikro-orm/postgresql';
import { findOpenAmong, findOpenRuns, type OpenRun } from '../db/operations/open-runs.ts';
import { type CompanyId, parseId } from '../domain/ids.ts';
import { HOUR_MS } from '../domain/time.ts';
import { runsHealed, startAtZero } from '../observability/metrics.ts';
import { FINDINGS, type Finding, NOTHING_HEALED, type SweptBatch, sumHealed } from './findings.ts';

/**
 * Compares the rows of escrows, payment links and withdrawals with their runs, and repairs differences with the smallest step.
 * A run can lag behind its row if Temporal lost the last moments before a crash, or if Temporal's data was lost or restored.
 */

export type Sweep = {
  /** Checks rows against runs: missing, outdated or overdue runs. */
  readonly sweepRows: (after: string | null) => Promise<SweptBatch>;
  /** Checks runs against rows: runs whose row is final. */
  readonly sweepRuns: (page: string | null) => Promise<SweptBatch>;
};

export type OnHealed = (healed: { readonly workflowId: string; readonly finding: Finding }) => void;

startAtZero(runsHealed, { finding: FINDINGS });

const ROWS_PER_BATCH = 200;
const RUNS_PER_BATCH = 1_000;
/** The number of concurrent calls to Temporal: enough to keep it busy, few enough to leave capacity for commands. */
const CONCURRENCY = 8;
/** Temporal's lists lag, and a step may be in progress: entities that changed within this time are not compared. */
const SETTLE_MS = 10_000;
/** A deadline is overdue after this time. */
const OVERDUE_AFTER_MS = 60_000;
/** A run that has been overdue for this long was not fixed by the refreshes of earlier sweeps. */
const STUCK_AFTER_MS = 3 * HOUR_MS;

/** Sweeps batch after batch, to the end. */
export async function sweepAll(sweepBatch: (from: string | null) => Promise<SweptBatch>) {
  let healed = NOTHING_HEALED;
  let checked = 0;
  let next: string | null = null;
  do {
    const batch: SweptBatch = await sweepBatch(next);
    checked += batch.checked;
    healed = sumHealed(healed, batch.healed);
    next = batch.next;
  } while (next !== null);
  return { checked, healed };
}

export function createSweep(orm: MikroORM, keeper: RunKeeper, onHealed: OnHealed): Sweep {
  /** Runs `check` on each item, several concurrently, and counts the results. */
  async function checkAll<T>(all: Iterable<T>, check: (one: T) => Promise<Finding | null>, idOf: (one: T) => string) {
    const healed = { ...NOTHING_HEALED };
    const queue = all[Symbol.iterator]();
    const drain = async () => {
      for (let { value, done } = queue.next(); done !== true; { value, done } = queue.next()) {
        const finding = await check(value);
        if (finding === null) continue;
        healed[finding] += 1;
        runsHealed.inc({ finding });
        onHealed({ workflowId: idOf(value), finding });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, drain));
    return healed;
  }

  /**
   * Refreshes a run if its workflow tasks succeed; else terminates it. Starts a new one if the run has ended and the row is open.
   */
  async function heal(run: ListedRun, finding: Finding, open: OpenRun | null, isHopeless: boolean): Promise<Finding> {
    if (!isHopeless && !(await keeper.isStuck(run))) {
      const isRunning = await keeper.refresh(run);
      // The list was read before the run ended.
      if (!isRunning && open !== null && (await keeper.start(open))) return 'missing';
      return finding;
    }
    await keeper.terminate(run, `the sweep found it ${finding}, and a signal does not help`);
    if (open !== null) await keeper.start(open);
    return 'stuck';
  }

  return {
    async sweepRows(after) {
      const rows = await findOpenRuns(orm.em.fork(), after, ROWS_PER_BATCH);
      const now = Date.now();
      const listed = rows.length === 0 ? [] : await keeper.findRunning(rows.map(keeper.workflowIdOf));
      const runs = new Map(listed.map((run) => [run.workflowId, run]));
      const check = async (row: OpenRun): Promise<Finding | null> => {
        const run = runs.get(keeper.workflowIdOf(row));
        if (run === undefined) return (await keeper.start(row)) ? 'missing' : null;
        if (!run.isReachable) return heal(run, 'behind', row, true);
        const companyNow = now + row.clockAheadMs;
        const overdueMs = companyNow - (row.dueAt ?? run.deadline ?? new Date(companyNow)).getTime();
        if (isBeginning(run, now) || companyNow - row.updatedAt.getTime() <= SETTLE_MS) return null;
        if (isBehind(run, row)) return heal(run, 'behind', row, false);
        return overdueMs > OVERDUE_AFTER_MS ? heal(run, 'overdue', row, overdueMs > STUCK_AFTER_MS) : null;
      };
      const healed = await checkAll(rows, check, keeper.workflowIdOf);
      return { checked: rows.length, healed, next: rows.length < ROWS_PER_BATCH ? null : (rows.at(-1)?.id ?? null) };
    },

    async sweepRuns(page) {
      const { runs, next } = await keeper.listRunning(page, RUNS_PER_BATCH);
      const settled = runs.filter((run) => !isBeginning(run, Date.now()));
      const named = settled.flatMap(({ workflowId, companyId }) => {
        const id = rowIdOf(workflowId);
        return id === undefined || companyId === null ? [] : [{ id, companyId }];
      });
      const open = await findOpenAmong(orm.em.fork(), named, SETTLE_MS);
      const over = settled.filter(({ workflowId }) => !open.has(rowIdOf(workflowId) ?? ''));
      const healed = await checkAll(
        over,
        (run) => heal(run, 'final', null, false),
        ({ workflowId }) => workflowId,
      );
      return { checked: runs.length, healed, next };
    },
  };
}

/** The run has not read its row yet. */
function isBeginning({ status, startedAt }: ListedRun, now: number): boolean {
  return status === null && now - startedAt.getTime() <= SETTLE_MS;
}

/** A step that changes neither status nor deadline does not affect the run until its next command, and the run reads it then. */
function isBehind({ status, deadline }: ListedRun, row: OpenRun): boolean {
  const isOnTime = row.kind === 'withdrawal' || deadline?.getTime() === row.dueAt?.getTime();
  return status !== row.status || !isOnTime;
}

/** The bare id in `escrow/esc_…`, `payment-link/pay_…` or `withdrawal/txn_…`. */
function rowIdOf(workflowId: string): string | undefined {
  const [, publicId = ''] = workflowId.split('/');
  return parseId('escrow', publicId) ?? parseId('paymentLink', publicId) ?? parseId('transaction', publicId);
}

/** The Temporal operations that the sweep needs. */

/** An open run in Temporal's lists, which may lag briefly. */
export type ListedRun = {
  readonly workflowId: string;
  readonly runId: string;
  /** The company for which the run was started; null if it was started without one. */
  readonly companyId: CompanyId | null;
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
