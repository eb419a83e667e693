import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import { E164 } from '../../domain/phone.ts';
import { createHttp, type HttpLimits } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { ORDER_CODE_TEMPLATE, TEMPLATE_LANGUAGES, templateOf } from './order-message-texts.ts';
import type { IncomingMessage, MessageStatus, Messaging } from './port.ts';

/**
 * The WhatsApp Cloud API. One-time passwords are sent with an approved template, because the platform refuses free text outside
 * an open conversation. The template's body has three parameters: code, merchant, amount. Its button has one: the code. The
 * template about a new bank account has two: merchant, account. order-message-texts.ts has the templates about orders.
 */

export type WhatsappSettings = {
  /** For example https://graph.facebook.com */
  readonly host: string;
  /** For example v23.0 */
  readonly apiVersion: string;
  readonly phoneNumberId: string;
  readonly accessToken: string;
  /** The key of the signatures on incoming notifications. */
  readonly appSecret: string;
  /** The token with which the platform proves itself in a verification request. */
  readonly verifyToken: string;
  readonly template: { readonly name: string; readonly language: string };
  /** Of the message about a new bank account, in the same language. */
  readonly bankDetailsTemplate: string;
};

const PROVIDER = 'messaging';
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;
/** The maximum number of items in one notification; more than the platform ever sends. */
const MAX_ITEMS = 1_000;
const MAX_PARAMETER_CHARACTERS = 100;

const messageId = z.string().regex(/^[\x21-\x7e]{1,255}$/);
const Sent = z.object({ messages: z.array(z.object({ id: messageId })).min(1) });
const Failure = z.object({ error: z.object({ code: z.number() }) });

const list = z.array(z.unknown()).catch([]);
const Notification = z.object({ entry: list });
const Entry = z.object({ changes: list });
const Change = z
  .object({ field: z.literal('messages'), value: z.object({ messages: list.default([]), statuses: list.default([]) }) })
  .transform(({ value }) => value);
const Message = z
  .object({
    id: messageId,
    from: z.string().regex(/^\d{5,15}$/),
    text: z.object({ body: z.string() }).optional(),
  })
  .transform(({ id, from, text }): IncomingMessage => ({ messageId: id, from: `+${from}`, text: text?.body ?? '' }));
const Status = z
  .object({ id: messageId, status: z.string().min(1).max(32) })
  .transform(({ id, status }): MessageStatus => ({ messageId: id, status }));

export function createWhatsapp(settings: WhatsappSettings, log?: Logger, limits?: Partial<HttpLimits>): Messaging {
  const { host, apiVersion, phoneNumberId, accessToken, appSecret, verifyToken, template, bankDetailsTemplate } =
    settings;
  const http = createHttp({
    provider: PROVIDER,
    host,
    headers: { authorization: `Bearer ${accessToken}` },
    log,
    limits,
  });
  async function send(
    to: string,
    name: string,
    components: readonly object[],
    language = template.language,
  ): Promise<{ readonly messageId: string }> {
    if (!E164.test(to)) throw new Error('a number for a message is in E.164');
    const request = {
      method: 'POST',
      path: [apiVersion, phoneNumberId, 'messages'],
      json: {
        messaging_product: 'whatsapp',
        to: to.slice(1), // digits only
        type: 'template',
        template: { name, language: { code: language }, components },
      },
      effect: 'once',
    } as const;
    const answer = await http.exchange(request);
    if (answer.status >= 400) {
      const failed = Failure.safeParse(answer.body);
      const why = failed.success ? `, code ${failed.data.error.code}` : '';
      throw new ProviderError(PROVIDER, 'unreachable', `refused a message (${answer.status}${why})`);
    }
    const [message] = http.understand(request, answer, Sent).messages;
    return { messageId: message?.id ?? '' };
  }

  return {
    sendOneTimePassword: (to, { code, merchant, amount }) =>
      send(to, template.name, [body(code, merchant, amount), button(code)]),

    sendOrderCode: (to, { code, locale, act, order, amount, merchant }) =>
      send(
        to,
        ORDER_CODE_TEMPLATE,
        [body(code, act, order, amount, merchant), button(code)],
        TEMPLATE_LANGUAGES[locale],
      ),

    sendBankDetailsNotice: (to, { merchant, account }) => send(to, bankDetailsTemplate, [body(merchant, account)]),

    sendOrderNews: (to, { kind, locale, merchant, order, detail, token }) =>
      send(to, templateOf(kind), [body(merchant, order, detail), button(token)], TEMPLATE_LANGUAGES[locale]),

    answerVerification(query) {
      const token = query.get('hub.verify_token') ?? '';
      const isOurs = query.get('hub.mode') === 'subscribe' && isSame(digest(token), digest(verifyToken));
      return isOurs ? (query.get('hub.challenge') ?? undefined) : undefined;
    },

    isSigned(body, signature) {
      const hex = SIGNATURE.exec(signature ?? '')?.[1];
      if (hex === undefined) return false;
      return isSame(Buffer.from(hex, 'hex'), createHmac('sha256', appSecret).update(body).digest());
    },

    readNotification(body) {
      const values = changesIn(body);
      return {
        messages: values.flatMap(({ messages }) => readable(messages, Message)).slice(0, MAX_ITEMS),
        statuses: values.flatMap(({ statuses }) => readable(statuses, Status)).slice(0, MAX_ITEMS),
      };
    },
  };
}

/** The platform refuses parameters with line breaks, tabs or runs of spaces. */
function parameter(text: string) {
  return { type: 'text', text: text.replace(/\s+/g, ' ').slice(0, MAX_PARAMETER_CHARACTERS) };
}

function body(...texts: readonly string[]) {
  return { type: 'body', parameters: texts.map(parameter) };
}

function button(text: string) {
  return { type: 'button', sub_type: 'url', index: '0', parameters: [parameter(text)] };
}

/** The common part of all changes in a notification; empty for anything else. */
function changesIn(body: string): z.infer<typeof Change>[] {
  try {
    const { entry } = Notification.parse(JSON.parse(body));
    return readable(entry, Entry).flatMap(({ changes }) => readable(changes, Change));
  } catch {
    return [];
  }
}

/** The items that match `schema`: an unknown item does not hide the others. */
function readable<T>(items: readonly unknown[], schema: z.ZodType<T>): T[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares in constant time. Both digests have the same length. */
function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
