import { type IdKind, publicId, publicIdOrNull } from '../../domain/ids.ts';
import { sentenceOfReason } from '../../domain/withdrawal/failure-reasons.ts';
import { endToEndIdOf } from '../../domain/withdrawal/payout.ts';
import type { CaptureRecord } from '../payments/captures.ts';
import type { WithdrawalRecord } from '../treasury/withdrawals.ts';

/** The public form of withdrawals and receipts, in responses and in events. */

/** The withdrawal without the number of the bank account. */
export function withdrawalWithoutAccount(withdrawal: Omit<WithdrawalRecord, 'maskedAccountNumber' | 'isHandedOver'>) {
  return {
    id: publicId('transaction', withdrawal.id),
    status: withdrawal.status,
    amount: withdrawal.amountCents.toString(),
    taxAmount: withdrawal.taxCents.toString(),
    reference: withdrawal.externalReference,
    created_at: withdrawal.createdAt.toISOString(),
    currency: withdrawal.currency,
    accountId: publicId('account', withdrawal.accountId),
    bank_name: withdrawal.bankName,
    branch_code: withdrawal.branchCode,
    account_name: withdrawal.accountName,
    not_before: withdrawal.notBefore?.toISOString() ?? null,
    failure_reason: withdrawal.reason,
    failure_description: withdrawal.reason === null ? null : sentenceOfReason(withdrawal.reason),
    review_reason: withdrawal.concern,
    end_to_end_id: endToEndIdOf(withdrawal.id),
    updated_at: withdrawal.updatedAt.toISOString(),
    version: withdrawal.version,
  };
}

/** The kind of object that `matchedTo.id` identifies. */
const MATCHED_ID_KIND = {
  TRANSIT_DEPOSIT: 'transaction',
  USER: 'user',
  SUSPENSE: 'account',
} as const satisfies Record<CaptureRecord['matchedKind'], IdKind>;

export function captureView(capture: CaptureRecord) {
  const { matchedKind: kind, matchedId } = capture;
  return {
    id: publicId('transaction', capture.id),
    type: 'BANK_CAPTURE' as const,
    amount: capture.amountCents.toString(),
    currency: capture.currency,
    reference: capture.reference,
    status: capture.status,
    matchedTo: { kind, id: publicId(MATCHED_ID_KIND[kind], matchedId) },
    possibleDuplicateOf: publicIdOrNull('transaction', capture.possibleDuplicateOf),
    created_at: capture.createdAt.toISOString(),
  };
}
