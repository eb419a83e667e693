import type { Currency } from '../../domain/money.ts';

/** Mobile money: the buyer gets a prompt on the phone, and approves, declines, or does not answer. */

export type ChargeStatus = 'approved' | 'declined' | 'pending';

export interface MobileMoney {
  /** Sends the prompt. A repetition with the same reference is the same charge. Throws ProviderError. */
  charge(request: {
    /** Our reference, unique. */
    readonly reference: string;
    /** E.164. */
    readonly phone: string;
    readonly amountCents: bigint;
    readonly currency: Currency;
  }): Promise<ChargeStatus>;
  /** Cancels an unanswered prompt, or returns the money of a charge. Idempotent. Throws ProviderError. */
  reverse(reference: string): Promise<'refunded' | 'refused'>;
  /** The status of a charge; `unknown` if the operator does not know it. Throws ProviderError. */
  status(reference: string): Promise<ChargeStatus | 'unknown'>;
}
