import { z } from '@hono/zod-openapi';
import { inTenant, readTenant } from '../../../db/core/orm.ts';
import { personHashes } from '../../../db/identity/person-hashes.ts';
import { listUsers, USER_SORTS } from '../../../db/identity/user-search.ts';
import { findUserFacts, requireUser } from '../../../db/identity/users.ts';
import { findAccounts } from '../../../db/ledger/accounts.ts';
import { publicId } from '../../../domain/ids.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import { phoneOf } from '../../bodies/phones.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { pathIds, text } from '../../schemas/common.ts';
import { typedPhone, User, UserSummary, userSummary, userView } from '../../schemas/identity.ts';
import { Account, accountView } from '../../schemas/ledger.ts';
import { changedBetween, listing, splitQuery } from '../../schemas/lists.ts';

const tag = 'Identity';

const UserLedger = z
  .object({
    ledgerId: z.string().describe('The ledger.'),
    userId: z.string().describe('The user.'),
    accounts: z.array(Account).describe('The accounts.'),
  })
  .openapi('UserLedger');

const UserQuery = listing('array', USER_SORTS, '-createdAt').extend({
  q: text().optional().openapi({
    description:
      'Words that name, mobile number, e-mail and bank reference together contain, or a whole national id number.',
  }),
  mobileNumber: typedPhone().optional(),
  customReference: text().optional().describe('Bank deposits with this reference go to the user.'),
  ...changedBetween(),
});

export function registerUsers(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads, cipher, settings } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/identity/users',
      tag,
      summary: "The company's users, newest first",
      description: 'Buyers and sellers.',
      access: tenant('read'),
      query: UserQuery,
      success: ok(z.array(UserSummary)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, USER_SORTS);
      const mobileNumber =
        filter.mobileNumber && (await phoneOf(dependencies, companyId, 'mobileNumber', filter.mobileNumber));
      // Not on the replica: the first use makes the key.
      const idNumberHash =
        filter.q === undefined
          ? undefined
          : (await inTenant(orm, companyId, (em) => personHashes(em, cipher))).ofIdNumber(filter.q);
      const found = await reads(companyId, (em) =>
        listUsers(em, companyId, { ...filter, idNumberHash, mobileNumber }, page),
      );
      describeList(c, query, found);
      return mapInTurns(found.records, (user) => userSummary(user, user.standing));
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/identity/users/{id}',
      tag,
      summary: 'One user',
      description: 'With the id number and the bank account, for staff.',
      access: tenant('read'),
      params: pathIds({ id: 'user' }),
      success: ok(User),
      refusals: ['not_found'],
    },
    async ({ params: { id }, companyId }) => {
      return readTenant(orm, companyId, async (em) => {
        const user = await requireUser(em, companyId, id);
        return userView(user, await findUserFacts(em, user), cipher, settings.baseUrl);
      });
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/identity/users/{id}/ledger',
      tag,
      summary: "The user's ledger and accounts",
      description: 'Escrows and deposits use the ids of these accounts.',
      access: tenant('read'),
      params: pathIds({ id: 'user' }),
      success: ok(UserLedger),
      refusals: ['not_found'],
    },
    async ({ params: { id }, companyId }) => {
      const { userId, accounts } = await readTenant(orm, companyId, async (em) => {
        const user = await requireUser(em, companyId, id);
        return { userId: user.id, accounts: await findAccounts(em, companyId, { userId: user.id }) };
      });
      const ledgerId = publicId('ledger', accounts[0]?.ledgerId ?? '');
      return { ledgerId, userId: publicId('user', userId), accounts: accounts.map(accountView) };
    },
  );
}
