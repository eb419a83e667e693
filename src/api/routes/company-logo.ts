import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { CompanyLogo, Company as CompanyRow } from '../../db/entities/tenancy.ts';
import { readLogo } from '../bodies/logos.ts';
import { changeAudited } from '../commands/idempotency.ts';
import type { ApiDependencies } from '../context.ts';
import { BODY_LIMITS } from '../limits.ts';
import { type Operations, ok, tenant } from '../operation.ts';
import { Company, companyView } from '../schemas/company.ts';
import { file } from '../schemas/identity.ts';

/** The logo that a company's checkout shows. */

const tag = 'Companies';
const LOGO = `A PNG or WebP image of at most ${BODY_LIMITS.logo.words}.`;
const LogoForm = z.object({ logo: file(LOGO) }).openapi('LogoForm');

export function registerCompanyLogo(operation: Operations, { orm, settings }: ApiDependencies): void {
  operation(
    {
      method: 'put',
      path: '/v1/core/companies/me/logo',
      tag,
      summary: 'Store the logo that the checkout shows, in place of an earlier one',
      description:
        `${LOGO} It is encoded again as PNG, without metadata, at most 480 by 160 pixels. Transparent ` +
        'parts are kept; the checkout shows the logo on white.',
      access: tenant('manage_company'),
      form: LogoForm,
      success: ok(Company),
      refusals: ['payload_too_large', 'unsupported_media_type'],
    },
    async ({ body, companyId, c }) => {
      const content = await readLogo(companyId, body.logo);
      const digest = createHash('sha256').update(content).digest('hex');
      const company = await changeAudited(c, { orm }, async (em) => {
        await em.upsert(CompanyLogo, { companyId, digest, content });
        const row = await em.findOneOrFail(CompanyRow, { id: companyId });
        return em.assign(row, { logoDigest: digest, updatedAt: new Date() });
      });
      return companyView(company, settings);
    },
  );

  operation(
    {
      method: 'delete',
      path: '/v1/core/companies/me/logo',
      tag,
      summary: 'Remove the logo: the checkout shows the name alone',
      description: 'Removing it twice is the same.',
      access: tenant('manage_company'),
      success: ok(Company),
    },
    async ({ companyId, c }) => {
      const company = await changeAudited(c, { orm }, async (em) => {
        await em.nativeDelete(CompanyLogo, { companyId });
        const row = await em.findOneOrFail(CompanyRow, { id: companyId });
        return em.assign(row, { logoDigest: null, updatedAt: new Date() });
      });
      return companyView(company, settings);
    },
  );
}
