import { inTenant } from '../../../db/core/orm.ts';
import {
  findReceivable,
  listReceivables,
  RECEIVABLE_SORTS,
  RECEIVABLE_STATUSES,
} from '../../../db/treasury/receivable-reads.ts';
import { settleReceivable } from '../../../db/treasury/receivables.ts';
import { idMadeBy } from '../../../domain/ids.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { id, pathIds } from '../../schemas/common.ts';
import { anyOf, changedBetween, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { Receivable, receivableView, SettlementRequest } from '../../schemas/receivable.ts';

const tag = 'Treasury';

const ReceivableQuery = listing('page', RECEIVABLE_SORTS, '-createdAt').extend({
  status: anyOf(RECEIVABLE_STATUSES).optional(),
  escrowId: id('escrow').optional().describe('The escrow.'),
  ...changedBetween(),
});

export function registerReceivables(operation: Operations, dependencies: ApiDependencies): void {
  const { orm } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/treasury/receivables',
      tag,
      summary: 'What others owe the company, newest first',
      description: 'Debts that arose when money was taken back after it had been paid out.',
      access: tenant('read'),
      query: ReceivableQuery,
      success: ok(pageResponse(Receivable)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, RECEIVABLE_SORTS);
      const found = await inTenant(orm, companyId, (em) => listReceivables(em, companyId, filter, page));
      describeList(c, query, found);
      return { data: found.records.map(receivableView), total: found.total };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/treasury/receivables/{id}/settle',
      tag,
      summary: 'Settle a receivable, or a part of it',
      description:
        'Money that arrives later is a deposit or a receipt of the user; the source BALANCE then takes it from their account. ' +
        'WRITE_OFF takes it from the COMPANY account, and nobody owes it any more.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      params: pathIds({ id: 'transaction' }),
      body: SettlementRequest,
      unknownFields: 'refused',
      success: ok(Receivable),
      refusals: ['not_found', 'wrong_state', 'insufficient_funds', 'account_frozen', 'idempotency_key_reused'],
    },
    ({ params: { id: receivableId }, body: { source, amount, reason: note }, companyId, c }) =>
      changeOnce(c, dependencies, async (em, commandId) => {
        const transactionId = idMadeBy('transaction', commandId);
        const amountCents = amount ?? null;
        await settleReceivable(em, { transactionId, companyId, receivableId, source, amountCents, note });
        const settled = await findReceivable(em, companyId, receivableId);
        if (settled === null) throw new Error('a settled receivable was not found');
        return receivableView(settled);
      }),
  );
}
