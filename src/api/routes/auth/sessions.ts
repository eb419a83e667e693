import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../db/core/orm.ts';
import { endSession, listSessions } from '../../../db/identity/sessions.ts';
import { publicId } from '../../../domain/ids.ts';
import { changeAudited } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { bearer, type Operations, ok } from '../../operation.ts';
import { pathIds, timestamp } from '../../schemas/common.ts';
import type { SessionAnswers } from './answers.ts';

/** The caller's own sessions. */

const tag = 'Authentication';

const OpenSession = z
  .object({
    id: z.string().describe('Its id.'),
    createdAt: timestamp().describe('When it began.'),
    lastUsedAt: timestamp().describe('To the minute.'),
    ip: z.string().nullable().describe('The address of the login.'),
    userAgent: z.string().nullable().describe('The program of the login.'),
    current: z.boolean().describe('Whether it is the session of this request.'),
  })
  .openapi('OpenSession');

export function registerSessions(
  operation: Operations,
  { orm }: ApiDependencies,
  { requireAdministrator }: SessionAnswers,
): void {
  operation(
    {
      method: 'get',
      path: '/v1/auth/sessions',
      tag,
      summary: 'Your open sessions, the latest used first',
      description:
        'Each login begins one. It ends with a logout, a new password, or seven days after its last refresh.',
      access: bearer('read'),
      success: ok(z.array(OpenSession)),
    },
    async ({ principal }) => {
      const administrator = await requireAdministrator(principal);
      const rows = await inTenant(orm, administrator.companyId, (em) => listSessions(em, administrator));
      return rows.map((row) => ({
        id: publicId('session', row.id),
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
        ip: row.ip ?? null,
        userAgent: row.userAgent ?? null,
        current: principal.kind === 'administrator' && principal.sessionId === row.id,
      }));
    },
  );

  operation(
    {
      method: 'delete',
      path: '/v1/auth/sessions/{id}',
      tag,
      summary: 'End one of your sessions, at once',
      description: 'Its access tokens and its refresh token stop working.',
      access: bearer('read'),
      params: pathIds({ id: 'session' }),
      success: ok(z.object({ success: z.boolean().describe('Always true.'), id: z.string().describe('Its id.') })),
      refusals: ['not_found'],
    },
    async ({ params: { id }, principal, c }) => {
      const administrator = await requireAdministrator(principal);
      const end = (em: EntityManager) => endSession(em, administrator, id);
      await changeAudited(c, { orm }, end, administrator.companyId);
      return { success: true, id: publicId('session', id) };
    },
  );
}
