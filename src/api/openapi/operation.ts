import type { z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { KEY_LIFETIME_HOURS } from '../../db/requests/idempotency.ts';
import type { RefusalCode } from '../../domain/errors.ts';
import { PERMISSIONS, type Permission } from '../../domain/roles.ts';
import { acceptUpload } from '../bodies/uploads.ts';
import type { ApiEnv } from '../context.ts';
import { checkIdempotencyKey, requireJson } from '../middleware/headers.ts';
import { limitPublic } from '../middleware/rate-limit.ts';
import { statusOf } from '../problem.ts';
import { idSchema, Problem } from '../schemas/common.ts';

/**
 * Building blocks of operation declarations: callers, responses, refusals. Each is a fragment to spread into `createRoute`, so
 * that the middleware and the OpenAPI description use the same source. Every route begins with this file; the others of this
 * folder complete the description.
 */

export type Guard = {
  /** Requires a credential, the tenant and the role: `tenant('operate')`, or `bearer('manage_company')`. */
  readonly tenant: (permission: Permission, options?: GraceOptions) => MiddlewareHandler<ApiEnv>;
  readonly bearer: (permission: Permission, options?: BearerOptions) => MiddlewareHandler<ApiEnv>;
};

export type GraceOptions = {
  /** A key in its grace period is refused in all operations that administer the company, unless the operation says so itself. */
  readonly graceKey?: 'accepted';
};

export type BearerOptions = {
  /** A temporary password is refused in all operations except the password change. */
  readonly temporaryPassword?: 'accepted';
};

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

const IF_MATCH_HEADER = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource as you know it. If the resource has changed since, the request is refused with ' +
    '`precondition_failed`, and nothing is done. A repetition with the same idempotency key gets the first answer all the same.',
  schema: { type: 'string', pattern: '^(\\*|"[1-9]\\d{0,8}")$' },
} as const;

export type TenantOptions = GraceOptions & {
  readonly idempotency?: 'required' | 'accepted';
  /** A request may name the version of the resource that it is meant for. */
  readonly precondition?: 'accepted';
  /** Bodies are JSON, unless this allows files. */
  readonly takes?: 'json' | 'multipart' | 'either' | 'logo';
};

/** Needs an API key or a bearer token of a role with `permission`, for the company in `x-company-id`. */
export function tenant(guard: Guard, permission: Permission, options: TenantOptions = {}) {
  return access(guard.tenant(permission, options), permission, [{ apiKey: [] }, { bearer: [] }], options);
}

/** Needs a bearer token: an API key is not enough. */
export function bearer(
  guard: Guard,
  permission: Permission,
  options: BearerOptions & Pick<TenantOptions, 'idempotency'> = {},
) {
  return access(guard.bearer(permission, options), permission, [{ bearer: [] }], options);
}

const TAKES = {
  json: requireJson,
  multipart: acceptUpload('nothing'),
  either: acceptUpload('json'),
  logo: acceptUpload('nothing', 'logo'),
} as const satisfies Record<string, MiddlewareHandler<ApiEnv>>;

function access(
  guard: MiddlewareHandler<ApiEnv>,
  permission: Permission,
  security: Record<string, string[]>[],
  { idempotency, precondition, takes = 'json' }: TenantOptions,
) {
  return {
    security,
    'x-roles': PERMISSIONS[permission],
    'x-permission': permission,
    'x-rate-limit': 'credential' as const,
    parameters: [
      COMPANY_HEADER,
      ...(idempotency === undefined ? [] : [{ ...IDEMPOTENCY_HEADER, required: idempotency === 'required' }]),
      ...(precondition === undefined ? [] : [IF_MATCH_HEADER]),
    ],
    middleware: [guard, ...(idempotency === undefined ? [] : [checkIdempotencyKey(idempotency)]), TAKES[takes]],
  };
}

/** A JSON body. Unknown fields are named in the answer, or refused: contract.ts. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { 'application/json': { schema } } } };
}

/** No credential is needed. */
export const PUBLIC = {
  security: [] as Record<string, string[]>[],
  'x-rate-limit': 'address' as const,
  middleware: [limitPublic, requireJson],
};

/** A public operation that repeats its answer for the same key. */
export const PUBLIC_KEYED = {
  ...PUBLIC,
  parameters: [{ ...IDEMPOTENCY_HEADER, required: false }],
  middleware: [limitPublic, checkIdempotencyKey('accepted'), requireJson],
};

/** No credential and no rate limit: for probes. */
export const UNLIMITED = { security: [] as Record<string, string[]>[] };

/** A callback from a provider. It is always answered, so its parameters are not enforced. */
export const CALLBACK = { ...UNLIMITED, 'x-callback': true as const };

export function ok<Schema extends z.ZodType>(schema: Schema, description = 'Done.') {
  return { 200: { description, content: { 'application/json': { schema } } } };
}

export function created<Schema extends z.ZodType>(schema: Schema, description = 'Created.') {
  return { 201: { description, content: { 'application/json': { schema } } } };
}

/** Documents the operation's own refusals, grouped by status; description.ts adds the refusals that follow from its shape. */
export function refusals(...codes: readonly RefusalCode[]) {
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
