import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { findEventOf } from '../../../db/entities/stored-events.ts';
import type { EscrowSubject } from '../../../db/escrow/escrows.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { EscrowEvent, EventOf } from '../../../domain/escrow/escrow.ts';
import type { EscrowStatus } from '../../../domain/escrow/transitions.ts';
import {
  type CommandId,
  commandThatMade,
  type MilestoneId,
  type NegotiationId,
  publicId,
} from '../../../domain/ids.ts';
import type { Wire } from '../../../domain/messages/wire.ts';
import { runOnceOnEscrow, sendEscrowCommand } from '../../commands/escrow-commands.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { cents, note, pathIds } from '../../schemas/common.ts';
import { party, SplitPlanRequest, splitPlanOf } from '../../schemas/escrow.ts';

/** Proposals for dividing the money: of the escrow as a whole, or of one milestone's payout. */

const tags = ['Negotiation'];

const Negotiated = z
  .object({ negotiationId: z.string(), status: z.enum(['PENDING', 'ACCEPTED', 'REJECTED']) })
  .openapi('Negotiated');
const Proposal = z
  .object({ newSplitPlan: SplitPlanRequest, actor: party(), notes: note().nullish() })
  .openapi('Proposal');
const Adjustment = z
  .object({ actor: party(), proposedSellerPayoutCents: cents(0), reason: note().nullish() })
  .openapi('Adjustment');
const Answer = z.object({ actor: party() }).openapi('ProposalAnswer');

const ANSWERS = [
  { verb: 'accept', command: 'accept-negotiation', status: 'ACCEPTED' },
  { verb: 'reject', command: 'reject-negotiation', status: 'REJECTED' },
] as const;

export function registerNegotiation(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const negotiate = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/negotiate',
    tags,
    summary: 'Propose another split of the held amount',
    ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
    request: { params: pathIds({ id: 'escrow' }), ...json(Proposal) },
    responses: {
      ...ok(Negotiated),
      ...refusals('not_found', 'wrong_state', 'precondition_failed', 'split_exceeds_held', 'negotiation_pending'),
    },
  });
  app.openapi(negotiate, async (c) => {
    const { newSplitPlan, actor, notes } = c.req.valid('json');
    const { id } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, id, async (escrow, commandId) => {
      const proposal = { commandId, actor, plan: splitPlanOf(newSplitPlan) };
      const result = await sendEscrowCommand(dependencies, escrow, 'negotiate', proposal, { notes: notes ?? null });
      return { status: 200, body: proposedView(result) };
    });
    return c.json(answer.body, answer.status);
  });

  const adjust = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/milestones/{milestoneId}/adjust',
    tags,
    summary: 'Propose another payout for a milestone',
    ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
    request: { params: pathIds({ id: 'escrow', milestoneId: 'milestone' }), ...json(Adjustment) },
    responses: {
      ...ok(Negotiated),
      ...refusals('not_found', 'wrong_state', 'precondition_failed', 'split_exceeds_held', 'negotiation_pending'),
    },
  });
  app.openapi(adjust, async (c) => {
    const { actor, proposedSellerPayoutCents: sellerPayoutCents, reason } = c.req.valid('json');
    const { id, milestoneId } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, id, async (escrow, commandId) => {
      const proposal = { commandId, actor, milestoneId, sellerPayoutCents };
      const result = await sendEscrowCommand(dependencies, escrow, 'adjust-milestone', proposal, {
        reason: reason ?? null,
      });
      return { status: 200, body: proposedView(result) };
    });
    return c.json(answer.body, answer.status);
  });

  for (const kind of ANSWERS) registerAnswer(app, dependencies, guard, kind);
}

/** Accepting and rejecting a proposal of the escrow or of a milestone: four operations of one shape. */
function registerAnswer(app: Api, dependencies: ApiDependencies, guard: Guard, kind: (typeof ANSWERS)[number]): void {
  const { verb, command, status } = kind;
  const common = {
    method: 'post',
    tags,
    ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
  } as const;
  const responses = {
    ...ok(Negotiated),
    ...refusals('not_found', 'wrong_state', 'precondition_failed', 'own_proposal', 'split_exceeds_held'),
  };
  const ofEscrow = createRoute({
    ...common,
    path: `/v1/escrow/{id}/negotiate/{negId}/${verb}`,
    summary: `${verb === 'accept' ? 'Accept' : 'Reject'} the proposed split`,
    request: { params: pathIds({ id: 'escrow', negId: 'negotiation' }), ...json(Answer) },
    responses,
  });
  const ofMilestone = createRoute({
    ...common,
    path: `/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/${verb}`,
    summary: `${verb === 'accept' ? 'Accept' : 'Reject'} the proposed payout of a milestone`,
    request: {
      params: pathIds({ id: 'escrow', milestoneId: 'milestone', negId: 'negotiation' }),
      ...json(Answer),
    },
    responses,
  });
  const send = async (
    escrow: EscrowSubject,
    fields: {
      commandId: CommandId;
      actor: 'BUYER' | 'SELLER';
      negotiationId: NegotiationId;
      milestoneId: MilestoneId | null;
    },
  ) => {
    const result = await sendEscrowCommand(dependencies, escrow, command, fields).catch(async (error: unknown) => {
      throw (await isLongClosed(dependencies, escrow, fields, error))
        ? new Refusal('wrong_state', 'the negotiation is closed')
        : error;
    });
    const { negotiationId } = result.event;
    return { status: 200 as const, body: { negotiationId: publicId('negotiation', negotiationId), status } };
  };

  app.openapi(ofEscrow, async (c) => {
    const { id, negId: negotiationId } = c.req.valid('param');
    const { actor } = c.req.valid('json');
    const answer = await runOnceOnEscrow(c, dependencies, id, (escrow, commandId) =>
      send(escrow, { commandId, actor, negotiationId, milestoneId: null }),
    );
    return c.json(answer.body, answer.status);
  });
  app.openapi(ofMilestone, async (c) => {
    const { id, milestoneId, negId: negotiationId } = c.req.valid('param');
    const { actor } = c.req.valid('json');
    const answer = await runOnceOnEscrow(c, dependencies, id, (escrow, commandId) =>
      send(escrow, { commandId, actor, negotiationId, milestoneId }),
    );
    return c.json(answer.body, answer.status);
  });
}

/**
 * Whether the proposal was closed so long ago that it is only in the events: the escrow's state keeps the latest closed proposals.
 */
async function isLongClosed(
  { orm }: ApiDependencies,
  escrow: EscrowSubject,
  target: { readonly negotiationId: NegotiationId; readonly milestoneId: MilestoneId | null },
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof Refusal && error.code === 'not_found')) return false;
  const proposed = commandThatMade(target.negotiationId);
  const found = await inTenant(orm, escrow.state.terms.companyId, (em) =>
    findEventOf<EscrowEvent, EscrowStatus>(em, 'escrow', escrow.id, proposed),
  );
  return found?.event.type === 'NEGOTIATION_PROPOSED' && found.event.negotiation.milestoneId === target.milestoneId;
}

function proposedView({
  event: { negotiation },
}: {
  readonly event: Wire<EventOf<'negotiate' | 'adjust-milestone'>>;
}): z.infer<typeof Negotiated> {
  return { negotiationId: publicId('negotiation', negotiation.negotiationId), status: 'PENDING' };
}
