import { ESCROW_EVENTS, type EscrowEvent } from '../../../domain/escrow/commands.ts';
import type { Escrow, EscrowState } from '../../../domain/escrow/escrow.ts';
import { evolve as evolveEscrow } from '../../../domain/escrow/evolve.ts';
import { holdPosting, payPostings, refundPostings } from '../../../domain/escrow/postings.ts';
import type { AccountId, TransactionId } from '../../../domain/ids.ts';
import type { Leg, Posting, TransactionStatus, TransactionType } from '../../../domain/ledger/postings.ts';
import { evolve as evolveLink } from '../../../domain/payment-link/evolve.ts';
import { LINK_EVENTS, type LinkEvent, type PaymentLink } from '../../../domain/payment-link/link.ts';
import { evolve as evolveWithdrawal } from '../../../domain/withdrawal/evolve.ts';
import { transactionStatuses } from '../../../domain/withdrawal/postings.ts';
import {
  debitCents,
  WITHDRAWAL_EVENTS,
  type Withdrawal,
  type WithdrawalEvent,
} from '../../../domain/withdrawal/withdrawal.ts';

/** The row, the hold and the transactions that follow from the events of an entity. */

/** A transaction that an event implies. Absent fields are not checked here: the chain checks them. */
export type ExpectedTransaction = {
  readonly transactionId: TransactionId;
  readonly type?: TransactionType;
  readonly status?: TransactionStatus;
  readonly amountCents?: bigint;
  readonly legs?: readonly Leg[];
};

type ExpectedHold = {
  readonly accountId: AccountId;
  readonly remainingCents: bigint;
  /** The placed amount, if the events state it. */
  readonly placedCents?: bigint;
};

type Folded = { readonly status: string; readonly seq: number };

export type Expectations<State extends Folded, Event> = {
  /** The table of the rows; events are in `<table>_event`. */
  readonly table: 'escrow' | 'payment_link' | 'withdrawal';
  /** The types of event that this version knows. */
  readonly events: Readonly<Record<string, unknown>>;
  evolve(state: State | null, event: Event): State;
  /** The transactions of one event; `before` is the state before the event. */
  transactionsOf(before: State | null, event: Event, after: State): readonly ExpectedTransaction[];
  /** The transactions that follow from the final state. */
  transactionsAtEnd(state: State): readonly ExpectedTransaction[];
  /** Columns of the row that repeat values of the state. */
  columnsOf(state: State): Readonly<Record<string, string | null>>;
  /** Null: the events state nothing about a hold. */
  holdOf(state: State): ExpectedHold | null;
};

export const ESCROWS: Expectations<Escrow, EscrowEvent> = {
  table: 'escrow',
  events: ESCROW_EVENTS,
  evolve: evolveEscrow,
  transactionsOf: (before, event) => {
    const expected = escrowPostings(before, event);
    return expected.map(({ transactionId, type, amountCents, legs }) => ({ transactionId, type, amountCents, legs }));
  },
  transactionsAtEnd: () => [],
  columnsOf: ({ terms }) => ({
    buyer_id: terms.buyerId,
    seller_id: terms.sellerId,
    currency: terms.currency,
    total_cents: terms.totalCents.toString(),
  }),
  holdOf: ({ terms, heldCents }) => ({ accountId: terms.buyerAccountId, remainingCents: heldCents }),
};

function escrowPostings(before: EscrowState, event: EscrowEvent): readonly Posting[] {
  if (event.type === 'INITIATED')
    return event.heldCents === 0n ? [] : [holdPosting(event.terms, event.commandId, event.heldCents)];
  if (before === null) return [];
  switch (event.type) {
    case 'FUNDED':
      return [holdPosting(before.terms, event.commandId, event.heldCents)];
    case 'MILESTONE_RELEASED':
    case 'FUNDS_RELEASED':
    case 'AUTO_RELEASED':
    case 'RESOLVED':
      return payPostings(before, event.commandId, event.shares);
    case 'NEGOTIATION_ACCEPTED':
      return event.settlement === undefined ? [] : payPostings(before, event.commandId, event.settlement.shares);
    case 'CANCELLED':
      return refundPostings(before, event.commandId);
    default:
      return [];
  }
}

export const PAYMENT_LINKS: Expectations<PaymentLink, LinkEvent> = {
  table: 'payment_link',
  events: LINK_EVENTS,
  evolve: evolveLink,
  transactionsOf: (_, event, { terms }) => {
    // If the link was paid from balance, the transaction belongs to the escrow.
    const isDeposit = event.type === 'LATE_MONEY' || (event.type === 'ACCEPTED' && event.attemptId !== null);
    return isDeposit ? [{ transactionId: event.transactionId, amountCents: terms.amountCents }] : [];
  },
  transactionsAtEnd: () => [],
  columnsOf: ({ terms }) => ({
    escrow_id: terms.escrowId,
    buyer_id: terms.buyerId,
    currency: terms.currency,
    amount_cents: terms.amountCents.toString(),
  }),
  holdOf: () => null,
};

export const WITHDRAWALS: Expectations<Withdrawal, WithdrawalEvent> = {
  table: 'withdrawal',
  events: WITHDRAWAL_EVENTS,
  evolve: evolveWithdrawal,
  transactionsOf: (_, event, { terms }) => {
    const { withdrawalId, amountCents } = terms;
    if (event.type === 'REQUESTED') return [{ transactionId: withdrawalId, type: 'WITHDRAWAL', amountCents }];
    return 'transactionId' in event ? [{ transactionId: event.transactionId, amountCents }] : [];
  },
  transactionsAtEnd: transactionStatuses,
  columnsOf: ({ terms }) => ({
    account_id: terms.accountId,
    currency: terms.currency,
    amount_cents: terms.amountCents.toString(),
    tax_cents: terms.taxCents.toString(),
  }),
  holdOf: ({ terms, status }) => ({
    accountId: terms.accountId,
    placedCents: debitCents(terms),
    remainingCents: status === 'PROCESSING' ? debitCents(terms) : 0n,
  }),
};
