import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../../db/core/orm.ts';
import {
  type AdministratorIdentity,
  assertUnchanged,
  beginSession,
  findAdministrator,
} from '../../../db/identity/sessions.ts';
import { writeAuditLines } from '../../../db/requests/audit-log.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId, type SessionId } from '../../../domain/ids.ts';
import { ROLES } from '../../../domain/roles.ts';
import { hashSecret } from '../../auth/api-keys.ts';
import { MAX_PASSWORD_CHARACTERS } from '../../auth/passwords.ts';
import { mustEnrol } from '../../auth/second-factor.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../../auth/tokens.ts';
import type { ApiDependencies, ApiEnv, Principal } from '../../context.ts';
import { administratorLine } from '../../middleware/audit.ts';
import { secret, text } from '../../schemas/common.ts';

/** What the operations of sessions share. */

export const knownPassword = () => secret({ max: MAX_PASSWORD_CHARACTERS });

/** Six digits, or a recovery code with its dashes. */
export const factorCode = () => text(64).describe('Six digits of the app, or a recovery code.');

export const Session = z
  .object({
    accessToken: z.string().describe('The bearer token; it works for `expiresIn` seconds.'),
    refreshToken: z.string().describe('The token that refreshes the session.'),
    userId: z.string().describe('The administrator.'),
    expiresIn: z.int().openapi({ description: 'Seconds until the access token expires.' }),
    companyId: z.string().describe('The company.'),
    role: z.enum(ROLES),
    mustChangePassword: z.boolean().describe('Whether the password is temporary: `POST /v1/auth/password` changes it.'),
    hasMfa: z.boolean().describe('Whether a second factor is enabled.'),
    mustEnrolMfa: z.boolean().describe('A second factor is required, and none is enabled.'),
  })
  .openapi('Session');

export type SessionAnswers = ReturnType<typeof createSessionAnswers>;

const MAX_USER_AGENT_CHARACTERS = 255;

export function createSessionAnswers({
  orm,
  tokens,
  credentials,
  mails,
  secondFactor,
  settings: { isProduction },
}: ApiDependencies) {
  const sessionOf = async (
    administrator: AdministratorIdentity,
    sessionId: SessionId,
    refreshToken: string,
  ): Promise<z.infer<typeof Session>> => ({
    accessToken: await tokens.signAccessToken({
      administratorId: administrator.id,
      tokenVersion: administrator.tokenVersion,
      sessionId,
    }),
    refreshToken,
    userId: publicId('administrator', administrator.id),
    expiresIn: ACCESS_TOKEN_SECONDS,
    companyId: publicId('company', administrator.companyId),
    role: administrator.role,
    mustChangePassword: administrator.mustChangePassword,
    hasMfa: administrator.totpEnabled,
    mustEnrolMfa: mustEnrol(administrator, isProduction),
  });
  return {
    sessionOf,
    /** Throws `unauthenticated` if the caller is no longer an administrator. */
    requireAdministrator: async (principal: Principal): Promise<AdministratorIdentity> => {
      const found =
        principal.kind === 'administrator'
          ? await findAdministrator(orm.em.fork(), credentials, { id: principal.administratorId })
          : null;
      if (found === null) throw new Refusal('unauthenticated');
      return found;
    },
    /**
     * Begins a session, with its line in the audit log. `code`: of the second factor, if it was accepted for this login. `change` runs
     * in the same transaction. The administrator is told by mail.
     */
    newSession: async (
      c: Context<ApiEnv>,
      administrator: AdministratorIdentity,
      { code, change }: { readonly code?: string; readonly change?: (em: EntityManager) => Promise<void> } = {},
    ) => {
      const refreshToken = tokens.newRefreshToken(administrator.id);
      const id = uuidv7() as SessionId; // made in this function
      const ip = c.var.clientAddress;
      const userAgent = c.req.header('user-agent')?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null;
      const factor = code === undefined ? null : secondFactor.accepted(id, code);
      const token = { hash: hashSecret(refreshToken), lifetimeSeconds: REFRESH_TOKEN_SECONDS };
      await inTenant(orm, administrator.companyId, async (em) => {
        await (change?.(em) ?? assertUnchanged(em, administrator));
        await beginSession(em, administrator, { id, ip, userAgent, factor }, token);
        await writeAuditLines(em, [administratorLine(c, administrator)]);
      });
      c.set('isAudited', true);
      mails.newLogin(administrator.email, { ip, userAgent, at: new Date() });
      const changed =
        change === undefined ? administrator : await findAdministrator(orm.em.fork(), credentials, administrator);
      if (changed === null) throw new Refusal('unauthenticated');
      return sessionOf(changed, id, refreshToken);
    },
  };
}
