import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { storeText } from '../../../db/escrow/escrows.ts';
import {
  findReceivable,
  listReceivables,
  RECEIVABLE_SORTS,
  RECEIVABLE_STATUSES,
  readReceivablesAt,
  sumReceivables,
} from '../../../db/treasury/receivable-reads.ts';
import { settleReceivable } from '../../../db/treasury/receivables.ts';
import { idMadeBy } from '../../../domain/ids.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, currency, id, pathIds, timestamp } from '../../schemas/common.ts';
import { anyOf, changedBetween, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { Receivable, receivableView, SettlementRequest } from '../../schemas/receivable.ts';
import {
  answer,
  closed,
  headOf,
  lineRow,
  reportAnswer,
  reportCurrency,
  reportFormat,
  reportInstant,
  totalRow,
} from '../../statements/report-answer.ts';

const tag = 'Treasury';

const ReceivableQuery = listing('page', RECEIVABLE_SORTS, '-createdAt').extend({
  status: anyOf(RECEIVABLE_STATUSES).optional(),
  escrowId: id('escrow').optional().describe('The escrow.'),
  at: reportInstant(),
  currency: reportCurrency(),
  format: reportFormat(),
  ...changedBetween(),
});
const ReceivablePage = pageResponse(Receivable).extend({
  at: timestamp().nullable().describe('The amounts are those right before this instant. Null: those of now.'),
  totals: z
    .array(
      z.object({
        currency: currency(),
        remaining_amount: centsText().describe('The amount that is still owed. Integer cents.'),
      }),
    )
    .describe('The sums of all receivables, or of those in `currency`, without regard to page and other filters.'),
});
/** The lines of a file. */
const FILE_PAGE = { limit: 10_000, offset: 0 };

export function registerReceivables(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, pdf } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/treasury/receivables',
      tag,
      summary: 'What others owe the company, newest first',
      description: 'Debts that arose when money was taken back after it had been paid out.',
      access: tenant('read'),
      query: ReceivableQuery,
      success: reportAnswer(ReceivablePage),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, RECEIVABLE_SORTS);
      const { at: asked, format, ...conditions } = filter;
      const at = asked === undefined ? null : await closed(orm, companyId, asked);
      const isFile = format === 'csv' || format === 'pdf';
      const { found, sums, head } = await inTenant(orm, companyId, async (em) => {
        if (at !== null) await readReceivablesAt(em, at);
        return {
          found: await listReceivables(em, companyId, conditions, isFile ? { ...page, ...FILE_PAGE } : page),
          sums: await sumReceivables(em, companyId, conditions.currency),
          head: await headOf(em, companyId),
        };
      });
      if (!isFile) describeList(c, query, found);
      const data = found.records.map(receivableView);
      const totals = sums.map(({ currency: code, remainingCents }) => ({
        ...{ currency: code, remaining_amount: remainingCents.toString() },
      }));
      const { limit, offset } = query;
      const json = { data, total: found.total, limit, offset, at: at?.toISOString() ?? null, totals };
      return answer({ c, pdf }, format, json, {
        title: 'Receivables',
        ...head,
        at: at ?? new Date(),
        columns: [
          { name: 'id', title: 'Receivable', isId: true },
          { name: 'reason', title: 'Reason' },
          { name: 'created_at', title: 'Since', isInstant: true },
          { name: 'amount', title: 'Amount', isAmount: true },
          { name: 'remaining_amount', title: 'Open', isAmount: true },
        ],
        rows: [
          ...data.map(({ id: receivableId, reason, currency: code, amount, remaining_amount, created_at }) =>
            lineRow(code, { id: receivableId, reason, created_at, amount, remaining_amount }),
          ),
          ...totals.map((total) => totalRow(total.currency, total)),
        ],
      });
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
    ({ params: { id: receivableId }, body: { source, amount, reason }, companyId, c }) =>
      changeOnce(c, dependencies, async (em, commandId) => {
        const transactionId = idMadeBy('transaction', commandId);
        const amountCents = amount ?? null;
        await settleReceivable(em, { transactionId, companyId, receivableId, source, amountCents });
        await storeText(em, companyId, commandId, { reason });
        const settled = await findReceivable(em, companyId, receivableId);
        if (settled === null) throw new Error('a settled receivable was not found');
        return receivableView(settled);
      }),
  );
}
