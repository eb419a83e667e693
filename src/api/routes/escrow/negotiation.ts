import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { findEventOf } from '../../../db/entities/stored-events.ts';
import type { EscrowSubject } from '../../../db/escrow/escrows.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { EscrowEvent, EventOf } from '../../../domain/escrow/commands.ts';
import type { EscrowStatus } from '../../../domain/escrow/escrow.ts';
import {
  type CommandId,
  commandThatMade,
  type MilestoneId,
  type NegotiationId,
  publicId,
} from '../../../domain/ids.ts';
import type { Wire } from '../../../domain/messages/wire.ts';
import { sendEscrowCommand } from '../../commands/escrow-commands.ts';
import { runOnceOnEscrow } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { cents, note, pathIds } from '../../schemas/common.ts';
import { party, SplitPlanRequest, splitPlanOf } from '../../schemas/escrow.ts';

/** Proposals for dividing the money: of the escrow as a whole, or of one milestone's payout. */

const tag = 'Negotiation';

const Negotiated = z
  .object({
    negotiationId: z.string().describe('The proposal.'),
    status: z.enum(['PENDING', 'ACCEPTED', 'REJECTED']).describe('Its state.'),
  })
  .openapi('Negotiated');
const Proposal = z
  .object({
    newSplitPlan: SplitPlanRequest,
    actor: party().describe('The side that proposes.'),
    notes: note().nullish().describe('Words for the timeline.'),
  })
  .openapi('Proposal');
const Adjustment = z
  .object({
    actor: party().describe('The side that proposes.'),
    proposedSellerPayoutCents: cents(0),
    reason: note().nullish().describe('Why, in words.'),
  })
  .openapi('Adjustment');
const Answer = z
  .object({ actor: party().describe('The side that answers: not the one that proposed.') })
  .openapi('ProposalAnswer');

const ANSWERS = [
  { verb: 'accept', command: 'accept-negotiation', status: 'ACCEPTED' },
  { verb: 'reject', command: 'reject-negotiation', status: 'REJECTED' },
] as const;

const PAYMENT_REFUSALS = ['payment_charged_back', 'user_blacklisted', 'account_frozen'] as const;

export function registerNegotiation(operation: Operations, dependencies: ApiDependencies): void {
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/negotiate',
      tag,
      summary: 'Propose another split of the held amount',
      description:
        'The other side accepts or rejects it. What the plan leaves goes back to the buyer. In a dispute it is a settlement.',
      access: tenant('operate'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params: pathIds({ id: 'escrow' }),
      body: Proposal,
      unknownFields: 'refused',
      success: ok(Negotiated),
      refusals: ['not_found', 'wrong_state', 'precondition_failed', 'split_exceeds_held', 'negotiation_pending'],
    },
    ({ params: { id }, body: { newSplitPlan, actor, notes }, c }) =>
      runOnceOnEscrow(c, dependencies, id, async (escrow, commandId) => {
        const proposal = { commandId, actor, plan: splitPlanOf(newSplitPlan) };
        const result = await sendEscrowCommand(dependencies, escrow, 'negotiate', proposal, { notes: notes ?? null });
        return proposedView(result);
      }),
  );
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/milestones/{milestoneId}/adjust',
      tag,
      summary: 'Propose another payout for a milestone',
      description:
        'The other side accepts or rejects it. The fees stay, and the rest goes back to the buyer at the release.',
      access: tenant('operate'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params: pathIds({ id: 'escrow', milestoneId: 'milestone' }),
      body: Adjustment,
      unknownFields: 'refused',
      success: ok(Negotiated),
      refusals: ['not_found', 'wrong_state', 'precondition_failed', 'split_exceeds_held', 'negotiation_pending'],
    },
    async ({ params: { id, milestoneId }, body, c }) => {
      const { actor, proposedSellerPayoutCents: sellerPayoutCents, reason } = body;
      return runOnceOnEscrow(c, dependencies, id, async (escrow, commandId) => {
        const proposal = { commandId, actor, milestoneId, sellerPayoutCents };
        const result = await sendEscrowCommand(dependencies, escrow, 'adjust-milestone', proposal, {
          reason: reason ?? null,
        });
        return proposedView(result);
      });
    },
  );

  for (const kind of ANSWERS) registerAnswer(operation, dependencies, kind);
}

/** Accepting and rejecting a proposal of the escrow or of a milestone: four operations of one shape. */
function registerAnswer(operation: Operations, dependencies: ApiDependencies, kind: (typeof ANSWERS)[number]): void {
  const { verb, command, status } = kind;
  const common = {
    method: 'post',
    tag,
    access: tenant('operate'),
    idempotency: 'accepted',
    precondition: 'accepted',
    body: Answer,
    success: ok(Negotiated),
    refusals: ['not_found', 'wrong_state', 'precondition_failed', 'own_proposal', 'split_exceeds_held'],
  } as const;
  // Of a settlement, which pays at once.
  const refusals = [...common.refusals, ...(verb === 'accept' ? PAYMENT_REFUSALS : [])];
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
    return { negotiationId: publicId('negotiation', negotiationId), status };
  };

  operation(
    {
      ...common,
      path: `/v1/escrow/{id}/negotiate/{negId}/${verb}`,
      summary: `${verb === 'accept' ? 'Accept' : 'Reject'} the proposed split`,
      description: 'By the side that did not propose it. In a dispute, an accepted proposal is paid at once.',
      refusals,
      params: pathIds({ id: 'escrow', negId: 'negotiation' }),
    },
    ({ params: { id, negId: negotiationId }, body: { actor }, c }) =>
      runOnceOnEscrow(c, dependencies, id, (escrow, commandId) =>
        send(escrow, { commandId, actor, negotiationId, milestoneId: null }),
      ),
  );
  operation(
    {
      ...common,
      path: `/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/${verb}`,
      summary: `${verb === 'accept' ? 'Accept' : 'Reject'} the proposed payout of a milestone`,
      description: 'By the side that did not propose it.',
      params: pathIds({ id: 'escrow', milestoneId: 'milestone', negId: 'negotiation' }),
    },
    ({ params: { id, milestoneId, negId: negotiationId }, body: { actor }, c }) =>
      runOnceOnEscrow(c, dependencies, id, (escrow, commandId) =>
        send(escrow, { commandId, actor, negotiationId, milestoneId }),
      ),
  );
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
    findEventOf<EscrowEvent, EscrowStatus>(em, 'escrow', escrow.state.terms.companyId, escrow.id, proposed),
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
