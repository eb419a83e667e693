import type { EntityManager } from '@mikro-orm/postgresql';
import { type EscrowStatus, FINAL_STATUSES } from '../../domain/escrow/transitions.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { CURRENCY_CODES, type Currency } from '../../domain/money.ts';
import { textArray } from '../core/text-array.ts';

/** Where a company's money is now, and how old its open work is. */

export const AGES = ['UP_TO_1_DAY', 'UP_TO_7_DAYS', 'UP_TO_30_DAYS', 'OLDER'] as const;
export type Age = (typeof AGES)[number];

export type CurrencyPosition = {
  readonly currency: Currency;
  /** The money that users and the company can spend, withdrawals in progress included. */
  readonly availableCents: bigint;
  /** Held for escrows. */
  readonly heldCents: bigint;
  /** Deposits that the bank has not settled. */
  readonly inTransitCents: bigint;
  readonly payoutCount: number;
  readonly payoutCents: bigint;
};

export type OpenEscrows = {
  readonly currency: Currency;
  readonly status: EscrowStatus;
  /** Since its creation; of a disputed escrow, since the dispute was opened. */
  readonly age: Age;
  readonly count: number;
  readonly heldCents: bigint;
};

export type Position = { readonly money: readonly CurrencyPosition[]; readonly open: readonly OpenEscrows[] };

/**
 * The money of users and of the COMPANY accounts is computed from the few other accounts: the books balance, so the
 * sum of all other accounts with the opposite sign equals it. This avoids reading one balance per user.
 */
export async function readPosition(em: EntityManager, companyId: CompanyId, now: Date): Promise<Position> {
  const open = await readOpen(em, companyId, now);
  const balances = await em.execute<{ currency: Currency; owned: string; transit: string }[]>(
    `select b.currency, (-sum(b.balance) filter (where b.type <> 'COMPANY'))::bigint::text as owned,
       (-coalesce(sum(b.balance) filter (where b.type = 'TRANSIT'), 0))::bigint::text as transit
     from (select a.currency, a.type,
             a.posted + coalesce((select sum(d.amount) from account_delta d where d.account_id = a.id), 0) as balance
           from account a where a.company_id = ? and a.type <> 'USER') b
     group by b.currency`,
    [companyId],
  );
  const payouts = await em.execute<{ currency: Currency; payouts: number; cents: string }[]>(
    `select currency, count(*)::integer as payouts, sum(amount_cents + tax_cents)::text as cents
     from withdrawal where company_id = ? and status = 'PROCESSING' group by currency`,
    [companyId],
  );
  const money = CURRENCY_CODES.map((currency): CurrencyPosition => {
    const heldCents = open.reduce((sum, row) => (row.currency === currency ? sum + row.heldCents : sum), 0n);
    const balance = balances.find((row) => row.currency === currency);
    const payout = payouts.find((row) => row.currency === currency);
    const inTransitCents = BigInt(balance?.transit ?? 0);
    const payoutCents = BigInt(payout?.cents ?? 0);
    return {
      currency,
      heldCents,
      inTransitCents,
      payoutCents,
      payoutCount: payout?.payouts ?? 0,
      availableCents: BigInt(balance?.owned ?? 0) - heldCents - inTransitCents - payoutCents,
    };
  });
  return { money, open };
}

async function readOpen(em: EntityManager, companyId: CompanyId, now: Date): Promise<OpenEscrows[]> {
  const rows = await em.execute<{ currency: Currency; status: EscrowStatus; age: Age; count: number; held: string }[]>(
    `select e.currency, e.status, e.age, count(*)::integer as count, sum(e.held)::text as held from (
       select o.currency, o.status, o.held,
         case when o.since >= ?::timestamptz - interval '1 day' then 'UP_TO_1_DAY'
              when o.since >= ?::timestamptz - interval '7 days' then 'UP_TO_7_DAYS'
              when o.since >= ?::timestamptz - interval '30 days' then 'UP_TO_30_DAYS'
              else 'OLDER' end as age
       from (select currency, status, (state ->> 'heldCents')::bigint as held,
               coalesce((state -> 'dispute' ->> 'openedAt')::timestamptz, created_at) as since
             from escrow where company_id = ? and status <> all(?::text[])) o) e
     group by 1, 2, 3`,
    [now, now, now, companyId, textArray(FINAL_STATUSES)],
  );
  return rows.map(({ held, ...row }) => ({ ...row, heldCents: BigInt(held) }));
}
