import { createHmac, randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { z } from 'zod';
import { LOCALES } from '../../domain/locale.ts';
import { ORDER_MESSAGE_KINDS } from '../../domain/order-messages.ts';
import { ORDER_MESSAGE_TEXTS, TEMPLATE_LANGUAGES, templateOf } from '../../providers/messaging/order-message-texts.ts';
import type { Callbacks } from './callbacks.ts';
import { bears, digitsOf, Recent, readJson } from './requests.ts';
import type { SandboxPart } from './sandbox.ts';

/** The messaging platform: the subset of WhatsApp's Cloud API that the service uses. */

export type MessagingPartSettings = {
  readonly phoneNumberId: string;
  readonly accessToken: string;
  /** Signs the notifications to the service. */
  readonly appSecret: string;
  readonly template: { readonly name: string; readonly language: string };
  readonly bankDetailsTemplate: string;
};

export type SentMessage = {
  readonly id: string;
  readonly to: string;
  /** Empty in a message without a code, as the amount is. */
  readonly code: string;
  readonly merchant: string;
  readonly amount: string;
  /** The text that the person reads: the template with its parameters. */
  readonly text: string;
  /** What the address of its button ends with; empty without a button. */
  readonly button: string;
  readonly at: string;
};

const text = (maxCharacters: number) =>
  z.object({
    type: z.literal('text'),
    text: z
      .string()
      .min(1)
      .max(maxCharacters)
      .regex(/^[^\n\t]*$/),
  });
const MAX_BUTTON_CHARACTERS = 64;
const MAX_CODE_CHARACTERS = 15;
const MAX_PARAMETER_CHARACTERS = 1_024;
const TemplateMessage = z.object({
  messaging_product: z.literal('whatsapp'),
  to: z.string().regex(/^\d{8,15}$/),
  type: z.literal('template'),
  template: z.object({
    name: z.string(),
    language: z.object({ code: z.string() }),
    components: z.union([
      z.tuple([
        z.object({
          type: z.literal('body'),
          parameters: z.tuple([
            text(MAX_PARAMETER_CHARACTERS),
            text(MAX_PARAMETER_CHARACTERS),
            text(MAX_PARAMETER_CHARACTERS),
          ]),
        }),
        z.object({
          type: z.literal('button'),
          sub_type: z.literal('url'),
          index: z.literal('0'),
          parameters: z.tuple([text(MAX_BUTTON_CHARACTERS)]),
        }),
      ]),
      z.tuple([
        z.object({
          type: z.literal('body'),
          parameters: z.tuple([text(MAX_PARAMETER_CHARACTERS), text(MAX_PARAMETER_CHARACTERS)]),
        }),
      ]),
    ]),
  }),
});

const Incoming = z.object({ from: z.string().regex(/^\+?\d{8,15}$/), text: z.string().max(4_096) });
const Delivery = z.object({ id: z.string(), status: z.enum(['sent', 'delivered', 'read', 'failed']) });

export function messagingPart(settings: MessagingPartSettings, callbacks: Callbacks): SandboxPart {
  const sent = new Recent<SentMessage>();
  const notify = (value: Record<string, unknown>) => signed(settings, value);

  return {
    provider: 'messaging',
    wire(app, door) {
      app.post('/:version{v\\d+(\\.\\d+)?}/:phoneNumberId{\\d+}/messages', door, async (c) => {
        if (!bears(c, settings.accessToken)) return c.json(failure(190, 'Invalid OAuth access token'), 401);
        if (c.req.param('phoneNumberId') !== settings.phoneNumberId)
          return c.json(failure(100, 'Unsupported post request: no such object'), 400);
        const parsed = TemplateMessage.safeParse(await c.req.json().catch(() => undefined));
        if (!parsed.success) return c.json(failure(100, 'Invalid parameter'), 400);
        const { to, template } = parsed.data;
        const content = contentOf(template, settings);
        if (content === null) return c.json(failure(132_001, 'Template name does not exist in the translation'), 404);
        const button = template.components[1]?.parameters[0].text ?? '';
        const message = { id: messageId(), to: `+${to}`, ...content, button, at: new Date().toISOString() };
        sent.keep(message.id, message);
        callbacks.send(notify({ statuses: [statusOf(message, 'sent')] }));
        callbacks.send(notify({ statuses: [statusOf(message, 'delivered')] }));
        return c.json({
          messaging_product: 'whatsapp',
          contacts: [{ input: to, wa_id: to }],
          messages: [{ id: message.id }],
        });
      });
    },

    control(app: Hono) {
      app.get('/messages', (c) => {
        const to = c.req.query('to');
        const messages = sent.values().filter((message) => to === undefined || digitsOf(message.to) === digitsOf(to));
        return c.json(messages);
      });
      // A person writes to the service.
      app.post('/messages', async (c) => {
        const { from, text } = await readJson(c, Incoming);
        const id = messageId();
        const message = { from: digitsOf(from), id, timestamp: seconds(), type: 'text', text: { body: text } };
        return c.json({ id, status: (await callbacks.sendNow(notify({ messages: [message] }))) ?? null });
      });
      // The status of a message from the service changes.
      app.post('/messages/status', async (c) => {
        const { id, status } = await readJson(c, Delivery);
        const message = sent.get(id);
        if (message === undefined) return c.json({ error: 'message not found' }, 404);
        const answered = await callbacks.sendNow(notify({ statuses: [statusOf(message, status)] }));
        return c.json({ id, status: answered ?? null });
      });
    },
  };
}

/** Null if the language has no such template, or none with as many parameters. */
function contentOf(
  { name, language, components }: z.infer<typeof TemplateMessage>['template'],
  settings: MessagingPartSettings,
): Pick<SentMessage, 'code' | 'merchant' | 'amount' | 'text'> | null {
  const [first, second, third] = components[0].parameters.map(({ text: value }) => value);
  if (first === undefined || second === undefined) return null;
  const news = ORDER_MESSAGE_KINDS.find((kind) => templateOf(kind) === name);
  if (news !== undefined) {
    const locale = LOCALES.find((one) => TEMPLATE_LANGUAGES[one] === language.code);
    if (locale === undefined || third === undefined) return null;
    const words = ORDER_MESSAGE_TEXTS[news][locale].replace(
      /\{\{([123])\}\}/g,
      (_, place: '1' | '2' | '3') => ({ 1: first, 2: second, 3: third })[place],
    );
    return { code: '', merchant: first, amount: '', text: words };
  }
  if (language.code !== settings.template.language) return null;
  if (name === settings.bankDetailsTemplate && third === undefined) {
    const words = `${first} pays you to the account ${second} from now on. If you did not ask for it, tell them at once.`;
    return { code: '', merchant: first, amount: '', text: words };
  }
  if (name !== settings.template.name || third === undefined || first.length > MAX_CODE_CHARACTERS) return null;
  const words = `${first} is your code to pay ${third} to ${second}.`;
  return { code: first, merchant: second, amount: third, text: words };
}

function statusOf({ id, to }: SentMessage, status: z.infer<typeof Delivery>['status']) {
  return { id, status, timestamp: seconds(), recipient_id: digitsOf(to) };
}

function signed({ phoneNumberId, appSecret }: MessagingPartSettings, value: Record<string, unknown>) {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: phoneNumberId,
        changes: [
          {
            field: 'messages',
            value: { messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, ...value },
          },
        ],
      },
    ],
  });
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return {
    path: '/v1/messaging/webhook',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  };
}

function failure(code: number, message: string) {
  return { error: { message, type: 'OAuthException', code, fbtrace_id: randomBytes(8).toString('base64url') } };
}

function messageId(): string {
  return `wamid.${randomBytes(24).toString('base64')}`;
}

function seconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}
