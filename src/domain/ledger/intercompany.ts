import type { AccountId, CompanyId, TransactionId } from '../ids.ts';
import type { Currency } from '../money.ts';
import { type Posting, posting } from './postings.ts';

/**
 * A company pays the platform's fees that it has collected. Each company's books balance by themselves, so each has a posting.
 */
export type IntercompanySettlement = {
  /** Also the company's transaction. */
  readonly settlementId: TransactionId;
  /** The platform's transaction. */
  readonly receiptId: TransactionId;
  readonly companyId: CompanyId;
  readonly platformId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly reference: string;
};

/** The accounts of one side: what it owes or is owed, and its share of the cash at the bank. */
export type IntercompanySide = { readonly intercompanyId: AccountId; readonly bankId: AccountId };

/** The company pays: its debt and its cash both become smaller. */
export function paymentPosting(settlement: IntercompanySettlement, side: IntercompanySide): Posting {
  const { settlementId, companyId, amountCents } = settlement;
  return posting({
    ...common(settlement),
    transactionId: settlementId,
    companyId,
    key: `intercompany/${settlementId}/paid`,
    legs: [
      { accountId: side.intercompanyId, amountCents: -amountCents },
      { accountId: side.bankId, amountCents },
    ],
  });
}

/** The platform receives: its claim becomes smaller, and its cash larger. */
export function receiptPosting(settlement: IntercompanySettlement, side: IntercompanySide): Posting {
  const { settlementId, receiptId, platformId, amountCents } = settlement;
  return posting({
    ...common(settlement),
    transactionId: receiptId,
    companyId: platformId,
    key: `intercompany/${settlementId}/received`,
    legs: [
      { accountId: side.bankId, amountCents: -amountCents },
      { accountId: side.intercompanyId, amountCents },
    ],
  });
}

function common({ amountCents, currency, reference }: IntercompanySettlement) {
  return {
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amountCents,
    currency,
    reference,
    escrowId: null,
    metadata: { reason: 'settlement between companies' },
    holds: [],
  } as const;
}
