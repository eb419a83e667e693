/**
 * The chart of accounts, as one table for the database seed, the checks and the documentation. A `company_on_demand` account is
 * opened in the company's ledger when it is first needed; all others are created with their ledger.
 */

export const ACCOUNT_TYPES = {
  USER: { ledger: 'user', mayGoNegative: false, appends: false, holds: "a user's money" },
  COMPANY: { ledger: 'company', mayGoNegative: false, appends: true, holds: "the company's own money" },
  SERVICE_FEE: { ledger: 'company', mayGoNegative: false, appends: true, holds: "the company's revenue" },
  TAX: { ledger: 'company', mayGoNegative: false, appends: true, holds: 'transfer tax withheld' },
  SUSPENSE: { ledger: 'company', mayGoNegative: false, appends: true, holds: 'receipts nobody is matched to yet' },
  TRANSIT: { ledger: 'company', mayGoNegative: true, appends: true, holds: 'contra side of deposits not settled yet' },
  BANK: { ledger: 'company', mayGoNegative: true, appends: true, holds: 'contra side: the money at the bank' },
  CLEARING_CARD: {
    ledger: 'company',
    mayGoNegative: true,
    appends: true,
    holds: 'contra side: card payments until the bank has them',
  },
  CLEARING_MOBILE: {
    ledger: 'company',
    mayGoNegative: true,
    appends: true,
    holds: 'contra side: mobile money until the bank has it',
  },
  CLEARING_DECLARED: {
    ledger: 'company',
    mayGoNegative: true,
    appends: true,
    holds: 'contra side: deposits that the company declared as received',
  },
  RECEIVABLE: {
    ledger: 'company_on_demand',
    mayGoNegative: true,
    appends: true,
    holds: 'contra side: what others owe',
  },
  INTERCOMPANY: {
    ledger: 'company_on_demand',
    mayGoNegative: true,
    appends: true,
    holds: 'what the company owes the platform; below zero, what others owe it',
  },
  SYSTEM_FEE: { ledger: 'platform', mayGoNegative: false, appends: true, holds: "the platform's revenue" },
} as const satisfies Record<
  string,
  {
    ledger: 'user' | 'company' | 'company_on_demand' | 'platform';
    mayGoNegative: boolean;
    appends: boolean;
    holds: string;
  }
>;

export type AccountType = keyof typeof ACCOUNT_TYPES;
