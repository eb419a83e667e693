import { createRoute, z } from '@hono/zod-openapi';
import { type AccountRecord, findAccounts } from '../../../db/ledger/accounts.ts';
import { Refusal } from '../../../domain/errors.ts';
import { CURRENCY_CODES, sumCents } from '../../../domain/money.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import { centsText, currency, pathIds } from '../../schemas/common.ts';
import { Account, accountView, LedgerSummary, ledgerSummary } from '../../schemas/ledger.ts';

const Total = z.object({
  currency: currency(),
  balance: centsText(),
  held_balance: centsText(),
  available_balance: centsText(),
});

const LedgerOverview = z
  .object({ ledger: LedgerSummary, accounts: z.array(Account), totals: z.array(Total) })
  .openapi('LedgerOverview');

export function registerOverview(app: Api, { reads }: ApiDependencies, guard: Guard): void {
  const overview = createRoute({
    method: 'get',
    path: '/v1/ledger/overview/{ledgerId}',
    tags: ['Ledger'],
    summary: "A ledger's accounts and their totals per currency",
    ...tenant(guard, 'read'),
    request: { params: pathIds({ ledgerId: 'ledger' }) },
    responses: { ...ok(LedgerOverview), ...refusals('not_found') },
  });

  app.openapi(overview, async (c) => {
    const { ledgerId } = c.req.valid('param');
    const accounts = await reads(c.var.companyId, (em) => findAccounts(em, c.var.companyId, { ledgerId }));
    const [first] = accounts; // a ledger is created with its accounts
    if (first === undefined) throw new Refusal('not_found', 'ledger not found');
    return c.json({ ledger: ledgerSummary(first), accounts: accounts.map(accountView), totals: totals(accounts) }, 200);
  });
}

/** For every currency that has an account: the sum over all accounts, external accounts included. */
function totals(accounts: readonly AccountRecord[]): z.infer<typeof Total>[] {
  return CURRENCY_CODES.filter((code) => accounts.some((account) => account.currency === code)).map((code) => {
    const those = accounts.filter((account) => account.currency === code);
    const balance = sumCents(those.map(({ balanceCents }) => balanceCents));
    const held = sumCents(those.map(({ heldCents }) => heldCents));
    return {
      currency: code,
      balance: balance.toString(),
      held_balance: held.toString(),
      available_balance: (balance - held).toString(),
    };
  });
}
