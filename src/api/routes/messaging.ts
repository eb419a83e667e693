import { z } from '@hono/zod-openapi';
import { stopMessages } from '../../db/escrow/order-messages.ts';
import { personHashes } from '../../db/identity/person-hashes.ts';
import {
  isMessagingEventKind,
  type MessagingEvent,
  recordMessagingEvents,
} from '../../db/operations/messaging-events.ts';
import { Refusal } from '../../domain/errors.ts';
import { stopWordIn } from '../../domain/order-messages.ts';
import type { Messaging } from '../../providers/messaging/port.ts';
import { freeMemory, readCallback } from '../bodies/body-limits.ts';
import type { ApiDependencies } from '../context.ts';
import { BODY_LIMITS, MAX_PARSED_CALLBACK_BYTES } from '../limits.ts';
import { type Operations, ok, responses } from '../operation.ts';

type Notification = ReturnType<Messaging['readNotification']>;

const path = '/v1/messaging/webhook';
const tag = 'Messaging';
const SIGNATURE_HEADER = 'x-hub-signature-256';

const Received = z.object({ status: z.literal('OK').describe('Its state.') }).openapi('Received');

const inQuery = (name: string) =>
  ({ name, in: 'query', required: true, description: 'Of the platform.', schema: { type: 'string' } }) as const;

export function registerMessaging(
  operation: Operations,
  { orm, cipher, providers: { messaging } }: ApiDependencies,
): void {
  operation(
    {
      method: 'get',
      path,
      tag,
      summary: "Answer the messaging platform's challenge if the verify token is right",
      description: 'Called once, when the webhook is set up there.',
      access: 'callback',
      parameters: ['hub.mode', 'hub.verify_token', 'hub.challenge'].map(inQuery),
      success: responses({
        200: { description: 'The challenge, unchanged.', content: { 'text/plain': { schema: z.string() } } },
      }),
      refusals: ['forbidden'],
    },
    ({ c }) => {
      const challenge = messaging.answerVerification(new URL(c.req.url).searchParams);
      if (challenge === undefined) throw new Refusal('forbidden', 'wrong verify token');
      return c.text(challenge, 200);
    },
  );

  /** Stores the facts, and which numbers want no messages about orders, or want them again. */
  async function record(notification: Notification): Promise<void> {
    const em = orm.em.fork();
    const hashes = await personHashes(em, cipher);
    for (const { from, text } of notification.messages) {
      const word = stopWordIn(text);
      if (word !== null) await stopMessages(em, hashes.ofPhone(from), word === 'stop');
    }
    await recordMessagingEvents(em, eventsIn(notification));
  }

  // The signature covers the raw bytes, so it is checked before anything parses the body, whatever its type.
  operation(
    {
      method: 'post',
      path,
      tag,
      summary: 'Receive messages and delivery reports of the messaging platform',
      description: 'Its signature must be right.',
      access: 'callback',
      parameters: [
        {
          name: SIGNATURE_HEADER,
          in: 'header',
          required: true,
          description: 'Of the raw body.',
          schema: { type: 'string' },
        },
      ],
      success: ok(Received, 'Taken, and never needed again.'),
      refusals: ['invalid_signature', 'payload_too_large'],
    },
    async ({ c }) => {
      const body = await readCallback(c, BODY_LIMITS.callback.maxBytes);
      if (body === undefined) throw new Refusal('payload_too_large');
      const isSigned = messaging.isSigned(body, c.req.header(SIGNATURE_HEADER));
      const text = body.byteLength <= MAX_PARSED_CALLBACK_BYTES ? new TextDecoder().decode(body) : null;
      freeMemory(body);
      if (!isSigned) throw new Refusal('invalid_signature');
      if (text !== null) await record(messaging.readNotification(text));
      return { status: 'OK' as const };
    },
  );
}

/** The facts of a notification that we store. Unknown statuses are skipped. */
function eventsIn({ messages, statuses }: Notification): MessagingEvent[] {
  return [
    ...messages.map(({ messageId }) => ({ messageId, kind: 'received' as const })),
    ...statuses.flatMap(({ messageId, status }) => (isMessagingEventKind(status) ? [{ messageId, kind: status }] : [])),
  ];
}
