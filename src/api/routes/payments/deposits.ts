import { z } from '@hono/zod-openapi';
import { readTenant } from '../../../db/core/orm.ts';
import { takeInUser } from '../../../db/identity/registrations.ts';
import { findTransaction } from '../../../db/ledger/transactions.ts';
import type { DepositAnswer, DepositDone } from '../../../db/payments/deposits.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId } from '../../../domain/ids.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { created, type Operations, ok, tenant } from '../../operation.ts';
import { cents, currency, defaultsTo, id, pathIds, text, textOrNull } from '../../schemas/common.ts';
import { Transaction, transactionView } from '../../schemas/ledger.ts';

const tag = 'Payments';

const DepositRequest = z
  .object({
    userId: id('user')
      .nullish()
      .openapi({
        ...textOrNull,
        description:
          'Whose account gets the money. Absent: the user whose `customReference` equals `userReference` or ' +
          "`externalReference`, else the company's COMPANY account.",
      }),
    amount: cents(),
    currency: currency(),
    externalReference: text()
      .nullish()
      .describe("The reference of the payment. Unique in the company, except where it is a user's customReference."),
    userReference: text().nullish().describe('A memo of the payer.'),
    isTransit: defaultsTo(z.boolean(), false).describe(
      'The money is not settled yet: it counts in the balance and is held.',
    ),
  })
  .openapi('DepositRequest');

const Deposit = Transaction.extend({ accountId: z.string().describe('The account.') });

/** The deposit in the response. */
export function depositAnswer({
  transaction,
  accountId,
}: DepositDone): DepositAnswer & { status: 201; body: z.input<typeof Deposit> } {
  return { status: 201, body: { ...transactionView(transaction), accountId: publicId('account', accountId) } };
}

export function registerDeposits(operation: Operations, dependencies: ApiDependencies): void {
  const { orm } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/payments/deposit',
      tag,
      summary: 'Record a deposit for a user or the company',
      description:
        'Where a bank capture has the same amount, currency and reference (compared with externalReference and userReference), the ' +
        'money is booked already: 409 `duplicate_reference`, with the id of the capture in `duplicateOf`.',
      access: tenant('manage_money'),
      idempotency: 'required',
      body: DepositRequest,
      unknownFields: 'refused',
      success: created(Deposit),
      refusals: [
        'too_many_requests',
        'unknown_user',
        'duplicate_reference',
        'amount_too_large',
        'idempotency_key_reused',
      ],
    },
    async ({ body: input, companyId, c }) => {
      const userId = input.userId == null ? null : await takeInUser(orm, dependencies.cipher, companyId, input.userId);
      const request = {
        companyId,
        userId,
        amountCents: input.amount,
        currency: input.currency,
        externalReference: input.externalReference ?? null,
        userReference: input.userReference ?? null,
        isTransit: input.isTransit,
      };
      return changeOnce(c, dependencies, { submit: (once) => dependencies.deposit(once, request) });
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/payments/transaction/{id}',
      tag,
      summary: 'One transaction of the company',
      description: 'Of any type: a deposit, a hold, a payment, a withdrawal.',
      access: tenant('read'),
      params: pathIds({ id: 'transaction' }),
      success: ok(Transaction),
      refusals: ['not_found'],
    },
    async ({ params: { id: transactionId }, companyId }) => {
      const transaction = await readTenant(orm, companyId, (em) => findTransaction(em, companyId, transactionId));
      if (transaction === null) throw new Refusal('not_found', 'transaction not found');
      return transactionView(transaction);
    },
  );
}
