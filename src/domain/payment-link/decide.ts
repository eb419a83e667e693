import { type Refused, refuse } from '../entity.ts';
import { assertNever } from '../errors.ts';
import type { EscrowCommand } from '../escrow/commands.ts';
import { type CommandId, commandThatMade, idMadeBy, type TransactionId } from '../ids.ts';
import { reversalPosting } from '../ledger/captures.ts';
import { type Posting, posting } from '../ledger/postings.ts';
import { addHours, addMs, byInstant, type Instant } from '../time.ts';
import { decideChange, type Movement } from './changes.ts';
import {
  ATTEMPT_LIFETIME_HOURS,
  type Attempt,
  type AttemptId,
  type AttemptOutcome,
  allows,
  awaited,
  CHECKOUT_POLL_MINUTES,
  LAST_POLL_DELAY_SECONDS,
  type LinkCommand,
  type LinkEvent,
  type LinkStatus,
  MAX_ATTEMPTS,
  type PaymentLink,
  POLL_DELAYS_SECONDS,
  PROMPT_LIFETIME_MINUTES,
  unsettled,
} from './link.ts';

export type Accepted = {
  readonly kind: 'accepted';
  readonly event: LinkEvent;
  /** A deposit, its reversal after a refund, or the unlocking of its money after a refused refund. */
  readonly postings: readonly Posting[];
  /** The command to the link's escrow in the same transaction; if the escrow refuses it, the whole step is refused. */
  readonly escrowCommand: EscrowCommand | null;
  /** The buyer is asked for money: the escrow must be able to take it. */
  readonly asksForMoney: boolean;
  /** Money that left again, or came back: the database knows what the account covers. */
  readonly movement: Movement | null;
  /** The deposit that a posting reverses. */
  readonly reversedId: TransactionId | null;
};
type Decision = Accepted | Refused;

const EXPIRED = refuse('link_expired', 'the payment link has expired');
const MINUTE_MS = 60_000;

/** Decides `command` at `now`: one event with its effects on ledger and escrow, or a refusal. Pure. */
export function decide(link: PaymentLink | null, command: LinkCommand, now: Instant): Decision {
  if (command.type === 'create') {
    if (link !== null) return refuse('already_exists', 'the link exists already');
    return accept(
      { type: 'CREATED', commandId: command.commandId, actor: 'COMPANY', at: now, terms: command.terms },
      { escrowCommand: command.escrow },
    );
  }
  if (link === null) return refuse('not_found', 'payment link not found');
  if (!allows(command.type, link.status)) return refuseStatus(link.status);
  return decideOn(link, command, now);
}

function decideOn(link: PaymentLink, command: Exclude<LinkCommand, { type: 'create' }>, now: Instant): Decision {
  const { commandId } = command;
  const byBuyer = { commandId, actor: 'BUYER', at: now } as const;
  const bySystem = { commandId, actor: 'SYSTEM', at: now } as const;
  switch (command.type) {
    case 'open-checkout':
      return (
        refuseExpired(link, now) ??
        refuseMoreAttempts(link) ??
        accept(
          { ...byBuyer, type: 'CHECKOUT_OPENED', attempt: newAttempt('card', commandId, now) },
          { asksForMoney: true },
        )
      );
    case 'start-charge':
      return (
        refuseExpired(link, now) ??
        refuseMoreAttempts(link) ??
        accept(
          { ...byBuyer, type: 'CHARGE_STARTED', attempt: newAttempt('mobile_money', commandId, now) },
          { asksForMoney: true },
        )
      );
    case 'pay-from-balance':
      return (
        refuseExpired(link, now) ??
        accept(
          { ...byBuyer, type: 'ACCEPTED', attemptId: null, transactionId: fundingOf(link) },
          { escrowCommand: fund(link, null) },
        )
      );
    case 'reject':
      return (
        refuseExpired(link, now) ??
        accept({ ...byBuyer, type: 'REJECTED' }, { escrowCommand: cancelEscrow(commandId, 'BUYER') })
      );
    case 'expire':
      if (now < expiryOf(link)) return refuse('wrong_state', 'the link does not expire yet');
      return accept({ ...bySystem, type: 'EXPIRED' }, { escrowCommand: cancelEscrow(commandId, 'SYSTEM') });
    case 'close-with-escrow':
      return accept({ ...bySystem, type: 'REJECTED' });
    case 'postpone-poll': {
      const attempt = attemptOf(link, command.attemptId);
      if (attempt === undefined || attempt.pollAt === null)
        return refuse('wrong_state', 'no status check is planned for this attempt');
      const { attemptId, startedAt } = attempt;
      const isTooOld = now >= addHours(startedAt, ATTEMPT_LIFETIME_HOURS);
      if (attempt.refund === 'due')
        return isTooOld
          ? refuseRefund(link, command, attemptId, now)
          : accept({ ...bySystem, type: 'POLL_POSTPONED', attemptId, pollAt: nextPoll(attempt, now) });
      if (isOver(attempt)) return accept({ ...bySystem, type: 'POLL_POSTPONED', attemptId, pollAt: null });
      return isTooOld
        ? accept({ ...bySystem, type: 'CHECKOUT_LAPSED', attemptId })
        : accept({ ...bySystem, type: 'POLL_POSTPONED', attemptId, pollAt: nextPoll(attempt, now) });
    }
    case 'hasten-poll': {
      const attempt = attemptOf(link, command.attemptId);
      if (attempt === undefined) return refuse('not_found', 'attempt not found');
      const { attemptId, pollAt } = attempt;
      if (pollAt !== null && pollAt > now && pollAt <= command.askAt)
        return refuse('wrong_state', 'an earlier status check is planned');
      return accept({ ...bySystem, type: 'POLL_HASTENED', attemptId, pollAt: command.askAt });
    }
    case 'settle-attempt':
      return settle(link, command, now);
    case 'settle-refund':
      return settleRefund(link, command, now);
    case 'settle-change':
    case 'take-back':
      return settleChange(link, command, now);
    case 'check-attempt':
      return refuse('wrong_state', 'the provider was not called');
    default:
      return assertNever(command);
  }
}

function settle(link: PaymentLink, command: Extract<LinkCommand, { type: 'settle-attempt' }>, now: Instant): Decision {
  const attempt = attemptOf(link, command.attemptId);
  if (attempt === undefined) return refuse('not_found', 'attempt not found');
  const { attemptId } = attempt;
  const happened = { commandId: command.commandId, actor: 'SYSTEM', at: now } as const;
  if (!changesAttempt(attempt, command.outcome))
    return refuse('wrong_state', `the attempt has the status ${attempt.status}`);
  switch (command.outcome) {
    case 'pending': {
      const next = nextPoll({ ...attempt, polls: 0 }, now);
      const { pollAt: planned } = attempt;
      // A check that is planned sooner stays planned.
      const pollAt = planned !== null && planned > now && planned < next ? planned : next;
      return accept({ ...happened, type: 'PAYMENT_PENDING', attemptId, pollAt });
    }
    case 'declined':
      return accept({ ...happened, type: 'PAYMENT_DECLINED', attemptId });
    case 'lapsed':
      return accept({ ...happened, type: 'CHECKOUT_LAPSED', attemptId });
    case 'mismatched':
      return accept({ ...happened, type: 'PAYMENT_MISMATCHED', attemptId });
    case 'succeeded': {
      const transactionId = depositOf(attemptId);
      const isTaken = !command.isLate && (link.status === 'PENDING' || link.status === 'PROCESSING');
      const isRefundDue = !isTaken && link.isCancelled;
      const postings = [depositPosting(link, attempt, isRefundDue)];
      return isTaken
        ? accept(
            { ...happened, actor: 'BUYER', type: 'ACCEPTED', attemptId, transactionId },
            { postings, escrowCommand: fund(link, transactionId) },
          )
        : accept({ ...happened, type: 'LATE_MONEY', attemptId, transactionId, isRefundDue }, { postings });
    }
    default:
      return assertNever(command.outcome);
  }
}

/**
 * Whether a provider's answer is news about the attempt. A declined or lapsed card form can be submitted again, so its payment
 * can become pending or succeed. A prompt that has ended can only succeed.
 */
export function changesAttempt({ kind, status }: Attempt, outcome: AttemptOutcome): boolean {
  switch (status) {
    case 'open':
      return true;
    case 'pending':
      return outcome !== 'pending';
    case 'declined':
    case 'lapsed':
      return outcome === 'succeeded' || (outcome === 'pending' && kind === 'card');
    case 'succeeded':
      return false;
    default:
      return assertNever(status);
  }
}

function settleChange(
  link: PaymentLink,
  command: Extract<LinkCommand, { type: 'settle-change' | 'take-back' }>,
  now: Instant,
): Decision {
  const { attemptId } = command;
  const attempt = attemptOf(link, attemptId);
  if (attempt === undefined) return refuse('not_found', 'attempt not found');
  // The money waits on hold. After the refund, or its refusal, the gateway is asked for changes.
  if (attempt.refund === 'due') return refuse('wrong_state', 'the payment is being refunded');
  const step = decideChange(link, attempt, command, depositOf(attemptId), now);
  if ('code' in step) return step;
  return accept(step.event, { movement: step.movement, escrowCommand: step.escrowCommand });
}

/** The provider has refunded the money, or refuses to. */
function settleRefund(
  link: PaymentLink,
  command: Extract<LinkCommand, { type: 'settle-refund' }>,
  now: Instant,
): Decision {
  const { attemptId, commandId, outcome } = command;
  const attempt = attemptOf(link, attemptId);
  if (attempt?.refund !== 'due') return refuse('wrong_state', 'no refund is due');
  if (outcome === 'refused') return refuseRefund(link, command, attemptId, now);
  const { terms } = link;
  const transactionId = idMadeBy('transaction', commandId);
  const reversal = reversalPosting({
    transactionId,
    companyId: terms.companyId,
    reversedId: depositOf(attemptId),
    accountId: terms.buyerAccountId,
    contraAccountId: terms.clearingAccountIds[attempt.kind],
    isHeld: true,
    amountCents: terms.amountCents,
    currency: terms.currency,
    reference: null,
    reason: 'refunded at the provider: the escrow was cancelled',
  });
  return accept(
    { commandId, actor: 'SYSTEM', at: now, type: 'REFUNDED', attemptId, transactionId },
    { postings: [reversal], reversedId: depositOf(attemptId) },
  );
}

/** The money stays on the buyer's balance, and becomes available there. */
function refuseRefund(
  { terms }: PaymentLink,
  { commandId }: { readonly commandId: CommandId },
  attemptId: AttemptId,
  now: Instant,
): Decision {
  const transactionId = idMadeBy('transaction', commandId);
  const unlocking = posting({
    transactionId,
    companyId: terms.companyId,
    key: `refund-refused/${attemptId}`,
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amountCents: terms.amountCents,
    currency: terms.currency,
    reference: null,
    escrowId: null,
    metadata: {},
    legs: [],
    holds: [{ kind: 'void', holdId: idMadeBy('hold', attemptId), accountId: terms.buyerAccountId }],
  });
  return accept(
    { commandId, actor: 'SYSTEM', at: now, type: 'REFUND_REFUSED', attemptId, transactionId },
    { postings: [unlocking] },
  );
}

/**
 * Money that a provider reports as received: credited to the buyer under the attempt's key, and therefore once, however often
 * it is reported. If it will be refunded, it is put on hold, so that it can be debited then.
 */
function depositPosting({ terms }: PaymentLink, { attemptId, kind }: Attempt, isHeld: boolean): Posting {
  return posting({
    transactionId: depositOf(attemptId),
    companyId: terms.companyId,
    key: `${kind === 'card' ? 'gateway' : 'mobile-money'}/${attemptId}`,
    type: 'DEPOSIT',
    status: 'COMPLETED',
    amountCents: terms.amountCents,
    currency: terms.currency,
    reference: null,
    escrowId: null,
    metadata: { source: kind },
    legs: [
      { accountId: terms.clearingAccountIds[kind], amountCents: -terms.amountCents },
      { accountId: terms.buyerAccountId, amountCents: terms.amountCents },
    ],
    holds: isHeld
      ? [
          {
            kind: 'place',
            holdId: idMadeBy('hold', attemptId),
            accountId: terms.buyerAccountId,
            amountCents: terms.amountCents,
          },
        ]
      : [],
  });
}

/** The deposit has the id derived from the attempt's id. */
export function depositOf(attemptId: AttemptId): TransactionId {
  return idMadeBy('transaction', attemptId);
}

/** A link funds its escrow once, so the funding and its hold have ids derived from the link's id. */
function fundingOf({ terms }: PaymentLink): TransactionId {
  return idMadeBy('transaction', terms.linkId);
}

function fund(link: PaymentLink, depositTransactionId: TransactionId | null): EscrowCommand {
  return { type: 'fund', commandId: commandThatMade(fundingOf(link)), depositTransactionId };
}

function cancelEscrow(commandId: CommandId, actor: 'BUYER' | 'SYSTEM'): EscrowCommand {
  return { type: 'cancel', commandId, actor, adminId: null, apiKeyId: null };
}

function newAttempt(kind: Attempt['kind'], commandId: CommandId, now: Instant): Attempt {
  return {
    attemptId: idMadeBy('attempt', commandId),
    kind,
    status: kind === 'card' ? 'open' : 'pending',
    startedAt: now,
    // A card form is not checked while it is open; a mobile money operator is asked at once.
    pollAt: kind === 'card' ? addMs(now, CHECKOUT_POLL_MINUTES * MINUTE_MS) : now,
    polls: 0,
    refund: null,
    changes: [],
    takenBackCents: 0n,
  };
}

function nextPoll({ kind, polls, startedAt }: Attempt, now: Instant): Instant {
  const delays: readonly number[] = POLL_DELAYS_SECONDS[kind];
  const next = addMs(now, (delays[polls] ?? LAST_POLL_DELAY_SECONDS) * 1_000);
  // A prompt is withdrawn at the end of its lifetime.
  const lapsesAt = addMs(startedAt, PROMPT_LIFETIME_MINUTES * MINUTE_MS);
  return kind === 'mobile_money' && now < lapsesAt && lapsesAt < next ? lapsesAt : next;
}

function attemptOf(link: PaymentLink, attemptId: AttemptId): Attempt | undefined {
  return link.attempts.find((attempt) => attempt.attemptId === attemptId);
}

function isOver({ status }: Attempt): boolean {
  return status !== 'open' && status !== 'pending';
}

/** A link takes one payment only, even if its escrow could not take the money and it went to the buyer's balance. */
export function refuseSecondPayment(link: PaymentLink): Refused | null {
  return link.attempts.some(({ status }) => status === 'succeeded')
    ? refuse('wrong_state', 'a payment for this link has already arrived')
    : null;
}

/** The API asks too, before it opens a checkout or uses up a code. */
export function refuseMoreAttempts(link: PaymentLink): Refused | null {
  const second = refuseSecondPayment(link);
  if (second !== null) return second;
  return link.attempts.length >= MAX_ATTEMPTS
    ? refuse('too_many_requests', 'too many payment attempts on this link')
    : null;
}

function refuseExpired(link: PaymentLink, now: Instant): Refused | null {
  return now >= link.terms.expiresAt ? EXPIRED : null;
}

/** A link with a payment in progress expires only after that payment has ended. */
export function expiryOf(link: PaymentLink): Instant {
  return unsettled(link).reduce((latest, { pollAt }) => {
    return pollAt !== null && pollAt > latest ? pollAt : latest;
  }, link.terms.expiresAt);
}

function accept(event: LinkEvent, follows: Partial<Omit<Accepted, 'kind' | 'event'>> = {}): Accepted {
  return {
    kind: 'accepted',
    event,
    postings: [],
    escrowCommand: null,
    asksForMoney: false,
    movement: null,
    reversedId: null,
    ...follows,
  };
}

function refuseStatus(status: LinkStatus): Refused {
  return status === 'EXPIRED' ? EXPIRED : refuse('wrong_state', `the payment link is ${status}`);
}

/** The events that time alone causes in a link: a status check at a provider, or its expiry. */
type LinkDeadline =
  | { readonly kind: 'poll'; readonly at: Instant; readonly attemptId: AttemptId }
  | { readonly kind: 'expire'; readonly at: Instant };

export function nextLinkDeadline(link: PaymentLink): LinkDeadline | null {
  // Release 1.0.0-rc.1 stored a check without its time if an activity's result was not an answer. It is due.
  const polls = awaited(link).flatMap(({ attemptId, pollAt = link.updatedAt }) =>
    pollAt === null ? [] : [{ kind: 'poll' as const, at: pollAt, attemptId }],
  );
  const expiries = link.status === 'PENDING' ? [{ kind: 'expire' as const, at: expiryOf(link) }] : [];
  // A status check that is due at the moment of expiry comes first.
  const [first] = [...polls, ...expiries].sort(byInstant);
  return first ?? null;
}
