import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, EscrowId, TransactionId } from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import { reinstatementPosting, reversalPosting } from '../../domain/ledger/captures.ts';
import type { TransactionStatus, TransactionType } from '../../domain/ledger/postings.ts';
import { partsOf } from '../../domain/ledger/receivables.ts';
import type { Currency } from '../../domain/money.ts';
import type { Movement } from '../../domain/payment-link/changes.ts';
import { availableCents, companyAccount, receivableAccount } from '../ledger/own-accounts.ts';
import { postAll } from '../ledger/post.ts';
import { isPosted, setTransactionStatus } from '../ledger/transactions.ts';
import { debtsOfDeposit, lockReceivables, recordReceivable, recordSettlements } from '../treasury/receivables.ts';

type ReverseRequest = {
  /** The id of the reversal. */
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly reversedId: TransactionId;
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
  /** The account that the money came in by. */
  contra_id: AccountId | null;
  contra_type: AccountType | null;
};

/**
 * Reverses a deposit that bounced, or a receipt that the bank withdrew, and takes the money from its current holder; in the
 * caller's transaction. A deposit in transit becomes FAILED, a settled one REVERSED. A repetition with the same transaction id
 * changes nothing. Payments of links are reversed by the link's run instead, which also knows what the gateway reports.
 *
 * Throws `not_found`; `wrong_state` if the transaction is not a receipt or was reversed before; `insufficient_funds` if the
 * money is gone; `account_frozen`. A chargeback throws neither of the last two.
 */
export async function reverse(em: EntityManager, request: ReverseRequest): Promise<void> {
  const { companyId, reversedId, transactionId } = request;
  const receipt = await lockReceipt(em, companyId, reversedId);
  if (receipt === undefined) throw new Refusal('not_found', 'transaction not found');
  if (await isPosted(em, companyId, transactionId)) return;
  if (receipt.account_id === null)
    throw new Refusal('wrong_state', 'only deposits, and receipts that settled no deposit, can be reversed');
  const isInTransit = receipt.status === 'PROCESSING';
  if (!isInTransit && receipt.status !== 'COMPLETED')
    throw new Refusal('wrong_state', `the transaction is ${receipt.status}`);
  await takeBack(em, {
    ...{ companyId, transactionId, receipt, accountId: receipt.account_id, escrowId: null, isInTransit },
    amountCents: BigInt(receipt.amount),
    cause: null,
    debtReason: 'CHARGEBACK',
    isForced: request.isChargeback && !isInTransit,
  });
  await setTransactionStatus(em, companyId, reversedId, isInTransit ? 'FAILED' : 'REVERSED');
  // The bank may have taken a receipt back before it was reversed here.
  if (receipt.type === 'BANK_CAPTURE') await em.execute('select bank_match_text(?)', [receipt.reference]);
}

/** The payment that a movement takes money from, or gives money back to. */
type MovedPayment = {
  readonly companyId: CompanyId;
  readonly attemptId: string;
  /** The escrow that the payment funded; null if it went to the buyer's balance. */
  readonly escrowId: EscrowId | null;
  /** Whether a person gave a reason, which is in the texts of the command. Otherwise the gateway reported it. */
  readonly isExplained: boolean;
};

/**
 * Books a chargeback or a refund of a link's payment, or a chargeback that was reversed; in the caller's transaction. Money that
 * comes back settles what is still owed for this payment, then what the company has written off, and the rest is the buyer's.
 *
 * Throws `insufficient_funds` or `account_frozen` if the movement is not forced.
 */
export async function moveBack(em: EntityManager, movement: Movement, payment: MovedPayment): Promise<void> {
  const { companyId, attemptId, escrowId, isExplained } = payment;
  const { depositId, transactionId, amountCents } = movement;
  const receipt = await lockReceipt(em, companyId, depositId);
  if (receipt === undefined || receipt.account_id === null) throw new Error(`no deposit ${depositId}`);
  const { account_id: accountId, currency } = receipt;
  const key = `payment-change/${attemptId}/${transactionId}`;
  if (movement.direction === 'take') {
    const reported = movement.reason === 'REFUND' ? 'refunded at the gateway' : 'charged back';
    const cause = isExplained ? null : reported;
    await takeBack(em, {
      ...{ companyId, transactionId, receipt, accountId, escrowId, amountCents, key, cause, isInTransit: false },
      debtReason: movement.reason,
      isForced: movement.isForced,
    });
    if (movement.isWhole) await setTransactionStatus(em, companyId, depositId, 'REVERSED');
    return;
  }
  await lockReceivables(em, companyId);
  const debts = await debtsOfDeposit(em, companyId, depositId);
  const owed = partsOf(debts, amountCents);
  const owedCents = sum(owed);
  const writtenOff = partsOf(debts, amountCents - owedCents, ({ writtenOffCents }) => writtenOffCents);
  await postAll(em, [
    reinstatementPosting({
      ...{ transactionId, companyId, key, receiptId: depositId, accountId, amountCents, owedCents, currency },
      writtenOffCents: sum(writtenOff),
      contraAccountId: await contraAccount(em, companyId, receipt),
      receivableAccountId: await receivableAccount(em, companyId, currency),
      companyAccountId: await companyAccount(em, companyId, 'COMPANY', currency),
    }),
  ]);
  await recordSettlements(em, companyId, transactionId, 'REVERSED', owed);
  await recordSettlements(em, companyId, transactionId, 'RECOVERED', writtenOff);
  await setTransactionStatus(em, companyId, depositId, 'COMPLETED');
}

function sum(parts: readonly { readonly amountCents: bigint }[]): bigint {
  return parts.reduce((total, { amountCents }) => total + amountCents, 0n);
}

type Taking = {
  readonly companyId: CompanyId;
  readonly transactionId: TransactionId;
  readonly receipt: Receipt;
  /** The account that has the money now. */
  readonly accountId: AccountId;
  readonly escrowId: EscrowId | null;
  readonly amountCents: bigint;
  readonly key?: string;
  readonly cause: string | null;
  readonly debtReason: 'CHARGEBACK' | 'REFUND';
  readonly isInTransit: boolean;
  /** The reversal happens even if the account has less: the missing amount becomes a receivable. */
  readonly isForced: boolean;
};

/** Debits the available balance first. Held money stays held. The shortfall becomes a receivable. */
async function takeBack(em: EntityManager, taking: Taking): Promise<void> {
  const { companyId, transactionId, receipt, accountId, escrowId, amountCents, key, isInTransit } = taking;
  const { id: reversedId, currency, reference } = receipt;
  if (taking.isForced) await lockReceivables(em, companyId);
  const coveredCents = taking.isForced ? await availableCents(em, companyId, accountId) : amountCents;
  const shortCents = coveredCents < amountCents ? amountCents - coveredCents : 0n;
  const shortfall =
    shortCents === 0n
      ? undefined
      : { receivableAccountId: await receivableAccount(em, companyId, currency), amountCents: shortCents };
  await postAll(em, [
    reversalPosting({
      ...{ transactionId, companyId, reversedId, accountId, amountCents, currency, reference },
      ...(key === undefined ? {} : { key }),
      reason: taking.cause,
      contraAccountId: await contraAccount(em, companyId, receipt),
      isHeld: isInTransit,
      ...(shortfall === undefined ? {} : { shortfall }),
    }),
  ]);
  if (shortCents > 0n)
    await recordReceivable(em, {
      ...{ receivableId: transactionId, companyId, accountId, currency, escrowId },
      reason: taking.debtReason,
      amountCents: shortCents,
      depositId: reversedId,
    });
}

/** Where the money leaves: by the account that it came in by. A deposit that was in transit and has settled is at the bank. */
async function contraAccount(em: EntityManager, companyId: CompanyId, receipt: Receipt): Promise<AccountId> {
  if (receipt.contra_id === null) throw new Error(`the receipt ${receipt.id} has no contra account`);
  return receipt.contra_type === 'TRANSIT' && receipt.status !== 'PROCESSING'
    ? companyAccount(em, companyId, 'BANK', receipt.currency)
    : receipt.contra_id;
}

/** Locks the row against a concurrent capture or reversal. `account_id`: the account from which the money is taken. */
async function lockReceipt(em: EntityManager, companyId: CompanyId, id: TransactionId): Promise<Receipt | undefined> {
  await em.execute('select 1 from bank_capture where company_id = ? and id = ? for update', [companyId, id]);
  const [receipt] = await em.execute<Receipt[]>(
    `select t.id, t.type, t.status, t.amount::text as amount, t.currency, t.reference,
       case t.type
         when 'DEPOSIT' then 
           (select e.account_id from entry e where e.company_id = t.company_id and e.transaction_id = t.id and e.amount > 0)
         when 'BANK_CAPTURE' then
           (select c.account_id from bank_capture c
            where c.company_id = t.company_id and c.id = t.id and c.matched_kind <> 'TRANSIT_DEPOSIT')
       end as account_id, contra.id as contra_id, contra.type as contra_type
     from ledger_transaction t
     left join lateral (
       select a.id, a.type from entry e join account a on a.company_id = e.company_id and a.id = e.account_id
       where t.type in ('DEPOSIT', 'BANK_CAPTURE') and e.company_id = t.company_id and e.transaction_id = t.id and e.amount < 0
     ) contra on true
     where t.company_id = ? and t.id = ? for update of t`,
    [companyId, id],
  );
  return receipt;
}
