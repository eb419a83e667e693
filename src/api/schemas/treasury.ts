import { z } from '@hono/zod-openapi';
import { CAPTURE_MATCHES } from '../../db/payments/captures.ts';
import { FEE_KINDS, type FeeConfig } from '../../db/treasury/fee-configs.ts';
import type { WithdrawalRecord, WithdrawalTimelineEntry } from '../../db/treasury/withdrawals.ts';
import { withdrawalWithoutAccount } from '../../db/views/treasury.ts';
import { TRANSACTION_STATUSES } from '../../domain/ledger/postings.ts';
import {
  type BankDetails,
  MAX_ACCOUNT_NUMBER_CHARACTERS,
  MAX_BANK_NAME_CHARACTERS,
  MAX_BRANCH_CODE_CHARACTERS,
} from '../../domain/withdrawal/bank-details.ts';
import { PAYOUT_CONCERNS } from '../../domain/withdrawal/bank-reports.ts';
import { type BankCharacterSet, bankTextAnyway } from '../../domain/withdrawal/bank-text.ts';
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawal/withdrawal.ts';
import { cents, centsText, currency, id, source, text, timestamp } from './common.ts';

/** Bank details of a withdrawal and of a ledger, restricted to what payment files can carry. */
export const bankFields = {
  bank_name: text(MAX_BANK_NAME_CHARACTERS).describe('The name of the bank.'),
  branch_code: text(MAX_BRANCH_CODE_CHARACTERS).describe('The code of the branch.'),
  account_number: text(MAX_ACCOUNT_NUMBER_CHARACTERS).describe('The number of the account at the bank.'),
  account_name: text(MAX_BANK_NAME_CHARACTERS).describe('The holder of the account at the bank.'),
};
export const BANK_FIELDS = ['bank_name', 'branch_code', 'account_number', 'account_name'] as const;

const isAbsent = (value: unknown) => value === undefined || value === null;

/** All of them or none. */
export const optionalBankFields = {
  bank_name: bankFields.bank_name.nullish().describe('The name of the bank.'),
  branch_code: bankFields.branch_code.nullish().describe('The code of the branch.'),
  account_number: bankFields.account_number.nullish().describe('The number of the account at the bank.'),
  account_name: bankFields.account_name.nullish().describe('The holder of the account at the bank.'),
};
type OptionalBankFields = { readonly [Name in (typeof BANK_FIELDS)[number]]?: string | null | undefined };

export function allOrNone(body: OptionalBankFields, context: z.RefinementCtx): void {
  const absent = BANK_FIELDS.filter((field) => isAbsent(body[field]));
  if (absent.length === 0 || absent.length === BANK_FIELDS.length) return;
  for (const field of absent)
    context.addIssue({ code: 'custom', path: [field], message: 'is required with the other bank fields' });
}

export const WithdrawalRequest = z
  .object({
    accountId: id('account').describe('The account that pays.'),
    amount: cents().describe('What the bank pays out, in cents. Transfer tax is taken on top.'),
    externalReference: text().openapi({ description: "Your reference, unique among the company's withdrawals." }),
    ...optionalBankFields,
  })
  .superRefine(allOrNone)
  .openapi('WithdrawalRequest', {
    description:
      "Without any of the four bank fields, the money goes to the default bank details of the account's ledger, else to the " +
      "user's bank account.",
  });

/** The destination in the request; null if there is none. */
export function destinationOf(body: OptionalBankFields): BankDetails | null {
  const {
    bank_name: bankName,
    branch_code: branchCode,
    account_number: accountNumber,
    account_name: accountName,
  } = body;
  if (bankName == null || branchCode == null || accountNumber == null || accountName == null) return null;
  return { bankName, branchCode, accountNumber, accountName };
}

/** What the bank gets, in its own characters. */
export const SentToBankNames = z
  .object({
    bank_name: z.string().describe('The name of the bank.'),
    account_name: z.string().describe('The holder of the account at the bank.'),
  })
  .openapi('SentToBankNames');
export const SentToBank = SentToBankNames.extend({ reference: z.string().describe('Your reference.') }).openapi(
  'SentToBank',
);

function sentToBankView(
  { bankName, accountName, externalReference }: { bankName: string; accountName: string; externalReference: string },
  set: BankCharacterSet,
): z.infer<typeof SentToBank> {
  const cut = (text: string) => [...bankTextAnyway(text, set)].slice(0, MAX_BANK_NAME_CHARACTERS).join('');
  return {
    bank_name: cut(bankName),
    account_name: cut(accountName),
    reference: bankTextAnyway(externalReference, set),
  };
}

const withdrawalFields = {
  id: z.string().openapi({ description: "The withdrawal's transaction." }),
  status: z.enum(WITHDRAWAL_STATUSES),
  amount: centsText(),
  taxAmount: centsText().openapi({ description: 'Transfer tax, taken on top of the amount. Integer cents.' }),
  reference: z.string().describe('Your reference.'),
  created_at: timestamp().describe('When it was made.'),
  not_before: timestamp()
    .nullable()
    .describe('The bank gets the payment no earlier, because the destination is new. Null: at once.'),
  sent_to_bank: SentToBank.describe('The texts of the payment file, in the characters that the bank takes.'),
};

export const WithdrawalRequested = z.object(withdrawalFields).openapi('WithdrawalRequested');

export const Withdrawal = z
  .object({
    ...withdrawalFields,
    currency: currency(),
    accountId: z.string().describe('The account that pays.'),
    bank_name: z.string().describe('The name of the bank.'),
    branch_code: z.string().describe('The code of the branch.'),
    account_number: z.string().openapi({ description: 'All but the last four characters hidden.' }),
    account_name: z.string().describe('The holder of the account at the bank.'),
    failure_reason: z
      .string()
      .nullable()
      .openapi({ description: "The bank's reason code, if it rejected or returned the payment." }),
    failure_description: z
      .string()
      .nullable()
      .openapi({ description: 'The reason as a sentence.', example: 'The account is closed.' }),
    review_reason: z.enum(PAYOUT_CONCERNS).nullable().openapi({
      description:
        'Why a person has to look at the payment. `account_frozen` and `user_blacklisted`: it was not handed to the bank; resume or cancel it. Null: nobody has to.',
    }),
    is_handed_over: z
      .boolean()
      .openapi({ description: 'Whether the bank may have the payment. It can no longer be cancelled.' }),
    end_to_end_id: z
      .string()
      .openapi({ description: "The payment's reference at the bank: EndToEndId in pain.001 and in camt.053." }),
    updated_at: timestamp().describe('When it was last changed.'),
    version: z.int().openapi({
      description: 'Grows with every event of the withdrawal. As `"3"` it is the `ETag`, and the value of `If-Match`.',
    }),
  })
  .openapi('Withdrawal');

export const withdrawalView = (withdrawal: WithdrawalRecord, set: BankCharacterSet): z.infer<typeof Withdrawal> => ({
  ...withdrawalWithoutAccount(withdrawal),
  sent_to_bank: sentToBankView(withdrawal, set),
  account_number: withdrawal.maskedAccountNumber,
  is_handed_over: withdrawal.isHandedOver,
});

export const WithdrawalWithoutAccount = Withdrawal.omit({
  account_number: true,
  is_handed_over: true,
  sent_to_bank: true,
});

export const WithdrawalWithTimeline = Withdrawal.extend({
  is_held_by_platform: z
    .boolean()
    .describe('Whether the payment was held back and the platform froze its account: the platform alone resumes it.'),
  timeline: z
    .array(
      z.object({
        event: z.string().describe('What happened.'),
        actor: z.string().describe('Who acts.'),
        at: timestamp().describe('When it happened.'),
        reason: z.string().nullable().describe('Why, as its sender wrote; null if nothing was written.'),
        source: source(),
      }),
    )
    .describe('What happened to it, oldest first.'),
}).openapi('WithdrawalWithTimeline');

export function timelineView(entries: readonly WithdrawalTimelineEntry[]) {
  return entries.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }));
}

export const CaptureRequest = z
  .object({
    amount: cents(),
    currency: currency(),
    reference: text().openapi({ description: "The bank's reference. Several receipts may have the same one." }),
  })
  .openapi('CaptureRequest');

export const Capture = z
  .object({
    id: z.string().describe('The receipt.'),
    type: z.literal('BANK_CAPTURE').describe('Its type.'),
    amount: centsText(),
    currency: currency(),
    reference: z.string().describe('The reference of the payment.'),
    status: z.enum(TRANSACTION_STATUSES),
    matchedTo: z
      .object({
        kind: z.enum(CAPTURE_MATCHES),
        id: z.string().describe('The deposit, the user or the suspense account.'),
      })
      .describe('Where the money went.'),
    possibleDuplicateOf: z.string().nullable().openapi({
      description: 'A settled deposit that may report the same money. Check it before you assign the receipt.',
    }),
    created_at: timestamp().describe('When it was made.'),
  })
  .openapi('Capture');

export const FeeConfigs = z
  .object({
    system_fee_basis_points: z.int().openapi({ description: "The platform's fee on the company's escrows." }),
    service_fee_basis_points: z.int().openapi({ description: "The company's own fee." }),
    configs: z
      .array(
        z.object({
          kind: z.enum(FEE_KINDS),
          currency: currency(),
          basis_points: z.int().describe('The rate, in hundredths of a per cent.'),
          effective_from: timestamp().describe('Since when it has applied.'),
        }),
      )
      .describe('The rates in force.'),
  })
  .openapi('FeeConfigs');

export function feeConfigView(config: FeeConfig): z.infer<typeof FeeConfigs>['configs'][number] {
  return {
    kind: config.kind,
    currency: config.currency,
    basis_points: config.basisPoints,
    effective_from: config.effectiveFrom.toISOString(),
  };
}
