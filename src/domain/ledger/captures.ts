import { type AccountId, type CompanyId, idMadeBy, publicId, type TransactionId } from '../ids.ts';
import type { Currency } from '../money.ts';
import { leg, type Posting, posting } from './postings.ts';

/** Receipts that the bank reports, and reversals of deposits that bounce. */

type Capture = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly bankAccountId: AccountId;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string;
  readonly match: CaptureMatch;
};

export type CaptureMatch =
  /** A deposit that was credited before it settled: `holdAccountId` has the money on hold. */
  | {
      readonly kind: 'TRANSIT_DEPOSIT';
      readonly depositId: TransactionId;
      readonly transitAccountId: AccountId;
      readonly holdAccountId: AccountId;
    }
  /** Money that was not credited before, for a user, or for SUSPENSE if its owner is unknown. */
  | { readonly kind: 'USER' | 'SUSPENSE'; readonly accountId: AccountId };

/** The bank has the money: a deposit in transit settles, any other receipt is credited. */
export function capturePosting(capture: Capture): Posting {
  const { transactionId, bankAccountId, amountCents, match } = capture;
  const isTransit = match.kind === 'TRANSIT_DEPOSIT';
  return posting({
    transactionId,
    companyId: capture.companyId,
    key: `capture/${transactionId}`,
    type: 'BANK_CAPTURE',
    status: 'COMPLETED',
    amountCents,
    currency: capture.currency,
    reference: capture.reference,
    escrowId: null,
    metadata: isTransit ? { depositId: publicId('transaction', match.depositId) } : {},
    legs: [
      { accountId: bankAccountId, amountCents: -amountCents },
      { accountId: isTransit ? match.transitAccountId : match.accountId, amountCents },
    ],
    holds: isTransit
      ? [{ kind: 'void', holdId: idMadeBy('hold', match.depositId), accountId: match.holdAccountId }]
      : [],
  });
}

type Assignment = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly captureId: TransactionId;
  readonly suspenseAccountId: AccountId;
  readonly userAccountId: AccountId;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string;
};

/** A receipt in SUSPENSE is assigned to its user. Once per capture. */
export function assignmentPosting(assignment: Assignment): Posting {
  const { captureId, amountCents } = assignment;
  return posting({
    transactionId: assignment.transactionId,
    companyId: assignment.companyId,
    key: `capture-assignment/${captureId}`,
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amountCents,
    currency: assignment.currency,
    reference: assignment.reference,
    escrowId: null,
    metadata: { captureId: publicId('transaction', captureId) },
    legs: [
      { accountId: assignment.suspenseAccountId, amountCents: -amountCents },
      { accountId: assignment.userAccountId, amountCents },
    ],
    holds: [],
  });
}

type Reversal = {
  readonly transactionId: TransactionId;
  /** The key of a part. Without it, the receipt is reversed once and as a whole. */
  readonly key?: string;
  readonly companyId: CompanyId;
  /** The reversed receipt. */
  readonly reversedId: TransactionId;
  /** The credited account, and the contra account that the money leaves by. */
  readonly accountId: AccountId;
  readonly contraAccountId: AccountId;
  readonly isHeld: boolean;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string | null;
  /** In the service's words. Null: a person said why, in the texts of the command. Words of people can be erased, and the ledger cannot. */
  readonly reason: string | null;
  /** The amount that the account lacks, and the account that is owed it: a chargeback takes place in any case. */
  readonly shortfall?: { readonly receivableAccountId: AccountId; readonly amountCents: bigint };
};

/** Takes a receipt back from its current holder. Money on hold for settlement is unlocked first, so that it can be debited. */
export function reversalPosting(reversal: Reversal): Posting {
  const { reversedId, accountId, amountCents, shortfall } = reversal;
  const shortCents = shortfall?.amountCents ?? 0n;
  const hold = { holdId: idMadeBy('hold', reversedId), accountId };
  return posting({
    transactionId: reversal.transactionId,
    companyId: reversal.companyId,
    key: reversal.key ?? `reversal/${reversedId}`,
    type: 'REVERSAL',
    status: 'COMPLETED',
    amountCents,
    currency: reversal.currency,
    reference: reversal.reference,
    escrowId: null,
    metadata: {
      reverses: publicId('transaction', reversedId),
      ...(reversal.reason === null ? {} : { reason: reversal.reason }),
    },
    legs: [
      ...leg(accountId, shortCents - amountCents),
      ...(shortfall === undefined ? [] : leg(shortfall.receivableAccountId, -shortCents)),
      { accountId: reversal.contraAccountId, amountCents },
    ],
    holds: reversal.isHeld
      ? [
          { kind: 'capture', ...hold, amountCents },
          { kind: 'void', ...hold },
        ]
      : [],
  });
}

type Reinstatement = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly key: string;
  /** The receipt that was taken back. */
  readonly receiptId: TransactionId;
  readonly accountId: AccountId;
  readonly contraAccountId: AccountId;
  readonly receivableAccountId: AccountId;
  readonly companyAccountId: AccountId;
  readonly amountCents: bigint;
  /** The part that settles what is still owed, and the part that the company had written off. The account gets the rest. */
  readonly owedCents: bigint;
  readonly writtenOffCents: bigint;
  readonly currency: Currency;
};

/** A chargeback was reversed: the bank has the money again. */
export function reinstatementPosting(reinstatement: Reinstatement): Posting {
  const { amountCents, owedCents, writtenOffCents } = reinstatement;
  return posting({
    transactionId: reinstatement.transactionId,
    companyId: reinstatement.companyId,
    key: reinstatement.key,
    type: 'REVERSAL',
    status: 'COMPLETED',
    amountCents,
    currency: reinstatement.currency,
    reference: null,
    escrowId: null,
    metadata: { reinstates: publicId('transaction', reinstatement.receiptId) },
    legs: [
      { accountId: reinstatement.contraAccountId, amountCents: -amountCents },
      ...leg(reinstatement.receivableAccountId, owedCents),
      ...leg(reinstatement.companyAccountId, writtenOffCents),
      ...leg(reinstatement.accountId, amountCents - owedCents - writtenOffCents),
    ],
    holds: [],
  });
}
