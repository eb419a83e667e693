import type { Currency } from '../../domain/money.ts';

/** Mobile money: the buyer is asked on the phone, and answers, or does not. */

export type ChargeStatus = 'approved' | 'declined' | 'pending';

export interface MobileMoney {
  /** Asks the buyer. The same reference again is the same charge. Throws ProviderError. */
  charge(request: {
    /** Ours, unique. */
    readonly reference: string;
    /** E.164. */
    readonly phone: string;
    readonly amountCents: bigint;
    readonly currency: Currency;
  }): Promise<ChargeStatus>;
  /** Takes back a prompt that nobody has answered, or the money of a charge. The same again is the same. Throws ProviderError. */
  reverse(reference: string): Promise<'refunded' | 'refused'>;
  /** What became of a charge; `unknown` where the operator never heard of it. Throws ProviderError. */
  status(reference: string): Promise<ChargeStatus | 'unknown'>;
}
