import { createRoute } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import {
  findReceivable,
  listReceivables,
  RECEIVABLE_SORTS,
  RECEIVABLE_STATUSES,
} from '../../../db/treasury/receivable-reads.ts';
import { settleReceivable } from '../../../db/treasury/receivables.ts';
import { idMadeBy } from '../../../domain/ids.ts';
import { runOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { id, pathIds } from '../../schemas/common.ts';
import { anyOf, changedBetween, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { Receivable, receivableView, SettlementRequest } from '../../schemas/receivable.ts';

const tags = ['Treasury'];

const ReceivableQuery = listing('page', RECEIVABLE_SORTS, '-createdAt').extend({
  status: anyOf(RECEIVABLE_STATUSES).optional(),
  escrowId: id('escrow').optional(),
  ...changedBetween(),
});

export function registerReceivables(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm } = dependencies;
  const list = createRoute({
    method: 'get',
    path: '/v1/treasury/receivables',
    tags,
    summary: 'What others owe the company, newest first',
    ...tenant(guard, 'read'),
    request: { query: ReceivableQuery },
    responses: { ...ok(pageResponse(Receivable)), ...refusals() },
  });
  const settle = createRoute({
    method: 'post',
    path: '/v1/treasury/receivables/{id}/settle',
    tags,
    summary: 'Settle a receivable, or a part of it',
    description:
      'Money that arrives later is a deposit or a receipt of the user; the source BALANCE then takes it from their account. ' +
      'WRITE_OFF takes it from the COMPANY account, and nobody owes it any more.',
    ...tenant(guard, 'manage_money', { idempotency: 'accepted' }),
    request: { params: pathIds({ id: 'transaction' }), ...json(SettlementRequest) },
    responses: {
      ...ok(Receivable),
      ...refusals('not_found', 'wrong_state', 'insufficient_funds', 'account_frozen', 'idempotency_key_reused'),
    },
  });

  app.openapi(list, async (c) => {
    const query = c.req.valid('query');
    const { page, filter } = splitQuery(query, RECEIVABLE_SORTS);
    const { companyId } = c.var;
    const found = await inTenant(orm, companyId, (em) => listReceivables(em, companyId, filter, page));
    describeList(c, query, found);
    return c.json({ data: found.records.map(receivableView), total: found.total }, 200);
  });

  app.openapi(settle, async (c) => {
    const { id: receivableId } = c.req.valid('param');
    const { source, amount, reason: note } = c.req.valid('json');
    const { companyId } = c.var;
    const { status, body } = await runOnce(c, dependencies, async (commandId) => {
      const transactionId = idMadeBy('transaction', commandId);
      const settled = await inTenant(orm, companyId, async (em) => {
        const amountCents = amount ?? null;
        await settleReceivable(em, { transactionId, companyId, receivableId, source, amountCents, note });
        return findReceivable(em, companyId, receivableId);
      });
      if (settled === null) throw new Error('a settled receivable was not found');
      return { status: 200, body: receivableView(settled) };
    });
    return c.json(body, status);
  });
}
