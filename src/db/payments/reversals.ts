import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId } from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import { type Reversal, reversalPosting } from '../../domain/ledger/captures.ts';
import type { TransactionStatus, TransactionType } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import { postAll } from '../escrow/escrow-store.ts';
import { receivableAccount } from '../ledger/receivable.ts';
import { setTransactionStatus } from '../ledger/transaction-status.ts';
import { isPosted } from '../ledger/transactions.ts';

export type ReverseRequest = {
  /** The id of the reversal. */
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly reversedId: TransactionId;
  readonly reason: string;
  /**
   * A chargeback: the payer's bank has already taken the money. What the account lacks is booked as a receivable of the
   * company.
   */
  readonly isChargeback: boolean;
};

type Receipt = {
  id: TransactionId;
  type: TransactionType;
  status: TransactionStatus;
  amount: string;
  currency: Currency;
  reference: string | null;
  account_id: AccountId | null;
};

/**
 * Reverses a deposit that bounced, or a receipt that the bank withdrew, and takes the money from its current holder; in the
 * caller's transaction. A deposit in transit becomes FAILED, a settled one REVERSED. A repetition with the same transaction id
 * changes nothing.
 *
 * Throws `not_found`; `wrong_state` if the transaction is not a receipt or was reversed before; `insufficient_funds` if the
 * money is gone; `account_frozen`. A chargeback throws neither of the last two.
 */
export async function reverse(em: EntityManager, request: ReverseRequest): Promise<void> {
  const { companyId, reversedId, transactionId } = request;
  const receipt = await lockReceipt(em, companyId, reversedId);
  if (receipt === undefined) throw new Refusal('not_found', 'there is no such transaction');
  if (await isPosted(em, transactionId)) return;
  if (receipt.account_id === null)
    throw new Refusal('wrong_state', 'only deposits, and receipts that settled no deposit, can be reversed');
  const isInTransit = receipt.status === 'PROCESSING';
  if (!isInTransit && receipt.status !== 'COMPLETED')
    throw new Refusal('wrong_state', `the transaction is ${receipt.status}`);
  const amountCents = BigInt(receipt.amount);
  const shortfall =
    request.isChargeback && !isInTransit
      ? await shortfallOf(em, companyId, receipt.account_id, amountCents, receipt.currency)
      : undefined;
  await postAll(em, [
    reversalPosting({
      ...request,
      accountId: receipt.account_id,
      contraAccountId: await contraAccount(em, companyId, isInTransit ? 'TRANSIT' : 'BANK', receipt.currency),
      isHeld: isInTransit,
      amountCents,
      currency: receipt.currency,
      reference: receipt.reference,
      ...(shortfall === undefined ? {} : { shortfall }),
    }),
  ]);
  await setTransactionStatus(em, reversedId, isInTransit ? 'FAILED' : 'REVERSED');
}

/** Locks the row against a concurrent capture or reversal. `account_id`: the account from which the money is taken. */
async function lockReceipt(em: EntityManager, companyId: CompanyId, id: TransactionId): Promise<Receipt | undefined> {
  await em.execute('select 1 from bank_capture where company_id = ? and id = ? for update', [companyId, id]);
  const [receipt] = await em.execute<Receipt[]>(
    `select t.id, t.type, t.status, t.amount::text as amount, t.currency, t.reference,
       case t.type
         when 'DEPOSIT' then (select e.account_id from entry e where e.transaction_id = t.id and e.amount > 0)
         when 'BANK_CAPTURE' then
           (select c.account_id from bank_capture c where c.id = t.id and c.matched_kind <> 'TRANSIT_DEPOSIT')
       end as account_id
     from ledger_transaction t where t.company_id = ? and t.id = ? for update of t`,
    [companyId, id],
  );
  return receipt;
}

/**
 * The part of an amount that the account cannot cover. The account stays locked until the posting, so that its balance cannot
 * drop in between.
 */
async function shortfallOf(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  amountCents: bigint,
  currency: Currency,
): Promise<Reversal['shortfall']> {
  const [account] = await em.execute<{ available: string }[]>(
    `select case when is_frozen then '0' else (posted - held)::text end as available
     from account where id = ? for no key update`,
    [accountId],
  );
  const availableCents = BigInt(account?.available ?? 0);
  if (availableCents >= amountCents) return undefined;
  const shortCents = amountCents - (availableCents > 0n ? availableCents : 0n);
  return { receivableAccountId: await receivableAccount(em, companyId, currency), amountCents: shortCents };
}

async function contraAccount(
  em: EntityManager,
  companyId: CompanyId,
  type: AccountType,
  currency: Currency,
): Promise<AccountId> {
  const [row] = await em.execute<{ id: AccountId }[]>(
    'select id from account where company_id = ? and type = ? and currency = ?',
    [companyId, type, currency],
  );
  if (row === undefined) throw new Error(`the company has no ${type} account`);
  return row.id;
}
