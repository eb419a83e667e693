import type { EntityManager } from '@mikro-orm/postgresql';
import { ESCROW_STATUSES, type EscrowStatus } from '../../domain/escrow/escrow.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { TRANSACTION_TYPES } from '../../domain/ledger/postings.ts';
import { CURRENCY_CODES, type Currency } from '../../domain/money.ts';
import { DAY_MS, type Instant } from '../../domain/time.ts';
import { type Day, dayAfter, dayIn, monthOf, startOfDay, UTC } from '../../domain/time-zone.ts';
import { textArray } from '../core/bound.ts';

/** Statistics of one company, from the database: all replicas return the same. */

/** The number of recent postings in the statistics of posting time. */
const LATENCY_SAMPLE = 500;
const MINUTE_MS = 60_000;

type Percentiles = { readonly p50: number | null; readonly p95: number | null; readonly p99: number | null };

type SystemStats = {
  readonly transactions: { readonly total: number; readonly last24Hours: number; readonly lastMinute: number };
  /**
   * The duration of recent postings that moved money: from the moment a posting has its key until its entries are written,
   * including waits for locked accounts. The commit and the network time are not included.
   */
  readonly postingLatencyMs: Percentiles;
  readonly escrowsByStatus: ReadonlyMap<EscrowStatus, number>;
  readonly accounts: number;
  readonly users: number;
};

type Row = {
  total: string;
  last_day: string;
  last_minute: string;
  latency: [number, number, number] | null;
  counts: Record<string, number> | null;
};

export async function readSystemStats(em: EntityManager, companyId: CompanyId, now: Date): Promise<SystemStats> {
  const types = textArray(TRANSACTION_TYPES);
  const before = (ms: number) => new Date(now.getTime() - ms);
  const [row] = await em.execute<Row[]>(
    `with asked (company_id, types) as (select ?::uuid, ?::text[])
     select
       ledger_transaction_count(company_id, null, types, null, null) as total,
       ledger_transaction_count(company_id, null, types, ?, null) as last_day,
       ledger_transaction_count(company_id, null, types, ?, null) as last_minute,
       (select percentile_cont(array[0.5, 0.95, 0.99]) within group (order by took.ms) from (
          select latest.id, latest.created_at from unnest(types) k(type) cross join lateral (
            select t.id, t.created_at from ledger_transaction t where t.company_id = asked.company_id and t.type = k.type
            order by t.created_at desc, t.id desc limit ?) latest
          order by latest.created_at desc limit ?) sample
        cross join lateral (
          select extract(epoch from e.created_at - sample.created_at)::float8 * 1000 as ms
          from entry e where e.company_id = asked.company_id and e.transaction_id = sample.id limit 1) took) as latency,
       (select jsonb_object_agg(c.counted, c.rows) from company_counts(asked.company_id) c) as counts
     from asked`,
    [companyId, types, before(DAY_MS), before(MINUTE_MS), LATENCY_SAMPLE, LATENCY_SAMPLE],
  );
  if (row === undefined) throw new Error('no statistics');
  const counts = new Map(Object.entries(row.counts ?? {}));
  const [p50 = null, p95 = null, p99 = null] = row.latency ?? [];
  return {
    transactions: {
      total: Number(row.total),
      last24Hours: Number(row.last_day),
      lastMinute: Number(row.last_minute),
    },
    postingLatencyMs: { p50, p95, p99 },
    escrowsByStatus: new Map(
      ESCROW_STATUSES.flatMap((status) => {
        const escrows = counts.get(`escrows ${status}`);
        return escrows === undefined ? [] : [[status, escrows]];
      }),
    ),
    accounts: counts.get('accounts') ?? 0,
    users: counts.get('users') ?? 0,
  };
}

export const CASHFLOW_INTERVALS = ['day', 'week', 'month'] as const;
export type CashflowInterval = (typeof CASHFLOW_INTERVALS)[number];

type CashflowQuery = {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly interval: CashflowInterval;
  /** Null: all of them. */
  readonly currency: Currency | null;
  /** Whose days the periods begin with. UTC if absent. */
  readonly timeZone?: string;
};

type CashflowPeriod = {
  /** The first day of the period, for example `2026-01-31`; weeks begin on Monday. */
  readonly period: string;
  readonly currency: Currency;
  readonly inflowCents: bigint;
  readonly outflowCents: bigint;
};

type CashflowRow = { period: string; currency: Currency; inflow: string; outflow: string };

/** The periods of a zone between two instants, with the instants between which each is asked for. */
function periodsIn(zone: string, interval: CashflowInterval, from: Date, to: Date) {
  const periods: { readonly first: Day; readonly starts: Instant; readonly ends: Instant }[] = [];
  let first = periodOf(dayIn(zone, from), interval);
  for (let starts = from.toISOString(); Date.parse(starts) < to.getTime(); ) {
    const next = periodOf(dayAfter(first, LONGEST_DAYS[interval]), interval);
    const end = startOfDay(next, zone);
    const ends = Date.parse(end) < to.getTime() ? end : to.toISOString();
    periods.push({ first, starts, ends });
    [first, starts] = [next, ends];
  }
  return periods;
}

/** So many days after the first of a period is a day of the next one. */
const LONGEST_DAYS = { day: 1, week: 7, month: 31 } as const satisfies Record<CashflowInterval, number>;

/** The first day of the period of a day. Weeks begin on Monday. */
function periodOf(day: Day, interval: CashflowInterval): Day {
  if (interval === 'month') return monthOf(day).first;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return interval === 'week' ? dayAfter(day, -weekday) : day;
}

/**
 * Money that entered and left the company, per period and currency, zeros included. It is the movement of the company's BANK
 * and clearing accounts: a deposit in transit counts when its bank receipt is captured.
 */
export async function readCashflow(
  em: EntityManager,
  companyId: CompanyId,
  { from, to, interval, currency, timeZone = UTC }: CashflowQuery,
): Promise<CashflowPeriod[]> {
  const currencies = textArray(currency === null ? CURRENCY_CODES : [currency]);
  // Turnovers are kept by days of UTC, so each period of another zone is read by itself.
  const periods = timeZone === UTC ? null : periodsIn(timeZone, interval, from, to);
  const rows =
    periods === null
      ? await em.execute<CashflowRow[]>(
          `with asked (starts, ends, unit) as (select ?::timestamptz at time zone 'UTC', ?::timestamptz at time zone 'UTC', ?::text)
     select to_char(p.period, 'YYYY-MM-DD') as period, c.currency, coalesce(f.inflow, 0)::text as inflow,
       coalesce(f.outflow, 0)::text as outflow
     from asked
     cross join lateral
        generate_series(date_trunc(unit, starts), ends - interval '1 microsecond', ('1 ' || unit)::interval) p(period)
     cross join unnest(?::text[]) c(currency)
     left join ledger_cashflow(?, ?, ?, ?, ?) f on f.period = p.period::date and f.currency = c.currency
     order by p.period, c.currency`,
          [...[from, to, interval, currencies], ...[companyId, from, to, interval, currency]],
        )
      : await em.execute<CashflowRow[]>(
          `select p.period, c.currency, coalesce(f.inflow, 0)::text as inflow, coalesce(f.outflow, 0)::text as outflow
     from unnest(?::text[], ?::timestamptz[], ?::timestamptz[]) p(period, starts, ends)
     cross join unnest(?::text[]) c(currency)
     cross join lateral (
       select sum(f.inflow) as inflow, sum(f.outflow) as outflow from ledger_cashflow(?, p.starts, p.ends, ?, c.currency) f) f
     order by p.period, c.currency`,
          [
            textArray(periods.map(({ first }) => first)),
            textArray(periods.map(({ starts }) => starts)),
            textArray(periods.map(({ ends }) => ends)),
            ...[currencies, companyId, interval],
          ],
        );
  return rows.map((row) => ({
    period: row.period,
    currency: row.currency,
    inflowCents: BigInt(row.inflow),
    outflowCents: BigInt(row.outflow),
  }));
}
