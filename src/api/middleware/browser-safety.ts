import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';

/** What browsers are told. Nothing here keeps out a program; it keeps a page from doing in a browser what its user did not ask for. */

/** For everything that does not say otherwise: an answer of the API is no page, runs nothing, and is in nobody's frame. */
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
/** Balances and keys stay in no cache, a browser's own among them. */
const UNCACHED: Readonly<Record<string, string>> = { 'Cache-Control': 'no-store' };
/** Half a year. Not a word about other hosts of the domain: they are not ours. */
const STRICT_TRANSPORT = 'max-age=15552000';

/** Sets what a route has not set itself. `baseUrl` says whether the service is reached by TLS. */
export function securityHeaders(baseUrl: string): MiddlewareHandler<ApiEnv> {
  const always = {
    ...HEADERS,
    ...(baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': STRICT_TRANSPORT } : {}),
  };
  return createMiddleware<ApiEnv>(async (c, next) => {
    await next();
    const wanted = c.req.path.startsWith('/v1/') ? { ...always, ...UNCACHED } : always;
    for (const [name, value] of Object.entries(wanted)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
}

/**
 * Lets pages of the listed origins call the API: with a bearer token, never with an API key, which belongs on servers. No cookies
 * exist, so no credentials are allowed. An empty list: no page of another origin may.
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<ApiEnv> | undefined {
  if (origins.length === 0) return undefined;
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'POST', 'PATCH'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Company-Id', 'X-Idempotency-Key', 'X-Request-Id', 'Prefer'],
    exposeHeaders: ['X-Request-Id', 'X-Total-Count', 'Link', 'Retry-After', 'Idempotent-Replayed', 'X-Ignored-Fields'],
    maxAge: 600,
  });
}
