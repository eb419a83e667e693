import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';

/**
 * Security headers for browsers. They restrict no other clients; they prevent a page from acting in a browser against its
 * user's will.
 */

/** The default for all responses: an API response runs no script and may not be framed. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'X-Permitted-Cross-Domain-Policies': 'none',
};
/** Balances and keys must not be cached, not even by the browser. */
const UNCACHED: Readonly<Record<string, string>> = { 'Cache-Control': 'no-store' };
/** Half a year. It does not include subdomains, which are not ours. */
const STRICT_TRANSPORT = 'max-age=15552000';

/** Sets the headers that a route has not set itself. `baseUrl` tells whether the service is reached over TLS. */
export function securityHeaders(baseUrl: string): MiddlewareHandler<ApiEnv> {
  const always = {
    ...HEADERS,
    ...(baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': STRICT_TRANSPORT } : {}),
  };
  const ofPage = Object.entries(always);
  const ofAnswer = Object.entries({ ...always, ...UNCACHED });
  return createMiddleware<ApiEnv>(async (c, next) => {
    await next();
    const { headers } = c.res;
    // A page with hosts that may frame it has no X-Frame-Options, which cannot name them.
    const isFramable = headers.get('Content-Security-Policy')?.includes('frame-ancestors https:') === true;
    for (const [name, value] of c.req.path.startsWith('/v1/') ? ofAnswer : ofPage)
      if (!headers.has(name) && !(isFramable && name === 'X-Frame-Options')) headers.set(name, value);
  });
}

/**
 * Lets pages of the listed origins call the API with a bearer token, but never with an API key, which belongs on servers. There
 * are no cookies, so credentials are not allowed. An empty list allows no other origin.
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<ApiEnv> | undefined {
  if (origins.length === 0) return undefined;
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'X-Company-Id',
      'X-Idempotency-Key',
      'X-MFA-Code',
      'X-Request-Id',
      'Prefer',
      'If-Match',
      'Last-Event-ID',
    ],
    exposeHeaders: [
      'ETag',
      'Content-Disposition',
      'WWW-Authenticate',
      'Preference-Applied',
      'X-Request-Id',
      'X-Total-Count',
      'Link',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
      'X-Ignored-Fields',
    ],
    maxAge: 600,
  });
}
