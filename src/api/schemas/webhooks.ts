import { z } from '@hono/zod-openapi';
import { makerId } from '../../db/views/events.ts';
import type { DeliveryRecord } from '../../db/webhooks/deliveries.ts';
import type { EndpointRecord } from '../../db/webhooks/endpoints.ts';
import { EVENT_TYPE_NAMES } from '../../domain/events/event-types.ts';
import { publicId } from '../../domain/ids.ts';
import {
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  MAX_ROTATION_GRACE_SECONDS,
  WEBHOOK_STATUSES,
} from '../../domain/webhooks.ts';
import { defaultsTo, text, textOrNull, timestamp } from './common.ts';
import { storableDate } from './lists.ts';

/** Webhook endpoints and their deliveries as clients send and see them. */

const MAX_URL_CHARACTERS = 2_048;

export const MAX_EVENT_NAMES = 100;
const eventNames = () =>
  z
    .array(z.enum(['*', ...EVENT_TYPE_NAMES]))
    .min(1)
    .max(MAX_EVENT_NAMES);
const url = () =>
  text(MAX_URL_CHARACTERS).openapi({
    description: 'https, on port 443 or 8443, at a public address. On a developer’s machine also http on loopback.',
    example: 'https://shop.example/hooks/escrow',
    format: 'uri',
  });

export const NewWebhook = z
  .object({
    url: url(),
    events: eventNames().openapi({ description: 'The types of events to send, or `*` for all.', example: ['*'] }),
    description: text().nullish().describe('What it is, in words.'),
  })
  .openapi('NewWebhook');

export const WebhookChanges = z
  .object({
    url: url().optional(),
    events: eventNames().optional().describe('The types of events that are sent, or `*` for all.'),
    description: text().nullish().describe('What it is, in words.'),
    status: z
      .enum(WEBHOOK_STATUSES)
      .optional()
      .openapi({ description: 'An endpoint that is enabled continues at once with the events that it missed.' }),
  })
  .openapi('WebhookChanges');

export const Webhook = z
  .object({
    id: z.string().describe('Its id.'),
    url: z.string().describe('Its address.'),
    events: z.array(z.string()).describe('The types of events that are sent, or `*` for all.'),
    description: z.string().nullable().describe('What it is, in words.'),
    status: z.enum(WEBHOOK_STATUSES),
    disabledReason: z.enum(DISABLED_REASONS).nullable().openapi({
      description: 'REQUESTED: by hand. GONE: the receiver answered 410. FAILING: it failed for three days.',
    }),
    failingSince: timestamp().nullable().openapi({ description: 'The first failure since the last success.' }),
    createdBy: z.string().openapi({ description: 'The administrator or the API key that added the endpoint.' }),
    createdAt: timestamp().describe('When it was made.'),
  })
  .openapi('Webhook');

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().openapi({ description: 'Shown only in this response. Verifies signatures by Standard Webhooks.' }),
}).openapi('WebhookWithSecret');

export function webhookView(endpoint: EndpointRecord): z.infer<typeof Webhook> {
  return {
    id: publicId('webhook', endpoint.id),
    url: endpoint.url,
    events: [...endpoint.events],
    description: endpoint.description,
    status: endpoint.status,
    disabledReason: endpoint.disabledReason,
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    createdBy: makerId(endpoint.createdBy),
    createdAt: endpoint.createdAt.toISOString(),
  };
}

export const RotateSecret = z
  .object({
    graceSeconds: defaultsTo(z.int().min(0).max(MAX_ROTATION_GRACE_SECONDS), 0).describe(
      'The time for which the old secret also signs.',
    ),
  })
  .openapi('RotateSecret');

const instant = () => z.iso.datetime({ offset: true }).transform((value) => storableDate(Date.parse(value)));

export const Replay = z
  .object({
    from: instant()
      .openapi({ type: 'string', format: 'date-time' })
      .describe('The first instant whose events are sent again.'),
    to: instant()
      .nullish()
      .openapi({ ...textOrNull, format: 'date-time', description: 'Exclusive. Absent: until now.' }),
  })
  .refine(({ from, to }) => to == null || from < to, { message: 'must not be after to', path: ['from'] })
  .openapi('Replay');

const attemptFields = {
  durationMs: z.int().describe('How long it took, in milliseconds.'),
  status: z.int().nullable().openapi({ description: 'Null: no answer came, and `error` says why.' }),
  error: z.string().nullable().describe('Why no answer came.'),
  answer: z.string().nullable().openapi({ description: 'The first 2 KiB of the answer.' }),
};

export const PingAnswer = z
  .object({ isDelivered: z.boolean().describe('Whether the endpoint answered 2xx.'), ...attemptFields })
  .openapi('PingAnswer');

export const Delivery = z
  .object({
    id: z.string().describe('Its id.'),
    eventId: z.string().describe('The event.'),
    eventType: z.string().describe('The type of the event.'),
    status: z
      .enum(DELIVERY_STATUSES)
      .openapi({ description: 'FAILED: given up. A retry or a replay begins it again.' }),
    nextAttemptAt: timestamp().nullable().describe('When it is tried next. Null: no more.'),
    attempts: z
      .array(z.object({ at: timestamp().describe('When it happened.'), ...attemptFields }))
      .openapi({ description: 'The newest first, at most 20.' }),
    createdAt: timestamp().describe('When it was made.'),
  })
  .openapi('WebhookDelivery');

export function deliveryView(delivery: DeliveryRecord): z.infer<typeof Delivery> {
  return {
    id: publicId('delivery', delivery.id),
    eventId: publicId('event', delivery.eventId),
    eventType: delivery.eventType,
    status: delivery.status,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
    createdAt: delivery.createdAt.toISOString(),
  };
}
