import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import type { Context, Handler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readJson } from '../bodies/json-bodies.ts';
import { formFields } from '../bodies/uploads.ts';
import type { Api, ApiEnv } from '../context.ts';
import { type FieldError, InvalidRequest } from '../problem.ts';
import { predicateOf } from './sentences.ts';
import { isNear, surplusOf, type UnknownName, unknownNames } from './unknown-names.ts';

/**
 * Enforces for all operations alike what their descriptions promise about requests. Unknown query parameters are refused.
 * Unknown body fields are listed in `X-Ignored-Fields`, or refused: always if the client sends `Prefer: handling=strict` (RFC 7240),
 * and where money or its destination is decided, unless it sends `Prefer: handling=lenient`. The parsed request is kept: the handler
 * gets it, and the fingerprint of an idempotency key is made from it.
 *
 * `openapi` describes each operation, and `schemas` has the shapes of requests and responses. This folder enforces both.
 */

const IGNORED_FIELDS_HEADER = 'X-Ignored-Fields';

/** A name in the header is truncated to this many characters, and the header to this many. */
const MAX_NAMED_CHARACTERS = 100;
const MAX_HEADER_CHARACTERS = 2_000;
/** A client sends one `Prefer` header; its other preferences are ignored. */
const HANDLING = /(?:^|[,;])\s*handling\s*=\s*"?(strict|lenient)"?\s*(?:[,;]|$)/i;

/**
 * Whether an operation refuses unknown body fields: `refused`, or only where the body has the field that is named, or a misspelling
 * of it. Part of the description, as `x-unknown-fields`.
 */
export type UnknownFieldsRule = 'refused' | { readonly refusedWith: string };

/** An application whose operations enforce their contract. Register operations on it with `openapi`. */
export function createContractedApi(): Api {
  const app: Api = new OpenAPIHono<ApiEnv>({
    defaultHook: (result, c) => {
      const { target } = result;
      if (!result.success) {
        const sent = 'data' in result ? result.data : undefined; // present at run time, though the type does not include it
        throw new InvalidRequest('validation_failed', complaintsOf(result.error, sent));
      }
      if (target === 'query') c.get('parsed').query = result.data;
    },
  });
  const register = app.openapi;
  const registerContracted = (route: RouteConfig, handler: Handler<ApiEnv>) => {
    const { middleware, ...described } = route;
    app.openAPIRegistry.registerPath(described);
    const { body: _body, params: _params, ...request } = route.request ?? {};
    const takeBody = bodyTaker(route);
    const handle: Handler<ApiEnv> = async (c, next) => {
      await takeBody(c);
      return handler(c, next);
    };
    const contracted = {
      ...route,
      request,
      hide: true,
      middleware: [...listOf(middleware), keepContract(route)],
    };
    return register(contracted, handle as never); // the body is typed by `Operations`
  };
  app.openapi = registerContracted as Api['openapi']; // the same signature, and the body is parsed here
  return app;
}

/** Runs after the guard and before the validators: paths are checked before queries, and queries before bodies. */
function keepContract({ request, parameters = [], ...route }: RouteConfig) {
  const declared = parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []));
  const known = [...declared, ...(request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : [])];
  const isCallback = 'x-callback' in route;
  return createMiddleware<ApiEnv>(async (c, next) => {
    const params = request?.params?.safeParse(c.req.param());
    if (params?.success === false)
      throw new InvalidRequest(
        'invalid_id',
        params.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
      );
    c.set('parsed', params === undefined ? {} : { param: params.data });
    if (!isCallback && c.req.url.includes('?')) {
      const { search, searchParams } = new URL(c.req.url);
      if (!isEncodedUtf8(search))
        throw new InvalidRequest('validation_failed', [{ path: 'the query', message: 'must be UTF-8' }]);
      refuse(unknownNames(searchParams.keys(), known), 'parameter of this operation');
    }
    await next();
  });
}

/** Readers of a query would replace other bytes. A percent sign without two digits stands for itself. */
function isEncodedUtf8(query: string): boolean {
  try {
    decodeURIComponent(query.replace(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

type BodyTaker = (c: Context<ApiEnv>) => Promise<void>;

/** Parses the body of an operation, once its other parts are valid. Callbacks read their bodies themselves. */
function bodyTaker(route: RouteConfig): BodyTaker {
  const { body } = route.request ?? {};
  const rule: UnknownFieldsRule | undefined =
    'x-unknown-fields' in route ? (route['x-unknown-fields'] as UnknownFieldsRule) : undefined; // set by operation.ts
  const schemaOf = (type: string) => {
    const described = body?.content[type];
    return described !== undefined && 'schema' in described && described.schema instanceof z.ZodType
      ? described.schema
      : undefined;
  };
  const form = schemaOf('multipart/form-data');
  // An operation without a body of its own treats what is sent to it as others treat unknown fields.
  const takesNone = body === undefined && route.method !== 'get' && !('x-callback' in route);
  const json = schemaOf('application/json') ?? (takesNone ? z.object({}) : undefined);
  const isOptional = body?.required !== true;
  return async (c) => {
    const uploaded = c.get('form');
    if (form !== undefined && uploaded !== undefined) {
      c.get('parsed').form = await parsed(c, form, formFields(uploaded), rule);
    } else if (json !== undefined) {
      const sent = c.req.header('content-type') === undefined ? undefined : await readJson(c, isOptional);
      if (sent !== undefined) c.get('parsed').json = await parsed(c, json, sent, rule);
      else if (isOptional) c.get('parsed').json = await parsed(c, json, {}, undefined);
      else throw new InvalidRequest('validation_failed', [{ path: '', message: 'is required: a JSON body' }]);
    }
  };
}

async function parsed(
  c: Context<ApiEnv>,
  schema: z.ZodType,
  sent: unknown,
  rule: UnknownFieldsRule | undefined,
): Promise<unknown> {
  const { unknown, overlong } = surplusOf(schema, sent);
  // The validator would first check each entry of the list.
  if (overlong.length > 0)
    throw new InvalidRequest(
      'validation_failed',
      overlong.map(({ path, most }) => ({ path, message: `must have at most ${most} entries` })),
    );
  const complaints = complaintsOfUnknown(c, unknown, isRefused(rule, sent, unknown));
  const result = await schema.safeParseAsync(sent);
  if (result.success && complaints.length === 0) return result.data;
  const errors = result.success ? [] : complaintsOf(result.error, sent);
  throw new InvalidRequest('validation_failed', [...complaints, ...errors]);
}

function isRefused(rule: UnknownFieldsRule | undefined, sent: unknown, unknown: readonly UnknownName[]): boolean {
  if (rule === undefined || rule === 'refused') return rule === 'refused';
  const { refusedWith: name } = rule;
  // Forms misspell it as `bankAccount.accountNumber` or `bankAccount[0][accountNumber]`.
  const isMeant = ({ path }: UnknownName) => isNear(path.split(/[.[]/)[0] ?? '', name);
  return (typeof sent === 'object' && sent !== null && Reflect.get(sent, name) != null) || unknown.some(isMeant);
}

function complaintsOf(error: z.ZodError, sent: unknown): FieldError[] {
  return error.issues.map((issue) => ({ path: issue.path.join('.'), message: predicateOf(issue, sent) }));
}

/** Names ignored fields in the answer. Returns complaints if the operation or the client does not want them ignored. */
function complaintsOfUnknown(
  c: Context<ApiEnv>,
  unknown: readonly UnknownName[],
  isRefusedByOperation: boolean,
): FieldError[] {
  const handling = HANDLING.exec(c.req.header('prefer') ?? '')?.[1]?.toLowerCase();
  if (handling !== undefined && (handling === 'strict' || isRefusedByOperation))
    c.header('Preference-Applied', `handling=${handling}`);
  if (handling === 'strict' || (isRefusedByOperation && handling !== 'lenient'))
    return complaintsAbout(unknown, 'field of this request', isRefusedByOperation);
  if (unknown.length > 0) c.header(IGNORED_FIELDS_HEADER, listed(unknown));
  return [];
}

type NameKind = 'parameter of this operation' | 'field of this request';

function refuse(unknown: readonly UnknownName[], what: NameKind): void {
  if (unknown.length > 0) throw new InvalidRequest('validation_failed', complaintsAbout(unknown, what, true));
}

function complaintsAbout(unknown: readonly UnknownName[], what: NameKind, isAlwaysHinted: boolean): FieldError[] {
  return unknown.map((name) => ({ path: name.path, message: `is not a ${what}${hintOf(name, isAlwaysHinted)}` }));
}

/** A field that looks like no known one is not a misspelling. It gets a suggestion only where a mistake costs money. */
function hintOf({ path, nearest }: UnknownName, isAlwaysHinted: boolean): string {
  if (nearest === undefined) return ', which takes none';
  const name = path.slice(path.lastIndexOf('.') + 1);
  return isAlwaysHinted || isNear(name, nearest) ? `; the nearest one is ${nearest}` : '';
}

function listed(unknown: readonly UnknownName[]): string {
  let list = '';
  for (const { path } of unknown) {
    const name = visible(path);
    if (list.length + name.length > MAX_HEADER_CHARACTERS) break;
    list = list === '' ? name : `${list}, ${name}`;
  }
  return list;
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
