import { z } from '@hono/zod-openapi';
import { findInstitutions, seedInstitutions } from '../../../db/treasury/financial-institutions.ts';
import { changeAudited } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { Institution, institutionView } from '../../schemas/identity.ts';

const tag = 'Identity';
const Seeded = z
  .object({
    seeded: z.int().describe('How many were added.'),
    skipped: z.int().describe('How many were there already.'),
  })
  .openapi('Seeded');

export function registerInstitutions(operation: Operations, { orm }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/identity/financial-institutions',
      tag,
      summary: 'The banks that users can be paid at, shared by all companies',
      description: 'Public. Their ids are the `institutionId` of bank accounts.',
      access: 'public',
      success: ok(z.array(Institution)),
    },
    async () => (await findInstitutions(orm.em.fork())).map(institutionView),
  );
  operation(
    {
      method: 'post',
      path: '/v1/identity/financial-institutions/seed',
      tag,
      summary: "Add the banks of the service's list that do not exist yet",
      description: 'Changes nothing where none is missing: they are there from the start.',
      access: tenant('manage_money'),
      success: ok(Seeded),
    },
    ({ c }) => changeAudited(c, { orm }, seedInstitutions),
  );
}
