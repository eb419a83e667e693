import { type RouteConfig, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { KEY_LIFETIME_HOURS } from '../db/requests/request-store.ts';
import type { RefusalCode } from '../domain/errors.ts';
import type { CompanyId } from '../domain/ids.ts';
import { PERMISSIONS, type Permission } from '../domain/roles.ts';
import { isLongJson, jsonInTurns } from '../turns/turns.ts';
import { acceptUpload } from './bodies/uploads.ts';
import type { Api, ApiEnv, Principal } from './context.ts';
import type { UnknownFieldsRule } from './contract/contract.ts';
import { SHORT } from './limits.ts';
import { checkIdempotencyKey, MFA_CODE, requireJson } from './middleware/headers.ts';
import { limitPublic } from './middleware/rate-limit.ts';
import type { OperationName, TAGS } from './openapi/operation-names.ts';
import { statusOf } from './problem.ts';
import { idSchema, Problem } from './schemas/common.ts';

/**
 * One declaration for each operation. The route, its checks and its description all follow from it, and so do the types of what its
 * handler receives and returns.
 */

/** A method and a path that have a name in `OPERATION_IDS`. */
type Place = {
  [Name in OperationName]: Name extends `${infer Method} ${infer Path}`
    ? { readonly method: Lowercase<Method>; readonly path: Path }
    : never;
}[OperationName];

type Declaration<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Form extends z.ZodType,
  Answer,
  Allowed extends Access,
> = Place & {
  readonly tag: (typeof TAGS)[number]['name'];
  readonly summary: string;
  readonly description?: string;
  /** `tenant('read')`, `bearer('manage_company')`, or one that needs no credential. */
  readonly access: Allowed;
  readonly idempotency?: 'required' | 'accepted';
  /** A request may name the version of the resource that it is meant for. */
  readonly precondition?: 'accepted';
  readonly params?: Params;
  readonly query?: Query;
  /** Request headers that only this operation has. They are described; the handler reads them. */
  readonly headers?: z.ZodObject;
  /** A JSON body. */
  readonly body?: Body;
  /** The JSON body may be absent; handlers then receive an empty object. */
  readonly isBodyOptional?: true;
  /** By default unknown body fields are named in the answer and ignored: contract.ts. */
  readonly unknownFields?: UnknownFieldsRule;
  /** A multipart body. With `body` too, the request's content type decides. */
  readonly form?: Form;
  /** The file of the form may also be sent as the whole body. */
  readonly isFileAlone?: true;
  /** Parameters of a callback. They are described and not enforced. */
  readonly parameters?: readonly CallbackParameter[];
  readonly success: Success<Answer>;
  /** A stored document is sent, piece by piece. */
  readonly isDownload?: true;
  /** The operation's own refusals; description.ts adds those that follow from its shape. */
  readonly refusals?: readonly RefusalCode[];
};

/** A request to an operation, after all checks. `body` is what was sent, as JSON or as a form. */
type Call<Params, Query, Body, Allowed extends Access> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** For the headers of the response, and for what few handlers need. */
  readonly c: Context<ApiEnv>;
} & (Allowed extends CredentialAccess ? Caller : unknown);

type Caller = { readonly companyId: CompanyId; readonly principal: Principal };

/** Registers an operation. Every file of routes receives it. */
export type Operations = <
  Answer,
  Allowed extends Access,
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
  Form extends z.ZodType = z.ZodNever,
>(
  declaration: Declaration<Params, Query, Body, Form, Answer, Allowed>,
  handler: (
    call: Call<z.output<Params>, z.output<Query>, z.output<Body> | z.output<Form>, Allowed>,
  ) => NoInfer<Answer> | Promise<NoInfer<Answer>>,
) => void;

export function createOperations(app: Api, guard: Guard): Operations {
  return (declaration, handler) => {
    const { method, path, tag, summary, description, params, query, headers, success, refusals = [] } = declaration;
    const body = bodyOf(declaration);
    const route = {
      method,
      path,
      tags: [tag],
      summary,
      ...(description === undefined ? {} : { description }),
      ...accessOf(guard, declaration),
      ...(declaration.unknownFields === undefined ? {} : { 'x-unknown-fields': declaration.unknownFields }),
      request: {
        ...(params === undefined ? {} : { params: objectOf(params) }),
        ...(query === undefined ? {} : { query: objectOf(query) }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      },
      responses: { ...success.responses, ...responsesOf(refusals) },
    } satisfies RouteConfig;
    app.openapi(route, async (c: Context<ApiEnv>) => {
      const { param, query: asked, json, form } = c.get('parsed');
      const [companyId, principal] = [c.get('companyId'), c.get('principal')];
      c.set('successStatus', success.status);
      const call = { params: param, query: asked, body: form ?? json ?? {}, c, companyId, principal };
      // The validators have parsed the request with the schemas of the declaration, and the guard has set the caller.
      const answer = await handler(call as unknown as Parameters<typeof handler>[0]);
      c.set('answer', answer);
      return success.respond(c, answer);
    });
  };
}

/** zod-openapi takes objects only, and its types say so only for parameters. */
function objectOf(schema: z.ZodType): z.ZodObject {
  return schema as z.ZodObject; // parameters are declared with z.object, some of them with a refinement
}

const XML_FILE = z.string().openapi({ format: 'binary' });

function bodyOf({
  body,
  form,
  isBodyOptional,
  isFileAlone,
}: Pick<Headed, 'body' | 'form' | 'isBodyOptional' | 'isFileAlone'>) {
  if (body === undefined && form === undefined) return undefined;
  // Where both are accepted the content type decides, and neither is required on its own.
  const isRequired =
    isBodyOptional === undefined && isFileAlone === undefined && (body === undefined || form === undefined);
  return {
    ...(isRequired ? { required: true } : {}),
    content: {
      ...(body === undefined ? {} : { 'application/json': { schema: body } }),
      ...(form === undefined ? {} : { 'multipart/form-data': { schema: form } }),
      ...(isFileAlone === undefined ? {} : { 'application/xml': { schema: XML_FILE } }),
    },
  };
}

// Access

/** Requires a credential, the tenant and the role. `turnOf`: which turn a request takes (rate-limit.ts). */
export type Guard = (access: CredentialAccess, turnOf: TurnOf) => MiddlewareHandler<ApiEnv>;
type TurnOf = (c: Context<ApiEnv>) => 'short' | 'long' | 'download';

type AccessOptions = {
  /** A key in its grace period is refused in all operations that administer the company, unless the operation says so itself. */
  readonly graceKey?: 'accepted';
  /** A temporary password is refused in all operations that do more than read, except the password change. */
  readonly temporaryPassword?: 'accepted';
  /** An administrator who needs a second factor and has none may only set one up, change the password and log out. */
  readonly missingFactor?: 'accepted';
  /**
   * Who has a second factor sends a code of it. `fresh`: money leaves by this operation, or a credential is made. `of the act`: the
   * handler asks for it if money leaves by the act that the request is about.
   */
  readonly factor?: 'fresh' | 'of the act';
};

export type CredentialAccess = AccessOptions & {
  readonly credential: 'any' | 'bearer';
  readonly permission: Permission;
};

/**
 * `public`: no credential, limited by address. `probe`: without any limit. `callback`: from a provider; it is always answered, so
 * its parameters are not enforced.
 */
type Access = CredentialAccess | 'public' | 'probe' | 'callback';

/** Needs an API key or a bearer token of a role with `permission`, for the company in `x-company-id`. */
export function tenant(permission: Permission, options: AccessOptions = {}): CredentialAccess {
  return { credential: 'any', permission, ...options };
}

/** Needs a bearer token: an API key is not enough. */
export function bearer(permission: Permission, options: AccessOptions = {}): CredentialAccess {
  return { credential: 'bearer', permission, ...options };
}

const COMPANY_HEADER = {
  name: 'x-company-id',
  in: 'header',
  required: true,
  description: 'The tenant. A super administrator may name any company.',
  schema: idSchema('company'),
} as const;

const IDEMPOTENCY_HEADER = {
  name: 'x-idempotency-key',
  in: 'header',
  description:
    'A new value for every operation, such as a UUID v4. A repetition of key and request gets the first answer for ' +
    `${KEY_LIFETIME_HOURS} hours.`,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
} as const;

const MFA_CODE_HEADER = {
  name: MFA_CODE,
  in: 'header',
  required: false,
  description:
    'Of a bearer token whose person has a second factor: a code of the authenticator app, or a recovery code. The same session may ' +
    'send it again for ten minutes. API keys need none.',
  schema: { type: 'string', maxLength: 64 },
} as const;

const IF_MATCH_HEADER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource as you know it. If the resource has changed since, the request is refused with ' +
    '`precondition_failed`, and nothing is done. A repetition with the same idempotency key gets the first answer all the same.',
  schema: { type: 'string', pattern: '^(\\*|"[1-9]\\d{0,8}")$' },
} as const;

type CallbackParameter = {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required: true;
  readonly description: string;
  readonly schema: { readonly type: 'string' };
};

type Headed = {
  readonly access: Access;
  readonly query?: z.ZodType;
  readonly idempotency?: 'required' | 'accepted';
  readonly precondition?: 'accepted';
  readonly body?: z.ZodType;
  readonly isBodyOptional?: true;
  readonly form?: z.ZodType;
  readonly isFileAlone?: true;
  readonly isDownload?: true;
  readonly parameters?: readonly CallbackParameter[];
};

const SECURITY: Readonly<Record<CredentialAccess['credential'], Record<string, string[]>[]>> = {
  any: [{ apiKey: [] }, { bearer: [] }],
  bearer: [{ bearer: [] }],
};

/** The part of a route that follows from who may call it: security, headers and checks. */
function accessOf(guard: Guard, declaration: Headed) {
  const { access, idempotency, precondition, parameters = [] } = declaration;
  const keyed = idempotency === undefined ? [] : [checkIdempotencyKey(idempotency)];
  const ownHeaders = [
    ...(idempotency === undefined ? [] : [{ ...IDEMPOTENCY_HEADER, required: idempotency === 'required' }]),
    ...(precondition === undefined ? [] : [IF_MATCH_HEADER]),
    ...parameters,
  ];
  const described = ownHeaders.length === 0 ? {} : { parameters: ownHeaders };
  if (access === 'probe') return { security: [], ...described };
  if (access === 'callback') return { security: [], 'x-callback': true as const, ...described };
  if (access === 'public')
    return {
      security: [],
      'x-rate-limit': 'address' as const,
      middleware: [limitPublic, ...keyed, requireJson],
      ...described,
    };
  return {
    security: SECURITY[access.credential],
    'x-roles': PERMISSIONS[access.permission],
    'x-permission': access.permission,
    'x-rate-limit': 'credential' as const,
    parameters: [COMPANY_HEADER, ...(access.factor === undefined ? [] : [MFA_CODE_HEADER]), ...ownHeaders],
    middleware: [guard(access, turnsOf(declaration)), ...keyed, takenBody(declaration)],
  };
}

/**
 * A request for a long page, or for the file of a list, which has all lines, is long. Statements, whose length is known later, and
 * bodies take their turns where they are read.
 */
function turnsOf({ query, isDownload }: Headed): TurnOf {
  if (isDownload === true) return () => 'download';
  const { limit, format } = query === undefined ? {} : objectOf(query).shape;
  const isLong = (asked: string | undefined) => {
    const found = z.safeParse(limit ?? z.undefined(), asked);
    return found.success && Number(found.data) > SHORT.rows;
  };
  if (isLong(undefined)) return (c) => (isLong(c.req.query('limit')) ? 'long' : 'short');
  if (limit === undefined || format === undefined) return () => 'short';
  return (c) => ((c.req.query('format') ?? 'json') === 'json' ? 'short' : 'long');
}

function takenBody({ body, form, isFileAlone }: Headed): MiddlewareHandler<ApiEnv> {
  if (form === undefined) return requireJson;
  return acceptUpload(isFileAlone ? 'xml' : body === undefined ? 'nothing' : 'json');
}

// Responses

type Success<Answer> = {
  readonly status: 200 | 201;
  readonly responses: RouteConfig['responses'];
  readonly respond: (c: Context<ApiEnv>, answer: Answer) => Response | Promise<Response>;
};

export const ok = <Schema extends z.ZodType>(schema: Schema, description = 'Done.') =>
  jsonSuccess(200, schema, description);
export const created = <Schema extends z.ZodType>(schema: Schema, description = 'Created.') =>
  jsonSuccess(201, schema, description);

function jsonSuccess<Schema extends z.ZodType>(
  status: 200 | 201,
  schema: Schema,
  description: string,
): Success<z.input<Schema>> {
  return {
    status,
    responses: { [status]: { description, content: { 'application/json': { schema } } } },
    respond: async (c, answer) => {
      if (!isLongJson(answer)) return c.json(answer, status);
      return c.body(await jsonInTurns(answer), status, { 'Content-Type': 'application/json' });
    },
  };
}

/** The handler makes the response itself: a file, a stream, or one of several statuses. */
export function responses(described: RouteConfig['responses']): Success<Response> {
  return { status: 200, responses: described, respond: (_c, response) => response };
}

/** The operation's own refusals, by status. */
function responsesOf(codes: readonly RefusalCode[]) {
  const byStatus = new Map<number, Set<string>>();
  for (const code of codes) {
    const status = statusOf(code);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: [...names].map((name) => `\`${name}\``).join(', '),
        content: { 'application/problem+json': { schema: Problem } },
      },
    ]),
  );
}
