import { type CommandId, idMadeBy, publicId, type TransactionId } from '../ids.ts';
import { leg, type Posting, posting, type TransactionStatus } from '../ledger/postings.ts';
import { debitCents, type Withdrawal, type WithdrawalTerms } from './withdrawal.ts';

/**
 * A withdrawal in the ledger: one transaction that locks the money and that clients follow by its status, and one that moves
 * it once the bank has paid. What was written is never changed, so the second is a transaction of its own.
 *
 * References are a bank customer's free text: the activity that posts takes them from their row.
 */

function hold({ withdrawalId, accountId }: WithdrawalTerms) {
  return { holdId: idMadeBy('hold', withdrawalId), accountId };
}

/** What a command makes takes the command's id, so that doing it again makes the same thing. */
export function transactionOf(commandId: CommandId): TransactionId {
  return idMadeBy('transaction', commandId);
}

function withdrawalPosting(terms: WithdrawalTerms, step: string, fields: Partial<Posting>): Posting {
  return posting({
    transactionId: terms.withdrawalId,
    companyId: terms.companyId,
    // Of the withdrawal, not of the command: whoever asks, each step is posted once.
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

/** The bank has paid: the money leaves, and the tax is withheld. */
export function settlementPosting(terms: WithdrawalTerms, commandId: CommandId): Posting {
  return withdrawalPosting(terms, 'settled', {
    transactionId: transactionOf(commandId),
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
export function rejectionPosting(terms: WithdrawalTerms, commandId: CommandId): Posting {
  return withdrawalPosting(terms, 'rejected', {
    transactionId: transactionOf(commandId),
    type: 'REVERSAL',
    holds: [{ kind: 'void', ...hold(terms) }],
  });
}

/** The bank sent the money back: it is the account's again, with the tax of it that `taxCents` says. */
export function returnPosting(terms: WithdrawalTerms, commandId: CommandId, taxCents: bigint): Posting {
  return withdrawalPosting(terms, 'returned', {
    transactionId: transactionOf(commandId),
    type: 'REVERSAL',
    legs: [
      { accountId: terms.bankAccountId, amountCents: -terms.amountCents },
      ...leg(terms.taxAccountId, -taxCents),
      { accountId: terms.accountId, amountCents: terms.amountCents + taxCents },
    ],
  });
}

/** The ledger's transactions whose status is the withdrawal's: the one that locked, and the one that moved the money. */
export function transactionStatuses(
  withdrawal: Withdrawal,
): readonly { readonly transactionId: TransactionId; readonly status: TransactionStatus }[] {
  const { terms, status, settlementId } = withdrawal;
  return [terms.withdrawalId, ...(settlementId === null ? [] : [settlementId])].map((transactionId) => ({
    transactionId,
    status,
  }));
}
