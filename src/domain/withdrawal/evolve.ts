import { assertNever } from '../errors.ts';
import type { Withdrawal, WithdrawalEvent, WithdrawalState } from './withdrawal.ts';

/** The state after one more event. Pure and total: every event that was ever stored must still fold. */
export function evolve(state: WithdrawalState, event: WithdrawalEvent): Withdrawal {
  if (event.type === 'REQUESTED')
    return {
      terms: event.terms,
      status: 'PROCESSING',
      seq: 1,
      submittedAt: null,
      settledAt: null,
      settlementId: null,
      reason: null,
      createdAt: event.at,
      updatedAt: event.at,
    };
  if (state === null) throw new Error(`the first event is ${event.type}, not REQUESTED`);
  return { ...apply(state, event), seq: state.seq + 1, updatedAt: event.at };
}

function apply(withdrawal: Withdrawal, event: Exclude<WithdrawalEvent, { type: 'REQUESTED' }>): Withdrawal {
  switch (event.type) {
    case 'SUBMITTED':
      return { ...withdrawal, submittedAt: event.at };
    case 'SETTLED':
      return { ...withdrawal, status: 'COMPLETED', settledAt: event.at, settlementId: event.transactionId };
    case 'REJECTED':
      return { ...withdrawal, status: 'FAILED', reason: event.reason };
    case 'RETURNED':
      return { ...withdrawal, status: 'REVERSED', reason: event.reason };
    default:
      return assertNever(event);
  }
}
