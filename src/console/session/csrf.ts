import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Session } from './session.ts';

/** Keeps other sites from acting for an administrator who is logged in, and a form from acting twice. */

export const CSRF_FIELD = 'csrf';

/**
 * The token of one rendered form: `<idempotency key>.<signature>`. It is valid in this session only, because the next login
 * has another id.
 */
export function newFormToken(session: Pick<Session, 'id'>): string {
  const key = randomUUID();
  return `${key}.${signatureOf(session, key).toString('base64url')}`;
}

/** The idempotency key in a form's token; null if the session did not make the token. */
export function keyOfFormToken(session: Pick<Session, 'id'>, token: string | null): string | null {
  const [key = '', signature = ''] = (token ?? '').split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(session, key);
  return given.length === expected.length && timingSafeEqual(given, expected) ? key : null;
}

function signatureOf({ id }: Pick<Session, 'id'>, key: string): Buffer {
  return createHmac('sha256', id).update(`form.${key}`).digest();
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
