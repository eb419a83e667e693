/** The chart of accounts, as one table that the database seed, the checks and the documentation read. */

export const ACCOUNT_TYPES = {
  USER: { ledger: 'user', mayGoNegative: false, appends: false, holds: "a user's money" },
  COMPANY: { ledger: 'company', mayGoNegative: false, appends: true, holds: "the company's own money" },
  SERVICE_FEE: { ledger: 'company', mayGoNegative: false, appends: true, holds: "the company's revenue" },
  TAX: { ledger: 'company', mayGoNegative: false, appends: true, holds: 'transfer tax withheld' },
  SUSPENSE: { ledger: 'company', mayGoNegative: false, appends: true, holds: 'receipts nobody is matched to yet' },
  TRANSIT: { ledger: 'company', mayGoNegative: true, appends: true, holds: 'contra side of deposits not settled yet' },
  BANK: { ledger: 'company', mayGoNegative: true, appends: true, holds: 'contra side: the outside world' },
  SYSTEM_FEE: { ledger: 'platform', mayGoNegative: false, appends: true, holds: "the platform's revenue" },
} as const satisfies Record<
  string,
  { ledger: 'user' | 'company' | 'platform'; mayGoNegative: boolean; appends: boolean; holds: string }
>;

export type AccountType = keyof typeof ACCOUNT_TYPES;
