import { type AccountId, type CompanyId, idMadeBy, type TransactionId } from '../ids.ts';
import type { Currency } from '../money.ts';
import { type Posting, posting } from './postings.ts';

type Deposit = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly accountId: AccountId;
  /** The source of the money: CLEARING_DECLARED, or TRANSIT while it has not settled. */
  readonly contraAccountId: AccountId;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly externalReference: string | null;
  readonly userReference: string | null;
  readonly isTransit: boolean;
  /** False: the external reference is a user's own, which repeats. */
  readonly isReferenceUnique?: boolean;
};

/**
 * Received money. In transit it counts in the balance and is held until a bank capture settles it. The reference is the
 * ledger's key, so that one external receipt is posted once; a user's own reference repeats.
 */
export function depositPosting(deposit: Deposit): Posting {
  const { transactionId, accountId, amountCents, externalReference, isTransit } = deposit;
  return posting({
    transactionId,
    companyId: deposit.companyId,
    key:
      externalReference === null || deposit.isReferenceUnique === false
        ? `deposit/${transactionId}`
        : `deposit-reference/${externalReference}`,
    type: 'DEPOSIT',
    status: isTransit ? 'PROCESSING' : 'COMPLETED',
    amountCents,
    currency: deposit.currency,
    reference: externalReference,
    escrowId: null,
    metadata: deposit.userReference === null ? {} : { userReference: deposit.userReference },
    legs: [
      { accountId: deposit.contraAccountId, amountCents: -amountCents },
      { accountId, amountCents },
    ],
    // The hold has the transaction's id.
    holds: isTransit ? [{ kind: 'place', holdId: idMadeBy('hold', transactionId), accountId, amountCents }] : [],
  });
}
