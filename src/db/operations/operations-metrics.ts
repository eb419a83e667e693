import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Counter, Gauge, Registry } from 'prom-client';
import { ESCROW_STATUSES, isFinal } from '../../domain/escrow/escrow.ts';
import { MESSAGING_EVENT_KINDS } from './messaging-events.ts';

/**
 * Metrics that only the database can provide, as gauges that are read on each scrape. All workers report the same values: take
 * the maximum.
 */

/** Concurrent or frequent scrapes share one reading. */
const READING_LIFETIME_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 3_000;

type GaugeOfDatabase = {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** Values of the label that are reported as 0 if the database has no row for them. */
  readonly words?: readonly string[];
};

type Row = { readonly metric: string; readonly label: string | null; readonly value: number };

const OPEN_STATUSES = ESCROW_STATUSES.filter((status) => !isFinal(status));

/** Gauge → its help text, and its label if it has one. The names are those of the three snapshots. */
const GAUGES = {
  open_escrows: {
    name: 'escrow_open_escrows',
    help: 'Escrows that are not over, at most 100000.',
    label: 'status',
    words: OPEN_STATUSES,
  },
  oldest_dispute_seconds: { name: 'escrow_oldest_dispute_seconds', help: 'Age of the oldest open dispute.' },
  open_withdrawals: { name: 'escrow_open_withdrawals', help: 'Withdrawals that the bank has not settled.' },
  oldest_withdrawal_seconds: { name: 'escrow_oldest_withdrawal_seconds', help: 'Age of the oldest open withdrawal.' },
  pending_payments: { name: 'escrow_pending_payments', help: 'Payment links with a payment in progress.' },
  oldest_payment_seconds: {
    name: 'escrow_oldest_payment_seconds',
    help: 'Age of the oldest payment in progress.',
  },
  odd_payments: {
    name: 'escrow_odd_payments',
    help: 'Payments that came late (LATE_MONEY) or of another amount (PAYMENT_MISMATCHED), in total.',
    label: 'type',
    words: ['LATE_MONEY', 'PAYMENT_MISMATCHED'],
  },
  odd_payouts: {
    name: 'escrow_odd_payouts',
    help: 'Payouts that need manual review (REVIEW_NEEDED), or were paid after the money went back (SETTLED_LATE), in total.',
    label: 'type',
    words: ['REVIEW_NEEDED', 'SETTLED_LATE'],
  },
  messaging_reports: {
    name: 'escrow_messaging_reports',
    help: 'Reports of the messaging platform in the last hour: messages sent, delivered, read, failed, and received.',
    label: 'kind',
    words: MESSAGING_EVENT_KINDS,
  },
  messaging_report_seconds: {
    name: 'escrow_messaging_report_seconds',
    help: "Age of the messaging platform's last report.",
  },
  unsealed_transactions: { name: 'escrow_ledger_unsealed_transactions', help: 'Transactions not in a block yet.' },
  seal_lag_seconds: {
    name: 'escrow_ledger_seal_lag_seconds',
    help: 'Age of the oldest transaction not in a block yet.',
  },
  event_lag_seconds: {
    name: 'escrow_event_lag_seconds',
    help: 'Age of the oldest change without a position in the feed.',
  },
  events_set_aside: {
    name: 'escrow_events_set_aside',
    help: 'Changes that could not be described and wait, set aside from the feed, to be tried again.',
  },
  webhook_lag_seconds: {
    name: 'escrow_webhook_lag_seconds',
    help: 'Age of the oldest event that an enabled endpoint has not got, for the 100 endpoints that are the most behind.',
    label: 'endpoint',
  },
  webhooks_failing: { name: 'escrow_webhooks_failing', help: 'Enabled endpoints without a success since a failure.' },
  missing_grants: {
    name: 'escrow_missing_grants',
    help: 'Grants of the roles that were revoked by hand. No value: none.',
    label: 'grant',
  },
  last_finished_seconds: {
    name: 'escrow_last_finished_seconds',
    help: 'Time since a task last finished (audit, audit-new, sweep, backup), or since the installation.',
    label: 'task',
  },
} as const satisfies Record<string, GaugeOfDatabase>;

const FAILURES = 'escrow_metrics_failures_total';
/** The metrics of createOperationsMetrics. */
export const OPERATIONS_METRICS: readonly string[] = [...Object.values(GAUGES).map(({ name }) => name), FAILURES];

/** Nothing is read before the first scrape. `orm` is connected as `escrow_worker`. */
export function createOperationsMetrics(orm: MikroORM): Registry {
  const registry = new Registry();
  const failures = new Counter({
    name: FAILURES,
    help: 'Readings of the database for metrics that failed.',
    registers: [registry],
  });
  let reading: { readonly atMs: number; readonly rows: Promise<readonly Row[]> } | undefined;
  const rows = (): Promise<readonly Row[]> => {
    if (reading === undefined || Date.now() - reading.atMs > READING_LIFETIME_MS)
      reading = {
        atMs: Date.now(),
        rows: readOperations(orm).catch(() => {
          failures.inc();
          return []; // the gauges are then missing, which alerts can tell from zero
        }),
      };
    return reading.rows;
  };
  for (const [metric, gauge] of Object.entries<GaugeOfDatabase>(GAUGES)) {
    const { label, words = [] } = gauge;
    new Gauge({
      name: gauge.name,
      help: gauge.help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        this.reset();
        if (label === undefined) this.remove(); // it would report 0
        const read = await rows();
        if (label !== undefined && read.length > 0) for (const word of words) this.set({ [label]: word }, 0);
        for (const row of read.filter((candidate) => candidate.metric === metric))
          this.set(label !== undefined && row.label !== null ? { [label]: row.label } : {}, row.value);
      },
    });
  }
  return registry;
}

async function readOperations(orm: MikroORM): Promise<readonly Row[]> {
  return orm.em.fork().transactional(async (em) => {
    await em.execute(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    return em.execute<Row[]>(
      `select metric, label, value from operations_snapshot()
       union all select metric, label, value from event_snapshot()
       union all select metric, label, value from task_snapshot()`,
    );
  });
}

/** Records the end of a periodic task, whose age is a metric. */
export async function taskFinished(em: EntityManager, task: 'sweep'): Promise<void> {
  await em.execute('select task_finished(?)', [task]);
}
