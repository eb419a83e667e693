import { PARTIES } from '../../../domain/escrow/escrow.ts';
import type { EscrowView } from '../../api-types.ts';
import { html } from '../../components/html.ts';
import { moneyText } from '../../components/money.ts';
import { chosenId, oneOf } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsolePage, Form } from '../../page.ts';
import { actionPage } from './action-page.ts';
import { ACTIONS, adjustableMilestones } from './actions.ts';
import { actorField, actorOf, amountField, centsOf, choiceField, noteField, optionalCentsOf } from './fields.ts';
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

export function proposalWords({ negotiation, milestone }: Proposal, { currency }: EscrowView): Message {
  const values = {
    about: milestone === null ? t('The escrow') : (milestone.title ?? milestone.id),
    split: splitWords({ ...negotiation.splitPlan, buyer_refund_cents: '0' }, currency),
  };
  return negotiation.proposedBy === 'BUYER'
    ? t('{about}: {split}, proposed by the buyer', values)
    : t('{about}: {split}, proposed by the seller', values);
}

/**
 * The escrow's split, in proportion to what is still held: milestones may have been paid. The seller gets the cents that rounding
 * leaves. Before money is held it is the split of the whole.
 */
function splitOfHeld({ splitPlan, heldAmount }: Pick<EscrowView, 'splitPlan' | 'heldAmount'>) {
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
    button: t('Propose this split'),
    consequence: (escrow) =>
      t(
        'The other party accepts or rejects it. No money moves now. {amount} is held; what the split does not name goes back to the buyer.',
        { amount: moneyText(escrow.heldAmount, escrow.currency) },
      ),
    fields: (escrow, { refused }) => {
      const { currency } = escrow;
      const split = splitOfHeld(escrow);
      const part = (name: string, label: Message, cents: bigint, isRequired = false) =>
        amountField({ name, label, currency, cents, isRequired }, refused);
      return [
        actorField(PARTIES, refused),
        part('seller', t('Seller'), split.sellerCents, true),
        part('systemFee', t('System fee'), split.systemFeeCents),
        part('serviceFee', t('Service fee'), split.serviceFeeCents),
        noteField({ name: 'notes', label: t('Notes'), isRequired: false }, refused),
      ];
    },
    async act({ id, currency }, { api }, form) {
      const notes = form.text('notes');
      const body = {
        actor: actorOf(form, PARTIES),
        newSplitPlan: {
          seller_payout_cents: centsOf(form, 'seller', currency, t('Seller')),
          system_fee_cents: optionalCentsOf(form, 'systemFee', currency, t('System fee')),
          service_fee_cents: optionalCentsOf(form, 'serviceFee', currency, t('Service fee')),
        },
        ...(notes === '' ? {} : { notes }),
      };
      await api.post('/v1/escrow/{id}/negotiate', { path: { id }, body, idempotencyKey: form.idempotencyKey });
      return t('The split is proposed. The other party has to answer.');
    },
  }),
  actionPage({
    action: ACTIONS.adjust,
    button: t('Propose this payout'),
    consequence: () => t('The other party accepts or rejects it. No money moves now.'),
    fields: (escrow, { refused, query }) => {
      const open = adjustableMilestones(escrow);
      const asked = refused?.form.text('milestoneId') ?? query.get('milestoneId');
      const chosen = open.length === 1 ? open[0] : open.find(({ id }) => id === asked);
      return [
        actorField(PARTIES, refused),
        choiceField(
          {
            name: 'milestoneId',
            label: t('Milestone'),
            value: asked,
            options: open.map((one) => ({
              value: one.id,
              label: t('{milestone}: {amount}', {
                milestone: one.title ?? one.id,
                amount: moneyText(one.amount, escrow.currency),
              }),
            })),
          },
          refused,
        ),
        amountField(
          {
            name: 'payout',
            label: t("Seller's payout"),
            currency: escrow.currency,
            cents: chosen === undefined ? null : BigInt(chosen.sellerPayout),
          },
          refused,
        ),
        noteField({ name: 'reason', label: t('Reason'), isRequired: false }, refused),
      ];
    },
    async act({ id, currency }, { api }, form) {
      const reason = form.text('reason');
      const body = {
        actor: actorOf(form, PARTIES),
        proposedSellerPayoutCents: centsOf(form, 'payout', currency, t("Seller's payout")),
        ...(reason === '' ? {} : { reason }),
      };
      const path = { id, milestoneId: chosenId(form, 'milestoneId', 'milestone') };
      await api.post('/v1/escrow/{id}/milestones/{milestoneId}/adjust', {
        path,
        body,
        idempotencyKey: form.idempotencyKey,
      });
      return t('The payout is proposed. The other party has to answer.');
    },
  }),
  actionPage({
    action: ACTIONS.answer,
    button: t('Send the answer'),
    consequence: (escrow) =>
      html`<p>${t('An accepted proposal becomes the split of the escrow. No money moves until the release.')}</p><ul>${openProposals(
        escrow,
      ).map((proposal) => html`<li>${proposalWords(proposal, escrow)}</li>`)}</ul>`,
    fields: (escrow, { refused }) => [
      choiceField(
        {
          name: 'negotiationId',
          label: t('Proposal'),
          options: openProposals(escrow).map((proposal) => ({
            value: choiceOf(proposal),
            label: proposalWords(proposal, escrow),
          })),
        },
        refused,
      ),
      choiceField(
        {
          name: 'answer',
          label: t('Answer'),
          options: [
            { value: 'accept', label: t('Accept, in the name of the party that did not propose') },
            { value: 'reject', label: t('Reject, in the name of the party that did not propose') },
          ],
        },
        refused,
      ),
    ],
    act: answer,
  }),
];

/** The value of a proposal in the form: all that an answer needs, because a repeated form finds the proposal answered. */
function choiceOf({ negotiation: { id, proposedBy }, milestone }: Proposal): string {
  return [id, proposedBy, milestone?.id ?? ''].join(' ').trim();
}

const CHOICE = /^(?<negId>neg_[\w-]+) (?<proposedBy>BUYER|SELLER)(?: (?<milestoneId>mst_[\w-]+))?$/;

async function answer(
  escrow: EscrowView,
  { api }: Parameters<NonNullable<ConsolePage['act']>>[0],
  form: Form,
): Promise<Message> {
  const { idempotencyKey } = form;
  const { negId, proposedBy, milestoneId } = CHOICE.exec(form.text('negotiationId'))?.groups ?? {};
  if (negId === undefined) return form.refuse('negotiationId', t('Choose an option from the list.'));
  const body = { actor: proposedBy === 'BUYER' ? ('SELLER' as const) : ('BUYER' as const) };
  const isAccepted = oneOf(form, 'answer', ['accept', 'reject']) === 'accept';
  const ofEscrow = { path: { id: escrow.id, negId }, body, idempotencyKey };
  if (milestoneId === undefined) {
    if (isAccepted) await api.post('/v1/escrow/{id}/negotiate/{negId}/accept', ofEscrow);
    else await api.post('/v1/escrow/{id}/negotiate/{negId}/reject', ofEscrow);
  } else {
    const ofMilestone = { ...ofEscrow, path: { ...ofEscrow.path, milestoneId } };
    if (isAccepted) await api.post('/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/accept', ofMilestone);
    else await api.post('/v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/reject', ofMilestone);
  }
  return isAccepted ? t('The proposal is accepted.') : t('The proposal is rejected.');
}
