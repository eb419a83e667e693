import type { Currency } from '../../domain/money.ts';
import type { BankWord } from '../../domain/withdrawal/bank-reports.ts';

/** The bank that pays withdrawals out. */

export type PayoutInstruction = {
  /** Ours, unique, at most 35 characters: the same again is the same payment. */
  readonly endToEndId: string;
  /** Names this attempt; the bank repeats it in its reports. At most 35 characters. */
  readonly instructionId: string;
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
   * Hands over one payment and answers what the bank says at once. Ask first, by `status`.
   * Throws ProviderError: `unreachable` means that the bank has not got it, `unknown` that it may have.
   */
  send(instruction: PayoutInstruction): Promise<BankWord>;
  /** Everything that the bank's reports say of a payment, in any order. Throws ProviderError. */
  status(endToEndId: string): Promise<BankWord>;
}
