import { log } from '@temporalio/workflow';
import type { LinkEvent } from '../domain/payment-link/link.ts';
import type { WithdrawalEvent } from '../domain/withdrawal/withdrawal.ts';

/** The events that the worker's log shows, because a person should look at them. */

type Fields = Readonly<Record<string, unknown>>;
/** `fields`: ids and codes of the event. */
type Line<Event> = {
  readonly level: 'warn' | 'error';
  readonly text: string;
  readonly fields: (event: Event) => Fields;
};
export type EventLogs<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]?: Line<Extract<Event, { readonly type: Type }>>;
};

export const LINK_LOGS: EventLogs<LinkEvent> = {
  LATE_MONEY: {
    level: 'warn',
    text: 'a payment came late',
    fields: ({ transactionId, attemptId, isRefundDue }) => ({ transactionId, attemptId, isRefundDue }),
  },
  TAKEN_BACK: {
    level: 'warn',
    text: 'a payment was taken back',
    fields: ({ transactionId, attemptId, change }) => ({ transactionId, attemptId, change: change.change }),
  },
  PAYMENT_MISMATCHED: {
    level: 'warn',
    text: 'a payment differs from its request; nothing was booked',
    fields: ({ attemptId }) => ({ attemptId }),
  },
};

export const WITHDRAWAL_LOGS: EventLogs<WithdrawalEvent> = {
  RETURNED: { level: 'warn', text: 'the bank returned a payment', fields: ({ reason }) => ({ reason }) },
  REVIEW_NEEDED: { level: 'error', text: 'a payout needs a person', fields: ({ concern }) => ({ concern }) },
  SETTLED_LATE: { level: 'error', text: 'the bank paid after the money was given back', fields: () => ({}) },
};

/** Logs the event if `logs` has a line for it. `ids`: the entity. */
export function logEvent<Event extends { readonly type: string }>(
  logs: EventLogs<Event>,
  event: Event,
  ids: Fields,
): void {
  const line = logs[event.type as Event['type']] as Line<Event> | undefined; // the table pairs type and line
  if (line !== undefined) log[line.level](line.text, { ...ids, ...line.fields(event) });
}
