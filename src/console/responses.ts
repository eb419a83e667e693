import type { Context } from 'hono';
import { ApiProblem } from './api-client.ts';
import type { Html } from './components/html.ts';
import { type Language, languageOf } from './language/languages.ts';
import type { ConsoleEnv } from './page.ts';

/** How pages are sent. */

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Status = 200 | 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 500 | 503;
const STATUSES: readonly number[] = [200, 400, 401, 403, 404, 409, 410, 412, 413, 415, 422, 429, 500, 503];

export function sendHtml(
  c: Context<ConsoleEnv>,
  page: Html,
  status = 200,
  language: Language = languageOf(c),
): Response | Promise<Response> {
  c.header('Content-Security-Policy', POLICY);
  c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex, nofollow');
  const known = STATUSES.includes(status) ? (status as Status) : 500; // just compared
  return c.html(page.in(language), known);
}

/** The page for a refusal of the API, with its status. Rethrows any other error. */
export function sendRefused(
  c: Context<ConsoleEnv>,
  error: unknown,
  page: (problem: ApiProblem) => Html,
): Response | Promise<Response> {
  if (!(error instanceof ApiProblem)) throw error;
  if (error.retryAfterSeconds !== null) c.header('Retry-After', String(error.retryAfterSeconds));
  return sendHtml(c, page(error), error.status);
}

/** 303, so that the browser asks for the next page with GET. `path` is below `/console`. */
export function redirectTo(c: Context<ConsoleEnv>, path: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(`/console${path === '/' ? '' : path}`, 303);
}

/** The path below `/console` with its query. */
export const askedPath = (c: Context): string => pathBelowConsole(new URL(c.req.url));

export function pathBelowConsole({ pathname, search }: URL): string {
  const below = pathname.replace(/^\/console/, '');
  // Browsers leave some characters of a typed address as they are, such as brackets.
  return `${below === '' ? '/' : below}${search.replace(/[^\w\-.~!$&'()*+,;=:@/?%]/g, encodeURIComponent)}`;
}

/** Absolute, without a host, and without a character that a decoder turns into a separator or a control character. */
const OWN_PATH = /^(?!\/\/|.*%(?:[01]|2[ef]|5c|7f))\/[\w\-.~!$&'()*+,;=:/%]*$/i;
/** What RFC 3986 allows in a query. */
const QUERY = /^[\w\-.~!$&'()*+,;=:@/?%]*$/;

/** The path below `/console` that a `next` parameter names; null for any address elsewhere. */
export function ownPath(next: string | null | undefined): string | null {
  if (next == null || next.startsWith('/log')) return null;
  const [path = '', ...query] = next.split('?');
  if (!OWN_PATH.test(path) || !QUERY.test(query.join('?'))) return null;
  // A browser resolves `..` and leaves the console.
  return new URL(`/console${path}`, 'http://console.invalid').pathname === `/console${path}` ? next : null;
}

/** A file that a stranger sent: it runs nothing, and a frame shows it only if `isInline`. */
export function strangersFile(file: Response, isInline: boolean): Response {
  const headers = new Headers({
    'Content-Type': file.headers.get('content-type') ?? 'application/octet-stream',
    'Content-Security-Policy':
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Cache-Control': 'private, no-store',
    'Content-Disposition': isInline ? 'inline' : (file.headers.get('content-disposition') ?? 'attachment'),
  });
  return new Response(file.body, { headers });
}
