import { z } from '@hono/zod-openapi';
import {
  MAX_AUTO_RELEASE_HOURS,
  MAX_ITEMS,
  MAX_MILESTONES,
  MAX_QUANTITY,
  MILESTONE_STATUSES,
  PARTIES,
} from '../../domain/escrow/escrow.ts';
import { FEE_PAYERS, type SplitPlan } from '../../domain/escrow/shares.ts';
import { ESCROW_STATUSES } from '../../domain/escrow/statuses.ts';
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

export const FinalSplit = SplitPlanView.extend({ buyer_refund_cents: centsText() }).openapi('FinalSplit');

/** A percentage with at most two decimals, as hundredths: 33.34 is 3334. */
export const percentage = () =>
  z
    .number()
    .min(0)
    .max(100)
    .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'must have at most two decimals')
    .transform((value) => Math.round(value * 100))
    .openapi({ type: 'number', minimum: 0, maximum: 100, multipleOf: 0.01 });

export const OrderItem = z
  .object({
    name: text(),
    description: note().nullish(),
    quantity: z.int().min(1).max(MAX_QUANTITY),
    pricePerUnit: cents(),
  })
  .openapi('OrderItem');

/** The parts of a new escrow that are the same with a balance and with a payment link. */
export const AGREEMENT = {
  feePayer: z.enum(FEE_PAYERS).nullish(),
  milestones: z
    .array(z.object({ title: text(), description: note().nullish(), percentage: percentage() }))
    .max(MAX_MILESTONES)
    .nullish(),
  autoReleaseHours: z.int().min(1).max(MAX_AUTO_RELEASE_HOURS).nullish(),
};
export type Agreement = z.infer<z.ZodObject<typeof AGREEMENT>>;

/** A refinement, with its complaint. */
export const isReleasedOneWay = (body: Pick<Agreement, 'autoReleaseHours' | 'milestones'>) =>
  body.autoReleaseHours == null || (body.milestones ?? []).length === 0;
export const RELEASED_TWO_WAYS = {
  message: 'must not be sent with milestones: such an escrow is not released by itself',
  path: ['autoReleaseHours'],
};

/** The items that were sent or received, in a delivery note or a receipt. */
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

const MilestoneView = z
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

export const Escrow = EscrowSummary.extend({
  externalInvoiceNumber: z.string().nullable(),
  feePayer: z.enum(FEE_PAYERS),
  splitPlan: SplitPlanView,
  heldAmount: centsText(),
  releasedAmount: centsText(),
  refundedAmount: centsText(),
  chargedBackAmount: centsText().openapi({ description: 'The part of the funding payment that its payer took back.' }),
  fees: z
    .object({
      system_fee_basis_points: z.int(),
      service_fee_basis_points: z.int(),
      system_fee_since: timestamp(),
      service_fee_since: timestamp(),
    })
    .nullable()
    .openapi({
      description: 'The fees that it was created with, and since when they apply. Null: its split plan was sent.',
    }),
  buyerAccountId: z.string(),
  sellerAccountId: z.string(),
  milestones: z.array(MilestoneView),
  items: z.array(ItemView),
  openNegotiation: NegotiationView.nullable(),
  dispute: z.object({ id: z.string(), openedBy: party(), openedAt: timestamp() }).nullable(),
  autoReleaseAt: timestamp().nullable(),
  releaseBlockedBy: z.string().nullable().openapi({
    description: 'The code of the problem that refused the last automatic release. It is tried again at autoReleaseAt.',
  }),
  updatedAt: timestamp(),
  version: z.int().openapi({
    description: 'Grows with every event of the escrow. As `"7"` it is the `ETag`, and the value of `If-Match`.',
  }),
}).openapi('Escrow');
