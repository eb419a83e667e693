import { z } from '@hono/zod-openapi';
import { readTenant } from '../../../db/core/orm.ts';
import { ESCROW_SORTS, findTimeline, listEscrowSummaries, listEscrows } from '../../../db/escrow/escrows.ts';
import { ownUserId } from '../../../db/identity/users.ts';
import { escrowSummary, escrowView } from '../../../db/views/escrow.ts';
import { ESCROW_STATUSES } from '../../../domain/escrow/escrow.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList, pageAnswer } from '../../contract/lists.ts';
import { versionTag } from '../../middleware/headers.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { id, pathIds, text } from '../../schemas/common.ts';
import { Escrow, EscrowSummary } from '../../schemas/escrow.ts';
import {
  anyOf,
  changedBetween,
  dateRange,
  isOrdered,
  listing,
  pageResponse,
  splitQuery,
  startAfterEnd,
} from '../../schemas/lists.ts';
import { TimelineEntry, timelineEntryView } from '../../schemas/timeline.ts';

const tag = 'Escrow';

/** `startDate` and `endDate` are this interface's names for the window that other lists call createdFrom and createdTo. */
const EscrowQuery = listing('page', ESCROW_SORTS, '-createdAt')
  .extend({
    status: anyOf(ESCROW_STATUSES).optional(),
    buyerId: id('user').optional().describe('Only those of this buyer.'),
    sellerId: id('user').optional().describe('Only those of this seller.'),
    externalReference: text().optional().describe('Only those with this reference.'),
    q: text().optional().describe('Only those with this reference or invoice number, in any case.'),
  })
  .extend(dateRange().shape)
  .extend(changedBetween())
  .refine(isOrdered, startAfterEnd());

export function registerEscrowReads(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/escrow',
      tag,
      summary: "The company's escrows, newest first",
      description: 'Filters can be combined.',
      access: tenant('read'),
      query: EscrowQuery,
      success: ok(pageResponse(EscrowSummary)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, ESCROW_SORTS);
      const { startDate, endDate, createdFrom = startDate, createdTo = endDate, ...rest } = filter;
      const found = await reads(companyId, async (em) => {
        const [buyerId, sellerId] = [await ownUserId(em, rest.buyerId), await ownUserId(em, rest.sellerId)];
        return listEscrowSummaries(em, companyId, { ...rest, buyerId, sellerId, createdFrom, createdTo }, page);
      });
      return pageAnswer(c, query, found, escrowSummary);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/escrow/active',
      tag,
      summary: 'Escrows that are ACTIVE',
      description: 'In full, with items and milestones.',
      access: tenant('read'),
      query: listing('array', ESCROW_SORTS, '-createdAt'),
      success: ok(z.array(Escrow)),
    },
    async ({ query, companyId, c }) => {
      const { page } = splitQuery(query, ESCROW_SORTS);
      const found = await reads(companyId, (em) => listEscrows(em, companyId, { status: ['ACTIVE'] }, page));
      describeList(c, query, found);
      return mapInTurns(found.records, escrowView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/escrow/{id}',
      tag,
      summary: 'One escrow',
      description: 'Its `ETag` goes into `If-Match` of a command that must not meet another version.',
      access: tenant('read'),
      params: pathIds({ id: 'escrow' }),
      success: ok(Escrow),
      refusals: ['not_found'],
    },
    async ({ params: { id: escrowId }, companyId, c }) => {
      const view = escrowView(await requireEscrow(dependencies, companyId, escrowId));
      c.header('ETag', versionTag(view.version));
      return view;
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/escrow/{id}/timeline',
      tag,
      summary: 'The events of an escrow, in order',
      description: 'More kinds of entries are added in time: ignore those that you do not know.',
      access: tenant('read'),
      params: pathIds({ id: 'escrow' }),
      success: ok(z.array(TimelineEntry)),
      refusals: ['not_found'],
    },
    async ({ params: { id: escrowId }, companyId }) => {
      const entries = await readTenant(orm, companyId, (em) => findTimeline(em, companyId, escrowId));
      if (entries.length === 0) await requireEscrow(dependencies, companyId, escrowId);
      return entries.map(timelineEntryView);
    },
  );
}
