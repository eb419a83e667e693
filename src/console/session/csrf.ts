import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Session } from './session.ts';

/** Keeps other sites from acting for an administrator who is logged in, and a form from acting twice. */

export const CSRF_FIELD = 'csrf';

/** What a form's token says: a key that makes the form act once, and the company whose data the form's page showed. */
export type FormToken = { readonly idempotencyKey: string; readonly companyId: string };

/**
 * The token of one rendered form: `<idempotency key>.<company>.<signature>`. It is valid in this session only, because the next
 * login has another id.
 */
export function newFormToken({ id, companyId }: Pick<Session, 'id' | 'companyId'>): string {
  const content = `${randomUUID()}.${companyId}`;
  return `${content}.${signatureOf(id, content).toString('base64url')}`;
}

/** Null if the session did not make the token. */
export function openFormToken({ id }: Pick<Session, 'id'>, token: string | null): FormToken | null {
  const [idempotencyKey = '', companyId = '', signature = ''] = (token ?? '').split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(id, `${idempotencyKey}.${companyId}`);
  return given.length === expected.length && timingSafeEqual(given, expected) ? { idempotencyKey, companyId } : null;
}

function signatureOf(id: string, content: string): Buffer {
  return createHmac('sha256', id).update(`form.${content}`).digest();
}

type Headers_ = { readonly header: (name: string) => string | undefined };

/**
 * Whether the browser says that the request comes from our own pages. Browsers send Sec-Fetch-Site over TLS and to localhost,
 * and Origin with every POST. A client that sends neither is no browser, and has no administrator's cookie.
 */
export function isFromOurPages(request: Headers_): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === request.header('host');
}
