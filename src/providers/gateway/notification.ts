import { createDecipheriv } from 'node:crypto';
import { z } from 'zod';

/**
 * What the gateway sends when a payment changes: JSON, encrypted with AES-256-GCM as hex digits (bare, or wrapped in
 * `{"encryptedBody"}`), or in the clear. Nothing in it is believed but the checkout's id, which is then asked for.
 */

const MAX_BODY_CHARACTERS = 1_048_576;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const NONCE_HEADER = 'x-initialization-vector';
const TAG_HEADER = 'x-authentication-tag';
const TAG_BYTES = 16;

const Wrapped = z.object({ encryptedBody: z.string() });

/** A string where it is one, nothing where it is anything else: garbage in one place does not hide an id in another. */
const maybeText = z.string().optional().catch(undefined);
const Notification = z.object({
  id: maybeText,
  payload: z.object({ id: maybeText, ndc: maybeText }).optional().catch(undefined),
});

/** The first of its ids that has the form of a checkout's; `undefined` for anything else. Never throws. */
export function checkoutIdOfNotification(
  { headers, body }: { readonly headers: Headers; readonly body: string },
  key: string,
  form: RegExp,
): string | undefined {
  if (body.length > MAX_BODY_CHARACTERS) return undefined;
  const trimmed = body.trim();
  const json = parseJson(trimmed);
  const wrapped = Wrapped.safeParse(json);
  const encrypted = wrapped.success ? wrapped.data.encryptedBody : trimmed;
  const content = HEX.test(encrypted) ? parseJson(decryptNotification(encrypted, headers, key)) : json;
  const parsed = Notification.safeParse(content);
  if (!parsed.success) return undefined;
  const { id, payload } = parsed.data;
  // In a payment's own notification `id` is the payment's, and `ndc` the checkout that it was made in.
  return [id, payload?.ndc, payload?.id].find((candidate) => candidate !== undefined && form.test(candidate));
}

/** The text behind the hex digits; '' where key, headers or content do not fit each other. */
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
