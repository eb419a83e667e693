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
  OrderRequestId,
  UserId,
} from '../ids.ts';
import type { Currency } from '../money.ts';
import type { Instant } from '../time.ts';
import type { FeePayer, Shares, SplitPlan } from './shares.ts';

/**
 * The escrow's state. All values are plain data. Names, notes and reasons are not
 * included: they are rows under the command's id (`command_text`), so that no payload contains them.
 */

/** The statuses of an escrow. commands.ts says which command leads from which to which. */
export const ESCROW_STATUSES = [
  'PENDING',
  'ACTIVE',
  'DELIVERY_NOTED',
  'GOODS_RECEIVED',
  'DISPUTED',
  'COMPLETED',
  'CANCELLED',
  'RESOLVED',
] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];

export const FINAL_STATUSES: readonly EscrowStatus[] = ['COMPLETED', 'CANCELLED', 'RESOLVED'];

export function isFinal(status: EscrowStatus): boolean {
  return FINAL_STATUSES.includes(status);
}

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

type Dispute = { readonly disputeId: DisputeId; readonly openedBy: Party; readonly openedAt: Instant };

/** A request that the company has not answered yet. Until then nothing is released by itself. */
export type ReleaseStop = { readonly requestId: OrderRequestId; readonly until: Instant };

export type Pieces = { readonly itemId: ItemId; readonly quantity: number };

/** What was delivered and received; at most what was ordered. */
export type Deliveries = {
  /** Of the delivery notes since the last receipt. */
  readonly noted: readonly Pieces[];
  readonly received: readonly Pieces[];
};

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
  readonly deliveries: Deliveries;
  /** Null: none is planned, or `stopped` has it. */
  readonly autoReleaseAt: Instant | null;
  /** What stops the automatic release, and its date when nothing does any more. Absent: nothing. */
  readonly stopped?: { readonly by: readonly ReleaseStop[]; readonly autoReleaseAt: Instant | null };
  readonly autoReleaseExtended: boolean;
  /** Why the latest automatic release was refused; null once another event has set its date. */
  readonly blockedBy: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Null: no event yet. */
export type EscrowState = Escrow | null;

/** What happens to a payment after it succeeded. `chargeback_reversed`: the money came back. */
export const PAYMENT_CHANGES = ['charged_back', 'refunded', 'chargeback_reversed'] as const;
export type PaymentChangeKind = (typeof PAYMENT_CHANGES)[number];

export const MAX_ITEMS = 100;
export const MAX_MILESTONES = 50;
export const MAX_QUANTITY = 1_000_000;
export const MAX_AUTO_RELEASE_HOURS = 8_760;
/** A buyer may postpone an automatic release once, by at most this time. */
export const MAX_EXTENSION_HOURS = 720;
/** The requests of a buyer that stop the release at the same time: one for each act. */
export const MAX_RELEASE_STOPS = 10;
/** How long the other party has to answer a dispute before the company may decide without an answer. */
export const DISPUTE_ANSWER_HOURS = 72;
export const NEGOTIATION_LIFETIME_HOURS = 168;
/** The delay between a refused automatic release and the next attempt. */
export const RELEASE_RETRY_HOURS = 24;
/** The number of closed negotiations that stay in the state; all of them stay in the timeline. */
export const MAX_CLOSED_NEGOTIATIONS = 20;
/** 100 %. */
export const MAX_BASIS_POINTS = 10_000;
