/**
 * Why something was refused, where the code of a refusal leaves that open. Each reason has its sentence, which the console translates.
 * `{value}` and `{count}` stand for what was found.
 */

/** Of `statement_invalid` and `statement_too_large`. */
export const STATEMENT_REASONS = {
  document_type: 'a document type is not accepted',
  not_well_formed: 'the XML is not well-formed in line {count}',
  no_namespace: 'the file has no namespace',
  other_namespace: 'the file has another namespace: {value}',
  nested_too_deep: 'the XML is nested more than {count} levels',
  no_element: 'the file has no element',
  not_utf8: 'the file is not in UTF-8',
  encoding_unknown: 'the encoding {value} is not read',
  version_unknown: 'the version {value} of camt.053 is not read, only 001.02 and 001.08',
  no_statement: 'the file has no statement',
  balances_differ: 'the opening balance and the booked entries do not add up to the closing balance',
  entry_currency_differs: 'an entry has another currency than the account',
  account_unnamed: 'the account (Acct) has no IBAN and no other id',
  balance_missing: 'the opening balance (OPBD, PRCD) or the closing balance (CLBD) is missing',
  currency_unknown: 'the currency {value} is not supported',
  currency_missing: 'the closing balance has no currency',
  several_currencies: 'the account and its balances have several currencies',
  closing_date_missing: 'the closing balance has no date',
  direction_missing: 'an element {value} does not say whether it is a credit or a debit (CdtDbtInd)',
  amount_invalid: 'an amount is missing, or is not a number with at most two decimals',
  date_invalid: '{value} is not a date',
  too_many_statements: 'the file has more than {count} statements',
  too_many_entries: 'the file has more than {count} entries',
  window_too_long: 'the window has more than {count} entries; ask for a shorter one',
  too_much_memory: 'the file needs too much memory',
} as const;

export type StatementReason = keyof typeof STATEMENT_REASONS;
export type StatementSentence = (typeof STATEMENT_REASONS)[StatementReason];

/** Of `forbidden`, where another role of the company would not help. */
const FORBIDDEN_REASONS = {
  platform_records_receipts: 'only the platform records what the bank received (PAYOUT_BACKING)',
  platform_froze: 'the platform froze the account, and it alone lifts the freeze and resumes payments',
  other_administrator: 'another administrator, who was there before the change, has to approve it',
} as const;

export type ForbiddenReason = keyof typeof FORBIDDEN_REASONS;

export const isStatementReason = (code: string): code is StatementReason => Object.hasOwn(STATEMENT_REASONS, code);
export const isForbiddenReason = (code: string): code is ForbiddenReason => Object.hasOwn(FORBIDDEN_REASONS, code);

/** `value`: what was found; of a sentence with `{count}` a number. */
export type RefusalReason = { readonly code: StatementReason | ForbiddenReason; readonly value?: string | undefined };

/** The sentence of a reason in English. */
export function reasonSentence({ code, value = '' }: RefusalReason): string {
  const sentence = isForbiddenReason(code) ? FORBIDDEN_REASONS[code] : STATEMENT_REASONS[code];
  return sentence.replace('{value}', () => value).replace('{count}', () => Number(value).toLocaleString('en'));
}
