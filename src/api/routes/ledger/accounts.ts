import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { requireUser } from '../../../db/identity/users.ts';
import { findLastFreeze } from '../../../db/ledger/account-freeze.ts';
import { countAccounts, findAccount, findAccounts } from '../../../db/ledger/accounts.ts';
import { verifyLedger } from '../../../db/ledger/verify.ts';
import { payableCents } from '../../../db/treasury/cash-backing.ts';
import { Refusal } from '../../../domain/errors.ts';
import { minCents } from '../../../domain/money.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import { centsText, pathIds } from '../../schemas/common.ts';
import {
  Account,
  accountView,
  LastFreeze,
  LedgerSummary,
  lastFreezeView,
  ledgerSummary,
} from '../../schemas/ledger.ts';
import { paging } from '../../schemas/lists.ts';

const tags = ['Ledger'];

const Integrity = z
  .object({
    ok: z.boolean(),
    checkedAccounts: z.int(),
    checkedTransactions: z.int(),
    mismatches: z.array(z.record(z.string(), z.unknown())),
    chainHead: z.string().nullable(),
    unsealedTransactions: z.int(),
    durationMs: z.int(),
  })
  .openapi('LedgerIntegrity');

export function registerAccounts(app: Api, { orm, reads, settings }: ApiDependencies, guard: Guard): void {
  const userAccounts = createRoute({
    method: 'get',
    path: '/v1/ledger/user/{userId}/accounts',
    tags,
    summary: "A user's accounts",
    ...tenant(guard, 'read'),
    request: { params: pathIds({ userId: 'user' }) },
    responses: { ...ok(z.array(Account)), ...refusals('not_found') },
  });
  const companyAccounts = createRoute({
    method: 'get',
    path: '/v1/ledger/company/accounts',
    tags,
    summary: "The company's own accounts: fees, taxes, system operations",
    ...tenant(guard, 'read'),
    request: { query: paging('array') },
    responses: { ...ok(z.array(Account)), ...refusals() },
  });
  const account = createRoute({
    method: 'get',
    path: '/v1/ledger/accounts/{accountId}',
    tags,
    summary: 'One account and the ledger it belongs to',
    ...tenant(guard, 'read'),
    request: { params: pathIds({ accountId: 'account' }) },
    responses: {
      ...ok(
        Account.extend({
          withdrawable_balance: centsText(),
          ledger: LedgerSummary,
          last_freeze: LastFreeze.nullable().openapi({
            description: 'The latest freezing or unfreezing of the account. Null: it was never frozen.',
          }),
        }),
      ),
      ...refusals('not_found'),
    },
  });
  const verify = createRoute({
    method: 'get',
    path: '/v1/ledger/verify-ledger-integrity',
    tags,
    summary: 'Recompute every balance and hash; a super administrator audits all companies',
    ...tenant(guard, 'read'),
    responses: { ...ok(Integrity), ...refusals() },
  });

  app.openapi(userAccounts, async (c) => {
    const { userId } = c.req.valid('param');
    const accounts = await inTenant(orm, c.var.companyId, async (em) => {
      const user = await requireUser(em, c.var.companyId, userId);
      return findAccounts(em, c.var.companyId, { userId: user.id });
    });
    return c.json(accounts.map(accountView), 200);
  });

  app.openapi(companyAccounts, async (c) => {
    const page = c.req.valid('query');
    const filter = { isCompanyOwned: true } as const;
    const { accounts, total } = await reads(c.var.companyId, async (em) => ({
      accounts: await findAccounts(em, c.var.companyId, filter, page),
      total: await countAccounts(em, c.var.companyId, filter),
    }));
    describeList(c, page, { total, records: accounts });
    return c.json(accounts.map(accountView), 200);
  });

  app.openapi(verify, async (c) => {
    const scope = c.var.principal.role === 'SUPER_ADMIN' ? null : c.var.companyId;
    const { kept: _, ...result } = await verifyLedger(orm.em.fork(), scope);
    return c.json(result, 200);
  });

  app.openapi(account, async (c) => {
    const { accountId } = c.req.valid('param');
    const { companyId } = c.var;
    const { found, payable, freeze } = await inTenant(orm, companyId, async (em) => {
      const record = await findAccount(em, companyId, { id: accountId });
      const isLimited = settings.mustPayoutsBeBacked && record !== null;
      return {
        found: record,
        payable: isLimited ? await payableCents(em, companyId, record.currency) : null,
        freeze: await findLastFreeze(em, companyId, accountId),
      };
    });
    if (found === null) throw new Refusal('not_found', 'account not found');
    const withdrawable = withdrawableCents(found.balanceCents - found.heldCents, payable);
    return c.json(
      {
        ...accountView(found),
        withdrawable_balance: withdrawable.toString(),
        ledger: ledgerSummary(found),
        last_freeze: freeze && lastFreezeView(freeze),
      },
      200,
    );
  });
}

/** The amount that can be withdrawn from an account, tax included: the available balance, limited by the company's cash. */
function withdrawableCents(availableCents: bigint, payable: bigint | null): bigint {
  const covered = payable === null ? availableCents : minCents(availableCents, payable);
  return covered < 0n ? 0n : covered;
}
