import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { listUsers, USER_SORTS } from '../../../db/identity/user-search.ts';
import { requireUser } from '../../../db/identity/users.ts';
import { findAccounts } from '../../../db/ledger/accounts.ts';
import { publicId } from '../../../domain/ids.ts';
import { phoneOf } from '../../bodies/phones.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import { pathIds, text } from '../../schemas/common.ts';
import { typedPhone, User, UserSummary, userSummary, userView } from '../../schemas/identity.ts';
import { Account, accountView } from '../../schemas/ledger.ts';
import { changedBetween, listing, splitQuery } from '../../schemas/lists.ts';

const tags = ['Identity'];

const UserLedger = z
  .object({ ledgerId: z.string(), userId: z.string(), accounts: z.array(Account) })
  .openapi('UserLedger');

const UserQuery = listing('array', USER_SORTS, '-createdAt').extend({
  q: text().optional().openapi({ description: 'Words. The name and mobile number together must contain all of them.' }),
  mobileNumber: typedPhone().optional(),
  customReference: text().optional(),
  ...changedBetween(),
});

export function registerUsers(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm, reads, cipher, settings } = dependencies;
  const list = createRoute({
    method: 'get',
    path: '/v1/identity/users',
    tags,
    summary: "The company's users, newest first",
    ...tenant(guard, 'read'),
    request: { query: UserQuery },
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
    const query = c.req.valid('query');
    const { page, filter } = splitQuery(query, USER_SORTS);
    const mobileNumber =
      filter.mobileNumber && (await phoneOf(dependencies, c.var.companyId, 'mobileNumber', filter.mobileNumber));
    const found = await reads(c.var.companyId, (em) =>
      listUsers(em, c.var.companyId, { ...filter, mobileNumber }, page),
    );
    describeList(c, query, found);
    return c.json(found.records.map(userSummary), 200);
  });

  app.openapi(get, async (c) => {
    const { id } = c.req.valid('param');
    const user = await inTenant(orm, c.var.companyId, (em) => requireUser(em, c.var.companyId, id));
    return c.json(userView(user, cipher, settings.baseUrl), 200);
  });

  app.openapi(ledger, async (c) => {
    const { id } = c.req.valid('param');
    const { userId, accounts } = await inTenant(orm, c.var.companyId, async (em) => {
      const user = await requireUser(em, c.var.companyId, id);
      return { userId: user.id, accounts: await findAccounts(em, c.var.companyId, { userId: user.id }) };
    });
    const ledgerId = publicId('ledger', accounts[0]?.ledgerId ?? '');
    return c.json({ ledgerId, userId: publicId('user', userId), accounts: accounts.map(accountView) }, 200);
  });
}
