import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { findAccount } from '../../../db/ledger/accounts.ts';
import { Refusal } from '../../../domain/errors.ts';
import { payoutDestination } from '../../commands/payout-destination.ts';
import { taxOf } from '../../commands/withdrawals.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { cents, centsText, currency, id, timestamp } from '../../schemas/common.ts';
import { allOrNone, destinationOf, optionalBankFields, SentToBankNames } from '../../schemas/treasury.ts';

const QuoteRequest = z
  .object({ accountId: id('account').describe('The account.'), amount: cents(), ...optionalBankFields })
  .superRefine(allOrNone)
  .openapi('WithdrawalQuoteRequest');
const Quote = z
  .object({
    amount: centsText(),
    taxAmount: centsText().openapi({ description: 'Transfer tax, taken on top of the amount. Integer cents.' }),
    totalAmount: centsText().openapi({ description: 'What the withdrawal takes from the account. Integer cents.' }),
    available_balance: centsText(),
    currency: currency(),
    not_before: timestamp()
      .nullable()
      .describe('The bank would get the payment no earlier, because the destination is new. Null: at once.'),
    sent_to_bank: SentToBankNames.nullable().describe(
      'The names in the payment file, in the characters that the bank takes. Null if the payment has no destination.',
    ),
  })
  .openapi('WithdrawalQuote');

export function registerWithdrawalQuote(operation: Operations, dependencies: ApiDependencies): void {
  const { orm } = dependencies;
  operation(
    {
      method: 'post',
      path: '/v1/treasury/quote',
      tag: 'Treasury',
      summary: 'The tax on a withdrawal, before it is requested',
      description:
        'Nothing is held, and nothing is promised: the withdrawal uses the rate that is in force when it is requested.',
      access: tenant('manage_money'),
      body: QuoteRequest,
      success: ok(Quote),
      refusals: ['not_found', 'account_not_owned', 'bank_details_cooling'],
    },
    async ({ body: { accountId, amount, ...bank }, companyId, principal }) => {
      const { account, taxCents, notBefore, sent } = await inTenant(orm, companyId, async (em) => {
        const found = await findAccount(em, companyId, { id: accountId });
        if (found === null) throw new Refusal('not_found', 'account not found');
        const tax = await taxOf(em, principal.role, found, amount);
        const to = await payoutDestination(em, dependencies, found, destinationOf(bank));
        return { account: found, taxCents: tax, ...to };
      });
      return {
        amount: amount.toString(),
        taxAmount: taxCents.toString(),
        totalAmount: (amount + taxCents).toString(),
        available_balance: (account.balanceCents - account.heldCents).toString(),
        currency: account.currency,
        not_before: notBefore?.toISOString() ?? null,
        sent_to_bank: sent,
      };
    },
  );
}
