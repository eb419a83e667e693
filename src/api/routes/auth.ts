import { createRoute, z } from '@hono/zod-openapi';
import { type AdministratorIdentity, beginSession, findAdministrator, rotateSession } from '../../db/sessions.ts';
import { Refusal } from '../../domain/errors.ts';
import { publicId } from '../../domain/ids.ts';
import { ROLES } from '../../domain/roles.ts';
import type { Api } from '../app.ts';
import { hashSecret } from '../auth/api-keys.ts';
import { MAX_PASSWORD_CHARACTERS, verifyPassword } from '../auth/passwords.ts';
import { ACCESS_TOKEN_SECONDS, generateRefreshToken, REFRESH_TOKEN_SECONDS } from '../auth/tokens.ts';
import type { ApiDependencies } from '../context.ts';
import { json, ok, PUBLIC, refusals } from '../operation.ts';
import { id } from '../schemas/common.ts';

const tags = ['Authentication'];

const Credentials = z
  .object({ email: z.string().trim().min(1).max(254), password: z.string().min(1).max(MAX_PASSWORD_CHARACTERS) })
  .openapi('Credentials');
const RefreshRequest = z
  .object({ refreshToken: z.string().min(1).max(255), userId: id('administrator') })
  .openapi('RefreshRequest');
const Session = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    userId: z.string(),
    expiresIn: z.int().openapi({ description: 'Seconds until the access token expires.' }),
    companyId: z.string(),
    role: z.enum(ROLES),
    mustChangePassword: z.boolean(),
  })
  .openapi('Session');

const login = createRoute({
  method: 'post',
  path: '/v1/auth/login',
  tags,
  summary: 'Log an administrator in',
  ...PUBLIC,
  request: json(Credentials),
  responses: { ...ok(Session), ...refusals('invalid_credentials') },
});

const refresh = createRoute({
  method: 'post',
  path: '/v1/auth/refresh',
  tags,
  summary: 'Swap a refresh token for the next pair; each is good once',
  ...PUBLIC,
  request: json(RefreshRequest),
  responses: { ...ok(Session), ...refusals('invalid_refresh_token') },
});

export function registerAuth(app: Api, { orm, tokens }: ApiDependencies): void {
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

  app.openapi(login, async (c) => {
    const { email, password } = c.req.valid('json');
    const administrator = await findAdministrator(orm.em.fork(), { email });
    const isRight = await verifyPassword(administrator?.passwordHash ?? null, password);
    if (administrator === null || !isRight) throw new Refusal('invalid_credentials');
    const refreshToken = generateRefreshToken();
    await beginSession(orm, administrator, { hash: hashSecret(refreshToken), lifetimeSeconds: REFRESH_TOKEN_SECONDS });
    return c.json(await sessionOf(administrator, refreshToken), 200);
  });

  app.openapi(refresh, async (c) => {
    const { refreshToken, userId } = c.req.valid('json');
    const next = generateRefreshToken();
    const rotation = await rotateSession(
      orm,
      { hash: hashSecret(refreshToken), administratorId: userId },
      { hash: hashSecret(next), lifetimeSeconds: REFRESH_TOKEN_SECONDS },
    );
    if (rotation.kind === 'refused') throw new Refusal('invalid_refresh_token');
    return c.json(await sessionOf(rotation.administrator, next), 200);
  });
}
