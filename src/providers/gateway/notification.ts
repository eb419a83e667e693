import { createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { type ResultGroup, resultGroup } from './result-codes.ts';

/**
 * The gateway's notification of a payment change: JSON, encrypted with AES-256-GCM as hex digits (bare, or wrapped in
 * `{"encryptedBody"}`), or unencrypted. Only the checkout's id is used; the status is then requested from the gateway.
 */

const MAX_BODY_CHARACTERS = 1_048_576;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const NONCE_HEADER = 'x-initialization-vector';
const TAG_HEADER = 'x-authentication-tag';
const TAG_BYTES = 16;

const Wrapped = z.object({ encryptedBody: z.string() });

/** A string, or nothing for any other value: invalid data in one field does not hide an id in another. */
const maybeText = z.string().optional().catch(undefined);
const Notification = z.object({
  id: maybeText,
  payload: z
    .object({
      id: maybeText,
      ndc: maybeText,
      paymentType: maybeText,
      referencedId: maybeText,
      result: z.object({ code: maybeText }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

type Incoming = { readonly headers: Headers; readonly body: string };

/** Chargeback, chargeback reversal, refund, reversal. */
const CHANGE_TYPES: ReadonlySet<string> = new Set(['CB', 'CR', 'RF', 'RV']);

/**
 * The first field with the form of a checkout id; `undefined` if there is none, or if the notification itself says that the
 * payment is not decided yet: a question would learn nothing. Never throws.
 */
export function checkoutIdOfNotification(incoming: Incoming, key: string, form: RegExp): string | undefined {
  const content = read(incoming, key);
  if (content === undefined || isChange(content) || isUndecided(content)) return undefined;
  const { id, payload } = content;
  // In a payment's own notification, `id` is the payment's id and `ndc` is its checkout's id.
  return [id, payload?.ndc, payload?.id].find((candidate) => candidate !== undefined && form.test(candidate));
}

/** The payment that a chargeback, its reversal or a refund refers to. Never throws. */
export function changedPaymentOfNotification(incoming: Incoming, key: string, form: RegExp): string | undefined {
  const content = read(incoming, key);
  const referencedId = content?.payload?.referencedId;
  return content !== undefined && isChange(content) && referencedId !== undefined && form.test(referencedId)
    ? referencedId
    : undefined;
}

const UNDECIDED: readonly ResultGroup[] = ['pending', 'delayed', 'uncertain'];

function isUndecided({ payload }: z.infer<typeof Notification>): boolean {
  const code = payload?.result?.code;
  return code !== undefined && UNDECIDED.includes(resultGroup(code));
}

function isChange({ payload }: z.infer<typeof Notification>): boolean {
  return CHANGE_TYPES.has(payload?.paymentType ?? '');
}

function read({ headers, body }: Incoming, key: string): z.infer<typeof Notification> | undefined {
  if (body.length > MAX_BODY_CHARACTERS) return undefined;
  const trimmed = body.trim();
  const json = parseJson(trimmed);
  const wrapped = Wrapped.safeParse(json);
  const encrypted = wrapped.success ? wrapped.data.encryptedBody : trimmed;
  const content = HEX.test(encrypted) ? parseJson(decryptNotification(encrypted, headers, key)) : json;
  return Notification.safeParse(content).data;
}

/** The decrypted text; '' if key, headers and content do not match. */
export function decryptNotification(encrypted: string, headers: Headers, key: string): string {
  const nonce = headers.get(NONCE_HEADER) ?? '';
  const tag = Buffer.from(headers.get(TAG_HEADER) ?? '', 'hex');
  if (!HEX.test(nonce) || tag.length !== TAG_BYTES) return '';
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.from(nonce, 'hex'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(Buffer.from(encrypted, 'hex')), decipher.final()]).toString('utf8');
  } catch {
    return '';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
