import { createRoute, z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { violatedUnique } from '../../db/core/constraints.ts';
import { inTenant } from '../../db/core/orm.ts';
import { addAdministrator, removeAdministrator } from '../../db/identity/companies.ts';
import { ADMINISTRATOR_SORTS, listAdministrators } from '../../db/identity/company-lists.ts';
import { Refusal } from '../../domain/errors.ts';
import { publicId } from '../../domain/ids.ts';
import { isWithin, ROLE_OF_REQUEST } from '../../domain/roles.ts';
import { hashPassword, temporaryPassword } from '../auth/passwords.ts';
import { changeOnce, makeSecretOnce } from '../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../context.ts';
import { describeList } from '../contract/lists.ts';
import { created, type Guard, json, ok, refusals, tenant } from '../openapi/operation.ts';
import { pathIds, text } from '../schemas/common.ts';
import {
  Administrator,
  administratorView,
  email,
  hasOwnPassword,
  NOT_THE_EMAIL,
  newPassword,
} from '../schemas/company.ts';
import { listing, splitQuery } from '../schemas/lists.ts';

const tags = ['Administrators'];

const NewAdministrator = z
  .object({
    firstName: text(),
    lastName: text(),
    email: email(),
    role: z.enum(['admin', 'manager']),
    password: newPassword().nullish(),
  })
  .refine(hasOwnPassword, { message: NOT_THE_EMAIL, path: ['password'] })
  .openapi('NewAdministrator');

export function registerAdministrators(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm, credentials } = dependencies;
  const list = createRoute({
    method: 'get',
    path: '/v1/core/companies/admins',
    tags,
    summary: "The company's administrators",
    ...tenant(guard, 'read'),
    request: { query: listing('array', ADMINISTRATOR_SORTS, 'createdAt') },
    responses: { ...ok(z.array(Administrator)), ...refusals() },
  });
  const add = createRoute({
    method: 'post',
    path: '/v1/core/companies/admins',
    tags,
    summary: 'Add an administrator',
    ...tenant(guard, 'manage_company', { idempotency: 'accepted' }),
    request: json(NewAdministrator),
    responses: {
      ...created(Administrator.extend({ temporaryPassword: z.string().optional() })),
      ...refusals('already_exists'),
    },
  });
  const remove = createRoute({
    method: 'post',
    path: '/v1/core/companies/admins/{id}/remove',
    tags,
    summary: 'Remove an administrator; their tokens and the API keys that they made stop working at once',
    ...tenant(guard, 'manage_company', { idempotency: 'accepted' }),
    request: { params: pathIds({ id: 'administrator' }) },
    responses: {
      ...ok(z.object({ success: z.boolean(), id: z.string(), revokedApiKeys: z.array(z.string()) })),
      ...refusals('not_found', 'owner_protected'),
    },
  });

  app.openapi(list, async (c) => {
    const query = c.req.valid('query');
    const { page } = splitQuery(query, ADMINISTRATOR_SORTS);
    const found = await inTenant(orm, c.var.companyId, (em) =>
      listAdministrators(em, c.var.companyId, { isRemoved: false }, page),
    );
    describeList(c, query, found);
    return c.json(found.records.map(administratorView), 200);
  });

  app.openapi(add, async (c) => {
    const { password, role, ...person } = c.req.valid('json');
    // Otherwise a restricted key could create an administrator with more permissions than its own.
    if (!isWithin({ role: ROLE_OF_REQUEST[role], permissions: null }, c.var.principal))
      throw new Refusal('forbidden', 'this key may not add an administrator with more permissions than its own');
    const generated = password == null ? temporaryPassword() : null;
    const passwordHash = await hashPassword(password ?? generated ?? '');
    const insert = async (em: EntityManager) =>
      administratorView(
        await addAdministrator(em, credentials, c.var.companyId, {
          ...person,
          passwordHash,
          role: ROLE_OF_REQUEST[role],
          mustChangePassword: generated !== null,
        }),
      );
    const added =
      generated === null
        ? changeOnce(c, dependencies, insert, { status: 201 })
        : makeSecretOnce(c, dependencies, 201, async (em) => ({
            ...(await insert(em)),
            temporaryPassword: generated,
          }));
    const made = await added.catch((error: unknown) => {
      throw violatedUnique(error) === undefined ? error : new Refusal('already_exists', 'the e-mail is taken');
    });
    return c.json(made, 201);
  });

  app.openapi(remove, async (c) => {
    const { id } = c.req.valid('param');
    const { companyId } = c.var;
    const removed = await changeOnce(c, dependencies, async (em) => {
      const revoked = await removeAdministrator(em, companyId, id);
      const revokedApiKeys = revoked.map((keyId) => publicId('apiKey', keyId));
      return { success: true, id: publicId('administrator', id), revokedApiKeys };
    });
    return c.json(removed, 200);
  });
}
