import { z } from '@hono/zod-openapi';
import { asTenant } from '../../../db/core/driver.ts';
import { readTenant } from '../../../db/core/orm.ts';
import { requireUser } from '../../../db/identity/users.ts';
import { countAccounts, findAccounts, findPayingAccount } from '../../../db/ledger/accounts.ts';
import { verifyLedger } from '../../../db/ledger/verify.ts';
import { Refusal } from '../../../domain/errors.ts';
import { minCents } from '../../../domain/money.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, pathIds } from '../../schemas/common.ts';
import {
  Account,
  AccountFreeze,
  accountView,
  freezeView,
  LastFreeze,
  LedgerSummary,
  lastFreezeView,
  ledgerSummary,
} from '../../schemas/ledger.ts';
import { paging } from '../../schemas/lists.ts';

const tag = 'Ledger';

const Integrity = z
  .object({
    ok: z.boolean().describe('Whether the books are right.'),
    checkedAccounts: z.int().describe('How many accounts were summed.'),
    checkedTransactions: z.int().describe('How many transactions were summed.'),
    mismatches: z.array(z.record(z.string(), z.unknown())).describe('What is wrong.'),
    chainHead: z.string().nullable().describe('The head of the chain of hashes.'),
    unsealedTransactions: z.int().describe('Transactions that no seal covers yet.'),
    unauditedEntities: z.int().describe('Escrows, links and withdrawals that a later version changed: not audited.'),
    durationMs: z.int().describe('How long it took, in milliseconds.'),
  })
  .openapi('LedgerIntegrity');

export function registerAccounts(operation: Operations, { orm, reads, cipher, settings }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/user/{userId}/accounts',
      tag,
      summary: "A user's accounts",
      description: 'One for each currency.',
      access: tenant('read'),
      params: pathIds({ userId: 'user' }),
      success: ok(z.array(Account)),
      refusals: ['not_found'],
    },
    async ({ params: { userId }, companyId }) => {
      const accounts = await readTenant(orm, companyId, async (em) => {
        const user = await requireUser(em, companyId, userId);
        return findAccounts(em, companyId, { userId: user.id });
      });
      return accounts.map(accountView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/company/accounts',
      tag,
      summary: "The company's own accounts: fees, taxes, system operations",
      description: 'One of each type and currency.',
      access: tenant('read'),
      query: paging('array'),
      success: ok(z.array(Account)),
    },
    async ({ query: page, companyId, c }) => {
      const filter = { isCompanyOwned: true } as const;
      const { accounts, total } = await reads(companyId, async (em) => ({
        accounts: await findAccounts(em, companyId, filter, page),
        total: await countAccounts(em, companyId, filter),
      }));
      describeList(c, page, { total, records: accounts });
      return accounts.map(accountView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/verify-ledger-integrity',
      tag,
      summary: 'Recompute every balance and hash; a super administrator audits all companies',
      description: 'Slow for large books. `ok` false needs a person at once.',
      access: tenant('read'),
      success: ok(Integrity),
    },
    async ({ companyId, principal }) => {
      const scope = principal.role === 'SUPER_ADMIN' ? null : companyId;
      const audit = () => verifyLedger(orm.em.fork(), scope, { cipher });
      const { kept: _, ...result } = await asTenant(scope ?? principal.companyId, audit);
      return result;
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/accounts/{accountId}',
      tag,
      summary: 'One account and the ledger it belongs to',
      description: 'With its balance now.',
      access: tenant('read'),
      params: pathIds({ accountId: 'account' }),
      success: ok(
        Account.extend({
          withdrawable_balance: centsText(),
          ledger: LedgerSummary,
          last_freeze: LastFreeze.nullable().openapi({
            description: 'The latest freezing or unfreezing of the account. Null: it was never frozen.',
          }),
          freezes: z.array(AccountFreeze).openapi({
            description: "The freezes that stand: the platform's and the company's latest. Lifting one lifts both.",
          }),
        }),
      ),
      refusals: ['not_found'],
    },
    async ({ params: { accountId }, companyId }) => {
      const found = await readTenant(orm, companyId, (em) =>
        findPayingAccount(em, companyId, accountId, settings.mustPayoutsBeBacked),
      );
      if (found === null) throw new Refusal('not_found', 'account not found');
      const { account, freezes, payableCents } = found;
      const withdrawable = withdrawableCents(account.balanceCents - account.heldCents, payableCents);
      return {
        ...accountView(account),
        withdrawable_balance: withdrawable.toString(),
        ledger: ledgerSummary(account),
        last_freeze: freezes.last && lastFreezeView(freezes.last),
        freezes: freezes.standing.map(freezeView),
      };
    },
  );
}

/** The amount that can be withdrawn from an account, tax included: the available balance, limited by the company's cash. */
function withdrawableCents(availableCents: bigint, payable: bigint | null): bigint {
  const covered = payable === null ? availableCents : minCents(availableCents, payable);
  return covered < 0n ? 0n : covered;
}
