import { z } from '@hono/zod-openapi';
import type { CommandContent } from '../../db/entities/escrow.ts';
import type { TimelineRecord } from '../../db/escrow/escrows.ts';
import { finalSplitView, splitPlanView } from '../../db/views/escrow.ts';
import type { EscrowEvent } from '../../domain/escrow/commands.ts';
import { ACTORS, type Actor } from '../../domain/escrow/escrow.ts';
import type { Shares, SplitPlan } from '../../domain/escrow/shares.ts';
import {
  type AdministratorId,
  type ApiKeyId,
  type NegotiationId,
  type OrderRequestId,
  publicId,
  publicIdOrNull,
} from '../../domain/ids.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import { integerCents } from '../../domain/money.ts';
import type { Source } from '../../domain/source.ts';
import { centsText, source, timestamp } from './common.ts';
import { FinalSplit, party, SplitPlanView } from './escrow.ts';
import { filesField, filesView } from './order-pages.ts';

/** The events of an escrow in responses: one row for each event, with what it publishes and its schema. */

type EventType = EscrowEvent['type'];
type StoredEvent<Type extends EventType> = Wire<Extract<EscrowEvent, { type: Type }>>;

/** Texts that people sent with a command. */
const WRITTEN = {
  notes: z.string().optional().describe('What the actor wrote.'),
  reason: z.string().optional().describe('What the actor gave as the reason.'),
  documentUrl: z
    .string()
    .optional()
    .describe('The address of a document, or of a tracking page, that the actor named.'),
  carrier: z.string().optional().describe('Who carries the order.'),
  trackingNumber: z.string().optional().describe('Its number at the carrier.'),
} satisfies { readonly [Name in keyof CommandContent]?: z.ZodType };
const WRITTEN_NAMES = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[]; // Object.keys loses the key types

/** The credential that ordered a payment, if it was not the actor's. */
const ORDERED_BY = {
  adminId: z.string().optional().describe('The administrator.'),
  apiKeyId: z.string().optional().describe('The API key.'),
  orderedBy: z.enum(['ADMIN', 'COMPANY']).optional().describe('Who ordered it, if not the actor.'),
};

function orderOf({
  adminId,
  apiKeyId,
}: {
  readonly adminId: AdministratorId | null;
  readonly apiKeyId: ApiKeyId | null;
}) {
  return {
    ...(adminId === null ? {} : { adminId: publicId('administrator', adminId) }),
    ...(apiKeyId === null ? {} : { apiKeyId: publicId('apiKey', apiKeyId) }),
    ...(adminId === null && apiKeyId === null ? {} : ({ orderedBy: adminId === null ? 'COMPANY' : 'ADMIN' } as const)),
  };
}

const COUNTED = {
  items: z
    .array(
      z.object({
        itemId: z.string().describe('The item of the escrow.'),
        quantity: z.int().describe('How many pieces.'),
        price_per_item: z.int().describe('The price of one piece, in cents.'),
      }),
    )
    .describe('What was sent or received.'),
  isPartial: z.boolean().openapi({ description: 'With those before, the notes and receipts do not cover the order.' }),
};

const countedOf = ({ items, isPartial }: StoredEvent<'DELIVERY_NOTED' | 'GOODS_RECEIVED'>) => ({
  items: items.map(({ itemId, quantity, pricePerItemCents }) => ({
    itemId: publicId('item', itemId),
    quantity,
    price_per_item: integerCents(BigInt(pricePerItemCents)), // stored as digits
  })),
  isPartial,
});

const SETTLED = {
  splitPlan: FinalSplit,
  transactionId: z.string().nullable().openapi({ description: 'Null where nothing was held.' }),
};

const settledOf = ({ shares, transactionId }: Pick<StoredEvent<'AUTO_RELEASED'>, 'shares' | 'transactionId'>) => ({
  splitPlan: splitOf(shares),
  transactionId: publicIdOrNull('transaction', transactionId),
});

const splitOf = (shares: Wire<Shares>) => finalSplitView(fromWire<Shares>(shares));

const ANSWERED = { negotiationId: z.string().describe('The proposal.') };
const answeredOf = ({ negotiationId }: { readonly negotiationId: NegotiationId }) => ({
  negotiationId: publicId('negotiation', negotiationId),
});

const REQUESTED = { requestId: z.string().describe('The request of the buyer.') };
const requestedOf = ({ requestId }: { readonly requestId: OrderRequestId }) => ({
  requestId: publicId('orderRequest', requestId),
});

const CHANGED = { amount: centsText(), transactionId: z.string().describe('The transaction.') };
const changedOf = ({ amountCents, transactionId }: StoredEvent<'CHARGED_BACK' | 'CHARGEBACK_REVERSED'>) => ({
  amount: amountCents,
  transactionId: publicId('transaction', transactionId),
});

const FILES = { files: filesField() };

/** What an event publishes: the schema of its details, and the details of a stored event. */
function entry<Type extends EventType, Details extends z.ZodRawShape>(
  details: Details,
  detailsOf: (event: StoredEvent<Type>) => z.input<z.ZodObject<Details>>,
) {
  return { details: z.object({ ...details, ...WRITTEN, ...FILES }), detailsOf };
}

const ENTRIES = {
  INITIATED: entry({ splitPlan: FinalSplit, heldAmount: centsText() }, ({ shares, heldCents }) => ({
    splitPlan: splitOf(shares),
    heldAmount: heldCents,
  })),
  FUNDED: entry({ heldAmount: centsText() }, ({ heldCents }) => ({ heldAmount: heldCents })),
  DELIVERY_NOTED: entry(COUNTED, countedOf),
  GOODS_RECEIVED: entry(COUNTED, countedOf),
  MILESTONE_RELEASED: entry(
    { ...SETTLED, ...ORDERED_BY, milestoneId: z.string().describe('The milestone.') },
    (event) => ({
      ...settledOf(event),
      ...orderOf(event),
      milestoneId: publicId('milestone', event.milestoneId),
    }),
  ),
  FUNDS_RELEASED: entry({ ...SETTLED, ...ORDERED_BY }, (event) => ({ ...settledOf(event), ...orderOf(event) })),
  AUTO_RELEASED: entry(SETTLED, settledOf),
  RELEASE_BLOCKED: entry(
    {
      reason: z.string().describe('Why, in words.'),
      retryAt: timestamp().describe('When the release is tried again.'),
    },
    ({ reason, retryAt }) => ({ reason, retryAt }),
  ),
  AUTO_RELEASE_EXTENDED: entry(
    { autoReleaseAt: timestamp().describe('When it is released by itself.') },
    ({ autoReleaseAt }) => ({ autoReleaseAt }),
  ),
  AUTO_RELEASE_STOPPED: entry(
    { ...REQUESTED, until: timestamp().describe('Until when, unless the company answers before.') },
    (event) => ({ ...requestedOf(event), until: event.until }),
  ),
  AUTO_RELEASE_RESUMED: entry(REQUESTED, requestedOf),
  NEGOTIATION_PROPOSED: entry(
    {
      negotiation: z
        .object({
          negotiationId: z.string().describe('The proposal.'),
          milestoneId: z.string().nullable().openapi({ description: 'Null: the escrow as a whole.' }),
          proposedBy: party(),
          splitPlan: SplitPlanView,
          status: z.enum(['PENDING', 'ACCEPTED', 'REJECTED', 'LAPSED']).describe('Its state.'),
          expiresAt: timestamp().describe('When it expires.'),
        })
        .describe('The proposal.'),
    },
    ({ negotiation: { negotiationId, milestoneId, proposer, plan, status, lapsesAt } }) => ({
      negotiation: {
        negotiationId: publicId('negotiation', negotiationId),
        milestoneId: publicIdOrNull('milestone', milestoneId),
        proposedBy: proposer,
        splitPlan: splitPlanView(fromWire<SplitPlan>(plan)),
        status,
        expiresAt: lapsesAt,
      },
    }),
  ),
  NEGOTIATION_ACCEPTED: entry(
    {
      ...ANSWERED,
      settlement: z.object(SETTLED).optional().describe('What was paid at once, where the proposal ended a dispute.'),
    },
    (event) => ({
      ...answeredOf(event),
      ...(event.settlement === undefined ? {} : { settlement: settledOf(event.settlement) }),
    }),
  ),
  NEGOTIATION_REJECTED: entry(ANSWERED, answeredOf),
  NEGOTIATION_LAPSED: entry(ANSWERED, answeredOf),
  DISPUTED: entry({ disputeId: z.string().describe('The dispute.'), openedBy: party() }, ({ disputeId, openedBy }) => ({
    disputeId: publicId('dispute', disputeId),
    openedBy,
  })),
  EVIDENCE_ADDED: entry(ORDERED_BY, orderOf),
  RESOLVED: entry({ ...SETTLED, ...ORDERED_BY }, (event) => ({ ...settledOf(event), ...orderOf(event) })),
  CANCELLED: entry(
    { ...ORDERED_BY, refundAmount: centsText(), transactionId: z.string().nullable().describe('The transaction.') },
    (event) => ({
      ...orderOf(event),
      refundAmount: event.refundCents,
      transactionId: publicIdOrNull('transaction', event.transactionId),
    }),
  ),
  CHARGED_BACK: entry(
    {
      change: z
        .enum(['charged_back', 'refunded'])
        .openapi({ description: 'By the bank of the payer, or at the gateway.' }),
      ...CHANGED,
    },
    (event) => ({ change: event.change, ...changedOf(event) }),
  ),
  CHARGEBACK_REVERSED: entry(CHANGED, changedOf),
} satisfies { readonly [Type in EventType]: Row<Type> };

type Row<Type extends EventType> = {
  readonly details: z.ZodObject;
  readonly detailsOf: (event: StoredEvent<Type>) => object;
};

type EntryOf<Type extends EventType> = {
  event: Type;
  actor: Actor;
  at: string;
  source: Source;
  details: z.infer<(typeof ENTRIES)[Type]['details']>;
};
export type TimelineEntry = { [Type in EventType]: EntryOf<Type> }[EventType];

function entrySchema(event: string, { details }: Pick<Row<EventType>, 'details'>) {
  const name = event
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');
  return z
    .object({
      event: z.literal(event).describe('What happened.'),
      actor: z.enum(ACTORS),
      at: timestamp().describe('When it happened.'),
      source: source(),
      details: details.describe('What belongs to the event.'),
    })
    .openapi(`Timeline${name}`);
}

const [first, ...others] = Object.entries(ENTRIES).map(([event, row]) => entrySchema(event, row));
if (first === undefined) throw new Error('the table of entries is empty');
/** The last of the union: a client that was generated before an event existed still reads it. */
const TimelineOther = z
  .object({
    event: z.string().describe('The kind of event.'),
    actor: z.enum(ACTORS),
    at: timestamp().describe('When it happened.'),
    details: z.record(z.string(), z.unknown()).describe('What belongs to the event.'),
  })
  .openapi('TimelineOther', { description: 'An event of a later version: more are added in time.' });

// Object.entries loses the type of each row.
export const TimelineEntry = z
  .union([first, ...others, TimelineOther])
  .openapi('TimelineEntry') as unknown as z.ZodType<TimelineEntry>;

export function timelineEntryView({ event, actor, at, source: from, content, files }: TimelineRecord): TimelineEntry {
  const written = WRITTEN_NAMES.map((name) => [name, content[name]] as const).filter(([, value]) => value != null);
  // The table pairs each type with its row. It lacks what a later version wrote before it was rolled back.
  const row = ENTRIES[event.type] as Row<EventType> | undefined;
  const { orderedBy, ...stored } = (row?.detailsOf(event) ?? {}) as Record<string, unknown>; // an object of fields
  // A message that was sent past this interface has no credential: the administrator in it is named, and did not log in.
  const ordered = orderedBy === undefined || from === 'TEMPORAL' ? {} : { orderedBy };
  const details = { ...stored, ...ordered, ...Object.fromEntries(written), ...filesView(files) };
  return { event: event.type, actor, at: at.toISOString(), source: from, details } as TimelineEntry; // of the row of this type
}
