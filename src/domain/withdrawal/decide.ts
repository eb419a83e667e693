import { type Refused, refuse } from '../entity.ts';
import { assertNever } from '../errors.ts';
import type { UserId } from '../ids.ts';
import type { Posting } from '../ledger/postings.ts';
import type { Instant } from '../time.ts';
import { rejectionPosting, requestPosting, returnPosting, settlementPosting, transactionOf } from './postings.ts';
import { allows } from './transitions.ts';
import type { Withdrawal, WithdrawalCommand, WithdrawalEvent, WithdrawalState } from './withdrawal.ts';

export type Accepted = {
  readonly kind: 'accepted';
  readonly event: WithdrawalEvent;
  readonly postings: readonly Posting[];
  /** Who must not be blacklisted when the event is written. */
  readonly userId: UserId | null;
};
export type Decision = Accepted | Refused;

/** What becomes of `command` at `now`: one event with its postings, or a refusal. Pure. */
export function decide(state: WithdrawalState, command: WithdrawalCommand, now: Instant): Decision {
  if (command.type === 'request') {
    if (state !== null) return refuse('already_exists', 'the withdrawal exists already');
    const { terms, commandId } = command;
    return accept(
      { type: 'REQUESTED', commandId, actor: 'COMPANY', at: now, terms },
      [requestPosting(terms)],
      terms.userId,
    );
  }
  if (state === null) return refuse('not_found', 'there is no such withdrawal');
  if (command.type === 'check-payout') return refuse('wrong_state', 'the bank says nothing new');
  if (!allows(command.type, state.status))
    return refuse('wrong_state', `${command.type} is not possible while the withdrawal is ${state.status}`);
  return decideOn(state, command, now);
}

function decideOn(
  { terms, submittedAt }: Withdrawal,
  command: Exclude<WithdrawalCommand, { type: 'request' | 'check-payout' }>,
  now: Instant,
): Decision {
  const { commandId } = command;
  const byBank = { commandId, actor: 'BANK', at: now } as const;
  const transactionId = transactionOf(commandId);
  switch (command.type) {
    case 'submit':
      if (submittedAt !== null) return refuse('wrong_state', 'the bank has the instruction already');
      return accept({ ...byBank, type: 'SUBMITTED', actor: 'SYSTEM' });
    case 'settle':
      return accept({ ...byBank, type: 'SETTLED', transactionId }, [settlementPosting(terms, commandId)]);
    case 'reject':
      return accept({ ...byBank, type: 'REJECTED', reason: command.reason, transactionId }, [
        rejectionPosting(terms, commandId),
      ]);
    case 'return': {
      const taxCents = command.isTaxReturned ? terms.taxCents : 0n;
      return accept({ ...byBank, type: 'RETURNED', reason: command.reason, transactionId, taxCents }, [
        returnPosting(terms, commandId, taxCents),
      ]);
    }
    default:
      return assertNever(command);
  }
}

function accept(event: WithdrawalEvent, postings: readonly Posting[] = [], userId: UserId | null = null): Accepted {
  return { kind: 'accepted', event, postings, userId };
}
