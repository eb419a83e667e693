import { z } from '@hono/zod-openapi';
import { type AdministratorIdentity, beginSession, findAdministrator } from '../../../db/identity/sessions.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId } from '../../../domain/ids.ts';
import { ROLES } from '../../../domain/roles.ts';
import { hashSecret } from '../../auth/api-keys.ts';
import { MAX_PASSWORD_CHARACTERS } from '../../auth/passwords.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../../auth/tokens.ts';
import type { ApiDependencies, Principal } from '../../context.ts';

/** What the operations of sessions share. */

export const knownPassword = () => z.string().min(1).max(MAX_PASSWORD_CHARACTERS);

export const Session = z
  .object({
    accessToken: z.string().describe('The bearer token; it works for `expiresIn` seconds.'),
    refreshToken: z.string().describe('The token that refreshes the session.'),
    userId: z.string().describe('The administrator.'),
    expiresIn: z.int().openapi({ description: 'Seconds until the access token expires.' }),
    companyId: z.string().describe('The company.'),
    role: z.enum(ROLES),
    mustChangePassword: z.boolean().describe('Whether the password is temporary: `POST /v1/auth/password` changes it.'),
  })
  .openapi('Session');

export type SessionAnswers = ReturnType<typeof createSessionAnswers>;

export function createSessionAnswers({ orm, tokens, credentials }: ApiDependencies) {
  const sessionOf = async (
    administrator: AdministratorIdentity,
    refreshToken: string,
  ): Promise<z.infer<typeof Session>> => ({
    accessToken: await tokens.signAccessToken({
      administratorId: administrator.id,
      tokenVersion: administrator.tokenVersion,
    }),
    refreshToken,
    userId: publicId('administrator', administrator.id),
    expiresIn: ACCESS_TOKEN_SECONDS,
    companyId: publicId('company', administrator.companyId),
    role: administrator.role,
    mustChangePassword: administrator.mustChangePassword,
  });
  return {
    sessionOf,
    /** Throws `unauthenticated` if the caller is no administrator any more. */
    requireAdministrator: async (principal: Principal): Promise<AdministratorIdentity> => {
      const found =
        principal.kind === 'administrator'
          ? await findAdministrator(orm.em.fork(), credentials, { id: principal.administratorId })
          : null;
      if (found === null) throw new Refusal('unauthenticated');
      return found;
    },
    newSession: async (administrator: AdministratorIdentity) => {
      const refreshToken = tokens.newRefreshToken(administrator.id);
      const token = { hash: hashSecret(refreshToken), lifetimeSeconds: REFRESH_TOKEN_SECONDS };
      await beginSession(orm, administrator, token);
      return sessionOf(administrator, refreshToken);
    },
  };
}
