import { byInstant, type Instant } from '../time.ts';
import { expiryOf } from './decide.ts';
import { type AttemptId, awaited, type PaymentLink } from './link.ts';

/** The events that time alone causes in a link: a status check at a provider, or its expiry. */
export type LinkDeadline =
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
