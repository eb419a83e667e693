import { assertNever } from '../errors.ts';
import type { Instant } from '../time.ts';
import { takenBackOf } from './changes.ts';
import type { Attempt, AttemptId, AttemptKind, LinkEvent, LinkStatus, PaymentLink } from './link.ts';

/** The link after one more event. Pure and total: every event that was ever stored must still fold. */
export function evolve(link: PaymentLink | null, event: LinkEvent): PaymentLink {
  if (event.type === 'CREATED')
    return {
      terms: event.terms,
      status: 'PENDING',
      seq: 1,
      attempts: [],
      transactionId: null,
      isCancelled: false,
      createdAt: event.at,
      updatedAt: event.at,
    };
  if (link === null) throw new Error(`the first event is ${event.type}, not CREATED`);
  return { ...apply(link, event), seq: link.seq + 1, updatedAt: event.at };
}

function apply(link: PaymentLink, event: Exclude<LinkEvent, { type: 'CREATED' }>): PaymentLink {
  switch (event.type) {
    case 'CHECKOUT_OPENED':
      return { ...link, attempts: [...link.attempts, event.attempt] };
    case 'CHARGE_STARTED':
      return { ...link, attempts: [...link.attempts, event.attempt], status: 'PROCESSING' };
    case 'PAYMENT_PENDING':
      return {
        ...changed(link, event.attemptId, (attempt) => ({
          status: 'pending',
          pollAt: event.pollAt,
          polls: attempt.polls + 1,
        })),
        status: whileRunning(link, 'PROCESSING'),
      };
    case 'POLL_POSTPONED':
      return changed(link, event.attemptId, (attempt) => ({ pollAt: event.pollAt, polls: attempt.polls + 1 }));
    case 'POLL_HASTENED':
      return changed(link, event.attemptId, () => ({ pollAt: event.pollAt }));
    case 'PAYMENT_DECLINED':
    case 'PAYMENT_MISMATCHED':
      return backToPending(changed(link, event.attemptId, () => ({ status: 'declined', pollAt: null })));
    case 'CHECKOUT_LAPSED':
      return backToPending(changed(link, event.attemptId, () => ({ status: 'lapsed', pollAt: null })));
    case 'ACCEPTED': {
      const accepted = { ...link, status: 'ACCEPTED' as const, transactionId: event.transactionId };
      return event.attemptId === null ? accepted : succeeded(accepted, event.attemptId, event.at);
    }
    case 'LATE_MONEY': {
      const late = backToPending(succeeded(link, event.attemptId, event.at));
      return event.isRefundDue ? changed(late, event.attemptId, () => ({ refund: 'due', pollAt: event.at })) : late;
    }
    case 'REFUNDED':
      return changed(link, event.attemptId, ({ changes }) => ({
        refund: 'done',
        pollAt: null,
        changes: [...changes, { changeId: null, change: 'refunded', amountCents: link.terms.amountCents }],
        takenBackCents: link.terms.amountCents,
      }));
    case 'TAKEN_BACK':
    case 'BROUGHT_BACK':
    case 'CHANGE_NOTED':
      // The gateway may know of more changes: it is asked again at once.
      return changed(link, event.attemptId, ({ changes }) => {
        const known = [...changes, event.change];
        const isReport = event.change.changeId !== null;
        return {
          changes: known,
          takenBackCents: takenBackOf(known, link.terms.amountCents),
          ...(isReport ? { pollAt: event.at } : {}),
        };
      });
    case 'REFUND_REFUSED':
      return changed(link, event.attemptId, ({ kind }) => ({
        refund: 'refused',
        pollAt: changesAskedAt(kind, event.at),
      }));
    case 'REJECTED':
      return { ...link, status: 'REJECTED', isCancelled: event.actor === 'SYSTEM' };
    case 'EXPIRED':
      return { ...link, status: 'EXPIRED' };
    default:
      return assertNever(event);
  }
}

/** A final link keeps its status when its attempts change. */
function whileRunning(link: PaymentLink, status: LinkStatus): LinkStatus {
  return link.status === 'PENDING' || link.status === 'PROCESSING' ? status : link.status;
}

/** Another attempt is possible once no attempt is in progress. */
function backToPending(link: PaymentLink): PaymentLink {
  const isAtWork = link.attempts.some(({ status }) => status === 'pending');
  return isAtWork ? link : { ...link, status: whileRunning(link, 'PENDING') };
}

function succeeded(link: PaymentLink, attemptId: AttemptId, at: Instant): PaymentLink {
  return changed(link, attemptId, ({ kind }) => ({ status: 'succeeded', pollAt: changesAskedAt(kind, at) }));
}

/**
 * A chargeback can be notified before its payment is recorded, when nobody knows the payment yet. The gateway is therefore asked
 * once for the changes of every payment that it took. Mobile money has no changes to ask for.
 */
function changesAskedAt(kind: AttemptKind, at: Instant): Instant | null {
  return kind === 'card' ? at : null;
}

function changed(link: PaymentLink, attemptId: AttemptId, change: (attempt: Attempt) => Partial<Attempt>): PaymentLink {
  const attempts = link.attempts.map((attempt) =>
    attempt.attemptId === attemptId ? { ...attempt, ...change(attempt) } : attempt,
  );
  return { ...link, attempts };
}
