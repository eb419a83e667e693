import { type CommandId, idMadeBy, publicId, type TransactionId } from '../ids.ts';
import { leg, type Posting, posting, type TransactionStatus } from '../ledger/postings.ts';
import { debitCents, type TaxFrom, type Withdrawal, type WithdrawalTerms } from './withdrawal.ts';

/**
 * A withdrawal in the ledger: one transaction that locks the money and whose status clients follow, and one that moves the
 * money once the bank has paid. Transactions are immutable, so the second is a transaction of its own. Readers get both as one,
 * with the id of the first; they recognise the second by its key (140-ledger-activity.sql).
 *
 * References are a bank customer's free text: the activity that posts reads them from their row.
 */

function hold({ withdrawalId, accountId }: WithdrawalTerms) {
  return { holdId: idMadeBy('hold', withdrawalId), accountId };
}

function withdrawalPosting(terms: WithdrawalTerms, step: string, fields: Partial<Posting>): Posting {
  return posting({
    transactionId: terms.withdrawalId,
    companyId: terms.companyId,
    // The key names the withdrawal's step and not the command, so a step that several commands request is posted once.
    key: `withdrawal/${terms.withdrawalId}/${step}`,
    type: 'WITHDRAWAL',
    status: 'COMPLETED',
    amountCents: terms.amountCents,
    currency: terms.currency,
    reference: null,
    escrowId: null,
    metadata: { withdrawalId: publicId('transaction', terms.withdrawalId), taxAmount: terms.taxCents.toString() },
    legs: [],
    holds: [],
    ...fields,
  });
}

/** Locks amount and tax. Nothing moves yet, so there are no entries. */
export function requestPosting(terms: WithdrawalTerms): Posting {
  return withdrawalPosting(terms, 'requested', {
    status: 'PROCESSING',
    holds: [{ kind: 'place', ...hold(terms), amountCents: debitCents(terms) }],
  });
}

/** The bank has paid: the money is debited, and the tax is withheld. */
export function settlementPosting(terms: WithdrawalTerms, commandId: CommandId): Posting {
  return withdrawalPosting(terms, 'settled', {
    transactionId: idMadeBy('transaction', commandId),
    legs: [
      { accountId: terms.accountId, amountCents: -debitCents(terms) },
      { accountId: terms.bankAccountId, amountCents: terms.amountCents },
      ...leg(terms.taxAccountId, terms.taxCents),
    ],
    holds: [
      { kind: 'capture', ...hold(terms), amountCents: debitCents(terms) },
      { kind: 'void', ...hold(terms) },
    ],
  });
}

/** The bank has refused: everything is unlocked. */
export const rejectionPosting = (terms: WithdrawalTerms, commandId: CommandId) =>
  unlockingPosting(terms, commandId, 'rejected');

/** The bank never had the payment: everything is unlocked. */
export const cancellationPosting = (terms: WithdrawalTerms, commandId: CommandId) =>
  unlockingPosting(terms, commandId, 'cancelled');

function unlockingPosting(terms: WithdrawalTerms, commandId: CommandId, step: string): Posting {
  return withdrawalPosting(terms, step, {
    transactionId: idMadeBy('transaction', commandId),
    type: 'REVERSAL',
    holds: [{ kind: 'void', ...hold(terms) }],
  });
}

/**
 * The bank returned the money. The amount and all of the tax go to the account. If the TAX account cannot return the tax, the
 * company has a receivable for it.
 */
export function returnPosting({ terms, settlements }: Withdrawal, commandId: CommandId, taxFrom: TaxFrom): Posting {
  return withdrawalPosting(terms, settlements === 1 ? 'returned' : `returned/${settlements}`, {
    transactionId: idMadeBy('transaction', commandId),
    type: 'REVERSAL',
    legs: [
      { accountId: terms.bankAccountId, amountCents: -terms.amountCents },
      ...leg(taxFrom === 'TAX' ? terms.taxAccountId : terms.receivableAccountId, -terms.taxCents),
      { accountId: terms.accountId, amountCents: debitCents(terms) },
    ],
  });
}

/**
 * The bank paid after the money was given back: the account is debited after all. Tax that is still owed from the return is
 * settled by this payment's tax.
 */
export function lateSettlementPosting({ terms, settlements, owedTaxId }: Withdrawal, commandId: CommandId): Posting {
  return withdrawalPosting(terms, `settled-late/${settlements + 1}`, {
    transactionId: idMadeBy('transaction', commandId),
    legs: [
      { accountId: terms.accountId, amountCents: -debitCents(terms) },
      { accountId: terms.bankAccountId, amountCents: terms.amountCents },
      ...leg(owedTaxId === null ? terms.taxAccountId : terms.receivableAccountId, terms.taxCents),
    ],
  });
}

/**
 * The posting of a payment, or of its return, with a part of the account's leg on the RECEIVABLE account instead: what the
 * account could not pay. `cents` is at most the leg's amount.
 */
export function withReceivable(
  moved: Posting,
  { accountId, receivableAccountId }: WithdrawalTerms,
  cents: bigint,
): Posting {
  if (cents === 0n) return moved;
  const legs = moved.legs.flatMap((one) => {
    if (one.accountId !== accountId) return [one];
    const owedCents = one.amountCents < 0n ? -cents : cents;
    return [...leg(accountId, one.amountCents - owedCents), ...leg(receivableAccountId, owedCents)];
  });
  return posting({ ...moved, legs });
}

/**
 * The ledger transactions whose status is the withdrawal's: the one that locked the money, which readers see, and the latest one
 * that moved the money.
 */
export function transactionStatuses({
  terms,
  status,
  settlementId,
}: Withdrawal): readonly { readonly transactionId: TransactionId; readonly status: TransactionStatus }[] {
  const first = { transactionId: terms.withdrawalId, status };
  return settlementId === null ? [first] : [first, { transactionId: settlementId, status }];
}
