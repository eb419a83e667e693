import { z } from '@hono/zod-openapi';
import { type AccountRecord, findAccounts } from '../../../db/ledger/accounts.ts';
import { Refusal } from '../../../domain/errors.ts';
import { CURRENCY_CODES, sumCents } from '../../../domain/money.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, currency, pathIds } from '../../schemas/common.ts';
import { Account, accountView, LedgerSummary, ledgerSummary } from '../../schemas/ledger.ts';

const Total = z.object({
  currency: currency(),
  balance: centsText(),
  held_balance: centsText(),
  available_balance: centsText(),
});

const LedgerOverview = z
  .object({
    ledger: LedgerSummary,
    accounts: z.array(Account).describe('The accounts.'),
    totals: z.array(Total).describe('The sums, for each currency.'),
  })
  .openapi('LedgerOverview');

export function registerOverview(operation: Operations, { reads }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/overview/{ledgerId}',
      tag: 'Ledger',
      summary: "A ledger's accounts and their totals per currency",
      description: 'Of a user or of the company.',
      access: tenant('read'),
      params: pathIds({ ledgerId: 'ledger' }),
      success: ok(LedgerOverview),
      refusals: ['not_found'],
    },
    async ({ params: { ledgerId }, companyId }) => {
      const accounts = await reads(companyId, (em) => findAccounts(em, companyId, { ledgerId }));
      const [first] = accounts; // a ledger is created with its accounts
      if (first === undefined) throw new Refusal('not_found', 'ledger not found');
      return { ledger: ledgerSummary(first), accounts: accounts.map(accountView), totals: totals(accounts) };
    },
  );
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
