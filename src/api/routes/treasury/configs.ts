import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { Company } from '../../../db/entities/tenancy.ts';
import { findFeeConfigs, seedFeeConfigs } from '../../../db/treasury/fee-configs.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import { FeeConfigs, feeConfigView } from '../../schemas/treasury.ts';

const tags = ['Treasury'];

const Seeded = z.object({ message: z.string(), seeded: z.int(), skipped: z.int() }).openapi('ConfigsSeeded');

export function registerFeeConfigs(app: Api, { orm }: ApiDependencies, guard: Guard): void {
  const seed = createRoute({
    method: 'post',
    path: '/v1/treasury/seed-configs',
    tags,
    summary: 'Create the default transfer tax and fees that the company lacks',
    description:
      'Transfer tax, system fee and service fee, each per currency. New escrows use the fees. Safe to repeat.',
    ...tenant(guard, 'manage_money', { idempotency: 'accepted' }),
    responses: { ...ok(Seeded), ...refusals() },
  });
  const list = createRoute({
    method: 'get',
    path: '/v1/treasury/configs',
    tags,
    summary: "The company's fees and tax rates, each with the instant from which it applies",
    ...tenant(guard, 'read'),
    responses: { ...ok(FeeConfigs), ...refusals() },
  });

  app.openapi(seed, async (c) => {
    const answer = await changeOnce(c, { orm }, async (em) => {
      const done = await seedFeeConfigs(em, await em.findOneOrFail(Company, { id: c.var.companyId }));
      const message = done.seeded === 0 ? 'Fee configuration was there already' : 'Fee configuration seeded';
      return { message, ...done };
    });
    return c.json(answer, 200);
  });

  app.openapi(list, async (c) => {
    const { companyId } = c.var;
    const { company, configs } = await inTenant(orm, companyId, async (em) => ({
      company: await em.findOneOrFail(Company, { id: companyId }),
      configs: await findFeeConfigs(em, companyId),
    }));
    return c.json(
      {
        system_fee_basis_points: company.systemFeeBasisPoints,
        service_fee_basis_points: company.serviceFeeBasisPoints,
        configs: configs.map(feeConfigView),
      },
      200,
    );
  });
}
