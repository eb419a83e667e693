import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../db/core/orm.ts';
import type { AppUser } from '../../../db/entities/tenancy.ts';
import { identityStandingOf } from '../../../db/identity/blacklist.ts';
import { personHashes } from '../../../db/identity/person-hashes.ts';
import { listUsers } from '../../../db/identity/user-search.ts';
import { lockAnyUser, lockUser } from '../../../db/identity/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import { type CompanyId, publicId, type UserId } from '../../../domain/ids.ts';
import { IDENTITY_STATUSES, KYC_REGISTERED, KYC_STATUSES, KYC_VERIFIED } from '../../../domain/users.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { describePages } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { defaultsTo, note, pathIds, text, timestamp } from '../../schemas/common.ts';
import { UserForAdmin, userForAdmin } from '../../schemas/identity.ts';
import { pages } from '../../schemas/lists.ts';

const tag = 'Identity administration';

const Search = pages().extend({
  search: text()
    .optional()
    .openapi({ description: 'Words that name and mobile number together contain, or a whole national id number.' }),
  status: z
    .enum([...KYC_STATUSES, 'ALL'])
    .default('ALL')
    .describe('Its state.'),
});
const UserPage = z
  .object({
    data: z.array(UserForAdmin).describe('The rows of this page.'),
    total: z.int().describe('The number of rows on all pages.'),
    page: z.int().describe('The number of this page, from 1.'),
    limit: z.int().describe('The size of a page.'),
  })
  .openapi('UserPage');
const reviewed = () =>
  timestamp().nullish().openapi({
    description:
      'The `updatedAt` of the user that was reviewed. If the user has changed since, the answer is 409 `wrong_state`.',
  });
const Approval = z
  .object({
    approved: defaultsTo(z.boolean(), true).describe('True approves, false revokes. True unless given.'),
    reviewed: reviewed(),
  })
  .openapi('Approval');
const Approved = z
  .object({
    userId: z.string().describe('The user.'),
    kycLevel: z.int().describe('1: registered; 2: approved by the platform.'),
    approved: z.boolean().describe('Whether the user is approved.'),
  })
  .openapi('Approved');
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
  .object({
    userId: z.string().describe('The user.'),
    identityStatus: z.enum(IDENTITY_STATUSES),
    reason: z.string().nullable().describe('Why, in words.'),
  })
  .openapi('StatusChanged');

export function registerIdentityAdmin(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, cipher, settings } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/identity/admin/users',
      tag,
      summary: "A company's users, page by page",
      description: "For the platform's administrators, of the company in `x-company-id`.",
      access: tenant('platform'),
      query: Search,
      success: ok(UserPage),
    },
    async ({ query: { page, limit, search: q, status }, companyId, c }) => {
      const { records, total } = await inTenant(orm, companyId, async (em) => {
        const idNumberHash = q === undefined ? undefined : (await personHashes(em, cipher)).ofIdNumber(q);
        const filter = { q, idNumberHash, status: status === 'ALL' ? undefined : status };
        return listUsers(em, companyId, filter, { limit, offset: (page - 1) * limit });
      });
      describePages(c, page, limit, total);
      const data = records.map((user) => userForAdmin(user, settings.baseUrl));
      return { data, total, page, limit };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/identity/admin/users/{id}/approve',
      tag,
      summary: "Approve a user's identity, or revoke the approval",
      description: 'An approved user has kycLevel 2. A change of id number or document takes the approval away.',
      access: tenant('platform'),
      idempotency: 'accepted',
      params: pathIds({ id: 'user' }),
      body: Approval,
      isBodyOptional: true, // an absent body means approval
      success: ok(Approved),
      refusals: ['not_found', 'wrong_state'],
    },
    async ({ params: { id }, body: { approved = true, reviewed }, companyId, c }) => {
      const kycLevel = approved ? KYC_VERIFIED : KYC_REGISTERED;
      return changeOnce(c, dependencies, async (em) => {
        const user = await lockReviewed(em, companyId, id, reviewed);
        em.assign(user, { kycLevel, changedSinceApproval: [], updatedAt: new Date() });
        return { userId: publicId('user', user.id), kycLevel, approved };
      });
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/identity/admin/users/{id}/status',
      tag,
      summary: 'Blacklist a user, or remove the user from the blacklist',
      description:
        'A blacklisted user cannot be a party of new escrows, accept a link or withdraw. Running escrows go on.',
      access: tenant('platform'),
      idempotency: 'accepted',
      params: pathIds({ id: 'user' }),
      body: StatusChange,
      success: ok(StatusChanged),
      refusals: ['not_found', 'wrong_state'],
    },
    async ({ params: { id }, body, companyId, c }) => {
      const { status: identityStatus, reason = null, reviewed } = body;
      return changeOnce(c, dependencies, async (em) => {
        // A blacklisting survives the erasure of the person, so it can be ended after it.
        const lock = identityStatus === 'CLEAR' ? lockAnyUser : lockUser;
        const user = await lockReviewed(em, companyId, id, reviewed, lock);
        const identityStatusReason = user.erasedAt == null ? reason : null;
        em.assign(user, { identityStatus, identityStatusReason, updatedAt: new Date() });
        await em.flush();
        // Another row of the same person may still be blacklisted.
        const standing = await identityStandingOf(em, companyId, user.id);
        return {
          userId: publicId('user', user.id),
          identityStatus: standing.identityStatus,
          reason: identityStatusReason,
        };
      });
    },
  );
}

/** Locks the user. Throws `wrong_state` if the user has changed since the review that the request names. */
async function lockReviewed(
  em: EntityManager,
  companyId: CompanyId,
  id: UserId,
  reviewed: string | null | undefined,
  lock = lockUser,
): Promise<AppUser> {
  const user = await lock(em, companyId, id);
  const updatedAt = user.updatedAt.toISOString();
  if (reviewed != null && reviewed !== updatedAt)
    throw new Refusal('wrong_state', `the user changed at ${updatedAt}, after the review`);
  return user;
}
