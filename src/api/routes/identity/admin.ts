import { createRoute, z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../db/core/orm.ts';
import type { AppUser } from '../../../db/entities/tenancy.ts';
import { listUsers } from '../../../db/identity/user-search.ts';
import { lockUser } from '../../../db/identity/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import { type CompanyId, publicId, type UserId } from '../../../domain/ids.ts';
import { IDENTITY_STATUSES, KYC_REGISTERED, KYC_STATUSES, KYC_VERIFIED } from '../../../domain/users.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { describePages } from '../../contract/lists.ts';
import { type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { note, pathIds, text, timestamp } from '../../schemas/common.ts';
import { UserForAdmin, userForAdmin } from '../../schemas/identity.ts';
import { pages } from '../../schemas/lists.ts';

const tags = ['Identity administration'];

const Search = pages().extend({
  search: text()
    .optional()
    .openapi({ description: 'Words. The name and mobile number together must contain all of them.' }),
  status: z.enum([...KYC_STATUSES, 'ALL']).default('ALL'),
});
const UserPage = z
  .object({ data: z.array(UserForAdmin), total: z.int(), page: z.int(), limit: z.int() })
  .openapi('UserPage');
const reviewed = () =>
  timestamp().optional().openapi({
    description:
      'The `updatedAt` of the user that was reviewed. If the user has changed since, the answer is 409 `wrong_state`.',
  });
const Approval = z
  .object({
    approved: z.boolean().default(true),
    reviewed: reviewed(),
  })
  .openapi('Approval');
const Approved = z.object({ userId: z.string(), kycLevel: z.int(), approved: z.boolean() }).openapi('Approved');
const StatusChange = z
  .object({
    status: z.enum(IDENTITY_STATUSES),
    reason: note()
      .nullish()
      .openapi({ description: 'For the staff of the platform and the company. Users never see it.' }),
    reviewed: reviewed(),
  })
  .openapi('StatusChange');
const StatusChanged = z
  .object({ userId: z.string(), identityStatus: z.enum(IDENTITY_STATUSES), reason: z.string().nullable() })
  .openapi('StatusChanged');

export function registerIdentityAdmin(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm } = dependencies;
  const list = createRoute({
    method: 'get',
    path: '/v1/identity/admin/users',
    tags,
    summary: "A company's users, page by page",
    ...tenant(guard, 'platform'),
    request: { query: Search },
    responses: { ...ok(UserPage), ...refusals() },
  });
  const approve = createRoute({
    method: 'post',
    path: '/v1/identity/admin/users/{id}/approve',
    tags,
    summary: "Approve a user's identity, or revoke the approval",
    ...tenant(guard, 'platform', { idempotency: 'accepted' }),
    request: { params: pathIds({ id: 'user' }), body: { content: { 'application/json': { schema: Approval } } } },
    responses: { ...ok(Approved), ...refusals('not_found', 'wrong_state') },
  });
  const setStatus = createRoute({
    method: 'post',
    path: '/v1/identity/admin/users/{id}/status',
    tags,
    summary: 'Blacklist a user, or remove the user from the blacklist',
    ...tenant(guard, 'platform', { idempotency: 'accepted' }),
    request: { params: pathIds({ id: 'user' }), ...json(StatusChange) },
    responses: { ...ok(StatusChanged), ...refusals('not_found', 'wrong_state') },
  });

  app.openapi(list, async (c) => {
    const { companyId } = c.var;
    const { page, limit, search: q, status } = c.req.valid('query');
    const filter = { q, status: status === 'ALL' ? undefined : status };
    const { records, total } = await inTenant(orm, companyId, (em) =>
      listUsers(em, companyId, filter, { limit, offset: (page - 1) * limit }),
    );
    describePages(c, page, limit, total);
    return c.json({ data: records.map(userForAdmin), total, page, limit }, 200);
  });

  app.openapi(approve, async (c) => {
    const { id } = c.req.valid('param');
    const { approved = true, reviewed } = c.req.valid('json'); // an absent body means approval
    const kycLevel = approved ? KYC_VERIFIED : KYC_REGISTERED;
    const body = await changeOnce(c, dependencies, async (em) => {
      const user = await lockReviewed(em, c.var.companyId, id, reviewed);
      em.assign(user, { kycLevel, changedSinceApproval: [], updatedAt: new Date() });
      return { userId: publicId('user', user.id), kycLevel, approved };
    });
    return c.json(body, 200);
  });

  app.openapi(setStatus, async (c) => {
    const { id } = c.req.valid('param');
    const { status: identityStatus, reason = null, reviewed } = c.req.valid('json');
    const body = await changeOnce(c, dependencies, async (em) => {
      const user = await lockReviewed(em, c.var.companyId, id, reviewed);
      em.assign(user, { identityStatus, identityStatusReason: reason, updatedAt: new Date() });
      return { userId: publicId('user', user.id), identityStatus, reason };
    });
    return c.json(body, 200);
  });
}

/** Locks the user. Throws `wrong_state` if the user has changed since the review that the request names. */
async function lockReviewed(
  em: EntityManager,
  companyId: CompanyId,
  id: UserId,
  reviewed: string | undefined,
): Promise<AppUser> {
  const user = await lockUser(em, companyId, id);
  const updatedAt = user.updatedAt.toISOString();
  if (reviewed !== undefined && reviewed !== updatedAt)
    throw new Refusal('wrong_state', `the user changed at ${updatedAt}, after the review`);
  return user;
}
