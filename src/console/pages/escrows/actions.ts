import { allows, type EscrowCommandType } from '../../../domain/escrow/commands.ts';
import { type Permission, permits, type Role } from '../../../domain/roles.ts';
import type { EscrowView } from '../../api-types.ts';
import { type Message, t } from '../../language/message.ts';
import type { Circumstances } from './circumstances.ts';

/** The actions on an escrow: which role and which state allow each, and its page below `/escrows/:id`. */

export type EscrowAction = {
  readonly slug: string;
  readonly label: Message;
  readonly command: EscrowCommandType;
  readonly who: Permission;
  readonly tone: 'primary' | 'plain' | 'danger';
  /** What the escrow must have besides a state that allows the command. */
  readonly needs?: (escrow: EscrowView, role: Role) => boolean;
  /** Why the API would refuse it although role, state and needs allow it; null if nothing is in the way. */
  readonly hindrance?: (escrow: EscrowView, circumstances: Circumstances) => Message | null;
};

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

export function isAllowed(action: EscrowAction, escrow: EscrowView, role: Role): boolean {
  return permits(role, action.who) && allows(action.command, escrow.status) && (action.needs?.(escrow, role) ?? true);
}

/** The actions that the escrow's state and the role allow and nothing hinders, in the order of the page. */
export function possibleActions(escrow: EscrowView, role: Role, circumstances: Circumstances): readonly EscrowAction[] {
  const all: readonly EscrowAction[] = Object.values(ACTIONS);
  return all.filter(
    (action) => isAllowed(action, escrow, role) && (action.hindrance?.(escrow, circumstances) ?? null) === null,
  );
}
