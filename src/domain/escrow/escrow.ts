import type { Command, Happened as EntityHappened } from '../entity.ts';
import type {
  AccountId,
  AdministratorId,
  ApiKeyId,
  CompanyId,
  DisputeId,
  EscrowId,
  ItemId,
  MilestoneId,
  NegotiationId,
  TransactionId,
  UserId,
} from '../ids.ts';
import type { Currency } from '../money.ts';
import type { Instant } from '../time.ts';
import type { FeePayer, Shares, SplitPlan } from './shares.ts';
import type { EscrowStatus, MessageType } from './transitions.ts';

/**
 * The escrow's types: its state, its commands and its events. All values are plain data. Names, notes and reasons are not
 * included: they are rows under the command's id (`command_text`), so that no payload contains them.
 */

export const ACTORS = ['COMPANY', 'BUYER', 'SELLER', 'ADMIN', 'SYSTEM'] as const;
export type Actor = (typeof ACTORS)[number];
export const PARTIES = ['BUYER', 'SELLER'] as const;
export type Party = (typeof PARTIES)[number];

export type OrderedItem = { readonly itemId: ItemId; readonly quantity: number; readonly pricePerUnitCents: bigint };
export type CountedItem = { readonly itemId: ItemId; readonly quantity: number; readonly pricePerItemCents: bigint };

/** The credential that ordered a payment. Both null: support sent the signal without naming one. */
export type OrderedBy = { readonly adminId: AdministratorId | null; readonly apiKeyId: ApiKeyId | null };

/** The terms that were agreed at the start. They never change. */
export type EscrowTerms = {
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly buyerId: UserId;
  /** Null: the company itself sells, and its own account receives the payout. */
  readonly sellerId: UserId | null;
  readonly buyerAccountId: AccountId;
  readonly sellerAccountId: AccountId;
  readonly serviceFeeAccountId: AccountId;
  readonly systemFeeAccountId: AccountId;
  readonly currency: Currency;
  readonly totalCents: bigint;
  readonly feePayer: FeePayer;
  readonly items: readonly OrderedItem[];
  /** Null: money moves only when a person releases it. */
  readonly autoReleaseHours: number | null;
};

/** The fees of the company's schedule that a new escrow takes, and the instants since which they apply. */
export type EscrowFees = {
  readonly systemFeeBasisPoints: number;
  readonly serviceFeeBasisPoints: number;
  readonly systemFeeSince: Instant;
  readonly serviceFeeSince: Instant;
};

export const MILESTONE_STATUSES = ['PENDING', 'RELEASED', 'REFUNDED'] as const;
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number];

export type Milestone = {
  readonly milestoneId: MilestoneId;
  /** Basis points: 33 % is 3300. */
  readonly weightHundredths: number;
  readonly status: MilestoneStatus;
  readonly shares: Shares;
};

export type NegotiationStatus = 'PENDING' | 'ACCEPTED' | 'REJECTED' | 'LAPSED';

export type Negotiation = {
  readonly negotiationId: NegotiationId;
  /** Null: the escrow as a whole. */
  readonly milestoneId: MilestoneId | null;
  readonly proposer: Party;
  readonly plan: SplitPlan;
  readonly status: NegotiationStatus;
  readonly lapsesAt: Instant;
};

export type Dispute = { readonly disputeId: DisputeId; readonly openedBy: Party; readonly openedAt: Instant };

export type Escrow = {
  readonly terms: EscrowTerms;
  readonly status: EscrowStatus;
  /** The number of events that led to this state. */
  readonly seq: number;
  readonly heldCents: bigint;
  readonly releasedCents: bigint;
  readonly feesCents: bigint;
  readonly refundedCents: bigint;
  /** The part of the funding payment that its payer took back at the gateway. */
  readonly chargedBackCents: bigint;
  /** The fees that it was created with. Null: its split plan was given explicitly. */
  readonly fees: EscrowFees | null;
  /** The default division of the whole escrow. With milestones, the sum of their shares. */
  readonly shares: Shares;
  readonly milestones: readonly Milestone[];
  /** Open negotiations, and up to `MAX_CLOSED_NEGOTIATIONS` closed ones. */
  readonly negotiations: readonly Negotiation[];
  readonly dispute: Dispute | null;
  readonly autoReleaseAt: Instant | null;
  readonly autoReleaseExtended: boolean;
  /** Why the latest automatic release was refused; null once another event has set its date. */
  readonly blockedBy: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Null: no event yet. */
export type EscrowState = Escrow | null;

export type EscrowCommand =
  | Command<
      'initiate',
      {
        terms: EscrowTerms;
        fees: EscrowFees;
        splitPlan: SplitPlan | null;
        milestones: readonly { readonly milestoneId: MilestoneId; readonly weightHundredths: number }[];
        /** `now`: the buyer's balance is held at once. `awaited`: a payment link will fund the escrow. */
        funding: 'now' | 'awaited';
      }
    >
  | Command<'fund', { depositTransactionId: TransactionId | null }>
  | Command<'delivery-note', { items: readonly CountedItem[] }>
  | Command<'goods-received', { items: readonly CountedItem[] }>
  | Command<'release', OrderedBy>
  | Command<'release-milestone', OrderedBy & { milestoneId: MilestoneId }>
  | Command<'negotiate', { actor: Party; plan: SplitPlan }>
  | Command<'adjust-milestone', { actor: Party; milestoneId: MilestoneId; sellerPayoutCents: bigint }>
  | Command<'accept-negotiation', { actor: Party; negotiationId: NegotiationId; milestoneId: MilestoneId | null }>
  | Command<'reject-negotiation', { actor: Party; negotiationId: NegotiationId; milestoneId: MilestoneId | null }>
  | Command<'lapse-negotiation', { negotiationId: NegotiationId }>
  | Command<'extend-auto-release', { hours: number }>
  | Command<'auto-release'>
  | Command<'block-release', { reason: string }>
  | Command<'dispute', { actor: Party }>
  | Command<'add-evidence', OrderedBy & { actor: Party | 'ADMIN' }>
  | Command<'cancel', OrderedBy & { actor: Party | 'ADMIN' | 'SYSTEM' }>
  | Command<'admin-resolve', { plan: SplitPlan; adminId: AdministratorId; apiKeyId: ApiKeyId | null }>
  /** The payment link has booked a change of the funding payment. */
  | Command<'note-chargeback', { change: PaymentChangeKind; amountCents: bigint; transactionId: TransactionId }>;

/** What happens to a payment after it succeeded. `chargeback_reversed`: the money came back. */
const PAYMENT_CHANGES = ['charged_back', 'refunded', 'chargeback_reversed'] as const;
export type PaymentChangeKind = (typeof PAYMENT_CHANGES)[number];

/** The commands of one type: `CommandOf<'release'>`. */
export type CommandOf<Type extends EscrowCommand['type']> = Extract<EscrowCommand, { type: Type }>;

type Happened<Type extends string, Fields = unknown> = EntityHappened<Type, Actor, Fields>;

/** `transactionId` is null if no money was held or moved. */
type Settled = { shares: Shares; transactionId: TransactionId | null };

export type EscrowEvent =
  | Happened<
      'INITIATED',
      {
        terms: EscrowTerms;
        fees: EscrowFees | null;
        shares: Shares;
        milestones: readonly Milestone[];
        heldCents: bigint;
      }
    >
  | Happened<'FUNDED', { heldCents: bigint }>
  /** `isPartial`: fewer items than were ordered. */
  | Happened<'DELIVERY_NOTED', { items: readonly CountedItem[]; isPartial: boolean }>
  | Happened<'GOODS_RECEIVED', { items: readonly CountedItem[]; isPartial: boolean }>
  | Happened<'MILESTONE_RELEASED', Settled & OrderedBy & { milestoneId: MilestoneId }>
  | Happened<'FUNDS_RELEASED', Settled & OrderedBy>
  | Happened<'AUTO_RELEASED', Settled>
  | Happened<'RELEASE_BLOCKED', { reason: string; retryAt: Instant }>
  | Happened<'AUTO_RELEASE_EXTENDED', { autoReleaseAt: Instant }>
  | Happened<'NEGOTIATION_PROPOSED', { negotiation: Negotiation }>
  | Happened<'NEGOTIATION_ACCEPTED', { negotiationId: NegotiationId }>
  | Happened<'NEGOTIATION_REJECTED', { negotiationId: NegotiationId }>
  | Happened<'NEGOTIATION_LAPSED', { negotiationId: NegotiationId }>
  | Happened<'DISPUTED', { disputeId: DisputeId; openedBy: Party }>
  | Happened<'EVIDENCE_ADDED', OrderedBy>
  | Happened<'RESOLVED', Settled & { adminId: AdministratorId; apiKeyId: ApiKeyId | null }>
  | Happened<'CANCELLED', OrderedBy & { refundCents: bigint; transactionId: TransactionId | null }>
  /** `change` is `refunded` if the payment was refunded at the gateway. */
  | Happened<
      'CHARGED_BACK',
      { change: Exclude<PaymentChangeKind, 'chargeback_reversed'>; amountCents: bigint; transactionId: TransactionId }
    >
  | Happened<'CHARGEBACK_REVERSED', { amountCents: bigint; transactionId: TransactionId }>;

/** Whether only the API may cause the event: it starts an escrow, or an API key ordered it. */
export function needsProof(event: { readonly type: string; readonly apiKeyId?: string | null }): boolean {
  return event.type === 'INITIATED' || (event.apiKeyId ?? null) !== null;
}

/** The event that each command produces unless it is refused. */
export const EVENT_OF = {
  'delivery-note': 'DELIVERY_NOTED',
  'goods-received': 'GOODS_RECEIVED',
  release: 'FUNDS_RELEASED',
  'release-milestone': 'MILESTONE_RELEASED',
  negotiate: 'NEGOTIATION_PROPOSED',
  'adjust-milestone': 'NEGOTIATION_PROPOSED',
  'accept-negotiation': 'NEGOTIATION_ACCEPTED',
  'reject-negotiation': 'NEGOTIATION_REJECTED',
  'extend-auto-release': 'AUTO_RELEASE_EXTENDED',
  dispute: 'DISPUTED',
  'add-evidence': 'EVIDENCE_ADDED',
  cancel: 'CANCELLED',
  'admin-resolve': 'RESOLVED',
} as const satisfies Record<MessageType, EscrowEvent['type']>;
export type EventOf<Type extends MessageType> = Extract<EscrowEvent, { type: (typeof EVENT_OF)[Type] }>;

export const MAX_ITEMS = 100;
export const MAX_MILESTONES = 50;
export const MAX_QUANTITY = 1_000_000;
export const MAX_AUTO_RELEASE_HOURS = 8_760;
/** A buyer may postpone an automatic release once, by at most this time. */
export const MAX_EXTENSION_HOURS = 720;
export const NEGOTIATION_LIFETIME_HOURS = 168;
/** The delay between a refused automatic release and the next attempt. */
export const RELEASE_RETRY_HOURS = 24;
/** The number of closed negotiations that stay in the state; all of them stay in the timeline. */
export const MAX_CLOSED_NEGOTIATIONS = 20;
/** 100 %. */
export const MAX_BASIS_POINTS = 10_000;
