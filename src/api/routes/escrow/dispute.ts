import { z } from '@hono/zod-openapi';
import { finalSplitView } from '../../../db/views/escrow.ts';
import { ESCROW_STATUSES } from '../../../domain/escrow/escrow.ts';
import type { Shares } from '../../../domain/escrow/shares.ts';
import { publicId } from '../../../domain/ids.ts';
import { fromWire } from '../../../domain/messages/wire.ts';
import { sendEscrowCommand } from '../../commands/escrow-commands.ts';
import { runOnceOnEscrow } from '../../commands/idempotency.ts';
import { orderedBy, requireAdministrator, requireNameable } from '../../commands/ordered-by.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { id, note, pathIds, plainWebAddress, timestamp } from '../../schemas/common.ts';
import { FinalSplit, party, SplitPlanRequest, splitPlanOf } from '../../schemas/escrow.ts';

/** Disputes: opening, evidence, an administrator's decision. */

const tag = 'Disputes';
const params = pathIds({ id: 'escrow' });
const status = z.enum(ESCROW_STATUSES);

const DisputeRequest = z
  .object({ actor: party().describe('The side that opens the dispute.'), reason: note().describe('Why, in words.') })
  .openapi('DisputeRequest');
const Disputed = z.object({ status, disputeId: z.string().describe('The dispute.') }).openapi('EscrowDisputed');
const Evidence = z
  .object({
    actor: z.enum(['BUYER', 'SELLER', 'ADMIN']).describe('Whose evidence it is.'),
    note: note().describe('What the evidence shows.'),
    documentUrl: plainWebAddress(/^https?$/)
      .nullish()
      .describe('The address of a document that the parties may open.'),
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

export function registerDisputes(operation: Operations, dependencies: ApiDependencies): void {
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/dispute',
      tag,
      summary: 'Freeze the escrow until an administrator decides',
      description:
        "Until then neither release nor cancel of the buyer works; evidence, a proposal and the administrator's decision do.",
      access: tenant('operate'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params,
      body: DisputeRequest,
      success: ok(Disputed),
      refusals: ['not_found', 'wrong_state', 'precondition_failed'],
    },
    ({ params: { id: escrowId }, body: { actor, reason }, c }) =>
      runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
        const result = await sendEscrowCommand(dependencies, escrow, 'dispute', { commandId, actor }, { reason });
        const { disputeId } = result.event;
        return { status: result.status, disputeId: publicId('dispute', disputeId) };
      }),
  );
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/dispute/evidence',
      tag,
      summary: 'Add evidence to a dispute',
      description: 'By either side, or by an administrator. It stands in the timeline.',
      access: tenant('operate'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params,
      body: Evidence,
      success: ok(z.object({ status, updatedAt: timestamp().describe('When it was last changed.') })),
      refusals: ['not_found', 'wrong_state', 'precondition_failed'],
    },
    async ({ params: { id: escrowId }, body: { actor, note: notes, documentUrl }, c }) => {
      if (actor === 'ADMIN') requireAdministrator(c);
      return runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
        const content = { notes, documentUrl: documentUrl ?? null };
        const order = { commandId, actor, ...orderedBy(c) };
        const result = await sendEscrowCommand(dependencies, escrow, 'add-evidence', order, content);
        return { status: result.status, updatedAt: result.event.at };
      });
    },
  );
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/admin-resolve',
      tag,
      summary: 'Decide a dispute; the buyer gets back what the plan does not pay out',
      description: 'Final: the money is paid at once, and the escrow is RESOLVED.',
      access: tenant('resolve_disputes'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params,
      body: Resolution,
      unknownFields: 'refused',
      success: ok(Resolved),
      refusals: ['not_found', 'wrong_state', 'precondition_failed', 'split_exceeds_held', 'unknown_admin'],
    },
    ({ params: { id: escrowId }, body: { newSplitPlan, adminId, reason }, c }) =>
      runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
        await requireNameable(c, dependencies.orm, adminId);
        const decision = { commandId, plan: splitPlanOf(newSplitPlan), adminId, apiKeyId: orderedBy(c).apiKeyId };
        const result = await sendEscrowCommand(dependencies, escrow, 'admin-resolve', decision, {
          reason: reason ?? null,
        });
        const { shares } = result.event;
        return { status: result.status, finalSplit: finalSplitView(fromWire<Shares>(shares)) };
      }),
  );
}
