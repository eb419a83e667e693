import { createRoute, z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findAccounts } from '../../db/accounts.ts';
import { AppUser } from '../../db/entities/tenancy.ts';
import { inTenant } from '../../db/orm.ts';
import { createUser } from '../../db/users.ts';
import { Refusal } from '../../domain/errors.ts';
import { type CompanyId, publicId, type UserId } from '../../domain/ids.ts';
import type { Api } from '../app.ts';
import type { ApiDependencies } from '../context.ts';
import { once } from '../idempotency.ts';
import { created, type Guard, json, ok, refusals, tenant } from '../operation.ts';
import { DEFAULT_ARRAY_LIMIT, metadata, paging, pathIds, text } from '../schemas/common.ts';
import { email } from '../schemas/company.ts';
import { User, UserCreated, UserSummary, userSummary, userView } from '../schemas/identity.ts';
import { Account, accountView } from '../schemas/ledger.ts';

const tags = ['Identity'];

/** E.164; spaces and dashes are dropped. */
export const mobileNumber = () =>
  z
    .string()
    .transform((value) => value.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\+\d{8,15}$/, 'must be + and 8 to 15 digits'))
    .openapi({ type: 'string', example: '+263771234567' });

const NewUser = z
  .object({
    mobileNumber: mobileNumber(),
    idNumber: text(64),
    firstName: text().nullish(),
    lastName: text().nullish(),
    email: email().nullish(),
    metadata: metadata().nullish(),
    customReference: text().nullish(),
  })
  .openapi('NewUser');

const UserLedger = z
  .object({ ledgerId: z.string(), userId: z.string(), accounts: z.array(Account) })
  .openapi('UserLedger');

export function registerUsers(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm } = dependencies;
  const list = createRoute({
    method: 'get',
    path: '/v1/identity/users',
    tags,
    summary: "The company's users, newest first",
    ...tenant(guard, 'read'),
    request: { query: paging(DEFAULT_ARRAY_LIMIT) },
    responses: { ...ok(z.array(UserSummary)), ...refusals() },
  });
  const get = createRoute({
    method: 'get',
    path: '/v1/identity/users/{id}',
    tags,
    summary: 'One user',
    ...tenant(guard, 'read'),
    request: { params: pathIds({ id: 'user' }) },
    responses: { ...ok(User), ...refusals('not_found') },
  });
  const create = createRoute({
    method: 'post',
    path: '/v1/identity/users',
    tags,
    summary: 'Register a user, with a ledger and one account per currency',
    ...tenant(guard, 'operate', { idempotency: 'accepted' }),
    request: json(NewUser),
    responses: { ...created(UserCreated), ...refusals('already_exists') },
  });
  const ledger = createRoute({
    method: 'get',
    path: '/v1/identity/users/{id}/ledger',
    tags,
    summary: "The user's ledger and accounts",
    ...tenant(guard, 'read'),
    request: { params: pathIds({ id: 'user' }) },
    responses: { ...ok(UserLedger), ...refusals('not_found') },
  });

  app.openapi(list, async (c) => {
    const { limit, offset } = c.req.valid('query');
    const [rows, total] = await inTenant(orm, c.var.companyId, (em) =>
      em.findAndCount(
        AppUser,
        { companyId: c.var.companyId },
        { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } },
      ),
    );
    c.header('X-Total-Count', String(total));
    return c.json(rows.map(userSummary), 200);
  });

  app.openapi(get, async (c) => {
    const { id } = c.req.valid('param');
    const user = await inTenant(orm, c.var.companyId, (em) => requireUser(em, c.var.companyId, id));
    return c.json(userView(user), 200);
  });

  app.openapi(create, async (c) => {
    const input = c.req.valid('json');
    const { status, body } = await once(c, dependencies, async (commandId) => {
      const userId = commandId as string as UserId; // a user takes the id of the command that makes it
      const view = await inTenant(orm, c.var.companyId, async (em) => {
        const known = await em.findOne(AppUser, { id: userId, companyId: c.var.companyId });
        const user =
          known ??
          (await createUser(em, c.var.companyId, userId, {
            mobileNumber: input.mobileNumber,
            idNumber: input.idNumber,
            firstName: input.firstName ?? null,
            lastName: input.lastName ?? null,
            email: input.email ?? null,
            metadata: input.metadata ?? {},
            customReference: input.customReference ?? null,
            bankAccount: null,
          }));
        const accounts = await findAccounts(em, c.var.companyId, { userId });
        const ledgerId = publicId('ledger', accounts[0]?.ledgerId ?? '');
        return {
          ...userSummary(user),
          ledgerId,
          accounts: accounts.map((account) => ({ id: publicId('account', account.id), currency: account.currency })),
        };
      });
      return { status: 201, body: view };
    });
    return c.json(body, status);
  });

  app.openapi(ledger, async (c) => {
    const { id } = c.req.valid('param');
    const accounts = await inTenant(orm, c.var.companyId, async (em) => {
      await requireUser(em, c.var.companyId, id);
      return findAccounts(em, c.var.companyId, { userId: id });
    });
    const ledgerId = publicId('ledger', accounts[0]?.ledgerId ?? '');
    return c.json({ ledgerId, userId: publicId('user', id), accounts: accounts.map(accountView) }, 200);
  });
}

/** The company's user. Throws `not_found`. */
export async function requireUser(em: EntityManager, companyId: CompanyId, id: UserId): Promise<AppUser> {
  const user = await em.findOne(AppUser, { id, companyId });
  if (user === null) throw new Refusal('not_found', 'there is no such user');
  return user;
}
