import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Logger } from 'pino';
import { fromSource } from '../../db/core/source.ts';
import type { Source } from '../../domain/source.ts';
import { httpRequestSeconds, httpResponses, methodLabel } from '../../observability/metrics.ts';
import { subjectsOf } from '../../observability/subjects.ts';
import { SANE_REQUEST_ID } from '../../observability/tracing/cause.ts';
import { forRequest } from '../../observability/tracing/request.ts';
import { type ApiEnv, isFromConsole } from '../context.ts';

/**
 * Gives the request an id (the client's own id is kept if it is well-formed), and logs one line when it is answered. The line
 * has the route's pattern, never the path: a payment link's hash in the path is a credential.
 */
export function requestLog(log: Logger) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const sent = c.req.header('x-request-id');
    const requestId = sent !== undefined && SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
    c.set('requestId', requestId);
    c.set('log', log);
    c.header('X-Request-Id', requestId);
    const source = isFromConsole(c) ? 'CONSOLE' : sourceOfPath(c.req.path);
    await fromSource(source, () => forRequest(requestId, () => answer(c, next)));
  });
}

const SOURCES_OF_PATHS: readonly (readonly [RegExp, Source])[] = [
  [/^\/v1\/(payments\/eft-pay|messaging)\/webhook$/, 'PROVIDER'],
  [
    /^\/v1\/payments\/(link-details|request-checkout-otp|register-checkout-user|(accept|reject)-payment|eft-pay)(\/|$)/,
    'CHECKOUT',
  ],
  [/^\/checkout\//, 'CHECKOUT'],
  [/^\/orders\//, 'ORDER_PAGE'],
  [/^\/console(\/|$)/, 'CONSOLE'],
];

/** Where a request of this path comes from. */
function sourceOfPath(path: string): Source {
  return SOURCES_OF_PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? 'API';
}

async function answer(c: Context<ApiEnv>, next: Next): Promise<void> {
  const startedAt = performance.now();
  await next();
  const durationMs = performance.now() - startedAt;
  const { routePath: route } = c.req;
  httpRequestSeconds.observe({ method: methodLabel(c.req.method), route, status: c.res.status }, durationMs / 1000);
  httpResponses.inc({ class: `${Math.floor(c.res.status / 100)}xx` });
  c.get('log').info(
    {
      method: c.req.method,
      route,
      status: c.res.status,
      durationMs: Math.round(durationMs),
      companyId: c.get('companyId'),
      ...subjectsOf(c.req.param(), c.get('parsed')?.json, c.get('answer')),
    },
    'request',
  );
}
