import type { CommandId, TransactionId } from '../ids.ts';
import type { Instant } from '../time.ts';
import type { Withdrawal, WithdrawalCommand } from './withdrawal.ts';

/**
 * How a withdrawal follows its payment at the bank: what the bank's words mean for it, and when it is asked again. Silence, a
 * time-out and "not known" are never a refusal: only the bank's explicit rejection gives the money back.
 */

export type PayoutStatus =
  /** The bank has never heard of the payment. */
  | { readonly kind: 'unknown' }
  /** It has the instruction, and has not decided. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'settled' }
  /** It did not pay, or took back what it had paid. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** The bank's name for the payment: derived, so that every attempt is the same payment. At most 35 characters. */
export function endToEndIdOf(withdrawalId: TransactionId): string {
  return `WD${withdrawalId.replaceAll('-', '').toUpperCase()}`;
}

/** What the bank's answer tells the withdrawal to do; null where it changes nothing. */
export function commandOfAnswer(
  withdrawal: Withdrawal,
  answer: PayoutStatus,
  commandId: CommandId,
): WithdrawalCommand | null {
  const { status, submittedAt } = withdrawal;
  if (status === 'PROCESSING') {
    if (answer.kind === 'settled') return { type: 'settle', commandId };
    if (answer.kind === 'rejected') return { type: 'reject', commandId, reason: answer.reason };
    if (answer.kind === 'pending' && submittedAt === null) return { type: 'submit', commandId };
  }
  if (status === 'COMPLETED' && answer.kind === 'rejected')
    return { type: 'return', commandId, reason: answer.reason, isTaxReturned: true };
  return null;
}

/**
 * Whether a payment that the bank has never heard of is sent. One that it confirmed to have is sent again by a person only: a
 * bank that loses track of a payment may still make it.
 */
export function maySend({ status, submittedAt }: Withdrawal, mayResend: boolean): boolean {
  return status === 'PROCESSING' && (submittedAt === null || mayResend);
}

/** How long after it has paid a bank may still send money back; it is asked once a day until then. */
export const RETURN_WINDOW_DAYS = 14;

const DAY_MS = 86_400_000;
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;
/** A payment that has waited for an hour is asked about every six minutes: late by at most a tenth of its age. */
const DELAY_PER_AGE = 10;

/** Whether the bank need not be asked any more. */
export function isOver({ status, settledAt }: Withdrawal, now: Instant): boolean {
  if (status !== 'COMPLETED' || settledAt === null) return status === 'FAILED' || status === 'REVERSED';
  return Date.parse(now) - Date.parse(settledAt) >= RETURN_WINDOW_DAYS * DAY_MS;
}

/** When the bank is asked next after it was asked at `now`: by age while it decides, daily for returns. */
export function nextCheckAt({ status, createdAt }: Withdrawal, now: Instant): Instant {
  const at = Date.parse(now);
  const byAge = Math.min(Math.max((at - Date.parse(createdAt)) / DELAY_PER_AGE, MIN_DELAY_MS), MAX_DELAY_MS);
  return new Date(at + Math.round(status === 'COMPLETED' ? DAY_MS : byAge)).toISOString();
}
