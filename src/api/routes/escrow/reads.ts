import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { ESCROW_SORTS, findTimeline, listEscrows } from '../../../db/escrow/escrows.ts';
import { ownUserId } from '../../../db/identity/users.ts';
import { escrowSummary, escrowView } from '../../../db/views/escrow.ts';
import { ESCROW_STATUSES } from '../../../domain/escrow/transitions.ts';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { versionTag } from '../../middleware/headers.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import { id, pathIds, text } from '../../schemas/common.ts';
import { Escrow, EscrowSummary } from '../../schemas/escrow.ts';
import {
  anyOf,
  changedBetween,
  dateRange,
  isOrdered,
  listing,
  pageResponse,
  START_AFTER_END,
  splitQuery,
} from '../../schemas/lists.ts';
import { TimelineEntry, timelineEntryView } from '../../schemas/timeline.ts';

const tags = ['Escrow'];

/** `startDate` and `endDate` are this interface's names for the window that other lists call createdFrom and createdTo. */
const EscrowQuery = listing('page', ESCROW_SORTS, '-createdAt')
  .extend({
    status: anyOf(ESCROW_STATUSES).optional(),
    buyerId: id('user').optional(),
    sellerId: id('user').optional(),
    externalReference: text().optional(),
  })
  .extend(dateRange().shape)
  .extend(changedBetween())
  .refine(isOrdered, START_AFTER_END);

export function registerEscrowReads(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm, reads } = dependencies;
  const list = createRoute({
    method: 'get',
    path: '/v1/escrow',
    tags,
    summary: "The company's escrows, newest first",
    ...tenant(guard, 'read'),
    request: { query: EscrowQuery },
    responses: { ...ok(pageResponse(EscrowSummary)), ...refusals() },
  });
  const active = createRoute({
    method: 'get',
    path: '/v1/escrow/active',
    tags,
    summary: 'Escrows that are ACTIVE',
    ...tenant(guard, 'read'),
    request: { query: listing('array', ESCROW_SORTS, '-createdAt') },
    responses: { ...ok(z.array(Escrow)), ...refusals() },
  });
  const get = createRoute({
    method: 'get',
    path: '/v1/escrow/{id}',
    tags,
    summary: 'One escrow',
    ...tenant(guard, 'read'),
    request: { params: pathIds({ id: 'escrow' }) },
    responses: { ...ok(Escrow), ...refusals('not_found') },
  });
  const timeline = createRoute({
    method: 'get',
    path: '/v1/escrow/{id}/timeline',
    tags,
    summary: 'The events of an escrow, in order',
    ...tenant(guard, 'read'),
    request: { params: pathIds({ id: 'escrow' }) },
    responses: { ...ok(z.array(TimelineEntry)), ...refusals('not_found') },
  });

  app.openapi(list, async (c) => {
    const query = c.req.valid('query');
    const { page, filter } = splitQuery(query, ESCROW_SORTS);
    const { startDate, endDate, createdFrom = startDate, createdTo = endDate, ...rest } = filter;
    const { companyId } = c.var;
    const found = await reads(companyId, async (em) => {
      const [buyerId, sellerId] = [await ownUserId(em, rest.buyerId), await ownUserId(em, rest.sellerId)];
      return listEscrows(em, companyId, { ...rest, buyerId, sellerId, createdFrom, createdTo }, page);
    });
    describeList(c, query, found);
    return c.json({ data: found.records.map(escrowSummary), total: found.total }, 200);
  });

  app.openapi(active, async (c) => {
    const query = c.req.valid('query');
    const { page } = splitQuery(query, ESCROW_SORTS);
    const { companyId } = c.var;
    const found = await reads(companyId, (em) => listEscrows(em, companyId, { status: ['ACTIVE'] }, page));
    describeList(c, query, found);
    return c.json(found.records.map(escrowView), 200);
  });

  app.openapi(get, async (c) => {
    const { id: escrowId } = c.req.valid('param');
    const view = escrowView(await requireEscrow(dependencies, c.var.companyId, escrowId));
    c.header('ETag', versionTag(view.version));
    return c.json(view, 200);
  });

  app.openapi(timeline, async (c) => {
    const { id: escrowId } = c.req.valid('param');
    const { companyId } = c.var;
    await requireEscrow(dependencies, companyId, escrowId);
    const entries = await inTenant(orm, companyId, (em) => findTimeline(em, companyId, escrowId));
    return c.json(entries.map(timelineEntryView), 200);
  });
}
