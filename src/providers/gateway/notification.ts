import { createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import type { CheckoutReport } from './port.ts';
import { type ResultGroup, resultGroup } from './result-codes.ts';

/**
 * The gateway's notification of a payment change: JSON, encrypted with AES-256-GCM as hex digits (bare, or wrapped in
 * `{"encryptedBody"}`), or unencrypted. Anybody can send an unencrypted one, so only its checkout's id is used. What an encrypted
 * one reports is used too, but no money is booked before the gateway was asked for the status.
 */

const MAX_BODY_CHARACTERS = 1_048_576;
/** Anybody can send an unencrypted notification, and only an id is read from it. A longer one is not parsed. */
const MAX_PLAIN_CHARACTERS = 8_192;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const NONCE_HEADER = 'x-initialization-vector';
const TAG_HEADER = 'x-authentication-tag';
const TAG_BYTES = 16;

const WRAPPED = /^\{\s*"encryptedBody"\s*:\s*"([0-9a-f]+)"\s*\}$/i;

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
      amount: maybeText,
      result: z.object({ code: maybeText }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

type Incoming = { readonly headers: Headers; readonly body: string };

/** Chargeback, chargeback reversal, refund, reversal. */
const CHANGE_TYPES: ReadonlySet<string> = new Set(['CB', 'CR', 'RF', 'RV']);

/**
 * The first field with the form of a checkout id, and what the notification reports about it. `undefined` if there is none, or if
 * an unencrypted notification says that the payment is not decided yet: the gateway would answer the same. Never throws.
 */
export function checkoutReportOf(incoming: Incoming, key: string, form: RegExp): CheckoutReport | undefined {
  const read = readContent(incoming, key);
  if (read === undefined || isChange(read.content)) return undefined;
  const report = reportOf(read);
  const { id, payload } = read.content;
  // In a payment's own notification, `id` is the payment's id and `ndc` is its checkout's id.
  const checkoutId = [id, payload?.ndc, payload?.id].find(
    (candidate) => candidate !== undefined && form.test(candidate),
  );
  return checkoutId === undefined || report === undefined ? undefined : { checkoutId, report };
}

/** The payment that a chargeback, its reversal or a refund refers to. Never throws. */
export function changedPaymentOfNotification(incoming: Incoming, key: string, form: RegExp): string | undefined {
  const content = readContent(incoming, key)?.content;
  const referencedId = content?.payload?.referencedId;
  return content !== undefined && isChange(content) && referencedId !== undefined && form.test(referencedId)
    ? referencedId
    : undefined;
}

const PAID: readonly ResultGroup[] = ['success', 'review'];
const UNDECIDED: readonly ResultGroup[] = ['pending', 'delayed', 'uncertain'];

function reportOf({ content: { payload }, isAuthentic }: Read): CheckoutReport['report'] | undefined {
  const code = payload?.result?.code;
  if (code === undefined) return 'other';
  const group = resultGroup(code);
  if (UNDECIDED.includes(group)) {
    // A pending result without a payment means that the form has not been submitted.
    const isPayment = group !== 'pending' || payload?.amount !== undefined;
    return isAuthentic && isPayment ? 'pending' : undefined;
  }
  return isAuthentic && PAID.includes(group) ? 'success' : 'other';
}

function isChange({ payload }: z.infer<typeof Notification>): boolean {
  return CHANGE_TYPES.has(payload?.paymentType ?? '');
}

/** `isAuthentic`: encrypted with the key that only the gateway and the service have. */
type Read = { readonly content: z.infer<typeof Notification>; readonly isAuthentic: boolean };

function readContent({ headers, body }: Incoming, key: string): Read | undefined {
  if (body.length > MAX_BODY_CHARACTERS) return undefined;
  const trimmed = body.trim();
  const encrypted = WRAPPED.exec(trimmed)?.[1] ?? trimmed;
  const isAuthentic = HEX.test(encrypted);
  if (!isAuthentic && trimmed.length > MAX_PLAIN_CHARACTERS) return undefined;
  const content = parseJson(isAuthentic ? decryptNotification(encrypted, headers, key) : trimmed);
  const parsed = Notification.safeParse(content).data;
  return parsed === undefined ? undefined : { content: parsed, isAuthentic };
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
