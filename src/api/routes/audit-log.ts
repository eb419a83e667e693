import { z } from '@hono/zod-openapi';
import { AUDIT_SORTS, type AuditRecord, listAuditLog } from '../../db/requests/audit-log.ts';
import { type IdKind, parseId, publicId } from '../../domain/ids.ts';
import { ROLES } from '../../domain/roles.ts';
import type { ApiDependencies } from '../context.ts';
import { pageAnswer } from '../contract/lists.ts';
import { type Operations, ok, tenant } from '../operation.ts';
import { source, text, timestamp } from '../schemas/common.ts';
import { dateRange, isOrdered, listing, pageResponse, splitQuery, startAfterEnd } from '../schemas/lists.ts';

/** The id of an administrator or of a key. */
const actor = () =>
  text()
    .transform(
      (value) =>
        parseId('administrator', value) ??
        parseId('apiKey', value) ??
        parseId('webhook', value) ??
        parseId('user', value),
    )
    .refine((value) => value !== undefined, 'must be the id of an administrator, a key, a user or a webhook endpoint');

const AuditQuery = listing('page', AUDIT_SORTS, '-createdAt')
  .extend({
    actorId: actor().optional().describe('Only what this administrator or API key did.'),
    operation: text().optional().describe('The name of an operation, as in the entries.'),
  })
  .extend(dateRange().shape)
  .refine(isOrdered, startAfterEnd());

const ACTOR_IDS = {
  api_key: 'apiKey',
  administrator: 'administrator',
  party: 'user',
  service: 'webhook',
  temporal: null,
  unknown: null,
} as const satisfies Record<AuditRecord['actorKind'], IdKind | null>;

const AuditEntry = z
  .object({
    id: z.string().describe('Its id.'),
    at: timestamp().describe('When it happened.'),
    actor: z
      .object({
        kind: z
          .enum(['api_key', 'administrator', 'party', 'service', 'temporal', 'unknown'])
          .describe('The kind of the actor.'),
        id: z.string().nullable().describe('Its id.'),
        role: z.enum(ROLES).nullable(),
      })
      .openapi({
        description:
          '`service`: the service disabled a webhook endpoint by itself. `id` is the endpoint, and `role` is null. ' +
          '`unknown`: a login with an e-mail address that no administrator has. `id` and `role` are null, and `resource` is ' +
          "`email:` and a keyed hash of the address. Only the platform's own company has such lines. `temporal`: a run carried " +
          'out a message that was sent past this interface; `operation` is `signal:` or `update:` and its name, and nobody is named. `party`: a user acted on an order page; `operation` ' +
          'is `page:` and the act.',
      }),
    operation: z.string().openapi({ example: 'POST /v1/escrow/{id}/release' }).describe('The id of the operation.'),
    resource: z.string().nullable().describe('The id of the resource. Null: the request names none.'),
    status: z.int().describe('The HTTP status of the answer.'),
    ip: z.string().nullable().describe('The address of the caller. Null: the caller is a party on an order page.'),
    changes: z
      .array(
        z.object({
          field: z.string().describe('The field.'),
          before: z.string().nullable().describe('Its value before; null: none.'),
          after: z.string().nullable().describe('Its value after; null: none.'),
        }),
      )
      .nullable()
      .describe('What changed, where it decides over money or its destination. Numbers of accounts are masked.'),
    requestId: z.string().nullable().describe('The `X-Request-Id` of the request.'),
    source: source(),
  })
  .openapi('AuditEntry');

export function registerAuditLog(operation: Operations, { reads }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/core/audit-log',
      tag: 'Companies',
      summary: 'The audit log, latest first, including refused attempts',
      description: 'One entry for each request that changed something or was refused to.',
      access: tenant('read'),
      query: AuditQuery,
      success: ok(pageResponse(AuditEntry)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, AUDIT_SORTS);
      const found = await reads(companyId, (em) => listAuditLog(em, companyId, filter, page));
      return pageAnswer(c, query, found, ({ actorKind, actorId, actorRole, at, changes, ...rest }) => ({
        ...rest,
        changes: changes === null ? null : [...changes],
        at: at.toISOString(),
        actor: {
          kind: actorKind,
          id: actorPublicId(actorKind, actorId),
          role: actorRole,
        },
      }));
    },
  );
}

function actorPublicId(actorKind: AuditRecord['actorKind'], actorId: string | null): string | null {
  const kind = ACTOR_IDS[actorKind];
  return kind === null || actorId === null ? null : publicId(kind, actorId);
}
