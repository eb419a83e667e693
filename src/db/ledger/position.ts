import type { EntityManager } from '@mikro-orm/postgresql';
import type { EscrowStatus } from '../../domain/escrow/escrow.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ACCOUNT_TYPES } from '../../domain/ledger/accounts.ts';
import { CURRENCY_CODES, type Currency } from '../../domain/money.ts';
import { textArray } from '../core/bound.ts';

/** Where a company's money is now, and how old its open work is. */

export const AGES = ['UP_TO_1_DAY', 'UP_TO_7_DAYS', 'UP_TO_30_DAYS', 'OLDER'] as const;
type Age = (typeof AGES)[number];

type CurrencyPosition = {
  readonly currency: Currency;
  /** The money that users and the company can spend, withdrawals in progress excluded. */
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
  /** Since the hour of its creation; of a disputed escrow, since the hour in which the dispute was opened. */
  readonly age: Age;
  readonly count: number;
  readonly heldCents: bigint;
};

type Position = { readonly money: readonly CurrencyPosition[]; readonly open: readonly OpenEscrows[] };

/** All accounts but those of users, of which a company can have millions. */
const OWN_ACCOUNTS = Object.keys(ACCOUNT_TYPES).filter((type) => type !== 'USER');

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
             a.posted + coalesce((select sum(d.amount) from account_delta d where d.company_id = a.company_id and d.account_id = a.id), 0) as balance
           from account a where a.company_id = ? and a.type = any(?::text[])) b
     group by b.currency`,
    [companyId, textArray(OWN_ACCOUNTS)],
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

/** From the tallies: a company has few, however many escrows are open. */
async function readOpen(em: EntityManager, companyId: CompanyId, now: Date): Promise<OpenEscrows[]> {
  const rows = await em.execute<{ currency: Currency; status: EscrowStatus; age: Age; count: number; held: string }[]>(
    `select t.currency, t.status,
       case when t.since > ?::timestamptz - interval '1 day' then 'UP_TO_1_DAY'
            when t.since > ?::timestamptz - interval '7 days' then 'UP_TO_7_DAYS'
            when t.since > ?::timestamptz - interval '30 days' then 'UP_TO_30_DAYS'
            else 'OLDER' end as age,
       sum(t.escrows)::integer as count, sum(t.held_cents)::text as held
     from (select currency, status, since, escrows, held_cents from open_escrow_tally where company_id = ?
           union all
           select currency, status, since, escrows, held_cents from open_escrow_change where company_id = ?) t
     group by 1, 2, 3 having sum(t.escrows) <> 0`,
    [now, now, now, companyId, companyId],
  );
  return rows.map(({ held, ...row }) => ({ ...row, heldCents: BigInt(held) }));
}
