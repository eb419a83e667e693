import { z } from '@hono/zod-openapi';
import { CASHFLOW_INTERVALS, type CashflowInterval, readCashflow, readSystemStats } from '../../../db/ledger/stats.ts';
import { ESCROW_STATUSES } from '../../../domain/escrow/escrow.ts';
import type { Period } from '../../../domain/ledger/statement.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { UTC } from '../../../domain/time-zone.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { centsText, currency, timeZone } from '../../schemas/common.ts';
import { dateRange, isOrdered, startAfterEnd } from '../../schemas/lists.ts';
import { periodOf } from '../../schemas/statement.ts';

const tag = 'Ledger';

const milliseconds = () => z.number().nullable();

const SystemStats = z
  .object({
    uptimeSeconds: z.int().describe('Seconds since the start.'),
    transactions: z
      .object({
        total: z.int().describe('Ever.'),
        last24Hours: z.int().describe('In the last 24 hours.'),
        lastMinutePerSecond: z.number().describe('Each second, in the last minute.'),
      })
      .describe('How many transactions were posted.'),
    postingLatencyMs: z
      .object({
        p50: milliseconds().describe('Half of them took at most this.'),
        p95: milliseconds().describe('95 of 100 took at most this.'),
        p99: milliseconds().describe('99 of 100 took at most this.'),
      })
      .openapi({
        description:
          'Of the latest 500 postings, inside the database: from the key to the entries, waits for locks included. Null ' +
          'before the first.',
      }),
    escrowsByStatus: z
      .record(z.enum(ESCROW_STATUSES), z.int().describe('Escrows in this state.'))
      .describe('How many escrows are in each state.'),
    accounts: z.int().describe('How many accounts there are.'),
    users: z.int().describe('How many users there are.'),
  })
  .openapi('SystemStats');

const Cashflow = z
  .object({
    interval: z.enum(CASHFLOW_INTERVALS).describe('The length of a period.'),
    series: z
      .array(
        z.object({
          period: z
            .string()
            .openapi({ description: "The period's first day, in the zone that was asked for.", example: '2026-01-31' }),
          currency: currency(),
          inflow: centsText(),
          outflow: centsText(),
          net: centsText(),
        }),
      )
      .describe('The periods in order. Empty ones are zeros.'),
  })
  .openapi('Cashflow');

const CashflowQuery = dateRange()
  .extend({
    interval: z.enum(CASHFLOW_INTERVALS).default('day').describe('The length of a period. By default a day.'),
    currency: currency().optional().describe('Only this currency.'),
    zone: timeZone()
      .default(UTC)
      .describe(
        'The IANA zone in whose days the periods begin. `startDate` and `endDate` stay days of UTC, or instants.',
      ),
  })
  .refine(isOrdered, startAfterEnd());

export function registerLedgerStats(operation: Operations, { reads }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/stats/system',
      tag,
      summary: "Volume and posting latency of the company's ledger",
      description: 'Since the process started, and of the last day.',
      access: tenant('read'),
      success: ok(SystemStats),
    },
    async ({ companyId }) => {
      const stats = await reads(companyId, (em) => readSystemStats(em, companyId, new Date()));
      const { total, last24Hours, lastMinute } = stats.transactions;
      return {
        uptimeSeconds: Math.floor(process.uptime()),
        transactions: { total, last24Hours, lastMinutePerSecond: lastMinute / 60 },
        postingLatencyMs: stats.postingLatencyMs,
        escrowsByStatus: statusCounts(stats.escrowsByStatus),
        accounts: stats.accounts,
        users: stats.users,
      };
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/stats/cashflow',
      tag,
      summary: 'Money that the company received and paid out, per period',
      description: 'A deposit in transit counts once its bank receipt is captured. Periods without any are zeros.',
      access: tenant('read'),
      query: CashflowQuery,
      success: ok(Cashflow),
    },
    async ({ query: { interval, currency: only = null, zone, ...window }, companyId }) => {
      const period = periodOf(window, new Date());
      requireFewPeriods(period, interval, zone);
      const series = await reads(companyId, (em) =>
        readCashflow(em, companyId, { ...period, interval, currency: only, timeZone: zone }),
      );
      return {
        interval,
        series: await mapInTurns(series, (row) => ({
          period: row.period,
          currency: row.currency,
          inflow: row.inflowCents.toString(),
          outflow: row.outflowCents.toString(),
          net: (row.inflowCents - row.outflowCents).toString(),
        })),
      };
    },
  );
}

/** Every status, including those that no escrow has. */
function statusCounts(counts: ReadonlyMap<string, number>): z.infer<typeof SystemStats>['escrowsByStatus'] {
  const entries = ESCROW_STATUSES.map((status) => [status, counts.get(status) ?? 0]);
  return Object.fromEntries(entries) as z.infer<typeof SystemStats>['escrowsByStatus']; // one entry for each status
}

const MAX_PERIODS = 1_000;
/** Of another zone, whose periods are read one by one. */
const MAX_PERIODS_OF_ZONE = 100;
const SHORTEST_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 28 * DAY_MS } as const satisfies Record<
  CashflowInterval,
  number
>;

function requireFewPeriods({ from, to }: Period, interval: CashflowInterval, zone: string): void {
  const most = zone === UTC ? MAX_PERIODS : MAX_PERIODS_OF_ZONE;
  if ((to.getTime() - from.getTime()) / SHORTEST_MS[interval] > most)
    throw new InvalidRequest('validation_failed', [
      { path: 'startDate', message: `is more than ${most} periods before the end; ask for a longer interval` },
    ]);
}
