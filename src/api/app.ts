import { createConsole } from '../console/console.ts';
import { Refusal } from '../domain/errors.ts';
import { limitBodies, limitSending } from './bodies/body-limits.ts';
import { readUploadedForm } from './bodies/uploads.ts';
import { type Api, type ApiDependencies, ofConsole } from './context.ts';
import { createContractedApi } from './contract/contract.ts';
import { BODY_LIMITS, MAX_BANK_FILE_BYTES, MAX_EXPORTED_ROWS } from './limits.ts';
import { allowOrigins, securityHeaders } from './middleware/browser-safety.ts';
import { createClientAddress } from './middleware/client-address.ts';
import { createGuard } from './middleware/guard.ts';
import { createMethods } from './middleware/methods.ts';
import { createLimiter, inUploadTurn } from './middleware/rate-limit.ts';
import { requestLog } from './middleware/request-log.ts';
import { traceRequest } from './middleware/tracing.ts';
import { describeApi } from './openapi/docs.ts';
import { problem } from './problem.ts';
import { serveGuides, serveStartPage } from './reference/guides.ts';
import { registerRoutes } from './routes/index.ts';

/** The whole HTTP interface as one application: middleware, operations, description, problems. */
export function createApi(dependencies: ApiDependencies): Api {
  const { settings } = dependencies;
  const app = createContractedApi();
  app.use(requestLog(dependencies.log), traceRequest);
  const limiter = createLimiter(settings.rateLimits, dependencies.turnMs);
  const addressOf = createClientAddress(settings.trustedProxies);
  app.use((c, next) => {
    c.set('limiter', limiter);
    c.set('baseUrl', settings.baseUrl);
    c.set('clientAddress', addressOf(c));
    return next();
  });
  app.use(securityHeaders(settings.baseUrl));
  const cors = allowOrigins(settings.corsAllowedOrigins);
  if (cors !== undefined) app.use('/v1/*', cors);
  const methods = createMethods(app);
  app.use(methods.refuseWrong, limitSending(), limitBodies);
  app.onError(problem);
  app.notFound((c) => {
    methods.refuse(c, methods.ofPattern(c.req.path));
    throw new Refusal('not_found', 'operation not found');
  });
  registerRoutes(app, dependencies, createGuard(dependencies));
  describeApi(app, settings.version, settings.baseUrl);
  serveGuides(app);
  serveStartPage(app, settings.console !== null);
  serveConsole(app, settings);
  return app;
}

/** The console calls the operations of this application, and nothing else. */
function serveConsole(app: Api, settings: ApiDependencies['settings']): void {
  const { console: own, baseUrl, version, isProduction, mayOnlyPlatformCapture } = settings;
  if (own === null) return;
  app.get('/console/', (c) => c.redirect('../console', 302));
  app.use('/console/*', (c, next) => {
    c.set('bankFileForm', {
      maxBytes: MAX_BANK_FILE_BYTES,
      inTurn: (companyId, work) => inUploadTurn(c, 'console', companyId, work),
      read: () => readUploadedForm(c, 'bankFile'),
    });
    return next();
  });
  const { secret, idleTimeoutMs, temporalUiUrl, temporalNamespace } = own;
  app.route(
    '/console',
    createConsole({
      dispatch: (request, env) => app.fetch(request, ofConsole(env)),
      secret,
      baseUrl,
      idleTimeoutMs,
      maxFormBytes: BODY_LIMITS.page.maxBytes,
      settings: {
        ...{ version, isProduction, mayOnlyPlatformCapture, temporalUiUrl, temporalNamespace },
        maxExportedRows: MAX_EXPORTED_ROWS,
      },
    }),
  );
}
