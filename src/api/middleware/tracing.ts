import { context, propagation, SpanKind, type TextMapGetter } from '@opentelemetry/api';
import { createMiddleware } from 'hono/factory';
import { publicId } from '../../domain/ids.ts';
import { methodLabel } from '../../observability/metrics.ts';
import { fail, inSpan } from '../../observability/tracing/spans.ts';
import type { ApiEnv } from '../context.ts';

/**
 * Opens one span for each request, under the caller's span if it sends a `traceparent`. Like the log, the span has the route's
 * pattern, never the path.
 */
export const traceRequest = createMiddleware<ApiEnv>(async (c, next) => {
  if (c.req.path.startsWith('/health')) return next(); // probes come every few seconds
  const method = methodLabel(c.req.method);
  const parent = propagation.extract(context.active(), c.req.raw.headers, IN_HEADERS);
  await inSpan(method, { kind: SpanKind.SERVER, parent }, async (span) => {
    await next();
    if (!span.isRecording()) return;
    const { status } = c.res;
    const { routePath: route } = c.req;
    span.updateName(`${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      ...(c.get('companyId') === undefined ? {} : { 'company.id': publicId('company', c.get('companyId')) }),
    });
    if (status >= 500) fail(span, String(status));
  });
});

const IN_HEADERS: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};
