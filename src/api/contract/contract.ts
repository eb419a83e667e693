import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Api, ApiEnv, BodySchemas } from '../context.ts';
import { InvalidRequest } from '../problem.ts';
import { predicateOf } from './sentences.ts';
import { isNear, type UnknownName, unknownFields, unknownNames } from './unknown-names.ts';

/**
 * Enforces for all operations alike what their descriptions promise about requests. Unknown query parameters are refused.
 * Unknown body fields are accepted and listed in `X-Ignored-Fields`, or refused if the client sends `Prefer: handling=strict`
 * (RFC 7240). The parsed request is kept: the fingerprint of an idempotency key is made from it.
 *
 * `openapi` describes each operation, and `schemas` has the shapes of requests and responses. This folder enforces both.
 */

const IGNORED_FIELDS_HEADER = 'X-Ignored-Fields';

/** The list of names in the header is truncated to this many characters. */
const MAX_NAMED_CHARACTERS = 100;
/** A client sends one `Prefer` header; its other preferences are ignored. */
const STRICT = /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i;

/** An application whose operations enforce their contract. Register operations on it with `openapi`. */
export function createContractedApi(): Api {
  const app: Api = new OpenAPIHono<ApiEnv>({
    defaultHook: async (result, c) => {
      const { target } = result;
      if (!result.success) {
        const sent = 'data' in result ? result.data : undefined; // present at run time, though the type does not include it
        const errors = result.error.issues.map((issue) => ({
          path: issue.path.join('.'),
          message: predicateOf(issue, sent),
        }));
        throw new InvalidRequest(target === 'param' ? 'invalid_id' : 'validation_failed', errors);
      }
      if (target !== 'param' && target !== 'query' && target !== 'json' && target !== 'form') return;
      c.get('parsed')[target] = result.data;
      if (target === 'json') {
        // The validator takes a missing body for {}, which is valid where every field is optional.
        if ((await c.req.text()) === '')
          throw new InvalidRequest('validation_failed', [{ path: '', message: 'is required: a JSON body' }]);
        treatUnknown(c, unknownFields(c.get('bodySchemas').json, await c.req.json()));
      }
      if (target === 'form')
        treatUnknown(c, unknownFields(c.get('bodySchemas').form, Object.fromEntries(await c.req.formData())));
    },
  });
  const register = app.openapi;
  const registerContracted = (route: RouteConfig, ...rest: [never, never?]) =>
    register({ ...route, middleware: [...listOf(route.middleware), keepContract(route)] }, ...rest);
  app.openapi = registerContracted as Api['openapi']; // the same signature, and one middleware more
  return app;
}

/** Runs after the guard and before the validators: paths are checked before queries, and queries before bodies. */
function keepContract({ request, parameters = [], ...route }: RouteConfig) {
  const declared = parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []));
  const known = [...declared, ...(request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : [])];
  const content = request?.body?.content ?? {};
  const schemaOf = (type: string) => {
    const described = content[type];
    return described !== undefined && 'schema' in described ? described.schema : undefined;
  };
  const schemas: BodySchemas = { json: schemaOf('application/json'), form: schemaOf('multipart/form-data') };
  const isCallback = 'x-callback' in route;
  return createMiddleware<ApiEnv>(async (c, next) => {
    c.set('bodySchemas', schemas);
    c.set('parsed', {});
    const params = request?.params?.safeParse(c.req.param());
    if (params?.success === false)
      throw new InvalidRequest(
        'invalid_id',
        params.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
      );
    if (!isCallback && c.req.url.includes('?'))
      refuse(unknownNames(new URL(c.req.url).searchParams.keys(), known), 'parameter of this operation');
    await next();
  });
}

function treatUnknown(c: Context<ApiEnv>, unknown: readonly UnknownName[]): void {
  const isStrict = STRICT.test(c.req.header('prefer') ?? '');
  if (isStrict) {
    c.header('Preference-Applied', 'handling=strict');
    refuse(unknown, 'field of this request');
  }
  if (unknown.length > 0) c.header(IGNORED_FIELDS_HEADER, unknown.map(({ path }) => visible(path)).join(', '));
}

type NameKind = 'parameter of this operation' | 'field of this request';

function refuse(unknown: readonly UnknownName[], what: NameKind): void {
  if (unknown.length === 0) return;
  const errors = unknown.map((name) => ({ path: name.path, message: `is not a ${what}${hintOf(name, what)}` }));
  throw new InvalidRequest('validation_failed', errors);
}

/** A field that looks like no known one is not a misspelling, so no field is suggested for it. Parameters always get a suggestion. */
function hintOf({ path, nearest }: UnknownName, what: NameKind): string {
  if (nearest === undefined) return ', which takes none';
  const name = path.slice(path.lastIndexOf('.') + 1);
  return what === 'field of this request' && !isNear(name, nearest) ? '' : `; the nearest one is ${nearest}`;
}

/** Only characters that a header can carry, and no comma, which separates the names. */
function visible(name: string): string {
  const cut = name.slice(0, MAX_NAMED_CHARACTERS).toWellFormed();
  return cut.replace(/[^\x21-\x2b\x2d-\x7e]/gu, encodeURIComponent);
}

function listOf<T>(oneOrMore: T | T[] | undefined): T[] {
  if (oneOrMore === undefined) return [];
  return Array.isArray(oneOrMore) ? oneOrMore : [oneOrMore];
}
