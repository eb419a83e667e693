import { z } from '@hono/zod-openapi';
import type { CommandContent } from '../../db/entities/escrow.ts';
import type { TimelineRecord } from '../../db/escrow/escrows.ts';
import { ACTORS, type EscrowEvent } from '../../domain/escrow/escrow.ts';
import { ID_PREFIX, type IdKind, publicId } from '../../domain/ids.ts';
import { centsText, timestamp } from './common.ts';
import { FinalSplit, party, SplitPlanView } from './escrow.ts';

/** The events of an escrow in responses: one schema for each event, discriminated by `event`. */

function entry<const Type extends EscrowEvent['type'], Details extends z.ZodRawShape>(event: Type, details: Details) {
  const name = event
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');
  return z
    .object({
      event: z.literal(event),
      actor: z.enum(ACTORS),
      at: timestamp(),
      details: z.object({ ...details, ...WRITTEN }),
    })
    .openapi(`Timeline${name}`);
}

/** Texts that people sent with a command. */
const WRITTEN = {
  notes: z.string().optional(),
  reason: z.string().optional(),
  documentUrl: z.string().optional(),
} satisfies { readonly [Name in keyof CommandContent]?: z.ZodType };
const WRITTEN_NAMES = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[]; // Object.keys loses the key types

const COUNTED = {
  items: z.array(z.object({ itemId: z.string(), quantity: z.int(), price_per_item: z.int() })),
  isPartial: z.boolean().openapi({ description: 'Fewer items than were ordered.' }),
};
const SETTLED = {
  splitPlan: FinalSplit,
  transactionId: z.string().nullable().openapi({ description: 'Null where nothing was held.' }),
};
/** The credential that ordered a payment, if it was not the actor's. */
const ORDERED_BY = {
  adminId: z.string().optional(),
  apiKeyId: z.string().optional(),
  orderedBy: z.enum(['ADMIN', 'COMPANY']).optional(),
};
const ANSWERED = { negotiationId: z.string() };

export const TimelineEntry = z
  .discriminatedUnion('event', [
    entry('INITIATED', { splitPlan: FinalSplit, heldAmount: centsText() }),
    entry('FUNDED', { heldAmount: centsText() }),
    entry('DELIVERY_NOTED', COUNTED),
    entry('GOODS_RECEIVED', COUNTED),
    entry('MILESTONE_RELEASED', { ...SETTLED, ...ORDERED_BY, milestoneId: z.string() }),
    entry('FUNDS_RELEASED', { ...SETTLED, ...ORDERED_BY }),
    entry('AUTO_RELEASED', SETTLED),
    entry('RELEASE_BLOCKED', { reason: z.string(), retryAt: timestamp() }),
    entry('AUTO_RELEASE_EXTENDED', { autoReleaseAt: timestamp() }),
    entry('NEGOTIATION_PROPOSED', {
      negotiation: z.object({
        negotiationId: z.string(),
        milestoneId: z.string().nullable().openapi({ description: 'Null: the escrow as a whole.' }),
        proposedBy: party(),
        splitPlan: SplitPlanView,
        status: z.enum(['PENDING', 'ACCEPTED', 'REJECTED', 'LAPSED']),
        expiresAt: timestamp(),
      }),
    }),
    entry('NEGOTIATION_ACCEPTED', ANSWERED),
    entry('NEGOTIATION_REJECTED', ANSWERED),
    entry('NEGOTIATION_LAPSED', ANSWERED),
    entry('DISPUTED', { disputeId: z.string(), openedBy: party() }),
    entry('EVIDENCE_ADDED', ORDERED_BY),
    entry('RESOLVED', { ...SETTLED, ...ORDERED_BY }),
    entry('CANCELLED', { ...ORDERED_BY, refundAmount: centsText(), transactionId: z.string().nullable() }),
    entry('CHARGED_BACK', {
      change: z
        .enum(['charged_back', 'refunded'])
        .openapi({ description: 'By the bank of the payer, or at the gateway.' }),
      amount: centsText(),
      transactionId: z.string(),
    }),
    entry('CHARGEBACK_REVERSED', { amount: centsText(), transactionId: z.string() }),
  ])
  .openapi('TimelineEntry');
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** The ids in events, with the kind that determines the prefix. */
const ID_FIELDS: Readonly<Record<string, IdKind>> = {
  transactionId: 'transaction',
  milestoneId: 'milestone',
  negotiationId: 'negotiation',
  disputeId: 'dispute',
  adminId: 'administrator',
  apiKeyId: 'apiKey',
  itemId: 'item',
};

/** Fields of events that mean nothing to a client, or that are elsewhere in the entry. */
const HIDDEN_FIELDS: readonly string[] = ['type', 'commandId', 'actor', 'at', 'terms', 'milestones', 'fees'];

/** The names of event fields in requests and responses. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  shares: 'splitPlan',
  plan: 'splitPlan',
  proposer: 'proposedBy',
  lapsesAt: 'expiresAt',
  systemFeeCents: 'system_fee_cents',
  serviceFeeCents: 'service_fee_cents',
  sellerPayoutCents: 'seller_payout_cents',
  buyerRefundCents: 'buyer_refund_cents',
  pricePerItemCents: 'price_per_item',
  heldCents: 'heldAmount',
  refundCents: 'refundAmount',
  amountCents: 'amount',
};

/** Who ordered an event, if not its actor: an administrator, or the company through an API key. */
function ordererOf(event: TimelineRecord['event']): { orderedBy?: 'ADMIN' | 'COMPANY' } {
  if ('adminId' in event && event.adminId !== null) return { orderedBy: 'ADMIN' };
  return 'apiKeyId' in event && event.apiKeyId !== null ? { orderedBy: 'COMPANY' } : {};
}

export function timelineEntryView({ event, actor, at, content }: TimelineRecord): TimelineEntry {
  const written = WRITTEN_NAMES.map((name) => [name, content[name]] as const).filter(([, value]) => value != null);
  const facts = Object.entries(event).filter(
    ([name, value]) =>
      !HIDDEN_FIELDS.includes(name) && !(value === null && name.endsWith('Id') && name !== 'transactionId'),
  );
  const details = {
    ...Object.fromEntries(facts.map(([name, value]) => [FIELD_NAMES[name] ?? name, detail(name, value)])),
    ...ordererOf(event),
    ...Object.fromEntries(written),
  };
  // fromEntries loses the field types; a test compares the entry of every event with its schema.
  return { event: event.type, actor, at: at.toISOString(), details } as TimelineEntry;
}

function detail(name: string, value: unknown): unknown {
  const kind = ID_FIELDS[name];
  if (kind !== undefined && typeof value === 'string' && !value.startsWith(ID_PREFIX[kind]))
    return publicId(kind, value);
  if (name === 'pricePerItemCents') return Number(value); // counted items have the texts of their command
  if (Array.isArray(value)) return value.map((element) => detail('', element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, part]) => [FIELD_NAMES[inner] ?? inner, detail(inner, part)]),
  );
}
