import { z } from '@hono/zod-openapi';
import {
  hasLedger,
  type LedgerTransaction,
  listLedgerTransactions,
  TRANSACTION_SORTS,
} from '../../../db/ledger/transactions.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId } from '../../../domain/ids.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../../domain/ledger/postings.ts';
import { directionOf } from '../../../domain/ledger/statement.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, pathIds } from '../../schemas/common.ts';
import { Transaction, transactionView } from '../../schemas/ledger.ts';
import { dateRange, isOrdered, listing, splitQuery, startAfterEnd } from '../../schemas/lists.ts';
import { Direction } from '../../schemas/statement.ts';

const Entry = z.object({
  accountId: z.string().describe('The account.'),
  direction: Direction.describe('DEBIT takes from the account, CREDIT adds to it.'),
  amount: centsText(),
  balance_after: centsText(),
});

const TransactionWithEntries = Transaction.extend({ entries: z.array(Entry).describe('The entries.') }).openapi(
  'TransactionWithEntries',
);

const TransactionPage = z
  .object({
    data: z.array(TransactionWithEntries).describe('The rows of this page.'),
    total: z.int().describe('The number of rows on all pages.'),
    limit: z.int().describe('The size of a page.'),
    offset: z.int().describe('The number of rows before this page.'),
  })
  .openapi('TransactionPage');

const TransactionQuery = listing('array', TRANSACTION_SORTS, '-createdAt')
  .extend({
    type: z.enum(TRANSACTION_TYPES).optional().describe('Only those of this type.'),
    status: z.enum(TRANSACTION_STATUSES).optional().describe('Only those in this state.'),
  })
  .extend(dateRange().shape)
  .refine(isOrdered, startAfterEnd());

export function registerLedgerTransactions(operation: Operations, { reads }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/{ledgerId}/transactions',
      tag: 'Ledger',
      summary: 'The transactions of a ledger, newest first',
      description:
        'Holds and their release count, although they have no entries. Entries are those on accounts of the company: where ' +
        "the platform took a fee, its credit is on the platform's account and not shown.",
      access: tenant('read'),
      params: pathIds({ ledgerId: 'ledger' }),
      query: TransactionQuery,
      success: ok(TransactionPage),
      refusals: ['not_found'],
    },
    async ({ params: { ledgerId }, query, companyId, c }) => {
      const { limit, offset } = query;
      const { page, filter } = splitQuery(query, TRANSACTION_SORTS);
      const found = await reads(companyId, async (em) => {
        if (!(await hasLedger(em, companyId, ledgerId))) throw new Refusal('not_found', 'ledger not found');
        return listLedgerTransactions(em, companyId, ledgerId, filter, page);
      });
      describeList(c, query, found);
      return { data: await mapInTurns(found.records, view), total: found.total, limit, offset };
    },
  );
}

function view(transaction: LedgerTransaction): z.infer<typeof TransactionWithEntries> {
  return {
    ...transactionView(transaction),
    entries: transaction.entries.map((entry) => ({
      accountId: publicId('account', entry.accountId),
      direction: directionOf(entry),
      amount: (entry.amountCents < 0n ? -entry.amountCents : entry.amountCents).toString(),
      balance_after: entry.balanceAfterCents.toString(),
    })),
  };
}
