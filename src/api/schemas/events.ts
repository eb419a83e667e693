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
import { ATTEMPT_KINDS, LINK_STATUSES } from '../../domain/payment-link/link.ts';
import { IDENTITY_EVIDENCE, IDENTITY_STATUSES } from '../../domain/users.ts';
import { centsText, currency, timestamp } from './common.ts';
import { Administrator, ApiKey } from './company.ts';
import { Escrow } from './escrow.ts';
import { Account, Transaction } from './ledger.ts';
import { attemptFields } from './payment-link.ts';
import { Capture, WithdrawalWithoutAccount } from './treasury.ts';
import { Webhook } from './webhooks.ts';

/**
 * Events as clients see them. `data` is the object after the change, in the form of the API's responses, without secrets,
 * national ids, account numbers and phone numbers, and without the words of payers, which may contain them.
 */

const ApiKeyData = ApiKey.omit({ note: true, last_used_at: true }).openapi('ApiKeyEventData');

const DepositData = Transaction.omit({ metadata: true }).extend({
  accountId: z.string(),
  metadata: z.object({ source: z.enum(ATTEMPT_KINDS).optional() }),
});

const CaptureData = Capture.omit({ reference: true });

const LinkData = z.object({
  id: z.string(),
  status: z.enum(LINK_STATUSES),
  escrowId: z.string(),
  buyerId: z.string(),
  amount: centsText(),
  currency: currency(),
  externalReference: z.string().nullable(),
  transactionId: z.string().nullable(),
  attempts: z.array(z.object(attemptFields)),
  expiresAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

const UserData = z.object({
  id: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  kycLevel: z.int(),
  identityStatus: z.enum(IDENTITY_STATUSES),
  changedSinceApproval: z.array(z.enum(IDENTITY_EVIDENCE)),
  customReference: z.string().nullable(),
  hasDocument: z.boolean(),
  createdAt: timestamp(),
});

const AccountData = Account.pick({ id: true, ledgerId: true, type: true, currency: true, is_frozen: true });

const WebhookData = Webhook.omit({ failingSince: true }).extend({
  url: z.string().openapi({ description: 'Without its query, which may hold a secret of the receiver.' }),
});

/** The schema of `data` for each kind of object. */
export const EVENT_DATA = {
  escrow: Escrow,
  payment_link: LinkData.openapi('PaymentLinkEventData'),
  withdrawal: WithdrawalWithoutAccount.openapi('WithdrawalEventData'),
  deposit: DepositData.openapi('DepositEventData'),
  capture: CaptureData.openapi('CaptureEventData'),
  user: UserData.openapi('UserEventData'),
  account: AccountData.openapi('AccountEventData'),
  api_key: ApiKeyData,
  administrator: Administrator,
  webhook_endpoint: WebhookData.openapi('WebhookEventData'),
} as const satisfies Record<EventObject, z.ZodType>;

export const EventSchema = z
  .object({
    id: z.string().openapi({ example: 'evt_01900000-0000-7000-8000-000000000001' }),
    type: z.enum(EVENT_TYPE_NAMES),
    apiVersion: z.string().openapi({ description: 'The form of the event. Fields and types are only ever added.' }),
    createdAt: timestamp().openapi({ description: 'When the change was made.' }),
    companyId: z.string(),
    object: z.object({ kind: z.enum(EVENT_OBJECT_NAMES), id: z.string() }),
    data: z.record(z.string(), z.unknown()).openapi({
      description:
        'The object after the change, without secrets, national ids, account numbers, phone numbers and the words of payers.',
    }),
    requestId: z.string().nullable().openapi({
      description:
        'The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it.',
    }),
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
    position: event.position,
  };
}
