import { minCents } from '../money.ts';
import type { Escrow, Party } from './escrow.ts';

/**
 * What a party really got of an escrow. The escrow counts what left its hold. A refund first settles what the buyer owes, and a payment
 * may be taken back at any time, also after the end.
 */

/** What the buyer's debts have to do with an escrow, in cents. */
export type BuyerDebts = {
  /** What is owed for the escrow's payment, because it was taken back. */
  readonly owedCents: bigint;
  /** What the company bears of that. */
  readonly writtenOffCents: bigint;
  /** What the escrow's refund has settled of that. */
  readonly settledCents: bigint;
  /** What the escrow's refund has settled of the buyer's other debts. */
  readonly otherCents: bigint;
};

export const NO_DEBTS: BuyerDebts = { owedCents: 0n, writtenOffCents: 0n, settledCents: 0n, otherCents: 0n };

/** In cents. All but `receivedCents` is zero for a seller: the debts are the buyer's. */
type Proceeds = {
  /** What the escrow has added to the party's balance. */
  readonly receivedCents: bigint;
  /** What of the payment was taken back, and did not come back. */
  readonly takenBackCents: bigint;
  /** What of the refund settled that. */
  readonly settledCents: bigint;
  /** What of the refund settled other debts. */
  readonly otherCents: bigint;
  /** What was taken of the party's other money for the payment, or of a refund that had already reached the balance. */
  readonly takenCents: bigint;
  /** What is still owed for the payment. */
  readonly owedCents: bigint;
};

/**
 * A payment that was taken back is owed, borne by the company, or made good: by the refund, and else by the buyer's other money. What the
 * bank gave back after a refund had settled it is the buyer's: it counts as received.
 */
export function proceedsOf(party: Party, escrow: Escrow, debts: BuyerDebts): Proceeds {
  const { releasedCents, refundedCents, chargedBackCents: takenBackCents } = escrow;
  const { owedCents, writtenOffCents, otherCents } = debts;
  if (party === 'SELLER')
    return {
      ...{ receivedCents: releasedCents, takenBackCents: 0n, settledCents: 0n, otherCents: 0n },
      ...{ takenCents: 0n, owedCents: 0n },
    };
  const madeGoodCents = takenBackCents - owedCents - writtenOffCents;
  const settledCents = minCents(debts.settledCents, madeGoodCents);
  return {
    receivedCents: refundedCents - settledCents - otherCents,
    ...{ takenBackCents, settledCents, otherCents, owedCents },
    takenCents: madeGoodCents - settledCents,
  };
}
