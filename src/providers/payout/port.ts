import type { Currency } from '../../domain/money.ts';
import type { BankAnswer } from '../../domain/withdrawal/bank-reports.ts';

/** The bank that executes withdrawals. */

export type PayoutInstruction = {
  /** Our reference: unique, at most 35 characters. A repetition with the same reference is the same payment. */
  readonly endToEndId: string;
  /** The id of this attempt; the bank repeats it in its reports. At most 35 characters. */
  readonly instructionId: string;
  readonly amountCents: bigint;
  readonly currency: Currency;
  /** Part of the instruction, so that a repeated attempt has the same content. */
  readonly createdAt: Date;
  /** The text on the receiver's statement. */
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
   * Hands over one payment and returns the bank's immediate answer. Call `status` first. Throws ProviderError: `unreachable`
   * means that the bank does not have the payment, `unknown` that it may have it.
   */
  send(instruction: PayoutInstruction): Promise<BankAnswer>;
  /** All statuses of a payment in the bank's reports, in any order. Throws ProviderError. */
  status(endToEndId: string): Promise<BankAnswer>;
}
