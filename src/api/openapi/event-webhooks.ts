import { OpenAPIHono, z } from '@hono/zod-openapi';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from '../../domain/events/event-types.ts';
import { timestamp } from '../schemas/common.ts';
import { EVENT_DATA, EventSchema } from '../schemas/events.ts';
import { TAGS, WEBHOOK_TAG } from './operation-names.ts';

/** The `webhooks` of the description: what endpoints of companies receive, one schema for each type of event. */

const common = EventSchema.omit({ type: true, createdAt: true, object: true, data: true, position: true }).shape;

function bodyOf(type: EventType) {
  const { object: kind, means } = EVENT_TYPES[type];
  return z
    .object({
      ...common,
      type: z.literal(type).describe('The type of the event.'),
      timestamp: timestamp().openapi({ description: 'When the change was made.' }),
      object: z
        .object({ kind: z.literal(kind).describe('The kind of object.'), id: z.string().describe('Its id.') })
        .describe('What changed.'),
      data: EVENT_DATA[kind],
      position: EventSchema.shape.position,
    })
    .openapi(`${nameOf(type)}Event`, { description: means });
}

const PING = z
  .object({
    ...common,
    type: z.literal('webhook.ping').describe('The type of the message.'),
    timestamp: timestamp().describe('When it was sent.'),
    object: EventSchema.shape.object.nullable().openapi({ description: 'Null: it is about no object.' }),
    data: z.record(z.string(), z.unknown()).openapi({ description: 'Empty.' }),
    position: z.int().nullable().openapi({ description: 'Null: it is not in the feed.' }),
  })
  .openapi('WebhookPingEvent', { description: 'A message that only shows whether the receiver answers.' });

/** `escrow.auto_released` → `EscrowAutoReleased`. */
function nameOf(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const header = (description: string) => z.string().openapi({ description });
const HEADERS = z.object({
  'webhook-id': header('The id of the event. Every repetition has the same one: ignore those that were received.'),
  'webhook-timestamp': header('When it was sent, in seconds since 1970. Refuse what is older than five minutes.'),
  'webhook-signature': header('`v1,` and the signature after Standard Webhooks; two while the secret is replaced.'),
});

/** A document with webhooks has them, and the schemas that only they use. */
type WithSchemas = { components?: { schemas?: object | undefined } | undefined };

/**
 * The document with its webhooks. They are generated apart: the generator would take them before all operations, and describe
 * shared schemas as they are used here.
 */
export function withWebhooks<Document extends WithSchemas>(document: Document): Document {
  const { webhooks, components } = eventWebhooks();
  const schemas = { ...components?.schemas, ...document.components?.schemas };
  return { ...document, webhooks, components: { ...document.components, schemas } };
}

type WithTags = WithSchemas & { readonly webhooks?: unknown; readonly tags?: unknown };

/** The document for generators of clients: without webhooks, the schemas that only they use, and their tag. */
export function withoutWebhooks<Document extends WithTags>(document: Document): Omit<Document, 'webhooks'> {
  const { webhooks: _webhooks, ...rest } = document;
  const schemas: Record<string, unknown> = { ...document.components?.schemas };
  const used = new Set<string>();
  const { schemas: _schemas, ...others } = { ...document.components };
  const waiting = referencesIn({ ...rest, components: others });
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    waiting.push(...referencesIn(schemas[name]));
  }
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return {
    ...rest,
    tags: TAGS.filter(({ name }) => name !== WEBHOOK_TAG),
    components: { ...others, schemas: Object.fromEntries(kept) },
  };
}

const referencesIn = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);

function eventWebhooks() {
  const app = new OpenAPIHono();
  const bodies = [
    ...EVENT_TYPE_NAMES.map((type) => ({ type, means: EVENT_TYPES[type].means, schema: bodyOf(type) })),
    { type: 'webhook.ping', means: 'A message that only shows whether the receiver answers.', schema: PING },
  ];
  for (const { type, means, schema } of bodies)
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `on${nameOf(type)}`,
      tags: [WEBHOOK_TAG],
      summary: means,
      security: [],
      request: { headers: HEADERS, body: { required: true, content: { 'application/json': { schema } } } },
      responses: {
        '2XX': { description: 'The event was received. Any other answer is tried again, for three days.' },
        410: { description: 'The receiver is gone for good: the endpoint is disabled.' },
      },
    });
  return app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Webhooks', version: '1' } });
}
