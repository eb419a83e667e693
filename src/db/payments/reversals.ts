import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId } from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import { reversalPosting } from '../../domain/ledger/captures.ts';
import type { TransactionStatus, TransactionType } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import { postAll } from '../escrow/escrow-store.ts';
import { setTransactionStatus } from '../ledger/transaction-status.ts';
import { isPosted } from '../ledger/transactions.ts';

export type ReverseRequest = {
  /** Of the reversal. */
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly reversedId: TransactionId;
  readonly reason: string;
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
 * Takes back a deposit that bounced, or a receipt that the bank withdrew, from whoever has the money; in the caller's
 * transaction. One still in transit becomes FAILED, a settled one REVERSED. The same transaction id again changes nothing.
 *
 * Throws `not_found`; `wrong_state` for what is no receipt, or was reversed before; `insufficient_funds` where the money is
 * gone; `account_frozen`.
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
  await postAll(em, [
    reversalPosting({
      ...request,
      accountId: receipt.account_id,
      contraAccountId: await contraAccount(em, companyId, isInTransit ? 'TRANSIT' : 'BANK', receipt.currency),
      isHeld: isInTransit,
      amountCents: BigInt(receipt.amount),
      currency: receipt.currency,
      reference: receipt.reference,
    }),
  ]);
  await setTransactionStatus(em, reversedId, isInTransit ? 'FAILED' : 'REVERSED');
}

/** Locks the row, against a capture or another reversal at the same moment. `account_id`: whom the money is taken from. */
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
