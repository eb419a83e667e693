import { createHash } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../db/core/orm.ts';
import { CompanyLogo, Company as CompanyRow } from '../../db/entities/tenancy.ts';
import { readLogo } from '../bodies/logos.ts';
import type { Api, ApiDependencies } from '../context.ts';
import { BODY_LIMITS } from '../limits.ts';
import { type Guard, ok, refusals, tenant } from '../openapi/operation.ts';
import { Company, companyView } from '../schemas/company.ts';
import { file } from '../schemas/identity.ts';

/** The logo that a company's checkout shows. */

const tags = ['Companies'];
const LOGO = `A PNG or WebP image of at most ${BODY_LIMITS.logo.words}.`;
const LogoForm = z.object({ logo: file(LOGO) }).openapi('LogoForm');

export function registerCompanyLogo(app: Api, { orm, settings }: ApiDependencies, guard: Guard): void {
  const put = createRoute({
    method: 'put',
    path: '/v1/core/companies/me/logo',
    tags,
    summary: 'Store the logo that the checkout shows, in place of an earlier one',
    description:
      `${LOGO} It is encoded again as PNG, without metadata, at most 480 by 160 pixels. Transparent ` +
      'parts are kept; the checkout shows the logo on white.',
    ...tenant(guard, 'manage_company', { takes: 'logo' }),
    request: { body: { required: true, content: { 'multipart/form-data': { schema: LogoForm } } } },
    responses: { ...ok(Company), ...refusals('payload_too_large', 'unsupported_media_type') },
  });
  const remove = createRoute({
    method: 'delete',
    path: '/v1/core/companies/me/logo',
    tags,
    summary: 'Remove the logo: the checkout shows the name alone',
    ...tenant(guard, 'manage_company'),
    responses: { ...ok(Company), ...refusals() },
  });

  app.openapi(put, async (c) => {
    const { companyId } = c.var;
    const content = await readLogo(c.req.valid('form').logo);
    const digest = createHash('sha256').update(content).digest('hex');
    const company = await inTenant(orm, companyId, async (em) => {
      await em.upsert(CompanyLogo, { companyId, digest, content });
      const row = await em.findOneOrFail(CompanyRow, { id: companyId });
      return em.assign(row, { logoDigest: digest, updatedAt: new Date() });
    });
    return c.json(companyView(company, settings), 200);
  });

  app.openapi(remove, async (c) => {
    const { companyId } = c.var;
    const company = await inTenant(orm, companyId, async (em) => {
      await em.nativeDelete(CompanyLogo, { companyId });
      const row = await em.findOneOrFail(CompanyRow, { id: companyId });
      return em.assign(row, { logoDigest: null, updatedAt: new Date() });
    });
    return c.json(companyView(company, settings), 200);
  });
}
