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
      acceptedAttempt: null,
      settledAt: null,
      settlementId: null,
      settlements: 0,
      owedTaxId: null,
      firstEnd: null,
      verdictAt: null,
      concern: null,
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
      return {
        ...withdrawal,
        submittedAt: withdrawal.submittedAt ?? event.at,
        acceptedAttempt: event.attempt,
        concern: null,
      };
    case 'REVIEW_NEEDED':
      return { ...withdrawal, concern: event.concern };
    case 'RESUMED':
      return { ...withdrawal, concern: null };
    case 'CANCELLED':
      return { ...withdrawal, status: 'CANCELLED', firstEnd: withdrawal.firstEnd ?? 'CANCELLED', concern: null };
    case 'SETTLED':
    case 'SETTLED_LATE':
      return {
        ...withdrawal,
        status: 'COMPLETED',
        settledAt: event.at,
        settlementId: event.transactionId,
        settlements: withdrawal.settlements + 1,
        owedTaxId: null,
        verdictAt: event.saidAt,
        concern: null,
        reason: null,
      };
    case 'REJECTED':
    case 'RETURNED': {
      const status = event.type === 'REJECTED' ? 'FAILED' : 'REVERSED';
      const firstEnd = withdrawal.firstEnd ?? status;
      const owesTax = event.type === 'RETURNED' && event.taxFrom === 'RECEIVABLE' && withdrawal.terms.taxCents > 0n;
      return {
        ...withdrawal,
        status,
        firstEnd,
        owedTaxId: owesTax ? event.transactionId : null,
        verdictAt: event.saidAt,
        concern: null,
        reason: event.reason,
      };
    }
    default:
      return assertNever(event);
  }
}
