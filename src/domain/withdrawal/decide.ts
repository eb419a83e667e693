import { type Refused, refuse } from '../entity.ts';
import { assertNever } from '../errors.ts';
import { type AdministratorId, idMadeBy, type UserId } from '../ids.ts';
import type { Posting } from '../ledger/postings.ts';
import type { Instant } from '../time.ts';
import {
  lateSettlementPosting,
  rejectionPosting,
  requestPosting,
  returnPosting,
  settlementPosting,
} from './postings.ts';
import { allows } from './transitions.ts';
import type {
  Withdrawal,
  WithdrawalCommand,
  WithdrawalEvent,
  WithdrawalQuestion,
  WithdrawalState,
} from './withdrawal.ts';

export type Accepted = {
  readonly kind: 'accepted';
  readonly event: WithdrawalEvent;
  readonly postings: readonly Posting[];
  /** The user who must not be blacklisted when the event is written. */
  readonly userId: UserId | null;
  /** The person who must be an administrator of the platform when the event is written. */
  readonly adminId: AdministratorId | null;
};
export type Decision = Accepted | Refused;

/** Decides `command` at `now`: one event with its postings, or a refusal. Pure. */
export function decide(state: WithdrawalState, command: WithdrawalCommand, now: Instant): Decision {
  if (command.type === 'request') {
    if (state !== null) return refuse('already_exists', 'the withdrawal exists already');
    const { terms, commandId } = command;
    return accept({ type: 'REQUESTED', commandId, actor: 'COMPANY', at: now, terms }, [requestPosting(terms)], {
      userId: terms.userId,
    });
  }
  if (state === null) return refuse('not_found', 'there is no such withdrawal');
  if (command.type === 'check-payout') return refuse('wrong_state', 'the bank says nothing new');
  if (command.type === 'book-outcome') return refuse('wrong_state', `the withdrawal is ${state.status} already`);
  if (!allows(command.type, state.status))
    return refuse('wrong_state', `${command.type} is not possible while the withdrawal is ${state.status}`);
  return decideOn(state, command, now);
}

function decideOn(
  state: Withdrawal,
  command: Exclude<WithdrawalCommand, { type: 'request' } | WithdrawalQuestion>,
  now: Instant,
): Decision {
  const { terms, submittedAt, acceptedAttempt } = state;
  const { commandId } = command;
  const bySystem = { commandId, actor: 'SYSTEM', at: now } as const;
  if (command.type === 'submit') {
    const { attempt } = command;
    if (submittedAt !== null && (attempt === null || acceptedAttempt !== null))
      return refuse('wrong_state', 'the bank has the instruction already');
    return accept({ ...bySystem, type: 'SUBMITTED', attempt });
  }
  if (command.type === 'flag') return accept({ ...bySystem, type: 'REVIEW_NEEDED', concern: command.concern });

  const { saidAt, adminId } = command;
  const verdict = {
    commandId,
    actor: adminId === null ? 'BANK' : 'ADMIN',
    at: now,
    saidAt,
    adminId,
    transactionId: idMadeBy('transaction', commandId),
  } as const;
  switch (command.type) {
    case 'settle':
      return accept({ ...verdict, type: 'SETTLED' }, [settlementPosting(terms, commandId)], { adminId });
    case 'reject': {
      const { reason } = command;
      return accept({ ...verdict, type: 'REJECTED', reason }, [rejectionPosting(terms, commandId)], { adminId });
    }
    case 'return': {
      const { reason, taxFrom } = command;
      const event = { ...verdict, type: 'RETURNED', reason, taxFrom } as const;
      return accept(event, [returnPosting(state, commandId, taxFrom)], { adminId });
    }
    case 'settle-late': {
      const event = { ...verdict, type: 'SETTLED_LATE', owedTaxId: state.owedTaxId } as const;
      return accept(event, [lateSettlementPosting(state, commandId)], { adminId });
    }
    default:
      return assertNever(command);
  }
}

type Checks = Partial<Pick<Accepted, 'userId' | 'adminId'>>;

function accept(event: WithdrawalEvent, postings: readonly Posting[] = [], checks: Checks = {}): Accepted {
  return { kind: 'accepted', event, postings, userId: null, adminId: null, ...checks };
}
