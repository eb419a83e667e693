import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../db/core/orm.ts';
import { Company as CompanyRow } from '../../db/entities/tenancy.ts';
import { registerCompany } from '../../db/identity/companies.ts';
import { Refusal } from '../../domain/errors.ts';
import { hashPassword } from '../auth/passwords.ts';
import type { Api, ApiDependencies } from '../context.ts';
import { created, type Guard, json, ok, PUBLIC, refusals, tenant } from '../openapi/operation.ts';
import { text } from '../schemas/common.ts';
import {
  Administrator,
  administratorView,
  Company,
  companyView,
  email,
  hasOwnPassword,
  NOT_THE_EMAIL,
  newPassword,
} from '../schemas/company.ts';

const tags = ['Companies'];

const NewCompany = z
  .object({
    name: text(),
    slug: z
      .string()
      .trim()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single dashes')
      .max(60)
      .nullish(),
    admin: z
      .object({ firstName: text(), lastName: text(), email: email(), password: newPassword() })
      .refine(hasOwnPassword, { message: NOT_THE_EMAIL, path: ['password'] }),
  })
  .openapi('NewCompany');

const register = createRoute({
  method: 'post',
  path: '/v1/core/companies',
  tags,
  summary: 'Register a tenant and its owner',
  ...PUBLIC,
  request: json(NewCompany),
  responses: { ...created(Company.extend({ admin: Administrator })), ...refusals('already_exists', 'forbidden') },
});

export function registerCompanies(app: Api, { orm, settings, credentials }: ApiDependencies, guard: Guard): void {
  const me = createRoute({
    method: 'get',
    path: '/v1/core/companies/me',
    tags,
    summary: 'The company named by x-company-id',
    ...tenant(guard, 'read'),
    responses: { ...ok(Company), ...refusals() },
  });

  app.openapi(register, async (c) => {
    if (!settings.isRegistrationOpen) throw new Refusal('forbidden', 'registration of companies is disabled');
    const { name, slug, admin } = c.req.valid('json');
    const { password, ...person } = admin;
    const passwordHash = await hashPassword(password);
    const { company, administrator } = await registerCompany(orm, credentials, {
      name,
      slug: slug ?? null,
      isPlatform: false,
      administrator: { ...person, passwordHash, role: 'OWNER', mustChangePassword: false },
    });
    return c.json({ ...companyView(company, settings), admin: administratorView(administrator) }, 201);
  });

  app.openapi(me, async (c) => {
    const { companyId } = c.var;
    const company = await inTenant(orm, companyId, (em) => em.findOneOrFail(CompanyRow, { id: companyId }));
    return c.json(companyView(company, settings), 200);
  });
}
