import type { Currency } from '../../domain/money.ts';
import type { PayoutStatus } from '../../domain/withdrawal/payout.ts';

/** The bank that pays withdrawals out. */

export type PayoutInstruction = {
  /** Ours, unique, at most 35 characters: the same again is the same payment. */
  readonly endToEndId: string;
  readonly amountCents: bigint;
  readonly currency: Currency;
  /** Part of the instruction, so that a second attempt says what the first said. */
  readonly createdAt: Date;
  /** What the receiver reads on the statement. */
  readonly reference: string;
  readonly creditor: {
    readonly name: string;
    readonly accountNumber: string;
    readonly bankName: string;
    readonly branchCode: string;
  };
};

export interface PayoutBank {
  /**
   * Hands over one payment and answers what the bank says of it, at least `pending`. Ask first, by `status`.
   * Throws ProviderError: `unknown` means that the bank may have it.
   */
  send(instruction: PayoutInstruction): Promise<PayoutStatus>;
  /** What became of a payment. Throws ProviderError. */
  status(endToEndId: string): Promise<PayoutStatus>;
}
