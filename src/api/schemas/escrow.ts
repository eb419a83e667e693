import { z } from '@hono/zod-openapi';
import {
  ESCROW_STATUSES,
  MAX_AUTO_RELEASE_HOURS,
  MAX_ITEMS,
  MAX_MILESTONES,
  MAX_QUANTITY,
  MILESTONE_STATUSES,
  PARTIES,
} from '../../domain/escrow/escrow.ts';
import { FEE_PAYERS, type SplitPlan } from '../../domain/escrow/shares.ts';
import { cents, centsText, currency, defaultsTo, id, note, text, timestamp } from './common.ts';

/** Escrows as clients send and see them. */

export const SplitPlanRequest = z
  .object({
    system_fee_cents: cents(0).describe("The platform's fee, in cents; 0 or more."),
    service_fee_cents: cents(0).describe("The company's fee, in cents; 0 or more."),
    seller_payout_cents: cents(0).describe('The payout to the seller, in cents; 0 or more.'),
  })
  .openapi('SplitPlanRequest', {
    description:
      'Who gets how much. In an escrow or link the three add up to its amount; in a proposal or decision the rest goes back to the buyer.',
  });

export function splitPlanOf(plan: z.infer<typeof SplitPlanRequest>): SplitPlan {
  return {
    systemFeeCents: plan.system_fee_cents,
    serviceFeeCents: plan.service_fee_cents,
    sellerPayoutCents: plan.seller_payout_cents,
  };
}

export const SplitPlanView = z
  .object({
    system_fee_cents: centsText().describe("The platform's fee. Integer cents."),
    service_fee_cents: centsText().describe("The company's fee. Integer cents."),
    seller_payout_cents: centsText().describe('The payout to the seller. Integer cents.'),
  })
  .openapi('SplitPlan', { description: 'Who gets how much.' });

export const FinalSplit = SplitPlanView.extend({ buyer_refund_cents: centsText() }).openapi('FinalSplit', {
  description: 'How a decision divides the held amount.',
});

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
    name: text().describe('What is sold.'),
    description: text().nullish().describe('More words about it.'),
    quantity: z.int().min(1).max(MAX_QUANTITY).describe('How many pieces.'),
    pricePerUnit: cents().describe('The price of one piece, in cents.'),
  })
  .openapi('OrderItem');

const NewMilestone = z
  .object({
    title: text().describe('A title, for the parties.'),
    description: text().nullish().describe('What it is, in words.'),
    percentage: percentage().describe(
      "The milestone's part of the whole, with at most two decimals. All together are 100.",
    ),
  })
  .openapi('NewMilestone');

/** The parts of a new escrow that are the same with a balance and with a payment link. */
export const AGREEMENT = {
  feePayer: defaultsTo(z.enum(FEE_PAYERS), 'SELLER').describe('Who pays the fees. SELLER unless given.'),
  milestones: z
    .array(NewMilestone)
    .max(MAX_MILESTONES)
    .nullish()
    .transform((sent) => (sent?.length ? sent : null)) // no milestones are the same request as none
    .describe('Parts that are released one by one. Without them the escrow is released as a whole.'),
  autoReleaseHours: z
    .int()
    .min(1)
    .max(MAX_AUTO_RELEASE_HOURS)
    .nullish()
    .describe(
      "Hours after which a covered order is released by itself. By default the company's `auto_release_hours`; not allowed with milestones.",
    ),
};
export type Agreement = z.infer<z.ZodObject<typeof AGREEMENT>>;

/** A refinement, with its complaint. */
export const isReleasedOneWay = (body: Pick<Agreement, 'autoReleaseHours' | 'milestones'>) =>
  body.autoReleaseHours == null || body.milestones === null;
export const RELEASED_TWO_WAYS = {
  message: 'must not be sent with milestones: such an escrow is not released automatically',
  path: ['autoReleaseHours'],
};

const CountedItem = z
  .object({
    itemId: id('item').describe('The item of the escrow.'),
    quantity: z.int().min(1).max(MAX_QUANTITY).describe('How many pieces were sent or received.'),
    price_per_item: cents(0).describe('The price of one piece, in cents.'),
  })
  .openapi('CountedItem');

/** The items that were sent or received, in a delivery note or a receipt. */
export const CountedItems = z
  .object({
    items: z.array(CountedItem).min(1).max(MAX_ITEMS).describe('The items, each once.'),
    notes: note().nullish().describe('Words for the timeline.'),
  })
  .openapi('CountedItems');

export const party = () => z.enum(PARTIES);
const Person = z.object({
  id: z.string().describe('The user or company.'),
  name: z.string().nullable().describe('The name. Null: not known.'),
});

export const NegotiationView = z
  .object({
    id: z.string().describe('Its id.'),
    status: z.enum(['PENDING', 'ACCEPTED', 'REJECTED', 'LAPSED']).describe('Its state.'),
    proposedBy: party(),
    milestoneId: z.string().nullable().describe('The milestone. Null: the escrow as a whole.'),
    splitPlan: SplitPlanView,
    expiresAt: timestamp().describe('When it expires.'),
  })
  .openapi('Negotiation', { description: 'A proposal of another split.' });

/** What was ordered of a milestone. */
export const MilestoneWords = z
  .object({
    id: z.string().describe('Its id.'),
    title: z.string().nullable().describe('The title.'),
    description: z.string().nullable().describe('What it is, in words.'),
    percentage: z.number().describe('Its part of the whole.'),
  })
  .openapi('MilestoneOrdered', { description: 'A milestone as it was ordered.' });

const MilestoneView = z
  .object({
    ...MilestoneWords.shape,
    amount: centsText().describe('The amount that is held for it. Integer cents.'),
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
    id: z.string().describe('Its id.'),
    name: z.string().nullable().describe('Its name.'),
    description: z.string().nullable().describe('What it is, in words.'),
    quantity: z.int().describe('How many pieces.'),
    pricePerUnit: z.int().describe('The price of one piece, in cents.'),
  })
  .openapi('Item');

const EscrowItemView = ItemView.extend({
  receivedQuantity: z.int().describe('The pieces that the receipts confirm together.'),
}).openapi('EscrowItem');

export const EscrowSummary = z
  .object({
    id: z.string().describe('Its id.'),
    status: z.enum(ESCROW_STATUSES),
    externalReference: z
      .string()
      .nullable()
      .describe('Your own reference of the order. Null where a payment link had none.'),
    totalAmount: centsText().describe(
      'The price of the order, without fees that the buyer pays on top. Integer cents.',
    ),
    currency: currency(),
    buyer: Person.describe('The buyer.'),
    seller: Person.describe('The seller, a user or the company.'),
    createdAt: timestamp().describe('When it was made.'),
  })
  .openapi('EscrowSummary');

export const Escrow = EscrowSummary.extend({
  externalInvoiceNumber: z.string().nullable().describe('The number of your invoice, for display only.'),
  feePayer: z.enum(FEE_PAYERS).describe('Who pays the fees.'),
  splitPlan: SplitPlanView,
  heldAmount: centsText().describe('The amount that is held now. Integer cents.'),
  releasedAmount: centsText().describe('The amount that was paid to the seller. Integer cents.'),
  refundedAmount: centsText().describe('The amount that was returned to the buyer. Integer cents.'),
  chargedBackAmount: centsText().openapi({ description: 'The part of the funding payment that its payer took back.' }),
  fees: z
    .object({
      system_fee_basis_points: z.int().describe("The platform's fee, in hundredths of a per cent."),
      service_fee_basis_points: z.int().describe("The company's own fee, in hundredths of a per cent."),
      system_fee_since: timestamp().describe("Since when the platform's fee has applied."),
      service_fee_since: timestamp().describe("Since when the company's fee has applied."),
    })
    .nullable()
    .openapi({
      description: 'The fees that it was created with, and since when they apply. Null: its split plan was sent.',
    }),
  buyerAccountId: z.string().describe("The buyer's account that pays."),
  sellerAccountId: z.string().describe("The seller's account that is paid."),
  milestones: z.array(MilestoneView).describe('The milestones, in order.'),
  items: z.array(EscrowItemView).describe('The items.'),
  openNegotiation: NegotiationView.nullable(),
  dispute: z
    .object({
      id: z.string().describe('The dispute.'),
      openedBy: party(),
      openedAt: timestamp().describe('When the dispute was opened.'),
    })
    .nullable()
    .describe('The open dispute, or the decided one. Null: there was none.'),
  autoReleaseAt: timestamp().nullable().describe('When it is released by itself. Null: not, or not yet.'),
  releaseBlockedBy: z.string().nullable().openapi({
    description: 'The code of the problem that refused the last automatic release. It is tried again at autoReleaseAt.',
  }),
  updatedAt: timestamp().describe('When it was last changed.'),
  version: z.int().openapi({
    description: 'Grows with every event of the escrow. As `"7"` it is the `ETag`, and the value of `If-Match`.',
  }),
}).openapi('Escrow', { description: 'An escrow with all that belongs to it.' });
