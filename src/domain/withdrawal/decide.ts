import { type Refused, refuse } from '../entity.ts';
import { assertNever } from '../errors.ts';
import type { OrderedBy } from '../escrow/escrow.ts';
import { type AdministratorId, type CommandId, idMadeBy, type UserId } from '../ids.ts';
import type { Posting } from '../ledger/postings.ts';
import type { Instant } from '../time.ts';
import { isHoldBack } from './bank-reports.ts';
import {
  cancellationPosting,
  lateSettlementPosting,
  rejectionPosting,
  requestPosting,
  returnPosting,
  settlementPosting,
} from './postings.ts';
import {
  allows,
  type Withdrawal,
  type WithdrawalCommand,
  type WithdrawalEvent,
  type WithdrawalQuestion,
  type WithdrawalState,
} from './withdrawal.ts';

export type Accepted = {
  readonly kind: 'accepted';
  readonly event: WithdrawalEvent;
  readonly postings: readonly Posting[];
  /** The user who must not be blacklisted when the event is written. */
  readonly userId: UserId | null;
  /** The person who must have the permission for the event when it is written. */
  readonly adminId: AdministratorId | null;
};
type Decision = Accepted | Refused;

/** Decides `command` at `now`: one event with its postings, or a refusal. Pure. */
export function decide(state: WithdrawalState, command: WithdrawalCommand, now: Instant): Decision {
  if (command.type === 'request') {
    if (state !== null) return refuse('already_exists', 'the withdrawal exists already');
    const { terms, commandId } = command;
    return accept({ type: 'REQUESTED', commandId, actor: 'COMPANY', at: now, terms }, [requestPosting(terms)], {
      userId: terms.userId,
    });
  }
  if (state === null) return refuse('not_found', 'withdrawal not found');
  switch (command.type) {
    case 'check-payout':
      return refuse('wrong_state', 'the bank reports nothing new');
    case 'book-outcome':
      return refuse('wrong_state', `the withdrawal is ${state.status} already`);
    default:
      return allows(command.type, state.status)
        ? decideOn(state, command, now)
        : refuse('wrong_state', `${command.type} is not possible while the withdrawal is ${state.status}`);
  }
}

function decideOn(
  state: Withdrawal,
  command: Exclude<WithdrawalCommand, { type: 'request' } | WithdrawalQuestion>,
  now: Instant,
): Decision {
  const { terms, submittedAt, acceptedAttempt } = state;
  const { commandId } = command;
  const bySystem = { commandId, actor: 'SYSTEM', at: now } as const;
  switch (command.type) {
    case 'submit': {
      const { attempt } = command;
      if (submittedAt !== null && (attempt === null || acceptedAttempt !== null))
        return refuse('wrong_state', 'the bank already has the instruction');
      return accept({ ...bySystem, type: 'SUBMITTED', attempt });
    }
    case 'flag':
      return accept({ ...bySystem, type: 'REVIEW_NEEDED', concern: command.concern });
    case 'resume': {
      if (!isHoldBack(state.concern)) return refuse('wrong_state', 'the payment is not held back');
      return accept({ ...orderOf(command, now), type: 'RESUMED' }, [], command);
    }
    case 'cancel': {
      if (submittedAt !== null) return refuse('wrong_state', 'the bank has the payment');
      const event = { ...orderOf(command, now), type: 'CANCELLED', transactionId: madeBy(commandId) } as const;
      return accept(event, [cancellationPosting(terms, commandId)], command);
    }
    case 'settle': {
      const event = { ...verdictOf(command, now), type: 'SETTLED' } as const;
      return accept(event, [settlementPosting(terms, commandId)], command);
    }
    case 'reject': {
      const event = { ...verdictOf(command, now), type: 'REJECTED', reason: command.reason } as const;
      return accept(event, [rejectionPosting(terms, commandId)], command);
    }
    case 'return': {
      const { reason, taxFrom } = command;
      const event = { ...verdictOf(command, now), type: 'RETURNED', reason, taxFrom } as const;
      return accept(event, [returnPosting(state, commandId, taxFrom)], command);
    }
    case 'settle-late': {
      const event = { ...verdictOf(command, now), type: 'SETTLED_LATE', owedTaxId: state.owedTaxId } as const;
      return accept(event, [lateSettlementPosting(state, commandId)], command);
    }
    default:
      return assertNever(command);
  }
}

type VerdictCommand = Extract<WithdrawalCommand, { readonly saidAt: Instant | null }>;

/** The fields of every event that the bank's verdict causes. */
function verdictOf({ commandId, saidAt, adminId }: VerdictCommand, now: Instant) {
  return {
    commandId,
    actor: adminId === null ? 'BANK' : 'ADMIN',
    at: now,
    saidAt,
    adminId,
    transactionId: madeBy(commandId),
  } as const;
}

const madeBy = (commandId: CommandId) => idMadeBy('transaction', commandId);

/** The fields of every event that the company orders. */
function orderOf({ commandId, adminId, apiKeyId }: OrderedBy & { readonly commandId: CommandId }, now: Instant) {
  return { commandId, actor: 'COMPANY', at: now, adminId, apiKeyId } as const;
}

type Checks = Partial<Pick<Accepted, 'userId' | 'adminId'>>;

function accept(
  event: WithdrawalEvent,
  postings: readonly Posting[] = [],
  { userId = null, adminId = null }: Checks = {},
): Accepted {
  return { kind: 'accepted', event, postings, userId, adminId };
}
