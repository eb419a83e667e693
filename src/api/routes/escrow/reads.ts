import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { countEscrows, findEscrows, findTimeline } from '../../../db/escrow/escrows.ts';
import { ESCROW_STATUSES } from '../../../domain/escrow/transitions.ts';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import {
  DEFAULT_ARRAY_LIMIT,
  DEFAULT_PAGE_LIMIT,
  dateRange,
  id,
  isOrdered,
  paging,
  pathIds,
  START_AFTER_END,
  text,
} from '../../schemas/common.ts';
import {
  Escrow,
  EscrowSummary,
  escrowSummary,
  escrowView,
  TimelineEntry,
  timelineEntryView,
} from '../../schemas/escrow.ts';

const tags = ['Escrow'];

const EscrowQuery = paging(DEFAULT_PAGE_LIMIT)
  .extend({
    status: z.enum(ESCROW_STATUSES).optional(),
    buyerId: id('user').optional(),
    sellerId: id('user').optional(),
    externalReference: text().optional(),
  })
  .extend(dateRange().shape)
  .refine(isOrdered, START_AFTER_END);

export function registerEscrowReads(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm } = dependencies;
  const list = createRoute({
    method: 'get',
    path: '/v1/escrow',
    tags,
    summary: "The company's escrows, newest first",
    ...tenant(guard, 'read'),
    request: { query: EscrowQuery },
    responses: { ...ok(z.object({ data: z.array(EscrowSummary), total: z.int() })), ...refusals() },
  });
  const active = createRoute({
    method: 'get',
    path: '/v1/escrow/active',
    tags,
    summary: 'Escrows that are ACTIVE',
    ...tenant(guard, 'read'),
    request: { query: paging(DEFAULT_ARRAY_LIMIT) },
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
    summary: 'Everything that happened to it, in order',
    ...tenant(guard, 'read'),
    request: { params: pathIds({ id: 'escrow' }) },
    responses: { ...ok(z.array(TimelineEntry)), ...refusals('not_found') },
  });

  app.openapi(list, async (c) => {
    const { limit, offset, ...filter } = c.req.valid('query');
    const { companyId } = c.var;
    const { escrows, total } = await inTenant(orm, companyId, async (em) => ({
      escrows: await findEscrows(em, companyId, filter, { limit, offset }),
      total: await countEscrows(em, companyId, filter),
    }));
    return c.json({ data: escrows.map(escrowSummary), total }, 200);
  });

  app.openapi(active, async (c) => {
    const page = c.req.valid('query');
    const { companyId } = c.var;
    const filter = { status: 'ACTIVE' } as const;
    const { escrows, total } = await inTenant(orm, companyId, async (em) => ({
      escrows: await findEscrows(em, companyId, filter, page),
      total: await countEscrows(em, companyId, filter),
    }));
    c.header('X-Total-Count', String(total));
    return c.json(escrows.map(escrowView), 200);
  });

  app.openapi(get, async (c) => {
    const { id: escrowId } = c.req.valid('param');
    return c.json(escrowView(await requireEscrow(dependencies, c.var.companyId, escrowId)), 200);
  });

  app.openapi(timeline, async (c) => {
    const { id: escrowId } = c.req.valid('param');
    const { companyId } = c.var;
    await requireEscrow(dependencies, companyId, escrowId);
    const entries = await inTenant(orm, companyId, (em) => findTimeline(em, companyId, escrowId));
    return c.json(entries.map(timelineEntryView), 200);
  });
}
