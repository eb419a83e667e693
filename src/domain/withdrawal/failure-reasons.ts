/** What a bank's reason code means, in sentences for people. Source: ISO 20022 external code set, ExternalStatusReason1Code. */
export const FAILURE_SENTENCES = {
  AC01: 'The account number is wrong or does not exist.',
  AC02: 'The account of the payer is wrong.',
  AC03: 'The account number of the recipient is wrong.',
  AC04: 'The account is closed.',
  AC05: 'The account of the payer is closed.',
  AC06: 'The account is blocked for this payment.',
  AC07: 'The account of the recipient is closed.',
  AC13: 'The account is of a kind that cannot take this payment.',
  AC14: 'The account is of a kind that cannot take this payment.',
  AG01: 'The bank does not allow this kind of payment on the account.',
  AG02: 'The bank does not know this kind of payment.',
  AM01: 'The amount is zero.',
  AM02: 'The amount is more than the bank allows.',
  AM03: 'The bank does not take this currency.',
  AM04: 'The account that pays has not enough money.',
  AM05: 'The bank has seen the same payment before.',
  AM09: 'The amount is not the agreed one.',
  AM12: 'The amount is not valid.',
  BE01: 'The name does not belong to the account.',
  BE04: 'The address of the recipient is missing or wrong.',
  BE05: 'The bank does not know the payer.',
  BE06: 'The bank does not know the recipient.',
  CNOR: 'The bank of the recipient does not take part in this scheme.',
  CURR: 'The currency is not the one of the account.',
  CUST: 'The payment was cancelled at the request of the payer.',
  DT01: 'The date is not valid.',
  DUPL: 'The bank has seen the same payment before.',
  FF01: 'The bank could not read the payment.',
  FOCR: 'The payment was returned after a request to cancel it.',
  FR01: 'The bank suspects fraud.',
  FRAD: 'The payment was reported as fraud.',
  MD07: 'The recipient has died.',
  MS02: 'The recipient does not say why the payment was refused.',
  MS03: 'The bank does not say why it refused the payment.',
  NARR: 'The bank gives its reason in words only. Ask the bank.',
  NOCM: 'The payment breaks a rule of the bank.',
  RC01: 'The code of the bank or branch is wrong.',
  RC03: 'The code of the bank of the payer is wrong.',
  RC04: 'The code of the bank of the recipient is wrong.',
  RR01: 'The account or identification of the payer is missing.',
  RR02: 'The name or address of the payer is missing.',
  RR03: 'The name or address of the recipient is missing.',
  RR04: 'The bank refused the payment for a legal reason.',
  SL11: 'The recipient is not on the list of allowed recipients.',
  SL12: 'The recipient is on the list of refused recipients.',
  TECH: 'The bank had a technical problem.',
  TM01: 'The payment came after the end of the bank day.',
} as const satisfies Readonly<Record<string, string>>;

export type FailureSentence = (typeof FAILURE_SENTENCES)[keyof typeof FAILURE_SENTENCES];

const isKnown = (code: string): code is keyof typeof FAILURE_SENTENCES => Object.hasOwn(FAILURE_SENTENCES, code);

/** The sentence of a known code; null for another one. The console translates it. */
export function failureSentence(code: string): FailureSentence | null {
  return isKnown(code) ? FAILURE_SENTENCES[code] : null;
}

/** A sentence for any reason code. */
export function sentenceOfReason(code: string): string {
  return failureSentence(code) ?? `The bank refused the payment with the code ${code}.`;
}
