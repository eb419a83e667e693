import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, UserId } from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import type { Currency } from '../../domain/money.ts';
import type { FeeKind } from '../treasury/fee-configs.ts';
import { readClosings } from './statements.ts';

/** The reports that close a month. The amounts of a past instant never change; names are today's. */

/** How long a report waits for postings in flight, how often it looks, and when the caller may try again. */
type ClosingLimits = { readonly waitMs: number; readonly checkMs: number; readonly retryAfterSeconds: number };
/** Postings take milliseconds. One that hangs is ended by the limits of its transaction (time-limits.ts). */
const CLOSING_LIMITS: ClosingLimits = { waitMs: 5_000, checkMs: 20, retryAfterSeconds: 10 };

/**
 * Returns once every posting with an earlier time than `at` is visible, so that the report of this instant never changes. `read`
 * runs on the primary, each time in a transaction of its own. Throws `dependency_unavailable` if a posting stays in flight.
 */
export async function closeInstant(
  read: <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>,
  companyId: CompanyId,
  at: Date,
  { waitMs, checkMs, retryAfterSeconds }: ClosingLimits = CLOSING_LIMITS,
): Promise<void> {
  const endMs = performance.now() + waitMs;
  while ((await read((em) => closedUntil(em, companyId))) < at) {
    if (performance.now() >= endMs)
      throw new Refusal('dependency_unavailable', 'a posting that began before this instant is still in flight', {
        retryAfterSeconds,
      });
    await wait(checkMs);
  }
}

/** The latest instant before which no posting can appear any more: that of a report which names none. */
export async function closedUntil(em: EntityManager, companyId: CompanyId): Promise<Date> {
  const [closing] = await readClosings(em, [companyId]);
  if (closing === undefined) throw new Error('the ledger did not return its closing time');
  return closing.until;
}

type BalanceLine = {
  readonly type: AccountType;
  readonly currency: Currency;
  readonly accounts: number;
  readonly debitCents: bigint;
  readonly creditCents: bigint;
};

export async function readTrialBalance(em: EntityManager, companyId: CompanyId, at: Date): Promise<BalanceLine[]> {
  const rows = await em.execute<
    { type: AccountType; currency: Currency; accounts: string; debit: string; credit: string }[]
  >(`select type, currency, accounts, debit::text as debit, credit::text as credit from report_trial_balance(?, ?)`, [
    companyId,
    at,
  ]);
  return rows.map(({ type, currency, accounts, debit, credit }) => ({
    ...{ type, currency, accounts: Number(accounts) },
    ...{ debitCents: BigInt(debit), creditCents: BigInt(credit) },
  }));
}

type Liability = {
  readonly userId: UserId;
  readonly name: string | null;
  readonly currency: Currency;
  readonly balanceCents: bigint;
  readonly heldCents: bigint;
};

/** What the company owes each user, by user and currency. */
export async function readLiabilities(em: EntityManager, companyId: CompanyId, at: Date): Promise<Liability[]> {
  const rows = await em.execute<
    { user_id: UserId; name: string | null; currency: Currency; balance: string; held: string }[]
  >(
    `select r.user_id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as name, r.currency, r.balance::text as balance,
       r.held::text as held
     from report_liabilities(?, ?) r join app_user u on u.company_id = ? and u.id = r.user_id
     order by r.user_id, r.currency`,
    [companyId, at, companyId],
  );
  return rows.map(({ user_id: userId, name, currency, balance, held }) => ({
    ...{ userId, name, currency },
    ...{ balanceCents: BigInt(balance), heldCents: BigInt(held) },
  }));
}

type RevenueLine = {
  readonly kind: FeeKind;
  readonly currency: Currency;
  /** Null: a split plan set the fee. */
  readonly basisPoints: number | null;
  readonly count: number;
  /** The amount of which the fee was taken. */
  readonly baseCents: bigint;
  readonly amountCents: bigint;
};

/** Fees and taxes in [from, to), by kind, currency and rate. */
export async function readRevenue(
  em: EntityManager,
  companyId: CompanyId,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<RevenueLine[]> {
  const rows = await em.execute<
    {
      kind: FeeKind;
      currency: Currency;
      basis_points: number | null;
      count: string;
      base: string;
      amount: string;
    }[]
  >(
    `select kind, currency, basis_points, count, base::text as base, amount::text as amount
     from report_revenue(?, ?, ?)`,
    [companyId, from, to],
  );
  return rows.map(({ kind, currency, basis_points: basisPoints, count, base, amount }) => ({
    ...{ kind, currency, basisPoints, count: Number(count) },
    ...{ baseCents: BigInt(base), amountCents: BigInt(amount) },
  }));
}
