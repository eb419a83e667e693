import { createRoute, z } from '@hono/zod-openapi';
import { findInstitutions, seedInstitutions } from '../../../db/treasury/financial-institutions.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, ok, PUBLIC, refusals, tenant } from '../../openapi/operation.ts';
import { Institution, institutionView } from '../../schemas/identity.ts';

const tags = ['Identity'];
const Seeded = z.object({ seeded: z.int(), skipped: z.int() }).openapi('Seeded');

const list = createRoute({
  method: 'get',
  path: '/v1/identity/financial-institutions',
  tags,
  summary: 'The banks that users can be paid at, shared by all companies',
  ...PUBLIC,
  responses: { ...ok(z.array(Institution)), ...refusals() },
});

export function registerInstitutions(app: Api, { orm }: ApiDependencies, guard: Guard): void {
  const seed = createRoute({
    method: 'post',
    path: '/v1/identity/financial-institutions/seed',
    tags,
    summary: "Add the banks of the service's list that do not exist yet",
    ...tenant(guard, 'manage_money'),
    responses: { ...ok(Seeded), ...refusals() },
  });

  app.openapi(list, async (c) => c.json((await findInstitutions(orm.em.fork())).map(institutionView), 200));
  app.openapi(seed, async (c) => c.json(await seedInstitutions(orm.em.fork()), 200));
}
