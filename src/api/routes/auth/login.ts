import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  endSessions,
  findAdministrator,
  findFormerAdministrator,
  rotateSession,
} from '../../../db/identity/sessions.ts';
import { writeAuditLines } from '../../../db/requests/audit-log.ts';
import { Refusal } from '../../../domain/errors.ts';
import { hashSecret } from '../../auth/api-keys.ts';
import type { LoginGuard } from '../../auth/login-guard.ts';
import { verifyPassword } from '../../auth/passwords.ts';
import { FACTOR_TRIES_WINDOW, MAX_FACTOR_TRIES } from '../../auth/second-factor.ts';
import { REFRESH_TOKEN_SECONDS } from '../../auth/tokens.ts';
import { changeAudited } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { administratorLine, auditAdministrator, auditUnknownLogin } from '../../middleware/audit.ts';
import { IDEMPOTENCY_KEY } from '../../middleware/headers.ts';
import { bearer, type Operations, ok } from '../../operation.ts';
import { id, secret, text } from '../../schemas/common.ts';
import { factorCode, knownPassword, Session, type SessionAnswers } from './answers.ts';

/** Beginning, going on with and ending a session. */

const tag = 'Authentication';

/** Exchanges with one key that a repetition follows: more than a session of 12 hours has. */
const MAX_REPEATED_EXCHANGES = 100;

const Credentials = z
  .object({ email: text(254).describe('The e-mail address.'), password: knownPassword().describe('The password.') })
  .openapi('Credentials');
const MfaChallenge = z
  .object({
    mfaRequired: z.literal(true).describe('The password was right; a code of the second factor is still needed.'),
    mfaToken: z.string().describe('For `POST /v1/auth/mfa`, for ten minutes.'),
    methods: z.array(z.enum(['totp', 'recovery_code'])).describe('The kinds of code that are accepted.'),
  })
  .openapi('MfaChallenge');
const LoginAnswer = z.union([Session, MfaChallenge]).openapi('LoginAnswer');
const SecondStep = z
  .object({ mfaToken: secret({ max: 1_000 }).describe('The `mfaToken` of the login.'), code: factorCode() })
  .openapi('SecondStep');
const RefreshRequest = z
  .object({
    refreshToken: secret().describe('The token that refreshes the session.'),
    userId: id('administrator').describe('The administrator, as the login answered.'),
  })
  .openapi('RefreshRequest');

export function registerLogin(
  operation: Operations,
  dependencies: ApiDependencies,
  answers: SessionAnswers,
  { tryPassword }: LoginGuard,
): void {
  const { orm, tokens, credentials, requests, unknownLogins, secondFactor } = dependencies;
  const { sessionOf, newSession, requireAdministrator } = answers;

  operation(
    {
      method: 'post',
      path: '/v1/auth/login',
      tag,
      summary: 'Log an administrator in',
      description:
        "The access token works for `expiresIn` seconds, with `x-company-id` of the administrator's company. Servers use an API key instead. " +
        'Who has a second factor gets no tokens yet, but an `mfaToken` for `POST /v1/auth/mfa`.',
      access: 'public',
      body: Credentials,
      success: ok(LoginAnswer),
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
      if (!administrator.totpEnabled) return await newSession(c, administrator);
      const { id: administratorId, tokenVersion } = administrator;
      const mfaToken = await tokens.signFirstStep({ administratorId, tokenVersion });
      return { mfaRequired: true as const, mfaToken, methods: ['totp' as const, 'recovery_code' as const] };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/mfa',
      tag,
      summary: 'Finish a login with a code of the second factor',
      description:
        `A code works once. After ${MAX_FACTOR_TRIES} wrong codes of an administrator, over all logins, the answer is 429 for ` +
        `${FACTOR_TRIES_WINDOW}.`,
      access: 'public',
      body: SecondStep,
      success: ok(Session),
      refusals: ['invalid_credentials'],
    },
    async ({ body: { mfaToken, code }, c }) => {
      const claims = await tokens.verifyFirstStep(mfaToken);
      const administrator =
        claims === undefined
          ? null
          : await findAdministrator(orm.em.fork(), credentials, { id: claims.administratorId });
      if (administrator === null || administrator.tokenVersion !== claims?.tokenVersion)
        throw new Refusal('invalid_credentials', 'log in again: the first step has expired');
      await secondFactor.use(administrator, code).catch(async (error: unknown) => {
        if (error instanceof Refusal) await auditAdministrator(c, requests, administrator, error.code);
        throw error;
      });
      return await newSession(c, administrator, { code });
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
          (em, administrator) => writeAuditLines(em, [administratorLine(c, administrator)]),
        );
        if (rotation.kind === 'rotated') return await sessionOf(rotation.administrator, rotation.sessionId, next);
        if (rotation.kind === 'refused') return refuse();
        presented = next;
      }
      return refuse();
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/auth/logout',
      tag,
      summary: 'End all sessions of the caller, at once',
      description: 'Access tokens and refresh tokens stop working; API keys go on.',
      access: bearer('read', { missingFactor: 'accepted' }),
      success: ok(z.object({ success: z.boolean().describe('Always true.') })),
    },
    async ({ principal, c }) => {
      const administrator = await requireAdministrator(principal);
      const end = (em: EntityManager) => endSessions(em, credentials, administrator);
      await changeAudited(c, { orm }, end, administrator.companyId);
      return { success: true };
    },
  );
}
