import { z } from '@hono/zod-openapi';
import type { CommandContent } from '../../db/entities/escrow.ts';
import type { EscrowRecord, TimelineRecord } from '../../db/escrow/escrows.ts';
import {
  ACTORS,
  MAX_ITEMS,
  MAX_QUANTITY,
  MILESTONE_STATUSES,
  type Milestone,
  type Negotiation,
  type OrderedItem,
  PARTIES,
} from '../../domain/escrow/escrow.ts';
import { FEE_PAYERS, heldCentsOf, type Shares, type SplitPlan } from '../../domain/escrow/shares.ts';
import { ESCROW_STATUSES } from '../../domain/escrow/transitions.ts';
import { ID_PREFIX, type IdKind, publicId, publicIdOrNull } from '../../domain/ids.ts';
import { cents, centsText, currency, id, note, text, timestamp } from './common.ts';

/** Escrows as clients send and see them. */

export const SplitPlanRequest = z
  .object({ system_fee_cents: cents(0), service_fee_cents: cents(0), seller_payout_cents: cents(0) })
  .openapi('SplitPlanRequest');

export function splitPlanOf(plan: z.infer<typeof SplitPlanRequest>): SplitPlan {
  return {
    systemFeeCents: plan.system_fee_cents,
    serviceFeeCents: plan.service_fee_cents,
    sellerPayoutCents: plan.seller_payout_cents,
  };
}

export const SplitPlanView = z
  .object({ system_fee_cents: centsText(), service_fee_cents: centsText(), seller_payout_cents: centsText() })
  .openapi('SplitPlan');

export function splitPlanView(plan: SplitPlan): z.infer<typeof SplitPlanView> {
  return {
    system_fee_cents: plan.systemFeeCents.toString(),
    service_fee_cents: plan.serviceFeeCents.toString(),
    seller_payout_cents: plan.sellerPayoutCents.toString(),
  };
}

export const FinalSplit = SplitPlanView.extend({ buyer_refund_cents: centsText() }).openapi('FinalSplit');

export function finalSplitView(shares: Shares): z.infer<typeof FinalSplit> {
  return { ...splitPlanView(shares), buyer_refund_cents: shares.buyerRefundCents.toString() };
}

export const OrderItem = z
  .object({
    name: text(),
    description: note().nullish(),
    quantity: z.int().min(1).max(MAX_QUANTITY),
    pricePerUnit: cents(),
  })
  .openapi('OrderItem');

/** What was sent or received, in a delivery note or a receipt. */
export const CountedItems = z
  .object({
    items: z
      .array(z.object({ itemId: id('item'), quantity: z.int().min(1).max(MAX_QUANTITY), price_per_item: cents(0) }))
      .min(1)
      .max(MAX_ITEMS),
    notes: note().nullish(),
  })
  .openapi('CountedItems');

export const party = () => z.enum(PARTIES);
const Person = z.object({ id: z.string(), name: z.string().nullable() });

export const NegotiationView = z
  .object({
    id: z.string(),
    status: z.enum(['PENDING', 'ACCEPTED', 'REJECTED', 'LAPSED']),
    proposedBy: party(),
    milestoneId: z.string().nullable(),
    splitPlan: SplitPlanView,
    expiresAt: timestamp(),
  })
  .openapi('Negotiation');

function negotiationView(negotiation: Negotiation): z.infer<typeof NegotiationView> {
  return {
    id: publicId('negotiation', negotiation.negotiationId),
    status: negotiation.status,
    proposedBy: negotiation.proposer,
    milestoneId: publicIdOrNull('milestone', negotiation.milestoneId),
    splitPlan: splitPlanView(negotiation.plan),
    expiresAt: negotiation.lapsesAt,
  };
}

export const MilestoneView = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    percentage: z.number(),
    amount: centsText(),
    status: z.enum(MILESTONE_STATUSES),
    sellerPayout: centsText(),
    systemFee: centsText(),
    serviceFee: centsText(),
    buyerRefund: centsText(),
    openNegotiation: NegotiationView.nullable(),
  })
  .openapi('Milestone');

export const ItemView = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    quantity: z.int(),
    pricePerUnit: z.int(),
  })
  .openapi('Item');

/** Items with the words that were sent along. */
export function itemsView(items: readonly OrderedItem[], content: CommandContent): z.infer<typeof ItemView>[] {
  return items.map((item) => {
    const words = content.items?.find(({ itemId }) => itemId === item.itemId);
    return {
      id: publicId('item', item.itemId),
      name: words?.name ?? null,
      description: words?.description ?? null,
      quantity: item.quantity,
      pricePerUnit: Number(item.pricePerUnitCents),
    };
  });
}

export const EscrowSummary = z
  .object({
    id: z.string(),
    status: z.enum(ESCROW_STATUSES),
    externalReference: z.string().nullable(),
    totalAmount: centsText(),
    currency: currency(),
    buyer: Person,
    seller: Person,
    createdAt: timestamp(),
  })
  .openapi('EscrowSummary');

export function escrowSummary(record: EscrowRecord): z.infer<typeof EscrowSummary> {
  const { terms } = record.state;
  return {
    id: publicId('escrow', record.id),
    status: record.status,
    externalReference: record.externalReference,
    totalAmount: terms.totalCents.toString(),
    currency: terms.currency,
    buyer: { id: publicId('user', terms.buyerId), name: record.buyerName },
    seller: {
      id: terms.sellerId === null ? publicId('company', terms.companyId) : publicId('user', terms.sellerId),
      name: record.sellerName,
    },
    createdAt: record.createdAt.toISOString(),
  };
}

export const Escrow = EscrowSummary.extend({
  externalInvoiceNumber: z.string().nullable(),
  feePayer: z.enum(FEE_PAYERS),
  splitPlan: SplitPlanView,
  heldAmount: centsText(),
  releasedAmount: centsText(),
  refundedAmount: centsText(),
  buyerAccountId: z.string(),
  sellerAccountId: z.string(),
  milestones: z.array(MilestoneView),
  items: z.array(ItemView),
  openNegotiation: NegotiationView.nullable(),
  dispute: z.object({ id: z.string(), openedBy: party(), openedAt: timestamp() }).nullable(),
  autoReleaseAt: timestamp().nullable(),
  updatedAt: timestamp(),
}).openapi('Escrow');

export function escrowView(record: EscrowRecord): z.infer<typeof Escrow> {
  const { state, content } = record;
  const { terms } = state;
  const openOf = (milestoneId: string | null) => {
    const open = state.negotiations.find((one) => one.status === 'PENDING' && one.milestoneId === milestoneId);
    return open === undefined ? null : negotiationView(open);
  };
  const milestoneView = (milestone: Milestone): z.infer<typeof MilestoneView> => {
    const words = content.milestones?.find(({ milestoneId }) => milestoneId === milestone.milestoneId);
    return {
      id: publicId('milestone', milestone.milestoneId),
      title: words?.title ?? null,
      description: words?.description ?? null,
      percentage: milestone.weightHundredths / 100,
      amount: heldCentsOf(milestone.shares).toString(),
      status: milestone.status,
      sellerPayout: milestone.shares.sellerPayoutCents.toString(),
      systemFee: milestone.shares.systemFeeCents.toString(),
      serviceFee: milestone.shares.serviceFeeCents.toString(),
      buyerRefund: milestone.shares.buyerRefundCents.toString(),
      openNegotiation: openOf(milestone.milestoneId),
    };
  };
  return {
    ...escrowSummary(record),
    externalInvoiceNumber: record.externalInvoiceNumber,
    feePayer: terms.feePayer,
    splitPlan: splitPlanView(state.shares),
    heldAmount: state.heldCents.toString(),
    releasedAmount: state.releasedCents.toString(),
    refundedAmount: state.refundedCents.toString(),
    buyerAccountId: publicId('account', terms.buyerAccountId),
    sellerAccountId: publicId('account', terms.sellerAccountId),
    milestones: state.milestones.map(milestoneView),
    items: itemsView(terms.items, content),
    openNegotiation: openOf(null),
    dispute:
      state.dispute === null
        ? null
        : {
            id: publicId('dispute', state.dispute.disputeId),
            openedBy: state.dispute.openedBy,
            openedAt: state.dispute.openedAt,
          },
    autoReleaseAt: state.autoReleaseAt,
    updatedAt: record.updatedAt.toISOString(),
  };
}

export const TimelineEntry = z
  .object({
    event: z.string(),
    actor: z.enum(ACTORS),
    at: timestamp(),
    details: z.record(z.string(), z.unknown()),
  })
  .openapi('TimelineEntry');

/** The ids that events carry, by the kind their prefix comes from. */
const ID_FIELDS: Readonly<Record<string, IdKind>> = {
  transactionId: 'transaction',
  milestoneId: 'milestone',
  negotiationId: 'negotiation',
  disputeId: 'dispute',
  adminId: 'administrator',
  apiKeyId: 'apiKey',
  itemId: 'item',
};

/** Fields of events that say nothing to a client, or stand elsewhere in the entry. */
const HIDDEN_FIELDS: readonly string[] = ['type', 'commandId', 'actor', 'at', 'terms', 'milestones'];

/** What requests and responses call a field of an event. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  shares: 'splitPlan',
  plan: 'splitPlan',
  systemFeeCents: 'system_fee_cents',
  serviceFeeCents: 'service_fee_cents',
  sellerPayoutCents: 'seller_payout_cents',
  buyerRefundCents: 'buyer_refund_cents',
  pricePerItemCents: 'price_per_item',
  heldCents: 'heldAmount',
  refundCents: 'refundAmount',
};

/** Whose order an event was, where that is not the event's actor: an administrator's, or the company's by an API key. */
function orderedBy(event: TimelineRecord['event']): { orderedBy?: 'ADMIN' | 'COMPANY' } {
  if ('adminId' in event && event.adminId !== null) return { orderedBy: 'ADMIN' };
  return 'apiKeyId' in event && event.apiKeyId !== null ? { orderedBy: 'COMPANY' } : {};
}

export function timelineEntryView({ event, actor, at, content }: TimelineRecord): z.infer<typeof TimelineEntry> {
  const { notes, reason, documentUrl } = content;
  const written = Object.entries({ notes, reason, documentUrl }).filter(([, value]) => value != null);
  const facts = Object.entries(event).filter(
    ([name, value]) =>
      !HIDDEN_FIELDS.includes(name) && !(value === null && name.endsWith('Id') && name !== 'transactionId'),
  );
  return {
    event: event.type,
    actor,
    at: at.toISOString(),
    details: {
      ...Object.fromEntries(facts.map(([name, value]) => [FIELD_NAMES[name] ?? name, detail(name, value)])),
      ...orderedBy(event),
      ...Object.fromEntries(written),
    },
  };
}

function detail(name: string, value: unknown): unknown {
  const kind = ID_FIELDS[name];
  if (kind !== undefined && typeof value === 'string' && !value.startsWith(ID_PREFIX[kind]))
    return publicId(kind, value);
  if (name === 'pricePerItemCents') return Number(value); // counted items read as they were sent
  if (Array.isArray(value)) return value.map((element) => detail('', element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, part]) => [FIELD_NAMES[inner] ?? inner, detail(inner, part)]),
  );
}
