import { createRoute, z } from '@hono/zod-openapi';
import { finalSplitView } from '../../../db/views/escrow.ts';
import type { Shares } from '../../../domain/escrow/shares.ts';
import { ESCROW_STATUSES } from '../../../domain/escrow/transitions.ts';
import { publicId } from '../../../domain/ids.ts';
import { fromWire } from '../../../domain/messages/wire.ts';
import { runOnceOnEscrow, sendEscrowCommand } from '../../commands/escrow-commands.ts';
import { orderedBy, requireAdministrator, requireNameable } from '../../commands/ordered-by.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { id, note, pathIds, plainWebAddress, timestamp } from '../../schemas/common.ts';
import { FinalSplit, party, SplitPlanRequest, splitPlanOf } from '../../schemas/escrow.ts';

/** Disputes: opening, evidence, an administrator's decision. */

const tags = ['Disputes'];
const params = pathIds({ id: 'escrow' });
const status = z.enum(ESCROW_STATUSES);

const DisputeRequest = z.object({ actor: party(), reason: note() }).openapi('DisputeRequest');
const Disputed = z.object({ status, disputeId: z.string() }).openapi('EscrowDisputed');
const Evidence = z
  .object({
    actor: z.enum(['BUYER', 'SELLER', 'ADMIN']),
    note: note(),
    documentUrl: plainWebAddress(/^https?$/).nullish(),
  })
  .openapi('Evidence');
const Resolution = z
  .object({
    newSplitPlan: SplitPlanRequest,
    adminId: id('administrator').openapi({
      description:
        'Who decides. With a session your own id, which the login answers as `userId`; with an API key an administrator of ' +
        "the key's company.",
    }),
    reason: note().nullish().openapi({ description: 'For both parties; the timeline keeps it.' }),
  })
  .openapi('Resolution');
const Resolved = z.object({ status, finalSplit: FinalSplit }).openapi('EscrowResolved');

export function registerDisputes(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const dispute = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/dispute',
    tags,
    summary: 'Freeze the escrow until an administrator decides',
    ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
    request: { params, ...json(DisputeRequest) },
    responses: { ...ok(Disputed), ...refusals('not_found', 'wrong_state', 'precondition_failed') },
  });
  app.openapi(dispute, async (c) => {
    const { actor, reason } = c.req.valid('json');
    const { id: escrowId } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
      const result = await sendEscrowCommand(dependencies, escrow, 'dispute', { commandId, actor }, { reason });
      const { disputeId } = result.event;
      return { status: 200, body: { status: result.status, disputeId: publicId('dispute', disputeId) } };
    });
    return c.json(answer.body, answer.status);
  });

  const evidence = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/dispute/evidence',
    tags,
    summary: 'Add evidence to a dispute',
    ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
    request: { params, ...json(Evidence) },
    responses: {
      ...ok(z.object({ status, updatedAt: timestamp() })),
      ...refusals('not_found', 'wrong_state', 'precondition_failed'),
    },
  });
  app.openapi(evidence, async (c) => {
    const { actor, note: notes, documentUrl } = c.req.valid('json');
    if (actor === 'ADMIN') requireAdministrator(c);
    const { id: escrowId } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
      const content = { notes, documentUrl: documentUrl ?? null };
      const order = { commandId, actor, ...orderedBy(c) };
      const result = await sendEscrowCommand(dependencies, escrow, 'add-evidence', order, content);
      return { status: 200, body: { status: result.status, updatedAt: result.event.at } };
    });
    return c.json(answer.body, answer.status);
  });

  const resolve = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/admin-resolve',
    tags,
    summary: 'Decide a dispute; the buyer gets back what the plan does not pay out',
    ...tenant(guard, 'resolve_disputes', { idempotency: 'accepted', precondition: 'accepted' }),
    request: { params, ...json(Resolution) },
    responses: {
      ...ok(Resolved),
      ...refusals('not_found', 'wrong_state', 'precondition_failed', 'split_exceeds_held', 'unknown_admin'),
    },
  });
  app.openapi(resolve, async (c) => {
    const { newSplitPlan, adminId, reason } = c.req.valid('json');
    const { id: escrowId } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
      await requireNameable(c, dependencies.orm, adminId);
      const decision = { commandId, plan: splitPlanOf(newSplitPlan), adminId, apiKeyId: orderedBy(c).apiKeyId };
      const result = await sendEscrowCommand(dependencies, escrow, 'admin-resolve', decision, {
        reason: reason ?? null,
      });
      const { shares } = result.event;
      return { status: 200, body: { status: result.status, finalSplit: finalSplitView(fromWire<Shares>(shares)) } };
    });
    return c.json(answer.body, answer.status);
  });
}
