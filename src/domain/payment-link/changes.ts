import { type Refused, refuse } from '../entity.ts';
import type { EscrowCommand } from '../escrow/commands.ts';
import { idMadeBy, type TransactionId } from '../ids.ts';
import { maxCents, minCents } from '../money.ts';
import type { Instant } from '../time.ts';
import {
  type Attempt,
  type LinkCommand,
  type LinkEvent,
  MAX_CHANGES,
  type PaymentChange,
  type PaymentLink,
} from './link.ts';

/**
 * Chargebacks, refunds at the gateway, and chargebacks that were reversed. Reports may come late, twice and in any order, so
 * the amount that is taken back is a function of all known changes, and each new change books only the difference.
 */

/** A step on a payment that succeeded: its event, and the amount to move. */
type ChangeStep = {
  readonly event: Extract<LinkEvent, { type: 'TAKEN_BACK' | 'BROUGHT_BACK' | 'CHANGE_NOTED' }>;
  /** Null: nothing moves. */
  readonly movement: Movement | null;
  readonly escrowCommand: EscrowCommand | null;
};

export type Movement = {
  readonly direction: 'take' | 'give';
  readonly depositId: TransactionId;
  readonly transactionId: TransactionId;
  readonly amountCents: bigint;
  readonly reason: 'CHARGEBACK' | 'REFUND';
  /** The whole deposit is taken back. */
  readonly isWhole: boolean;
  /** Whether the money moves even if the account does not cover it. */
  readonly isForced: boolean;
};

/**
 * The amount of the payment that is gone, given everything known about it: never negative, and at most the payment. Among
 * reports the order does not matter. A change of our own took all that was left, and later reports may concern the same money:
 * a chargeback by hand is undone only by reversals that are reported after it, and a refund of our own by nothing.
 */
export function takenBackOf(changes: readonly PaymentChange[], paidCents: bigint): bigint {
  let [refunded, chargedBack, reversed, floor] = [0n, 0n, 0n, 0n];
  for (const { changeId, change, amountCents } of changes) {
    if (change === 'chargeback_reversed') reversed += amountCents;
    else if (change === 'refunded')
      refunded = changeId === null ? maxCents(refunded, paidCents) : refunded + amountCents;
    else if (changeId === null) floor = paidCents + reversed;
    else chargedBack += amountCents;
  }
  const reported = refunded + maxCents(chargedBack - reversed, 0n);
  return minCents(maxCents(reported, floor - reversed), paidCents);
}

export function decideChange(
  link: PaymentLink,
  attempt: Attempt,
  command: Extract<LinkCommand, { type: 'settle-change' | 'take-back' }>,
  depositId: TransactionId,
  now: Instant,
): ChangeStep | Refused {
  const { attemptId, takenBackCents: before } = attempt;
  const { commandId } = command;
  const paidCents = link.terms.amountCents;
  if (attempt.status !== 'succeeded') return refuse('wrong_state', `the attempt is ${attempt.status}`);
  const byHand = command.type === 'take-back';
  const change: PaymentChange = byHand
    ? { changeId: null, change: 'charged_back', amountCents: paidCents - before }
    : { changeId: command.changeId, change: command.change, amountCents: command.amountCents };
  if (byHand && before === paidCents) return refuse('wrong_state', 'the payment was already taken back');
  if (!byHand && attempt.changes.some(({ changeId }) => changeId === change.changeId))
    return refuse('wrong_state', 'the change is already recorded');
  if (attempt.changes.length >= MAX_CHANGES) return refuse('too_many_requests', 'the payment changed too often');
  const after = takenBackOf([...attempt.changes, change], paidCents);
  const happened = { commandId, actor: byHand ? 'COMPANY' : 'SYSTEM', at: now, attemptId, change } as const;
  if (after === before) return { event: { ...happened, type: 'CHANGE_NOTED' }, movement: null, escrowCommand: null };
  const transactionId = idMadeBy('transaction', commandId);
  const isTaken = after > before;
  const amountCents = isTaken ? after - before : before - after;
  return {
    event: { ...happened, type: isTaken ? 'TAKEN_BACK' : 'BROUGHT_BACK', amountCents, transactionId },
    movement: {
      direction: isTaken ? 'take' : 'give',
      depositId,
      transactionId,
      amountCents,
      reason: change.change === 'refunded' ? 'REFUND' : 'CHARGEBACK',
      isWhole: after === paidCents,
      isForced: !byHand || command.isForced,
    },
    escrowCommand:
      link.transactionId === depositId
        ? {
            type: 'note-chargeback',
            commandId,
            change: isTaken ? (change.change === 'refunded' ? 'refunded' : 'charged_back') : 'chargeback_reversed',
            amountCents,
            transactionId,
          }
        : null,
  };
}
