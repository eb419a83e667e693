import { z } from '@hono/zod-openapi';
import { readTenant } from '../../db/core/orm.ts';
import { Company as CompanyRow } from '../../db/entities/tenancy.ts';
import { registerCompany } from '../../db/identity/companies.ts';
import { writeAuditLines } from '../../db/requests/audit-log.ts';
import { publicId } from '../../domain/ids.ts';
import { hashPassword } from '../auth/passwords.ts';
import type { ApiDependencies } from '../context.ts';
import { administratorLine, auditLineOf } from '../middleware/audit.ts';
import { bearer, created, type Operations, ok, tenant } from '../operation.ts';
import { text } from '../schemas/common.ts';
import {
  Administrator,
  administratorView,
  Company,
  companyName,
  companyView,
  email,
  hasOwnPassword,
  NOT_THE_EMAIL,
  newPassword,
} from '../schemas/company.ts';

const tag = 'Companies';

const NewCompany = z
  .object({
    name: companyName().describe('Its name. It stands in messages: without addresses and phone numbers.'),
    slug: z
      .string()
      .trim()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single dashes')
      .max(60)
      .nullish()
      .describe('The name in addresses. By default made from the name.'),
    admin: z
      .object({
        firstName: text().describe('The first name.'),
        lastName: text().describe('The last name.'),
        email: email().describe('The e-mail address.'),
        password: newPassword().describe('The password, at least 10 characters.'),
      })
      .refine(hasOwnPassword, { message: NOT_THE_EMAIL, path: ['password'] })
      .describe('The first administrator, its OWNER.'),
  })
  .openapi('NewCompany');

export function registerCompanies(operation: Operations, { orm, settings, credentials }: ApiDependencies): void {
  operation(
    {
      method: 'post',
      path: '/v1/core/companies',
      tag,
      summary: 'Register a tenant and its owner',
      description: 'The first call of an integration. The owner then logs in and creates an API key.',
      // COMPANY_REGISTRATION: while it is closed, only the platform adds companies.
      access: settings.isRegistrationOpen ? 'public' : bearer('platform', { factor: 'fresh' }),
      body: NewCompany,
      success: created(Company.extend({ admin: Administrator })),
      refusals: ['already_exists', 'forbidden'],
    },
    async ({ body: { name, slug, admin }, c }) => {
      const { password, ...person } = admin;
      const passwordHash = await hashPassword(password);
      const registration = {
        name,
        slug: slug ?? null,
        isPlatform: false,
        administrator: { ...person, passwordHash, role: 'OWNER' as const, mustChangePassword: false },
      };
      const { company, administrator } = await registerCompany(orm, credentials, registration, (em, made) => {
        const resource = publicId('company', made.company.id);
        const line = settings.isRegistrationOpen
          ? administratorLine(c, made.administrator)
          : { ...auditLineOf(c, { status: 201, body: null }), companyId: made.company.id };
        return writeAuditLines(em, [{ ...line, resource, status: 201 }]);
      });
      return { ...companyView(company, settings), admin: administratorView(administrator) };
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/core/companies/me',
      tag,
      summary: 'The company named by x-company-id',
      description: 'Its settings, with the defaults where nothing is set.',
      access: tenant('read'),
      success: ok(Company),
    },
    async ({ companyId }) => {
      const company = await readTenant(orm, companyId, (em) => em.findOneOrFail(CompanyRow, { id: companyId }));
      return companyView(company, settings);
    },
  );
}
