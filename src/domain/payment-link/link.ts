import type { Command, Happened as EntityHappened } from '../entity.ts';
import type { EscrowCommand } from '../escrow/escrow.ts';
import type { AccountId, Branded, CompanyId, EscrowId, Id, TransactionId, UserId } from '../ids.ts';
import type { Currency } from '../money.ts';
import type { Instant } from '../time.ts';

/**
 * A payment link: an offer to pay for an escrow that waits. Its events and the escrow's are written together, so that
 * there is never a paid link without a funded escrow. Numbers, names and the link's hash are rows, never here.
 */

export const LINK_STATUSES = ['PENDING', 'PROCESSING', 'ACCEPTED', 'REJECTED', 'EXPIRED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** The state machine as one table. `to` null: the status stays. */
export const LINK_TRANSITIONS = {
  create: { from: [], to: 'PENDING' },
  'open-checkout': { from: ['PENDING'], to: null },
  'start-charge': { from: ['PENDING'], to: 'PROCESSING' },
  'pay-from-balance': { from: ['PENDING'], to: 'ACCEPTED' },
  reject: { from: ['PENDING'], to: 'REJECTED' },
  // While money is at work nothing expires: the attempt ends first, by lapsing at the latest.
  expire: { from: ['PENDING'], to: 'EXPIRED' },
  'close-with-escrow': { from: ['PENDING', 'PROCESSING'], to: 'REJECTED' },
  // What providers say is recorded whenever it comes: money that arrived is never lost.
  'settle-attempt': { from: LINK_STATUSES, to: null },
  'settle-refund': { from: LINK_STATUSES, to: null },
  'postpone-poll': { from: LINK_STATUSES, to: null },
  'hasten-poll': { from: LINK_STATUSES, to: null },
  'check-attempt': { from: LINK_STATUSES, to: null },
} as const satisfies Record<string, { from: readonly LinkStatus[]; to: LinkStatus | null }>;

export type AttemptId = Branded<'attempt'>;
export const ATTEMPT_KINDS = ['card', 'mobile_money'] as const;
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

/**
 * One try to pay from outside. `open`: a card form that nobody has sent yet. `pending`: money is at work. The rest is over.
 */
export type Attempt = {
  readonly attemptId: AttemptId;
  readonly kind: AttemptKind;
  readonly status: 'open' | 'pending' | 'succeeded' | 'declined' | 'lapsed';
  readonly startedAt: Instant;
  /**
   * When the provider is asked next, if nobody asks before. Null where it is over, unless the gateway has news of a form that was
   * declined: the buyer may have paid in it after all.
   */
  readonly pollAt: Instant | null;
  readonly polls: number;
  /** Set where the money goes back to where it came from. `refused`: the provider does not, so the buyer's balance keeps it. */
  readonly refund: 'due' | 'done' | 'refused' | null;
};

export type LinkTerms = {
  readonly linkId: Id<'paymentLink'>;
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly buyerId: UserId;
  readonly buyerAccountId: AccountId;
  /** Where money from outside is booked against. */
  readonly bankAccountId: AccountId;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly expiresAt: Instant;
};

export type PaymentLink = {
  readonly terms: LinkTerms;
  readonly status: LinkStatus;
  readonly seq: number;
  /** Every one there was, at most `MAX_ATTEMPTS`: money may still come of one that was declined. */
  readonly attempts: readonly Attempt[];
  /** What an accepted link answers: the deposit from outside, or the hold on the buyer's balance. */
  readonly transactionId: TransactionId | null;
  /** The escrow was cancelled under the link: money that still arrives goes back to where it came from. */
  readonly isCancelled: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** What a provider said of an attempt. `mismatched`: it speaks of another amount or reference than ours. */
export type AttemptOutcome = 'succeeded' | 'pending' | 'declined' | 'lapsed' | 'mismatched';

export type LinkCommand =
  | Command<'create', { terms: LinkTerms; escrow: Extract<EscrowCommand, { type: 'initiate' }> }>
  /** The attempt takes the command's id. */
  | Command<'open-checkout'>
  | Command<'start-charge'>
  | Command<'pay-from-balance'>
  | Command<'reject'>
  | Command<'expire'>
  | Command<'close-with-escrow'>
  /** `isLate`: the escrow does not take the money any more, so it is the buyer's. */
  | Command<'settle-attempt', { attemptId: AttemptId; outcome: AttemptOutcome; isLate: boolean }>
  | Command<'settle-refund', { attemptId: AttemptId; outcome: 'refunded' | 'refused' }>
  | Command<'postpone-poll', { attemptId: AttemptId }>
  /** The gateway takes no question before `askAt`: ask then, or sooner where that is planned. */
  | Command<'hasten-poll', { attemptId: AttemptId; askAt: Instant }>
  /** Ask the provider, then settle or postpone: never decided as it is. */
  | Command<'check-attempt', { attemptId: AttemptId }>;

type Happened<Type extends string, Fields = unknown> = EntityHappened<Type, 'COMPANY' | 'BUYER' | 'SYSTEM', Fields>;

export type LinkEvent =
  | Happened<'CREATED', { terms: LinkTerms }>
  | Happened<'CHECKOUT_OPENED', { attempt: Attempt }>
  | Happened<'CHARGE_STARTED', { attempt: Attempt }>
  | Happened<'PAYMENT_PENDING', { attemptId: AttemptId; pollAt: Instant }>
  | Happened<'PAYMENT_DECLINED', { attemptId: AttemptId }>
  | Happened<'CHECKOUT_LAPSED', { attemptId: AttemptId }>
  | Happened<'PAYMENT_MISMATCHED', { attemptId: AttemptId }>
  /** Paid from balance: `attemptId` is null. */
  | Happened<'ACCEPTED', { attemptId: AttemptId | null; transactionId: TransactionId }>
  | Happened<'LATE_MONEY', { attemptId: AttemptId; transactionId: TransactionId; isRefundDue: boolean }>
  /** `transactionId`: of the reversal. */
  | Happened<'REFUNDED', { attemptId: AttemptId; transactionId: TransactionId }>
  /** `transactionId`: of the posting that makes the money available to the buyer. */
  | Happened<'REFUND_REFUSED', { attemptId: AttemptId; transactionId: TransactionId }>
  /** `pollAt` null: the attempt was over, and nobody asks about it again. */
  | Happened<'POLL_POSTPONED', { attemptId: AttemptId; pollAt: Instant | null }>
  | Happened<'POLL_HASTENED', { attemptId: AttemptId; pollAt: Instant }>
  | Happened<'REJECTED'>
  | Happened<'EXPIRED'>;

/** Whether only the API may cause the event: it has read the company's rows, or has checked who pays. */
export function linkNeedsProof(event: { readonly type: string; readonly attemptId?: string | null }): boolean {
  const isPaidFromBalance = event.type === 'ACCEPTED' && event.attemptId === null;
  return isPaidFromBalance || ['CREATED', 'CHECKOUT_OPENED', 'CHARGE_STARTED'].includes(event.type);
}

export const LINK_LIFETIME_HOURS = 24;
export const MAX_ATTEMPTS = 20;
/** A gateway's checkout lives thirty minutes; five more for what is under way at its end. */
export const CHECKOUT_POLL_MINUTES = 35;
/** A provider that has not made up its mind by then is not asked any more; what it still tells us is heard. */
export const ATTEMPT_LIFETIME_HOURS = 7 * 24;
/** When a pending attempt is asked about, counted from the last time: soon first, then patiently. */
export const POLL_DELAYS_SECONDS = {
  mobile_money: [2, 2, 2, 2, 3, 3, 4, 5, 10, 30, 60, 300, 900, 3_600],
  card: [30, 30, 60, 120, 300, 900, 3_600],
} as const satisfies Record<AttemptKind, readonly number[]>;

export function isLinkFinal(status: LinkStatus): boolean {
  return status === 'ACCEPTED' || status === 'REJECTED' || status === 'EXPIRED';
}

/** Attempts that a provider is going to be asked about. */
export function awaited(link: PaymentLink): readonly Attempt[] {
  return link.attempts.filter(({ pollAt }) => pollAt !== null);
}

/** Attempts whose end is not known yet. */
export function unsettled(link: PaymentLink): readonly Attempt[] {
  return link.attempts.filter(({ status }) => status === 'open' || status === 'pending');
}

/** The status that a reader is told: a link past its time is expired, whether or not a worker has said so. */
export function shownStatus(link: { status: LinkStatus; expiresAt: Date }, now: Date): LinkStatus {
  return link.status === 'PENDING' && now >= link.expiresAt ? 'EXPIRED' : link.status;
}
