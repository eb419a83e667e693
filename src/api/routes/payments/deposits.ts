import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { takeInUser } from '../../../db/identity/registrations.ts';
import { findTransaction } from '../../../db/ledger/transactions.ts';
import type { DepositDone } from '../../../db/payments/deposits.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId } from '../../../domain/ids.ts';
import { submitOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { created, type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { cents, currency, id, idSchema, pathIds, text } from '../../schemas/common.ts';
import { Transaction, transactionView } from '../../schemas/ledger.ts';

const tags = ['Payments'];

const DepositRequest = z
  .object({
    userId: id('user')
      .nullish()
      .openapi({
        ...idSchema('user'),
        type: ['string', 'null'],
        description:
          'Whose account gets the money. Absent: the user whose `customReference` equals `userReference` or ' +
          "`externalReference`, else the company's COMPANY account.",
      }),
    amount: cents(),
    currency: currency(),
    externalReference: text().nullish(),
    userReference: text().nullish(),
    isTransit: z
      .boolean()
      .nullish()
      .openapi({ description: 'The money is not settled yet: it counts in the balance and is held.' }),
  })
  .openapi('DepositRequest');

const Deposit = Transaction.extend({ accountId: z.string() });

/** The deposit in the response. */
export function depositAnswer({ transaction, accountId }: DepositDone): { status: 201; body: z.input<typeof Deposit> } {
  return { status: 201, body: { ...transactionView(transaction), accountId: publicId('account', accountId) } };
}

export function registerDeposits(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm } = dependencies;
  const create = createRoute({
    method: 'post',
    path: '/v1/payments/deposit',
    tags,
    summary: 'Record a deposit for a user or the company',
    description:
      'Where a bank capture has the same amount, currency and reference (compared with externalReference and userReference), the ' +
      'money is booked already: 409 `duplicate_reference`, with the id of the capture in `duplicateOf`.',
    ...tenant(guard, 'manage_money', { idempotency: 'required' }),
    request: json(DepositRequest),
    responses: {
      ...created(Deposit),
      ...refusals('unknown_user', 'duplicate_reference', 'amount_too_large', 'idempotency_key_reused'),
    },
  });
  const get = createRoute({
    method: 'get',
    path: '/v1/payments/transaction/{id}',
    tags,
    summary: 'One transaction of the company',
    ...tenant(guard, 'read'),
    request: { params: pathIds({ id: 'transaction' }) },
    responses: { ...ok(Transaction), ...refusals('not_found') },
  });

  app.openapi(create, async (c) => {
    const input = c.req.valid('json');
    const userId =
      input.userId == null ? null : await takeInUser(orm, dependencies.cipher, c.get('companyId'), input.userId);
    const { status, body } = await submitOnce<201, z.input<typeof Deposit>>(c, (once) =>
      dependencies.deposit(once, {
        companyId: c.get('companyId'),
        userId,
        amountCents: input.amount,
        currency: input.currency,
        externalReference: input.externalReference ?? null,
        userReference: input.userReference ?? null,
        isTransit: input.isTransit ?? false,
      }),
    );
    return c.json(body, status);
  });

  app.openapi(get, async (c) => {
    const { id: transactionId } = c.req.valid('param');
    const transaction = await inTenant(orm, c.get('companyId'), (em) =>
      findTransaction(em, c.get('companyId'), transactionId),
    );
    if (transaction === null) throw new Refusal('not_found', 'transaction not found');
    return c.json(transactionView(transaction), 200);
  });
}
