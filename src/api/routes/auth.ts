import { z } from '@hono/zod-openapi';
import { inTenant } from '../../db/core/orm.ts';
import {
  type AdministratorIdentity,
  beginSession,
  changePassword,
  endSessions,
  findAdministrator,
  findFormerAdministrator,
  rotateSession,
} from '../../db/identity/sessions.ts';
import { Refusal } from '../../domain/errors.ts';
import { publicId } from '../../domain/ids.ts';
import { ROLES } from '../../domain/roles.ts';
import { hashSecret } from '../auth/api-keys.ts';
import { createLoginGuard } from '../auth/login-guard.ts';
import { hashPassword, isOwnEmail, MAX_PASSWORD_CHARACTERS, verifyPassword } from '../auth/passwords.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../auth/tokens.ts';
import type { ApiDependencies, Principal } from '../context.ts';
import { auditAdministrator, auditUnknownLogin } from '../middleware/audit.ts';
import { IDEMPOTENCY_KEY } from '../middleware/headers.ts';
import { bearer, type Operations, ok } from '../operation.ts';
import { InvalidRequest } from '../problem.ts';
import { id, text } from '../schemas/common.ts';
import { NOT_THE_EMAIL, newPassword } from '../schemas/company.ts';

const tag = 'Authentication';

/** Exchanges with one key that a repetition follows: more than a session of 12 hours has. */
const MAX_REPEATED_EXCHANGES = 100;

const knownPassword = () => z.string().min(1).max(MAX_PASSWORD_CHARACTERS);
const Credentials = z
  .object({ email: text(254).describe('The e-mail address.'), password: knownPassword().describe('The password.') })
  .openapi('Credentials');
const PasswordChange = z
  .object({
    currentPassword: knownPassword().describe('The password that stands.'),
    newPassword: newPassword().describe('The new password, at least 10 characters.'),
  })
  .refine((body) => body.currentPassword !== body.newPassword, {
    message: 'must differ from the current password',
    path: ['newPassword'],
  })
  .openapi('PasswordChange');
const RefreshRequest = z
  .object({
    refreshToken: z.string().min(1).max(255).describe('The token that refreshes the session.'),
    userId: id('administrator').describe('The administrator, as the login answered.'),
  })
  .openapi('RefreshRequest');
const Session = z
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

export function registerAuth(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, tokens, credentials, requests, unknownLogins } = dependencies;
  const tryPassword = createLoginGuard(orm);

  const sessionOf = async (administrator: AdministratorIdentity, refreshToken: string) => ({
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

  const requireAdministrator = async (principal: Principal) => {
    const found =
      principal.kind === 'administrator'
        ? await findAdministrator(orm.em.fork(), credentials, { id: principal.administratorId })
        : null;
    if (found === null) throw new Refusal('unauthenticated');
    return found;
  };
  const newSession = async (administrator: AdministratorIdentity) => {
    const refreshToken = tokens.newRefreshToken(administrator.id);
    await beginSession(orm, administrator, { hash: hashSecret(refreshToken), lifetimeSeconds: REFRESH_TOKEN_SECONDS });
    return sessionOf(administrator, refreshToken);
  };

  operation(
    {
      method: 'post',
      path: '/v1/auth/login',
      tag,
      summary: 'Log an administrator in',
      description:
        "The access token works for `expiresIn` seconds, with `x-company-id` of the administrator's company. Servers use an API key instead.",
      access: 'public',
      body: Credentials,
      success: ok(Session),
      refusals: ['invalid_credentials'],
    },
    async ({ body: { email, password }, c }) => {
      const { clientAddress } = c.var;
      const administrator = await findAdministrator(orm.em.fork(), credentials, { email });
      const refuse = async (refusal: Refusal): Promise<never> => {
        const named = administrator ?? (await findFormerAdministrator(orm.em.fork(), { email }));
        if (named === null) await auditUnknownLogin(c, unknownLogins, email, refusal.code);
        else await auditAdministrator(c, requests, named, refusal.code);
        throw refusal;
      };
      const isRight = await tryPassword({
        of: administrator === null ? { email } : { administratorId: administrator.id },
        clientAddress,
        verify: () => verifyPassword(administrator?.passwordHash ?? null, password),
      }).catch((error: unknown) => {
        if (error instanceof Refusal) return refuse(error);
        throw error;
      });
      if (administrator === null || !isRight) return refuse(new Refusal('invalid_credentials'));
      return await newSession(administrator);
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/refresh',
      tag,
      summary: 'Exchange a refresh token for a new pair of tokens; it can be used once',
      description:
        'A used token ends the session, because somebody may have stolen it. With an idempotency key the exchange can be ' +
        'repeated: the same token and key get the same new refresh token. If that one was exchanged with the same key too, the ' +
        'answer has the latest token of the chain.',
      access: 'public',
      idempotency: 'accepted',
      body: RefreshRequest,
      success: ok(Session),
      refusals: ['invalid_refresh_token'],
    },
    async ({ body: { refreshToken, userId }, c }) => {
      const refuse = async () => {
        const em = orm.em.fork();
        const named =
          (await findAdministrator(em, credentials, { id: userId })) ??
          (await findFormerAdministrator(em, { id: userId }));
        if (named !== null) await auditAdministrator(c, requests, named, 'invalid_refresh_token');
        throw new Refusal('invalid_refresh_token');
      };
      if (!tokens.isRefreshTokenOf(userId, refreshToken)) return refuse();
      const key = c.req.header(IDEMPOTENCY_KEY);
      let presented = refreshToken;
      for (let steps = 0; steps < MAX_REPEATED_EXCHANGES; steps += 1) {
        const next =
          key === undefined ? tokens.newRefreshToken(userId) : tokens.nextRefreshToken(userId, presented, key);
        const rotation = await rotateSession(
          orm,
          credentials,
          { hash: hashSecret(presented), administratorId: userId },
          { hash: hashSecret(next), lifetimeSeconds: REFRESH_TOKEN_SECONDS },
        );
        if (rotation.kind === 'rotated') return await sessionOf(rotation.administrator, next);
        if (rotation.kind === 'refused') return refuse();
        presented = next;
      }
      return refuse();
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/password',
      tag,
      summary: 'Change the password; all sessions end, and the response is a new one',
      description: 'Also ends a temporary password, with which everything but reading is refused.',
      access: bearer('read', { temporaryPassword: 'accepted' }),
      body: PasswordChange,
      success: ok(Session),
      refusals: ['invalid_credentials', 'too_many_requests'],
    },
    async ({ body: { currentPassword, newPassword: chosen }, principal, c }) => {
      const administrator = await requireAdministrator(principal);
      const isRight = await tryPassword({
        of: { administratorId: administrator.id },
        clientAddress: c.var.clientAddress,
        verify: () => verifyPassword(administrator.passwordHash, currentPassword),
      });
      if (!isRight) throw new Refusal('invalid_credentials');
      if (isOwnEmail(chosen, administrator.email))
        throw new InvalidRequest('validation_failed', [{ path: 'newPassword', message: NOT_THE_EMAIL }]);
      const passwordHash = await hashPassword(chosen);
      await inTenant(orm, administrator.companyId, (em) =>
        changePassword(em, credentials, administrator, passwordHash),
      );
      return await newSession(await requireAdministrator(principal));
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/logout',
      tag,
      summary: 'End all sessions of the caller, at once',
      description: 'Access tokens and refresh tokens stop working; API keys go on.',
      access: bearer('read'),
      success: ok(z.object({ success: z.boolean().describe('Always true.') })),
    },
    async ({ principal }) => {
      const administrator = await requireAdministrator(principal);
      await inTenant(orm, administrator.companyId, (em) => endSessions(em, credentials, administrator));
      return { success: true };
    },
  );
}
