import { z } from '@hono/zod-openapi';
import {
  countEscrowHistory,
  ESCROW_TRANSACTION_TYPES,
  findEscrowHistory,
  type HistoryParty,
  type HistoryRecord,
} from '../../../db/escrow/escrow-history.ts';
import { type CompanyId, publicId } from '../../../domain/ids.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../../domain/ledger/postings.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, currency, timestamp } from '../../schemas/common.ts';
import { dateRange, isOrdered, paging, startAfterEnd } from '../../schemas/lists.ts';

const Party = z.object({
  id: z.string().describe('Its id.'),
  first_name: z.string().nullable().describe('The first name.'),
});

const HistoryEntry = z
  .object({
    id: z.string().describe('Its id.'),
    status: z.enum(TRANSACTION_STATUSES),
    type: z
      .enum(TRANSACTION_TYPES)
      .openapi({ enum: [...ESCROW_TRANSACTION_TYPES], description: 'What the transaction does.' }),
    amount: centsText(),
    currency: currency(),
    company_revenue: centsText(),
    system_revenue: centsText(),
    total_amount: centsText(),
    escrowId: z.string().describe('The escrow.'),
    created_at: timestamp().describe('When it was made.'),
    buyer: Party.describe('The buyer.'),
    seller: Party.describe('The seller.'),
  })
  .openapi('EscrowHistoryEntry');

const HistoryQuery = paging('array').extend(dateRange().shape).refine(isOrdered, startAfterEnd());

export function registerEscrowHistory(operation: Operations, { reads }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/escrow/history',
      tag: 'Ledger',
      summary: "The transactions of the company's escrows with the fees of company and platform, newest first",
      description:
        'Holds, payments and refunds. For each escrow, holds less payments less refunds is what is held now.',
      access: tenant('read'),
      query: HistoryQuery,
      success: ok(z.array(HistoryEntry)),
    },
    async ({ query: { limit, offset, ...window }, companyId, c }) => {
      const { entries, total } = await reads(companyId, async (em) => ({
        entries: await findEscrowHistory(em, companyId, window, { limit, offset }),
        total: await countEscrowHistory(em, companyId, window),
      }));
      describeList(c, { limit, offset }, { total, records: entries });
      return mapInTurns(entries, (entry) => view(entry, companyId));
    },
  );
}

function view(entry: HistoryRecord, companyId: CompanyId): z.infer<typeof HistoryEntry> {
  const party = ({ id, firstName }: HistoryParty) => ({
    id: id === null ? publicId('company', companyId) : publicId('user', id),
    first_name: firstName,
  });
  return {
    id: publicId('transaction', entry.id),
    status: entry.status,
    type: entry.type,
    amount: entry.amountCents.toString(),
    currency: entry.currency,
    company_revenue: entry.companyRevenueCents.toString(),
    system_revenue: entry.systemRevenueCents.toString(),
    total_amount: entry.totalCents.toString(),
    escrowId: publicId('escrow', entry.escrowId),
    created_at: entry.createdAt.toISOString(),
    buyer: party(entry.buyer),
    seller: party(entry.seller),
  };
}
