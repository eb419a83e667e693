import { z } from '@hono/zod-openapi';
import { readTenant } from '../../../db/core/orm.ts';
import { Company } from '../../../db/entities/tenancy.ts';
import { findFeeConfigs, seedFeeConfigs } from '../../../db/treasury/fee-configs.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { FeeConfigs, feeConfigView } from '../../schemas/treasury.ts';

const tag = 'Treasury';

const Seeded = z
  .object({
    message: z.string().describe('What was done, in words.'),
    seeded: z.int().describe('How many were added.'),
    skipped: z.int().describe('How many were there already.'),
  })
  .openapi('ConfigsSeeded');

export function registerFeeConfigs(operation: Operations, { orm }: ApiDependencies): void {
  operation(
    {
      method: 'post',
      path: '/v1/treasury/seed-configs',
      tag,
      summary: 'Create the default transfer tax and fees that the company lacks',
      description:
        'Transfer tax, system fee and service fee, each per currency. New escrows use the fees. Safe to repeat.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      success: ok(Seeded),
    },
    ({ companyId, c }) =>
      changeOnce(c, { orm }, async (em) => {
        const done = await seedFeeConfigs(em, await em.findOneOrFail(Company, { id: companyId }));
        const message = done.seeded === 0 ? 'Fee configuration was there already' : 'Fee configuration seeded';
        return { message, ...done };
      }),
  );

  operation(
    {
      method: 'get',
      path: '/v1/treasury/configs',
      tag,
      summary: "The company's fees and tax rates, each with the instant from which it applies",
      description: 'New escrows and withdrawals use them.',
      access: tenant('read'),
      success: ok(FeeConfigs),
    },
    async ({ companyId }) => {
      const { company, configs } = await readTenant(orm, companyId, async (em) => ({
        company: await em.findOneOrFail(Company, { id: companyId }),
        configs: await findFeeConfigs(em, companyId),
      }));
      return {
        system_fee_basis_points: company.systemFeeBasisPoints,
        service_fee_basis_points: company.serviceFeeBasisPoints,
        configs: configs.map(feeConfigView),
      };
    },
  );
}
