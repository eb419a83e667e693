import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { secureHeaders } from 'hono/secure-headers';
import { Refusal } from '../domain/errors.ts';
import { isCallback } from './callbacks.ts';
import type { ApiDependencies, ApiEnv } from './context.ts';
import { describeApi } from './docs.ts';
import { createClientAddress } from './middleware/client-address.ts';
import { createGuard } from './middleware/guard.ts';
import { createLimiter } from './middleware/rate-limit.ts';
import { requestLog } from './middleware/request-log.ts';
import { InvalidRequest, problem } from './problem.ts';
import { registerRoutes } from './routes/index.ts';
import { isUpload } from './uploads.ts';

export const MAX_JSON_BYTES = 1_048_576;

export type Api = OpenAPIHono<ApiEnv>;

/** The whole HTTP interface as one application: middleware, operations, description, problems. */
export function createApi(dependencies: ApiDependencies): Api {
  const app: Api = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const errors = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
      throw new InvalidRequest(result.target === 'param' ? 'invalid_id' : 'validation_failed', errors);
    },
  });
  app.use(requestLog(dependencies.log));
  const limiter = createLimiter(dependencies.settings.rateLimits);
  const addressOf = createClientAddress(dependencies.settings.trustedProxies);
  app.use((c, next) => {
    c.set('limiter', limiter);
    c.set('clientAddress', addressOf(c));
    return next();
  });
  app.use(secureHeaders({ xFrameOptions: 'DENY' }));
  if (dependencies.settings.corsAllowedOrigins.length > 0)
    app.use(
      '/v1/*',
      cors({
        origin: [...dependencies.settings.corsAllowedOrigins],
        exposeHeaders: ['X-Request-Id', 'X-Total-Count', 'Retry-After', 'Idempotent-Replayed'],
      }),
    );
  const limitBody = bodyLimit({
    maxSize: MAX_JSON_BYTES,
    onError: (c) => {
      c.header('Connection', 'close'); // what is left of the body is never read
      throw new Refusal('payload_too_large', 'the body is larger than 1 MiB');
    },
  });
  app.use((c, next) => (isUpload(c) || isCallback(c) ? next() : limitBody(c, next)));
  app.onError(problem);
  app.notFound(() => {
    throw new Refusal('not_found', 'there is no such operation');
  });
  registerRoutes(app, dependencies, createGuard(dependencies));
  describeApi(app, dependencies.settings.version);
  return app;
}
