import { MAX_EXTENSION_HOURS, PARTIES } from '../../../domain/escrow/escrow.ts';
import { permits, type Role } from '../../../domain/roles.ts';
import type { EscrowView } from '../../api-types.ts';
import { textField } from '../../components/form.ts';
import { html, rich } from '../../components/html.ts';
import { moneyText } from '../../components/money.ts';
import { time } from '../../components/time.ts';
import { chosenId } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsolePage } from '../../page.ts';
import { fieldMessage } from '../../problems.ts';
import { actionPage, type EscrowAction, isAllowed } from './action-page.ts';
import type { Circumstances } from './circumstances.ts';
import { type Actor, actorField, actorOf, choiceField, noteField, wholeField, wholeOf } from './fields.ts';
import { remainingOf, splitWords } from './story.ts';

/** The actions on an escrow: which role and which state allow each, and its page below `/escrows/:id`. */

const hasOpenMilestone = ({ milestones }: EscrowView) => milestones.some(({ status }) => status === 'PENDING');
/** The open milestones about which no proposal waits for an answer. */
export const adjustableMilestones = ({ milestones }: EscrowView) =>
  milestones.filter(({ status, openNegotiation }) => status === 'PENDING' && openNegotiation === null);
const PROPOSAL_WAITS = t('Answer the open proposal first.');
/** Why no money can be released. */
export function releaseHindrance({ isSellerBlacklisted, isUnpaid }: Circumstances): Message | null {
  if (isSellerBlacklisted) return t('The seller is blacklisted, so no money can be released to them.');
  return isUnpaid ? t('The payment that funded the escrow was charged back, so it cannot be released.') : null;
}
const isProposed = (escrow: EscrowView) =>
  escrow.openNegotiation !== null || escrow.milestones.some(({ openNegotiation }) => openNegotiation !== null);

export const ACTIONS = {
  decide: {
    slug: 'decide',
    label: t('Decide the dispute'),
    command: 'admin-resolve',
    who: 'resolve_disputes',
    tone: 'primary',
  },
  release: {
    slug: 'release',
    label: t('Release the money'),
    command: 'release',
    who: 'operate',
    tone: 'primary',
    hindrance: (_, circumstances) => releaseHindrance(circumstances),
  },
  milestone: {
    slug: 'release-milestone',
    label: t('Release a milestone'),
    command: 'release-milestone',
    who: 'operate',
    tone: 'plain',
    needs: hasOpenMilestone,
    hindrance: (_, circumstances) => releaseHindrance(circumstances),
  },
  answer: {
    slug: 'answer',
    label: t('Answer a proposal'),
    command: 'accept-negotiation',
    who: 'operate',
    tone: 'plain',
    needs: isProposed,
  },
  delivery: {
    slug: 'delivery-note',
    label: t('Record the delivery'),
    command: 'delivery-note',
    who: 'operate',
    tone: 'plain',
  },
  receipt: {
    slug: 'goods-received',
    label: t('Confirm the receipt'),
    command: 'goods-received',
    who: 'operate',
    tone: 'plain',
  },
  propose: {
    slug: 'propose',
    label: t('Propose another split'),
    command: 'negotiate',
    who: 'operate',
    tone: 'plain',
    hindrance: (escrow) => (escrow.openNegotiation === null ? null : PROPOSAL_WAITS),
  },
  adjust: {
    slug: 'adjust-milestone',
    label: t("Propose a milestone's payout"),
    command: 'adjust-milestone',
    who: 'operate',
    tone: 'plain',
    needs: hasOpenMilestone,
    hindrance: (escrow) => (adjustableMilestones(escrow).length > 0 ? null : PROPOSAL_WAITS),
  },
  extend: {
    slug: 'extend',
    label: t('Postpone the automatic release'),
    command: 'extend-auto-release',
    who: 'operate',
    tone: 'plain',
    needs: ({ autoReleaseAt }) => autoReleaseAt !== null,
    hindrance: (_, { isPostponed }) =>
      isPostponed ? t('The automatic release was already postponed. It can be postponed once.') : null,
  },
  evidence: { slug: 'evidence', label: t('Add evidence'), command: 'add-evidence', who: 'operate', tone: 'plain' },
  dispute: { slug: 'dispute', label: t('Open a dispute'), command: 'dispute', who: 'operate', tone: 'danger' },
  cancel: {
    slug: 'cancel',
    label: t('Cancel the escrow'),
    command: 'cancel',
    who: 'operate',
    tone: 'danger',
    // An administrator alone cancels a disputed escrow.
    needs: ({ status }, role) => status !== 'DISPUTED' || permits(role, 'resolve_disputes'),
  },
} as const satisfies Record<string, EscrowAction>;

/** The actions that the escrow's state and the role allow and nothing hinders, in the order of the page. */
export function possibleActions(escrow: EscrowView, role: Role, circumstances: Circumstances): readonly EscrowAction[] {
  const all: readonly EscrowAction[] = Object.values(ACTIONS);
  return all.filter(
    (action) => isAllowed(action, escrow, role) && (action.hindrance?.(escrow, circumstances) ?? null) === null,
  );
}

const openMilestones = ({ milestones }: EscrowView) => milestones.filter(({ status }) => status === 'PENDING');

/** Release, extension, dispute, evidence and cancellation. */
export const LIFECYCLE_PAGES: readonly ConsolePage[] = [
  actionPage({
    action: ACTIONS.release,
    button: t('Release the money'),
    consequence: (escrow) =>
      html`<p>${rich('{amount} leaves the escrow, at once and for good: {split}.', {
        amount: html`<strong>${moneyText(escrow.heldAmount, escrow.currency)}</strong>`,
        split: splitWords(remainingOf(escrow), escrow.currency),
      })}</p>`,
    async act({ id, currency }, { api }, { idempotencyKey }) {
      const done = await api.post('/v1/escrow/{id}/release', { path: { id }, idempotencyKey });
      return t('Released: the seller got {amount}.', { amount: moneyText(done.sellerPayout, currency) });
    },
  }),
  actionPage({
    action: ACTIONS.milestone,
    button: t('Release the milestone'),
    consequence: () => t('The money of one milestone leaves the escrow, at once and for good. The others stay held.'),
    fields: (escrow, { refused, query }) =>
      choiceField(
        {
          name: 'milestoneId',
          label: t('Milestone'),
          value: query.get('milestoneId'),
          options: openMilestones(escrow).map((one) => ({
            value: one.id,
            label: t('{milestone}: seller {seller}, fees {fees}', {
              milestone: one.title ?? one.id,
              seller: moneyText(one.sellerPayout, escrow.currency),
              fees: moneyText(BigInt(one.systemFee) + BigInt(one.serviceFee), escrow.currency),
            }),
          })),
        },
        refused,
      ),
    async act({ id, currency }, { api }, form) {
      const { idempotencyKey } = form;
      const query = { milestoneId: chosenId(form, 'milestoneId', 'milestone') };
      const done = await api.post('/v1/escrow/{id}/release', { path: { id }, query, idempotencyKey });
      return t('Released: the seller got {amount}.', { amount: moneyText(done.sellerPayout, currency) });
    },
  }),
  actionPage({
    action: ACTIONS.extend,
    button: t('Postpone the release'),
    consequence: ({ autoReleaseAt }) =>
      html`<p>${rich('The money is released automatically on {time}. The buyer can postpone this once. No money moves now.', { time: time(autoReleaseAt) })}</p>`,
    fields: (_escrow, { refused }) =>
      wholeField(
        {
          name: 'hours',
          label: t('Hours'),
          value: 24,
          min: 1,
          max: MAX_EXTENSION_HOURS,
          hint: t('At most 720: thirty days.'),
        },
        refused,
      ),
    async act({ id }, { api }, form) {
      const body = { actor: 'BUYER' as const, hours: wholeOf(form, 'hours', t('Hours')) };
      await api.post('/v1/escrow/{id}/extend', { path: { id }, body, idempotencyKey: form.idempotencyKey });
      return t('The automatic release is postponed.');
    },
  }),
  actionPage({
    action: ACTIONS.dispute,
    button: t('Open the dispute'),
    consequence: (escrow) =>
      t('{amount} is frozen until an administrator decides. No money moves now, and open proposals lapse.', {
        amount: moneyText(escrow.heldAmount, escrow.currency),
      }),
    fields: (_escrow, { refused }) => [
      actorField(PARTIES, refused),
      noteField(
        { name: 'reason', label: t('Reason'), isRequired: true, hint: t('Both parties can read it.') },
        refused,
      ),
    ],
    async act({ id }, { api }, form) {
      const body = { actor: actorOf(form, PARTIES), reason: form.text('reason') };
      await api.post('/v1/escrow/{id}/dispute', { path: { id }, body, idempotencyKey: form.idempotencyKey });
      return t('The dispute is open, and the money is frozen.');
    },
  }),
  actionPage({
    action: ACTIONS.evidence,
    button: t('Add the evidence'),
    consequence: () =>
      t('The evidence becomes a part of the timeline, which both parties can read. It cannot be taken back.'),
    fields: (_escrow, { refused, session, query }) => [
      actorField(byRole(session.role), refused, query.get('actor')),
      noteField({ name: 'note', label: t('What it shows'), isRequired: true }, refused),
      textField({
        name: 'documentUrl',
        label: t('Address of a document'),
        type: 'url',
        maxLength: 2_000,
        value: refused?.form.text('documentUrl'),
        error: fieldMessage(refused?.problem, 'documentUrl'),
      }),
    ],
    async act({ id }, { api, session }, form) {
      const documentUrl = form.text('documentUrl');
      const body = {
        actor: actorOf(form, byRole(session.role)),
        note: form.text('note'),
        ...(documentUrl === '' ? {} : { documentUrl }),
      };
      await api.post('/v1/escrow/{id}/dispute/evidence', { path: { id }, body, idempotencyKey: form.idempotencyKey });
      return t('The evidence is added.');
    },
  }),
  actionPage({
    action: ACTIONS.cancel,
    button: t('Cancel the escrow'),
    consequence: (escrow) =>
      t('{amount} is unlocked for the buyer, at once and for good. It first settles what the buyer owes.', {
        amount: moneyText(escrow.heldAmount, escrow.currency),
      }),
    fields: (escrow, { refused, session }) => [
      actorField(cancellers(escrow, session.role), refused),
      noteField(
        { name: 'reason', label: t('Reason'), isRequired: true, hint: t('Both parties can read it.') },
        refused,
      ),
    ],
    async act(escrow, { api, session }, form) {
      const { id } = escrow;
      const body = { actor: actorOf(form, cancellers(escrow, session.role)), reason: form.text('reason') };
      await api.post('/v1/escrow/{id}/cancel', { path: { id }, body, idempotencyKey: form.idempotencyKey });
      return t('Cancelled: {amount} was unlocked for the buyer.', {
        amount: moneyText(escrow.heldAmount, escrow.currency),
      });
    },
  }),
];

function byRole(role: Role): readonly Actor[] {
  return permits(role, 'resolve_disputes') ? ['ADMIN', ...PARTIES] : PARTIES;
}

/** A buyer alone cannot cancel the rest of work that was paid in part. */
function cancellers({ status, milestones }: EscrowView, role: Role): readonly Actor[] {
  const isPaidInPart = milestones.some((milestone) => milestone.status === 'RELEASED');
  return status === 'DISPUTED' ? ['ADMIN'] : byRole(role).filter((actor) => actor !== 'BUYER' || !isPaidInPart);
}
