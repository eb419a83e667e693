import { assertNever } from '../../domain/errors.ts';
import { coversOrder } from '../../domain/escrow/deliveries.ts';
import type { Escrow } from '../../domain/escrow/escrow.ts';
import { agreedShares } from '../../domain/escrow/evolve.ts';
import type { Shares } from '../../domain/escrow/shares.ts';
import type { Instant } from '../../domain/time.ts';

/** Where an order and its money stand. All pages and PDFs of an order say this, and nothing else, of its state. */

export type StandingKind =
  | 'unpaid'
  | 'held'
  | 'partly_sent'
  | 'sent'
  | 'partly_received'
  | 'received'
  | 'disputed'
  | 'taken_back'
  | 'released'
  | 'divided'
  | 'refunded'
  | 'never_paid'
  | 'returned'
  | 'resolved';

export type Standing = {
  readonly kind: StandingKind;
  /** Whether the buyer's money is locked for the order. */
  readonly isHeld: boolean;
  /** How many of the three steps are complete: the buyer pays, the order arrives, the seller is paid. */
  readonly reached: 0 | 1 | 2 | 3;
  /** When the money is released if nobody acts; null if time alone releases nothing. */
  readonly releaseAt: Instant | null;
  /** When a release that was refused is tried again; null if none was. */
  readonly retryAt: Instant | null;
  /** What the release pays to whom, where it does not simply pay the seller. */
  readonly agreed: Shares | null;
};

/** `isTakenBack`: the payment was, in whole or in part, and is not made good, so the API releases nothing. */
export function standingOf(escrow: Escrow, isTakenBack: boolean): Standing {
  const { status, terms, deliveries, autoReleaseAt, blockedBy, releasedCents, refundedCents } = escrow;
  const covers = coversOrder(terms.items, deliveries);
  const nothingDue = { isHeld: false, releaseAt: null, retryAt: null, agreed: null };
  const held = (kind: StandingKind, reached: 1 | 2): Standing =>
    isTakenBack
      ? { ...nothingDue, kind: 'taken_back', reached: 0 }
      : {
          kind,
          isHeld: true,
          reached,
          releaseAt: blockedBy === null ? autoReleaseAt : null,
          retryAt: blockedBy === null ? null : autoReleaseAt,
          agreed: agreedShares(escrow),
        };
  const ended = (kind: StandingKind, reached: 1 | 3): Standing => ({ ...nothingDue, kind, reached });
  switch (status) {
    case 'PENDING':
      return { ...nothingDue, kind: 'unpaid', reached: 0 };
    case 'ACTIVE':
      return held('held', 1);
    case 'DELIVERY_NOTED':
      return held(covers ? 'sent' : 'partly_sent', 1);
    case 'GOODS_RECEIVED':
      return covers ? held('received', 2) : held('partly_received', 1);
    case 'DISPUTED':
      return held('disputed', 1);
    case 'COMPLETED':
      if (releasedCents === 0n && refundedCents > 0n) return ended('refunded', 1);
      return ended(releasedCents > 0n && refundedCents === 0n ? 'released' : 'divided', 3);
    case 'CANCELLED':
      if (refundedCents === 0n && releasedCents === 0n) return { ...nothingDue, kind: 'never_paid', reached: 0 };
      return ended('returned', 1);
    case 'RESOLVED':
      return ended('resolved', 1);
    default:
      return assertNever(status);
  }
}
