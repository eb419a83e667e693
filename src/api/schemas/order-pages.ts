import { z } from '@hono/zod-openapi';
import type { OrderFile } from '../../db/escrow/order-files.ts';
import type { OrderRequestRecord } from '../../db/escrow/order-requests.ts';
import { commandThatMade, publicId } from '../../domain/ids.ts';
import {
  ACT_MODES,
  MAX_ASK_HOURS,
  ORDER_ACT_NAMES,
  type OrderPageChoices,
  REQUEST_STATUSES,
  type OrderPageSettings as Settings,
} from '../../domain/order-pages.ts';
import { centsText, defaultsTo, timestamp } from './common.ts';
import { party } from './escrow.ts';

/** Order pages, and what parties ask for on them, as clients see and set them. */

export const OrderPages = z
  .object({
    buyerUrl: z.string().describe('The page of the buyer.'),
    sellerUrl: z.string().nullable().describe('The page of the seller. Null: the company itself sells.'),
  })
  .openapi('OrderPages', { description: 'The order pages of both parties.' });

const mode = () => z.enum(ACT_MODES);
const askHours = () =>
  z.int().min(1).max(MAX_ASK_HOURS).describe('Hours after which a request lapses that nobody has answered.');
const messages = () =>
  z.boolean().describe('Whether the service tells the parties about their orders. The events come in either case.');
const actsOf = <Field extends z.ZodType>(field: () => Field) =>
  z.object(
    Object.fromEntries(ORDER_ACT_NAMES.map((act) => [act, field()])) as Record<(typeof ORDER_ACT_NAMES)[number], Field>, // of each act
  );

export const OrderPageSettings = z
  .object({
    enabled: z.boolean().describe('Whether escrows of the company have order pages.'),
    messages: messages(),
    ask_hours: askHours(),
    acts: actsOf(mode).describe('What the parties may do on the pages.'),
  })
  .openapi('OrderPageSettings');

export const OrderPageChange = z
  .object({
    enabled: z.boolean().optional().describe('Whether escrows of the company have order pages.'),
    messages: messages().optional(),
    ask_hours: askHours().optional(),
    acts: actsOf(() => mode().optional())
      .optional()
      .describe('What the parties may do on the pages.'),
  })
  .openapi('OrderPageChange');

export function settingsView({
  enabled,
  messages: sends,
  askHours: hours,
  acts,
}: Settings): z.infer<typeof OrderPageSettings> {
  return { enabled, messages: sends, ask_hours: hours, acts };
}

export function choicesOf({
  enabled,
  messages: sends,
  ask_hours,
  acts,
}: z.infer<typeof OrderPageChange>): OrderPageChoices {
  return { enabled, messages: sends, askHours: ask_hours, acts };
}

/** In requests that make an escrow. */
export const wantsOrderPages = () =>
  defaultsTo(z.boolean(), false).describe('Whether to make the order pages of buyer and seller. False unless given.');
/** A union, because a component is never null. */
export const orderPagesAnswer = () => z.union([OrderPages, z.null()]).describe('Null unless asked for.');

const EscrowFile = z
  .object({
    id: z.string().describe('The file: GET /v1/escrow/{id}/files/{fileId}.'),
    mediaType: z.string().describe('Its type, found by its content.'),
    byteCount: z.int().describe('Its size.'),
    sha256: z.string().describe('Of the file as it was sent, in hex.'),
  })
  .openapi('EscrowFile');

/** Files that a party sent, in the timeline and in requests. */
export const filesField = () =>
  z.array(EscrowFile).optional().describe('What the party sent with it on the order page.');

export function filesView(files: readonly OrderFile[]) {
  if (files.length === 0) return {};
  return {
    files: files.map(({ id, mediaType, byteCount, sha256 }) => ({
      ...{ id: publicId('document', id), mediaType, byteCount, sha256 },
    })),
  };
}

const RequestDetails = z
  .object({
    items: z
      .array(
        z.object({
          itemId: z.string().describe('The item of the escrow.'),
          quantity: z.int().describe('How many pieces.'),
        }),
      )
      .optional()
      .describe('What was sent or received.'),
    notes: z.string().optional().describe('What the party wrote.'),
    reason: z.string().optional().describe('What the party gave as the reason.'),
    hours: z.int().optional().describe('By how much the release shall be postponed.'),
    proposedSellerPayoutCents: centsText().optional().describe('What the seller shall get. Integer cents.'),
    negotiationId: z.string().optional().describe('The proposal that is answered.'),
    accept: z.boolean().optional().describe('Whether the proposal is accepted.'),
    milestoneId: z.string().optional().describe('The milestone that shall be paid. Absent: all that is held.'),
    carrier: z.string().optional().describe('Who carries the order.'),
    trackingNumber: z.string().optional().describe('Its number at the carrier.'),
    trackingUrl: z.string().optional().describe('The address of the tracking page.'),
    files: filesField(),
    amount: centsText().optional().describe('What shall be paid out. Integer cents.'),
    bank_name: z.string().optional().describe('The name of the bank.'),
    branch_code: z.string().optional().describe('The code of the branch.'),
    account_number: z.string().optional().describe('All but the last four characters hidden.'),
    account_name: z.string().optional().describe('The holder of the account at the bank.'),
  })
  .openapi('OrderRequestDetails');

export const OrderRequest = z
  .object({
    id: z.string().describe('The request.'),
    escrowId: z.string().describe('The escrow.'),
    act: z.enum(ORDER_ACT_NAMES).describe('What the party asked for.'),
    actor: party(),
    details: RequestDetails.describe('What the party entered.'),
    status: z.enum(REQUEST_STATUSES).describe('Its state.'),
    reason: z.string().nullable().describe('Why it was refused.'),
    createdAt: timestamp().describe('When it was made.'),
    lapsesAt: timestamp().describe('When it lapses, unless it is answered before.'),
  })
  .openapi('OrderRequest', { description: 'What a party asked for on an order page.' });

/** `files`: those of the escrow. */
export function orderRequestView(
  request: OrderRequestRecord,
  files: readonly OrderFile[],
): z.infer<typeof OrderRequest> {
  const { items, sellerPayoutCents, negotiationId, milestoneId, ...rest } = request.details;
  const { amountCents, bankName, branchCode, accountNumber, accountName, ...details } = rest;
  return {
    id: publicId('orderRequest', request.id),
    escrowId: publicId('escrow', request.escrowId),
    act: request.act,
    actor: request.party,
    details: {
      ...details,
      ...filesView(files.filter(({ commandId }) => commandId === commandThatMade(request.id))),
      ...(items === undefined
        ? {}
        : { items: items.map(({ itemId, quantity }) => ({ itemId: publicId('item', itemId), quantity })) }),
      ...(sellerPayoutCents === undefined ? {} : { proposedSellerPayoutCents: sellerPayoutCents }),
      ...(negotiationId === undefined ? {} : { negotiationId: publicId('negotiation', negotiationId) }),
      ...(milestoneId === undefined ? {} : { milestoneId: publicId('milestone', milestoneId) }),
      ...(amountCents === undefined ? {} : { amount: amountCents }),
      ...(bankName === undefined
        ? {}
        : { bank_name: bankName, branch_code: branchCode, account_number: accountNumber, account_name: accountName }),
    },
    status: request.status,
    reason: request.reason,
    createdAt: request.createdAt.toISOString(),
    lapsesAt: request.lapsesAt.toISOString(),
  };
}
