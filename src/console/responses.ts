import type { Context } from 'hono';
import type { Html } from './components/html.ts';
import { languageOf } from './language/languages.ts';
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

type Status = 200 | 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;
const STATUSES: readonly number[] = [200, 400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 500, 503];

export function sendHtml(c: Context<ConsoleEnv>, page: Html, status = 200): Response | Promise<Response> {
  c.header('Content-Security-Policy', POLICY);
  c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex, nofollow');
  const known = STATUSES.includes(status) ? (status as Status) : 500; // just compared
  return c.html(page.in(languageOf(c)), known);
}

/** 303, so that the browser asks for the next page with GET. `path` is below `/console`. */
export function redirectTo(c: Context<ConsoleEnv>, path: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(`/console${path === '/' ? '' : path}`, 303);
}

/** The path below `/console` with its query. */
export function askedPath(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  const below = pathname.replace(/^\/console/, '');
  return `${below === '' ? '/' : below}${search}`;
}

/** The path below `/console` that a `next` parameter names; null for any address elsewhere. */
export function ownPath(next: string | null | undefined): string | null {
  if (next == null || !/^\/(?![/\\])[\w\-./?=&%:,+~]*$/.test(next) || next.startsWith('/log')) return null;
  // A browser resolves `..` and leaves the console.
  const { pathname, search } = new URL(`/console${next}`, 'http://console.invalid');
  return `${pathname}${search}` === `/console${next}` ? next : null;
}
