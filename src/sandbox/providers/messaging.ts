import { createHmac, randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { z } from 'zod';
import { LOCALES } from '../../domain/locale.ts';
import { ORDER_MESSAGE_KINDS } from '../../domain/order-messages.ts';
import {
  ORDER_CODE_TEMPLATE,
  ORDER_CODE_TEXTS,
  ORDER_MESSAGE_TEXTS,
  TEMPLATE_LANGUAGES,
  templateOf,
} from '../../providers/messaging/order-message-texts.ts';
import type { Callbacks } from './callbacks.ts';
import { bears, digitsOf, Recent, readJson } from './requests.ts';
import type { SandboxPart } from './sandbox.ts';

/** The messaging platform: the subset of WhatsApp's Cloud API that the service uses. */

type MessagingPartSettings = {
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
const MAX_PARAMETERS = 9;
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
          parameters: z.array(text(MAX_PARAMETER_CHARACTERS)).min(1).max(MAX_PARAMETERS),
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
          parameters: z.array(text(MAX_PARAMETER_CHARACTERS)).min(1).max(MAX_PARAMETERS),
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

/** A template of the platform: its text, what its parameters are, and whether it has a button. */
type Template = {
  readonly text: string;
  readonly parameters: readonly ('code' | 'merchant' | 'amount' | 'other')[];
  readonly hasButton: boolean;
};

function templateNamed(name: string, language: string, settings: MessagingPartSettings): Template | null {
  const locale = LOCALES.find((one) => TEMPLATE_LANGUAGES[one] === language);
  const news = ORDER_MESSAGE_KINDS.find((kind) => templateOf(kind) === name);
  if (locale !== undefined && news !== undefined)
    return { text: ORDER_MESSAGE_TEXTS[news][locale], parameters: ['merchant', 'other', 'other'], hasButton: true };
  if (locale !== undefined && name === ORDER_CODE_TEMPLATE)
    return {
      text: ORDER_CODE_TEXTS[locale],
      parameters: ['code', 'other', 'other', 'amount', 'merchant'],
      hasButton: true,
    };
  if (language !== settings.template.language) return null;
  if (name === settings.template.name)
    return {
      text: 'Use the code {{1}} to pay {{3}} to {{2}}. Give it to nobody.',
      parameters: ['code', 'merchant', 'amount'],
      hasButton: true,
    };
  if (name === settings.bankDetailsTemplate)
    return {
      text: 'The account to which {{1}} pays you was changed to {{2}}. If you did not ask for it, tell them at once.',
      parameters: ['merchant', 'other'],
      hasButton: false,
    };
  return null;
}

/** Null if the language has no such template, or none with as many parameters. */
function contentOf(
  { name, language, components: [body, button] }: z.infer<typeof TemplateMessage>['template'],
  settings: MessagingPartSettings,
): Pick<SentMessage, 'code' | 'merchant' | 'amount' | 'text'> | null {
  const template = templateNamed(name, language.code, settings);
  const values = body.parameters.map(({ text: value }) => value);
  if (template === null || values.length !== template.parameters.length) return null;
  const valueFor = (parameter: Template['parameters'][number]) => values[template.parameters.indexOf(parameter)] ?? '';
  const code = valueFor('code');
  if (template.hasButton !== (button !== undefined) || code.length > MAX_CODE_CHARACTERS) return null;
  const words = template.text.replace(/\{\{(\d)\}\}/g, (_, place: string) => values[Number(place) - 1] ?? '');
  return { code, merchant: valueFor('merchant'), amount: valueFor('amount'), text: words };
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
