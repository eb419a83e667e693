import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId } from '../../domain/ids.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import type { HoldBack } from '../../domain/withdrawal/bank-reports.ts';
import {
  debitCents,
  type Withdrawal,
  type WithdrawalEvent,
  type WithdrawalStatus,
  type WithdrawalTerms,
} from '../../domain/withdrawal/withdrawal.ts';
import type { EncryptedText } from '../core/field-cipher.ts';
import { assertMayBePaid } from '../identity/blacklist.ts';

/** The instruction to the bank for a withdrawal, and its attempts. `em` must have the rights of the worker. */

/** Thrown if event, row and hold of a withdrawal do not agree. The bank must not receive an instruction then. */
export class BooksDisagree extends Error {
  override readonly name = 'BooksDisagree';
}

export type PayoutAttempt = {
  readonly kind: 'begun';
  /** Counted from 1. */
  readonly attempt: number;
  readonly terms: WithdrawalTerms;
  readonly requestedAt: Date;
  readonly externalReference: string;
  readonly bankName: string;
  readonly branchCode: string;
  readonly accountNumber: EncryptedText;
  readonly accountName: string;
};

type DestinationRow = {
  attempts: number;
  external_reference: string;
  bank_name: string;
  branch_code: string;
  account_number: EncryptedText;
  account_name: string;
};

/** How many times the payment may have reached the bank, and until when it waits. */
export async function readAttempts(
  em: EntityManager,
  companyId: CompanyId,
  withdrawalId: TransactionId,
): Promise<{ readonly attempts: number; readonly waitsUntil: Date | null }> {
  const [row] = await em.execute<{ attempts: number; waits_until: Date | null }[]>(
    `select attempts, case when not_before > company_now(company_id) then not_before end as waits_until
     from payout_destination where company_id = ? and id = ?`,
    [companyId, withdrawalId],
  );
  const waitsUntil = row?.waits_until ?? null;
  return { attempts: row?.attempts ?? 0, waitsUntil: waitsUntil === null ? null : new Date(waitsUntil) };
}

/** The attempt, or why there is none: the payment is held back, its time has not come, or it was cancelled or decided meanwhile. */
type BegunAttempt =
  | PayoutAttempt
  | { readonly kind: 'held'; readonly reason: HoldBack }
  | { readonly kind: 'waits'; readonly until: Date }
  | { readonly kind: 'ended' };

/**
 * Counts one more attempt, in the caller's transaction, before the bank receives it. The row of the destination is locked: a
 * cancellation is written before the attempt is counted, or finds it. The instruction is built from the event, which is
 * immutable. Throws BooksDisagree.
 */
export async function beginAttempt(
  em: EntityManager,
  companyId: CompanyId,
  withdrawalId: TransactionId,
): Promise<BegunAttempt> {
  await lockDestination(em, companyId, withdrawalId);
  const { terms, at } = await requestOf(em, companyId, withdrawalId);
  // Read after the lock: a cancellation that held it is seen.
  const [row] = await em.execute<{ status: WithdrawalStatus }[]>(
    'select status from withdrawal where company_id = ? and id = ?',
    [companyId, withdrawalId],
  );
  if (row?.status !== 'PROCESSING') return { kind: 'ended' };
  const { waitsUntil } = await readAttempts(em, companyId, withdrawalId);
  if (waitsUntil !== null) return { kind: 'waits', until: waitsUntil };
  const reason = await findHoldBack(em, terms);
  if (reason !== null) return { kind: 'held', reason };
  await assertBooksAgree(em, terms);
  const [destination] = await em.execute<DestinationRow[]>(
    `update payout_destination set attempts = attempts + 1 where company_id = ? and id = ?
     returning attempts, external_reference, bank_name, branch_code, account_number, account_name`,
    [companyId, withdrawalId],
  );
  if (destination === undefined) throw new Error(`withdrawal ${withdrawalId} has no destination`);
  return {
    kind: 'begun',
    attempt: destination.attempts,
    terms,
    requestedAt: new Date(at),
    externalReference: destination.external_reference,
    bankName: destination.bank_name,
    branchCode: destination.branch_code,
    accountNumber: destination.account_number,
    accountName: destination.account_name,
  };
}

/**
 * Locks the destination, so that no attempt begins until the transaction ends. Throws `wrong_state` if the bank may have the
 * payment.
 */
export async function assertNotHandedOver(
  em: EntityManager,
  { companyId, withdrawalId }: WithdrawalTerms,
): Promise<void> {
  const attempts = await lockDestination(em, companyId, withdrawalId);
  if (attempts > 0) throw new Refusal('wrong_state', 'the payment was handed to the bank');
}

/** Returns how many times the payment may have reached the bank. */
async function lockDestination(em: EntityManager, companyId: CompanyId, withdrawalId: TransactionId): Promise<number> {
  const [row] = await em.execute<{ attempts: number }[]>(
    'select attempts from payout_destination where company_id = ? and id = ? for update',
    [companyId, withdrawalId],
  );
  if (row === undefined) throw new Error(`withdrawal ${withdrawalId} has no destination`);
  return row.attempts;
}

/** Why the payment may not be made now; null if it may. A change of the freeze waits until the transaction ends. */
export async function findHoldBack(
  em: EntityManager,
  { companyId, accountId, userId }: WithdrawalTerms,
): Promise<HoldBack | null> {
  const [account] = await em.execute<{ is_frozen: boolean }[]>(
    'select is_frozen from account where company_id = ? and id = ? for share',
    [companyId, accountId],
  );
  if (account?.is_frozen !== false) return 'account_frozen';
  if (userId === null) return null;
  try {
    await assertMayBePaid(em, companyId, userId);
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'user_blacklisted') return 'user_blacklisted';
    throw error;
  }
}

/** Uncounts an attempt that certainly did not reach the bank. */
export async function forgetAttempt(
  em: EntityManager,
  { companyId, withdrawalId }: WithdrawalTerms,
  attempt: number,
): Promise<void> {
  await em.execute(
    'update payout_destination set attempts = attempts - 1 where company_id = ? and id = ? and attempts = ?',
    [companyId, withdrawalId, attempt],
  );
}

/** Throws BooksDisagree unless `state` has the terms of the event that created the withdrawal. */
export async function assertTermsUnchanged(em: EntityManager, { terms }: Withdrawal): Promise<void> {
  const requested = await requestOf(em, terms.companyId, terms.withdrawalId);
  const names = Object.keys(requested.terms) as (keyof WithdrawalTerms)[]; // the keys of its type
  const changed = names.filter((name) => requested.terms[name] !== terms[name]);
  if (changed.length > 0) throw new BooksDisagree(`${terms.withdrawalId}: ${changed.join(', ')} differ from the event`);
}

async function requestOf(em: EntityManager, companyId: CompanyId, withdrawalId: TransactionId) {
  const [row] = await em.execute<{ data: Wire<Extract<WithdrawalEvent, { type: 'REQUESTED' }>> }[]>(
    `select data from withdrawal_event
     where company_id = ? and withdrawal_id = ? and seq = 1 and type = 'REQUESTED'`,
    [companyId, withdrawalId],
  );
  if (row === undefined) throw new BooksDisagree(`${withdrawalId} was never requested`);
  return fromWire<Extract<WithdrawalEvent, { type: 'REQUESTED' }>>(row.data);
}

type Books = {
  amount_cents: string;
  tax_cents: string;
  currency: Currency;
  account_id: AccountId;
  hold_account_id: AccountId;
  remaining: string;
  is_open: boolean;
  hold_currency: Currency;
};

/** Checks that the hold still locks amount and tax, on that account and in that currency. Throws BooksDisagree. */
export async function assertBooksAgree(em: EntityManager, terms: WithdrawalTerms): Promise<void> {
  const { companyId, withdrawalId } = terms;
  const [books] = await em.execute<Books[]>(
    `select w.amount_cents::text as amount_cents, w.tax_cents::text as tax_cents, w.currency, w.account_id,
       h.account_id as hold_account_id, h.remaining::text as remaining, h.status = 'OPEN' as is_open, a.currency as hold_currency
     from withdrawal w join hold h on h.company_id = w.company_id and h.id = w.id
       join account a on a.company_id = h.company_id and a.id = h.account_id
     where w.company_id = ? and w.id = ?`,
    [companyId, withdrawalId],
  );
  if (books === undefined) throw new BooksDisagree(`${withdrawalId}: there is no hold`);
  const problems = {
    'the hold is closed': !books.is_open,
    'the hold is not amount and tax': BigInt(books.remaining) !== debitCents(terms),
    'the row has other amounts':
      BigInt(books.amount_cents) !== terms.amountCents || BigInt(books.tax_cents) !== terms.taxCents,
    'the currencies differ': books.currency !== terms.currency || books.hold_currency !== terms.currency,
    'the accounts differ': books.account_id !== terms.accountId || books.hold_account_id !== terms.accountId,
  };
  const found = Object.entries(problems).flatMap(([problem, isThere]) => (isThere ? [problem] : []));
  if (found.length > 0) throw new BooksDisagree(`${withdrawalId}: ${found.join('; ')}`);
}
