import { z } from '@hono/zod-openapi';
import type { EventRecord } from '../../db/events/events.ts';
import {
  EVENT_API_VERSION,
  EVENT_OBJECT_NAMES,
  EVENT_OBJECTS,
  EVENT_TYPE_NAMES,
  type EventObject,
} from '../../domain/events/event-types.ts';
import { publicId } from '../../domain/ids.ts';
import { NOT_SENT_REASONS, ORDER_MESSAGE_KINDS } from '../../domain/order-messages.ts';
import { ATTEMPT_KINDS, LINK_STATUSES } from '../../domain/payment-link/link.ts';
import { IDENTITY_EVIDENCE, IDENTITY_STATUSES } from '../../domain/users.ts';
import { centsText, currency, source, timestamp } from './common.ts';
import { Administrator, ApiKey } from './company.ts';
import { Escrow, party } from './escrow.ts';
import { Account, Transaction } from './ledger.ts';
import { OrderRequest } from './order-pages.ts';
import { attemptFields } from './payment-link.ts';
import { Capture, WithdrawalWithoutAccount } from './treasury.ts';
import { Webhook } from './webhooks.ts';

/**
 * Events as clients see them. `data` is the object after the change, in the form of the API's responses, without secrets,
 * national ids, account numbers and phone numbers, and without the words of payers, which may contain them.
 */

const ApiKeyData = ApiKey.omit({ note: true, last_used_at: true, revoked_at: true }).openapi('ApiKeyEventData', {
  description: 'An API key.',
});

const DepositData = Transaction.omit({ metadata: true }).extend({
  accountId: z.string().describe('The account that was credited.'),
  metadata: z
    .object({ source: z.enum(ATTEMPT_KINDS).optional().describe('How a buyer paid. Absent for declared deposits.') })
    .describe('Any JSON object of your own, at most 16 KiB.'),
});

const CaptureData = Capture.omit({ reference: true });

const LinkData = z.object({
  id: z.string().describe('The link.'),
  status: z.enum(LINK_STATUSES),
  escrowId: z.string().describe('The escrow.'),
  buyerId: z.string().describe('The user who shall pay.'),
  amount: centsText(),
  currency: currency(),
  externalReference: z.string().nullable().describe('Your own reference.'),
  transactionId: z.string().nullable().describe('The transaction.'),
  attempts: z.array(z.object(attemptFields)).describe('The payments that the buyer tried, oldest first.'),
  expiresAt: timestamp().describe('When it expires.'),
  createdAt: timestamp().describe('When it was made.'),
  updatedAt: timestamp().describe('When it was last changed.'),
});

const UserData = z.object({
  id: z.string().describe('Its id.'),
  firstName: z.string().nullable().describe('The first name.'),
  lastName: z.string().nullable().describe('The last name.'),
  kycLevel: z.int().describe('1: registered; 2: approved by the platform.'),
  identityStatus: z.enum(IDENTITY_STATUSES),
  changed: z.array(z.string()).describe('The fields that changed, in `user.updated`.'),
  changedSinceApproval: z.array(z.enum(IDENTITY_EVIDENCE)).describe('The approved fields that have changed since.'),
  customReference: z.string().nullable().describe('Bank deposits with this reference go to the user.'),
  hasDocument: z.boolean().describe('Whether an identity document is stored.'),
  createdAt: timestamp().describe('When it was made.'),
});

const ShownBankDetails = z.object({
  bank_name: z.string().describe('The name of the bank.'),
  branch_code: z.string().describe('The code of the branch.'),
  account_number: z.string().describe('All but the last four characters hidden.'),
  account_name: z.string().describe('The holder of the account at the bank.'),
});

const BankDetailsData = z.object({
  id: z.string().describe('The ledger.'),
  ledgerId: z.string().describe('The ledger.'),
  before: ShownBankDetails.nullable().describe('The latest details before; null: there were none.'),
  after: ShownBankDetails.describe('The new details.'),
  changed_at: timestamp().describe('When they were set.'),
  changed_by: z.string().describe('The administrator or API key that set them, or the user on an order page.'),
  effective_at: timestamp().describe('When they take effect, unless they are approved or replaced before.'),
});

const OrderMessageData = z.object({
  id: z.string().describe('The message.'),
  escrowId: z.string().describe('The escrow.'),
  party: party(),
  kind: z.enum(ORDER_MESSAGE_KINDS).describe('What the party is to be told.'),
  dueAt: timestamp().describe('When it was due.'),
  notSentBecause: z
    .enum(NOT_SENT_REASONS)
    .nullable()
    .describe(
      'Null: the service sends it. SWITCHED_OFF: you send your own; STOPPED: the party wants none; LIMIT: the number had too many; NO_NUMBER: the party has none.',
    ),
});

const CompanyData = z.object({
  id: z.string().describe('The company.'),
  name: z.string().describe('Its name.'),
  changed: z.array(z.string()).describe('The settings that changed.'),
});

const AccountData = Account.pick({ id: true, ledgerId: true, type: true, currency: true, is_frozen: true });

const WebhookData = Webhook.omit({ failingSince: true }).extend({
  url: z.string().openapi({ description: 'Without its query, which may hold a secret of the receiver.' }),
});

/** The schema of `data` for each kind of object. */
export const EVENT_DATA = {
  escrow: Escrow,
  order_request: OrderRequest.omit({ details: true, reason: true }).openapi('OrderRequestEventData', {
    description: 'A request on an order page.',
  }),
  order_message: OrderMessageData.openapi('OrderMessageEventData', {
    description: 'A message to a party of an order.',
  }),
  payment_link: LinkData.openapi('PaymentLinkEventData', { description: 'A payment link.' }),
  withdrawal: WithdrawalWithoutAccount.openapi('WithdrawalEventData', { description: 'A withdrawal.' }),
  deposit: DepositData.openapi('DepositEventData', { description: 'A deposit.' }),
  capture: CaptureData.openapi('CaptureEventData', { description: 'A receipt.' }),
  user: UserData.openapi('UserEventData', { description: 'A user.' }),
  bank_details: BankDetailsData.openapi('BankDetailsEventData', { description: 'A change of bank details.' }),
  company: CompanyData.openapi('CompanyEventData', { description: 'A change of the settings of the company.' }),
  account: AccountData.openapi('AccountEventData', { description: 'An account.' }),
  api_key: ApiKeyData,
  administrator: Administrator,
  webhook_endpoint: WebhookData.openapi('WebhookEventData', { description: 'A webhook endpoint.' }),
} as const satisfies Record<EventObject, z.ZodType>;

export const EventSchema = z
  .object({
    id: z
      .string()
      .openapi({ example: 'evt_01900000-0000-7000-8000-000000000001' })
      .describe('The event. Every repetition has the same one.'),
    type: z.enum(EVENT_TYPE_NAMES),
    apiVersion: z.string().openapi({ description: 'The form of the event. Fields and types are only ever added.' }),
    createdAt: timestamp().openapi({ description: 'When the change was made.' }),
    companyId: z.string().describe('The company.'),
    object: z
      .object({ kind: z.enum(EVENT_OBJECT_NAMES), id: z.string().describe('Its id.') })
      .describe('What changed.'),
    data: z.record(z.string(), z.unknown()).openapi({
      description:
        'The object after the change, without secrets, national ids, account numbers, phone numbers and the words of payers.',
    }),
    requestId: z.string().nullable().openapi({
      description:
        'The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it.',
    }),
    source: source(),
    position: z
      .int()
      .openapi({ description: 'Increases from event to event, with gaps. Events of an object are in order.' }),
  })
  .openapi('Event');

export function eventView(event: EventRecord): z.infer<typeof EventSchema> {
  return {
    id: publicId('event', event.id),
    type: event.type,
    apiVersion: EVENT_API_VERSION,
    createdAt: event.createdAt.toISOString(),
    companyId: publicId('company', event.companyId),
    object: { kind: event.objectKind, id: publicId(EVENT_OBJECTS[event.objectKind], event.objectId) },
    data: event.data,
    requestId: event.requestId,
    source: event.source,
    position: event.position,
  };
}
