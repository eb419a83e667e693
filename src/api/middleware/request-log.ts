import { createMiddleware } from 'hono/factory';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { httpRequestSeconds, methodLabel } from '../../metrics.ts';
import type { ApiEnv } from '../context.ts';

const SANE_REQUEST_ID = /^[\w.-]{8,128}$/;

/**
 * Names the request (the client's own sane id is kept), and logs one line about it when it is answered. The route's
 * pattern is logged, never the path: a payment link's hash in it is a credential.
 */
export function requestLog(log: Logger) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const sent = c.req.header('x-request-id');
    const requestId = sent !== undefined && SANE_REQUEST_ID.test(sent) ? sent : uuidv7();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    c.header('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    const durationMs = performance.now() - startedAt;
    const { routePath: route } = c.req;
    httpRequestSeconds.observe({ method: methodLabel(c.req.method), route, status: c.res.status }, durationMs / 1000);
    c.var.log.info(
      {
        method: c.req.method,
        route,
        status: c.res.status,
        durationMs: Math.round(durationMs),
        companyId: c.var.companyId,
      },
      'request',
    );
  });
}
