import { PARTIES } from '../../../domain/escrow/escrow.ts';
import type { EscrowView } from '../../api-types.ts';
import { select } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { moneyText } from '../../components/money.ts';
import type { ConsolePage, Form } from '../../page.ts';
import { actionPage } from './action-page.ts';
import { ACTIONS } from './actions.ts';
import { actorField, actorOf, amountField, centsOf, noteField } from './fields.ts';
import { splitWords } from './story.ts';

/** Proposals about the split of the money, and their answers. */

type Proposal = {
  readonly negotiation: NonNullable<EscrowView['openNegotiation']>;
  /** Null: about the escrow as a whole. */
  readonly milestone: EscrowView['milestones'][number] | null;
};

export function openProposals(escrow: EscrowView): readonly Proposal[] {
  const whole = escrow.openNegotiation === null ? [] : [{ negotiation: escrow.openNegotiation, milestone: null }];
  const parts = escrow.milestones.flatMap((milestone) =>
    milestone.openNegotiation === null ? [] : [{ negotiation: milestone.openNegotiation, milestone }],
  );
  return [...whole, ...parts];
}

export function proposalWords({ negotiation, milestone }: Proposal, { currency }: EscrowView): string {
  const about = milestone === null ? 'The escrow' : (milestone.title ?? milestone.id);
  const by = negotiation.proposedBy === 'BUYER' ? 'the buyer' : 'the seller';
  return `${about}: ${splitWords({ ...negotiation.splitPlan, buyer_refund_cents: '0' }, currency)}, proposed by ${by}`;
}

/**
 * The escrow's split, in proportion to what is still held: milestones may have been paid. The seller gets the cents that rounding
 * leaves. Before money is held it is the split of the whole.
 */
export function splitOfHeld({ splitPlan, heldAmount }: Pick<EscrowView, 'splitPlan' | 'heldAmount'>) {
  const [seller, systemFee, serviceFee] = [
    BigInt(splitPlan.seller_payout_cents),
    BigInt(splitPlan.system_fee_cents),
    BigInt(splitPlan.service_fee_cents),
  ];
  const whole = seller + systemFee + serviceFee;
  const held = BigInt(heldAmount);
  if (held === 0n || held >= whole)
    return { sellerCents: seller, systemFeeCents: systemFee, serviceFeeCents: serviceFee };
  const systemFeeCents = (systemFee * held) / whole;
  const serviceFeeCents = (serviceFee * held) / whole;
  return { sellerCents: held - systemFeeCents - serviceFeeCents, systemFeeCents, serviceFeeCents };
}

export const PROPOSAL_PAGES: readonly ConsolePage[] = [
  actionPage({
    action: ACTIONS.propose,
    button: 'Propose this split',
    consequence: (escrow) =>
      `The other party accepts or rejects it. No money moves now. ${moneyText(escrow.heldAmount, escrow.currency)} is held; what the split does not name goes back to the buyer.`,
    fields: (escrow, { attempt }) => {
      const { currency } = escrow;
      const split = splitOfHeld(escrow);
      const part = (name: string, label: string, cents: bigint) =>
        amountField({ name, label, currency, cents }, attempt);
      return [
        actorField(PARTIES, attempt),
        part('seller', 'Seller', split.sellerCents),
        part('systemFee', 'System fee', split.systemFeeCents),
        part('serviceFee', 'Service fee', split.serviceFeeCents),
        noteField({ name: 'notes', label: 'Notes', isRequired: false }, attempt),
      ];
    },
    async act({ id, currency }, { api }, form) {
      const notes = form.text('notes');
      const cents = (name: string, label: string) => Number(centsOf(form, name, currency, label));
      const body = {
        actor: actorOf(form, PARTIES),
        newSplitPlan: {
          seller_payout_cents: cents('seller', 'Seller'),
          system_fee_cents: cents('systemFee', 'System fee'),
          service_fee_cents: cents('serviceFee', 'Service fee'),
        },
        ...(notes === '' ? {} : { notes }),
      };
      await api.post('/v1/escrow/{id}/negotiate', { path: { id }, body, idempotencyKey: form.idempotencyKey });
      return 'The split is proposed. The other party has to answer.';
    },
  }),
  actionPage({
    action: ACTIONS.adjust,
    button: 'Propose this payout',
    consequence: () => 'The other party accepts or rejects it. No money moves now.',
    fields: (escrow, { attempt, query }) => {
      const open = escrow.milestones.filter(({ status }) => status === 'PENDING');
      const chosen = query.get('milestoneId');
      const first = open.find(({ id }) => id === chosen) ?? open[0];
      return [
        actorField(PARTIES, attempt),
        select({
          name: 'milestoneId',
          label: 'Milestone',
          isRequired: true,
          value: attempt?.form.text('milestoneId') ?? first?.id,
          options: open.map((one) => ({
            value: one.id,
            label: `${one.title ?? one.id}: ${moneyText(one.amount, escrow.currency)}`,
          })),
        }),
        amountField(
          {
            name: 'payout',
            label: "Seller's payout",
            currency: escrow.currency,
            cents: BigInt(first?.sellerPayout ?? 0),
          },
          attempt,
        ),
        noteField({ name: 'reason', label: 'Reason', isRequired: false }, attempt),
      ];
    },
    async act({ id, currency }, { api }, form) {
      const reason = form.text('reason');
      const body = {
        actor: actorOf(form, PARTIES),
        proposedSellerPayoutCents: Number(centsOf(form, 'payout', currency, "Seller's payout")),
        ...(reason === '' ? {} : { reason }),
      };
      const path = { id, milestoneId: form.text('milestoneId') };
      await api.post('/v1/escrow/{id}/milestones/{milestoneId}/adjust', {
        path,
        body,
        idempotencyKey: form.idempotencyKey,
      });
      return 'The payout is proposed. The other party has to answer.';
    },
  }),
  actionPage({
    action: ACTIONS.answer,
    button: 'Send the answer',
    consequence: (escrow) =>
      html`<p>An accepted proposal becomes the split of the escrow. No money moves until the release.</p><ul>${openProposals(
        escrow,
      ).map((proposal) => html`<li>${proposalWords(proposal, escrow)}</li>`)}</ul>`,
    fields: (escrow, { attempt }) => [
      select({
        name: 'negotiationId',
        label: 'Proposal',
        isRequired: true,
        value: attempt?.form.text('negotiationId'),
        options: openProposals(escrow).map((proposal) => ({
          value: proposal.negotiation.id,
          label: proposalWords(proposal, escrow),
        })),
      }),
      select({
        name: 'answer',
        label: 'Answer',
        isRequired: true,
        value: attempt?.form.text('answer'),
        options: [
          { value: 'accept', label: 'Accept, in the name of the party that did not propose' },
          { value: 'reject', label: 'Reject, in the name of the party that did not propose' },
        ],
      }),
    ],
    act: answer,
  }),
];

async function answer(
  escrow: EscrowView,
  { api }: Parameters<NonNullable<ConsolePage['act']>>[0],
  form: Form,
): Promise<string> {
  const { idempotencyKey } = form;
  const proposal = openProposals(escrow).find(({ negotiation }) => negotiation.id === form.text('negotiationId'));
  if (proposal === undefined) return form.refuse('negotiationId', 'The proposal is not open any more.');
  const { negotiation, milestone } = proposal;
  const body = { actor: negotiation.proposedBy === 'BUYER' ? ('SELLER' as const) : ('BUYER' as const) };
  const isAccepted = form.text('answer') === 'accept';
  const ofEscrow = { path: { id: escrow.id, negId: negotiation.id }, body, idempotencyKey };
  if (milestone === null) {
    if (isAccepted) await api.post('/v1/escrow/{id}/negotiate/{negId}/accept', ofEscrow);
    else await api.post('/v1/escrow/{id}/negotiate/{negId}/reject', ofEscrow);
  } else {
    const ofMilestone = { ...ofEscrow, path: { ...ofEscrow.path, milestoneId: milestone.id } };
    if (isAccepted) await api.post('/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/accept', ofMilestone);
    else await api.post('/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/reject', ofMilestone);
  }
  return isAccepted ? 'The proposal is accepted.' : 'The proposal is rejected.';
}
