import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Locale } from '../../domain/locale.ts';
import { isLocale } from '../language/languages.ts';
import type { Session } from './session.ts';

/** Keeps other sites from acting for an administrator who is logged in, and a form from acting twice. */

export const CSRF_FIELD = 'csrf';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a form's token says. */
export type FormToken = {
  /** Makes the form act once, however often it is sent and shown again. */
  readonly idempotencyKey: string;
  /** Whose data the form's page showed. */
  readonly companyId: string;
  /** In which the form was shown, so that its amounts are read as they were typed. */
  readonly language: Locale;
};

/** The token of a form that is shown for the first time. */
export function freshFormToken(session: Pick<Session, 'id' | 'companyId'>, language: Locale): string {
  return formToken(session, { idempotencyKey: randomUUID(), companyId: session.companyId, language });
}

/**
 * The token of a form: `<idempotency key>.<company>.<language>.<signature>`. It is valid in this session only, because the next
 * login has another id. A form that is shown again keeps its company, whatever company the pages show now.
 */
export function formToken({ id }: Pick<Session, 'id'>, { idempotencyKey, companyId, language }: FormToken): string {
  const content = `${idempotencyKey}.${companyId}.${language}`;
  return `${content}.${signatureOf(id, content).toString('base64url')}`;
}

/** Null for text that is not a token. `isGenuine`: this session made it. */
export function readFormToken(
  { id }: Pick<Session, 'id'>,
  token: string | null,
): (FormToken & { readonly isGenuine: boolean }) | null {
  const [idempotencyKey = '', companyId = '', language, signature = ''] = (token ?? '').split('.');
  if (!UUID.test(idempotencyKey) || !isLocale(language)) return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(id, `${idempotencyKey}.${companyId}.${language}`);
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
  return { idempotencyKey, companyId, language, isGenuine };
}

function signatureOf(id: string, content: string): Buffer {
  return createHmac('sha256', id).update(`form.${content}`).digest();
}

type Headers_ = { readonly header: (name: string) => string | undefined };

/**
 * Whether the browser says that the request comes from our own pages. Browsers send Sec-Fetch-Site over TLS and to localhost,
 * and Origin with every POST. A client that sends neither is not a browser, and has no administrator’s cookie.
 */
export function isFromOurPages(request: Headers_): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === request.header('host');
}
