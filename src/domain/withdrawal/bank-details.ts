import { HOUR_MS } from '../time.ts';

/** The destination of a payout, and the limits of ISO 20022 payment files for it. */
export type BankDetails = {
  readonly bankName: string;
  readonly branchCode: string;
  readonly accountNumber: string;
  readonly accountName: string;
};

/** The same account at a bank, whatever its name and that of its owner. */
export function isSameDestination(
  a: Pick<BankDetails, 'branchCode' | 'accountNumber'>,
  b: Pick<BankDetails, 'branchCode' | 'accountNumber'>,
): boolean {
  return a.branchCode === b.branchCode && bareNumber(a.accountNumber) === bareNumber(b.accountNumber);
}

/** A number as banks compare it: people write it with spaces and dashes. */
function bareNumber(accountNumber: string): string {
  return accountNumber.replace(/[\s-]/g, '').toUpperCase();
}

export function laterOf(at: Date, hours: number): Date {
  return new Date(at.getTime() + hours * HOUR_MS);
}

export const MAX_BANK_NAME_CHARACTERS = 140;
/** ClrSysMmbId. */
export const MAX_BRANCH_CODE_CHARACTERS = 35;
/** Max34Text. A longer number is refused and never truncated. */
export const MAX_ACCOUNT_NUMBER_CHARACTERS = 34;

/** Whether a payment file can carry these bank details. */
export function fitPaymentFile({ bankName, branchCode, accountNumber, accountName }: BankDetails): boolean {
  const isWithin = (text: string, most: number) => text.length > 0 && [...text].length <= most;
  return (
    isWithin(bankName, MAX_BANK_NAME_CHARACTERS) &&
    isWithin(branchCode, MAX_BRANCH_CODE_CHARACTERS) &&
    isWithin(accountNumber, MAX_ACCOUNT_NUMBER_CHARACTERS) &&
    isWithin(accountName, MAX_BANK_NAME_CHARACTERS)
  );
}

const SHOWN_CHARACTERS = 4;

/** All but the last four characters hidden. */
export function maskAccountNumber(accountNumber: string): string {
  const hidden = Math.max(accountNumber.length - SHOWN_CHARACTERS, 0);
  return '*'.repeat(hidden) + accountNumber.slice(hidden);
}
