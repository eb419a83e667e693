import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { violatedUnique } from '../../db/core/database-errors.ts';
import { readTenant } from '../../db/core/orm.ts';
import { Administrator as AdministratorRow } from '../../db/entities/tenancy.ts';
import { addAdministrator, removeAdministrator } from '../../db/identity/companies.ts';
import { ADMINISTRATOR_SORTS, listAdministrators } from '../../db/identity/company-lists.ts';
import { removeFactor } from '../../db/identity/factors.ts';
import { endSessions } from '../../db/identity/sessions.ts';
import { Refusal } from '../../domain/errors.ts';
import { publicId } from '../../domain/ids.ts';
import { isWithin, ROLE_OF_REQUEST } from '../../domain/roles.ts';
import { hashPassword, temporaryPassword } from '../auth/passwords.ts';
import { changeOnce } from '../commands/idempotency.ts';
import type { ApiDependencies } from '../context.ts';
import { describeList } from '../contract/lists.ts';
import { created, type Operations, ok, tenant } from '../operation.ts';
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

const tag = 'Administrators';

const NewAdministrator = z
  .object({
    firstName: text().describe('The first name.'),
    lastName: text().describe('The last name.'),
    email: email().describe('The e-mail address.'),
    role: z.enum(['admin', 'manager']).describe('The role.'),
    password: newPassword().nullish().describe('The password, at least 10 characters.'),
  })
  .refine(hasOwnPassword, { message: NOT_THE_EMAIL, path: ['password'] })
  .openapi('NewAdministrator');

const ListedAdministrator = Administrator.extend({
  has_mfa: z.boolean().openapi({ description: 'Whether a second factor is enabled.' }),
}).openapi('ListedAdministrator');

export function registerAdministrators(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, credentials, mails } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/core/companies/admins',
      tag,
      summary: "The company's administrators",
      description: 'Removed ones are not listed.',
      access: tenant('read'),
      query: listing('array', ADMINISTRATOR_SORTS, 'createdAt'),
      success: ok(z.array(ListedAdministrator)),
    },
    async ({ query, companyId, c }) => {
      const { page } = splitQuery(query, ADMINISTRATOR_SORTS);
      const found = await readTenant(orm, companyId, (em) =>
        listAdministrators(em, companyId, { isRemoved: false }, page),
      );
      describeList(c, query, found);
      return found.records.map((row) => ({ ...administratorView(row), has_mfa: row.totpEnabled }));
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/core/companies/admins',
      tag,
      summary: 'Add an administrator',
      description: 'Without a password the answer has a temporary one, which must be changed at the first login.',
      access: tenant('manage_company', { factor: 'fresh' }),
      idempotency: 'accepted',
      body: NewAdministrator,
      success: created(
        Administrator.extend({
          temporaryPassword: z
            .string()
            .optional()
            .describe('Shown only in this response, where none was sent. It must be changed at the first login.'),
        }),
      ),
      refusals: ['already_exists'],
    },
    async ({ body: { password, role, ...person }, companyId, principal, c }) => {
      // Otherwise a restricted key could create an administrator with more permissions than its own.
      if (!isWithin({ role: ROLE_OF_REQUEST[role], permissions: null }, principal))
        throw new Refusal('forbidden', 'this key may not add an administrator with more permissions than its own');
      const generated = password == null ? temporaryPassword() : null;
      const passwordHash = await hashPassword(password ?? generated ?? '');
      const insert = async (em: EntityManager) => {
        const added = await addAdministrator(em, credentials, companyId, {
          ...person,
          passwordHash,
          role: ROLE_OF_REQUEST[role],
          mustChangePassword: generated !== null,
        });
        return { ...administratorView(added), ...(generated === null ? {} : { temporaryPassword: generated }) };
      };
      const added = changeOnce(c, dependencies, insert, generated === null ? {} : { keeps: 'id' });
      return added.catch((error: unknown) => {
        throw violatedUnique(error) === undefined ? error : new Refusal('already_exists', 'the e-mail is taken');
      });
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/core/companies/admins/{id}/remove',
      tag,
      summary: 'Remove an administrator; their tokens and the API keys that they made stop working at once',
      description: 'The OWNER cannot be removed.',
      access: tenant('manage_company', { factor: 'fresh' }),
      idempotency: 'accepted',
      params: pathIds({ id: 'administrator' }),
      success: ok(
        z.object({
          success: z.boolean().describe('Always true.'),
          id: z.string().describe('Its id.'),
          revokedApiKeys: z.array(z.string()).describe('The keys that the administrator had made.'),
        }),
      ),
      refusals: ['not_found', 'owner_protected'],
    },
    ({ params: { id }, companyId, principal, c }) =>
      changeOnce(c, dependencies, async (em) => {
        const revoked = await removeAdministrator(em, companyId, id, principal);
        const revokedApiKeys = revoked.map((keyId) => publicId('apiKey', keyId));
        return { success: true, id: publicId('administrator', id), revokedApiKeys };
      }),
  );

  operation(
    {
      method: 'post',
      path: '/v1/core/companies/admins/{id}/reset-mfa',
      tag,
      summary: 'Take the second factor of an administrator away, who lost it; all sessions of the administrator end',
      description: 'An owner may do it for the others, and only the platform for an owner.',
      access: tenant('recover_access', { factor: 'fresh' }),
      idempotency: 'accepted',
      params: pathIds({ id: 'administrator' }),
      success: ok(z.object({ success: z.boolean().describe('Always true.'), id: z.string().describe('Its id.') })),
      refusals: ['not_found', 'owner_protected'],
    },
    async ({ params: { id }, companyId, principal, c }) => {
      let told: string | null = null;
      const answer = await changeOnce(c, dependencies, async (em) => {
        const row = await em.findOne(AdministratorRow, { id, companyId, removedAt: null });
        if (row === null) throw new Refusal('not_found', 'administrator not found');
        const isProtected = row.role === 'OWNER' || row.role === 'SUPER_ADMIN';
        if (isProtected && principal.role !== 'SUPER_ADMIN')
          throw new Refusal('owner_protected', "only the platform takes an owner's second factor away");
        await endSessions(em, credentials, row);
        await removeFactor(em, credentials, row);
        told = row.email;
        return { success: true, id: publicId('administrator', id) };
      });
      if (told !== null) mails.factorChanged(told, 'reset');
      return answer;
    },
  );
}
