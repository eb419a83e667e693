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
  | 'released'
  | 'divided'
  | 'refunded'
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
  /** What the release pays to whom, where it does not simply pay the seller. */
  readonly agreed: Shares | null;
};

export function standingOf(escrow: Escrow): Standing {
  const { status, terms, deliveries, autoReleaseAt, releasedCents, refundedCents } = escrow;
  const covers = coversOrder(terms.items, deliveries);
  const held = (kind: StandingKind, reached: 1 | 2): Standing => ({
    kind,
    isHeld: true,
    reached,
    releaseAt: autoReleaseAt,
    agreed: agreedShares(escrow),
  });
  const ended = (kind: StandingKind, reached: 1 | 3): Standing => ({
    kind,
    isHeld: false,
    reached,
    releaseAt: null,
    agreed: null,
  });
  switch (status) {
    case 'PENDING':
      return { kind: 'unpaid', isHeld: false, reached: 0, releaseAt: null, agreed: null };
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
      return ended('returned', 1);
    case 'RESOLVED':
      return ended('resolved', 1);
    default:
      return assertNever(status);
  }
}
