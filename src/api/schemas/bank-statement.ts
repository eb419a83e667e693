import { z } from '@hono/zod-openapi';
import type { Reconciliation as ReadReconciliation } from '../../db/treasury/bank-reconciliation.ts';
import type { BankEntryRecord, BankStatementRecord } from '../../db/treasury/bank-statements.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import { BANK_MATCH_KINDS } from '../../domain/ledger/bank-statement.ts';
import { mapInTurns } from '../../turns/turns.ts';
import { BODY_LIMITS } from '../limits.ts';
import { centsText, currency, id, textOrNull, timestamp } from './common.ts';
import { file } from './identity.ts';

/** The bank's statements, their entries, and their comparison with the books. */

export const BankFileForm = z
  .object({ file: file(`The bank's camt.053 file, at most ${BODY_LIMITS.bankFile.words}.`) })
  .openapi('BankFileForm');

const day = () => z.iso.date().openapi({ description: "A day of the bank's calendar.", example: '2026-01-31' });
const direction = () =>
  z.enum(['CREDIT', 'DEBIT']).openapi({ description: 'As in the file of the bank: a credit increases its balance.' });

const statementFields = {
  id: z.string().describe('The id of the statement.'),
  account: z.string().openapi({ description: "The IBAN, or the bank's other number of the account." }),
  currency: currency().describe('The currency of the account.'),
  number: z.string().openapi({ description: "The bank's id of the statement." }),
  from: day().describe('The first day.'),
  to: day().describe('The day of the closing balance.'),
  openingBalance: centsText().describe('Integer cents; negative if the account was overdrawn.'),
  closingBalance: centsText().describe('Integer cents; negative if the account is overdrawn.'),
  entries: z.int().openapi({ description: 'Booked entries of the file. Pending ones count when they are booked.' }),
  matched: z.int().openapi({ description: 'New entries that the books confirm.' }),
  open: z.int().openapi({ description: 'New entries of which a part waits for a match.' }),
  duplicates: z.int().openapi({ description: 'Entries that came before, in this file or an earlier one.' }),
  created_at: timestamp().describe('When it was stored.'),
};
export const BankStatement = z.object(statementFields).openapi('BankStatement');
export const AddedBankStatements = z
  .object({
    ...statementFields,
    statements: z
      .array(BankStatement)
      .openapi({ description: 'All statements of the file, in its order. The fields above are those of the first.' }),
  })
  .openapi('AddedBankStatements');

export const BankEntry = z
  .object({
    id: z.string().describe('The id of the entry; of a batch, of one payment.'),
    statementId: z.string().describe('The statement that brought it first.'),
    account: z.string().describe('The account at the bank.'),
    currency: currency().describe('The currency of the account.'),
    direction: direction(),
    amount: centsText().describe('Integer cents, without a sign.'),
    date: day().describe('The booking date.'),
    valueDate: day().nullable().describe('The value date.'),
    bankReference: z.string().nullable().describe("The bank's id of the entry."),
    endToEndId: z.string().nullable().describe("The payer's id of the payment; of a payout, the withdrawal's."),
    reference: z.string().nullable().openapi({ description: 'What the payer wrote.' }),
    isReversal: z.boolean().describe('Whether it takes an earlier entry back.'),
    status: z.enum(['OPEN', 'MATCHED']).describe('Whether the books have it.'),
    match: z
      .object({
        kind: z.enum(BANK_MATCH_KINDS).describe('The kind of booking that the entry was matched with.'),
        id: z
          .string()
          .openapi({ description: 'The capture, the withdrawal, or the transaction that the match posted.' }),
        at: timestamp().describe('When it was matched.'),
      })
      .nullable()
      .describe('Null while it is open.'),
  })
  .openapi('BankEntry');

export const BankStatementWithLines = z
  .object({
    ...statementFields,
    lines: z
      .array(BankEntry)
      .openapi({ description: 'The entries that this file brought first; of a batch, its payments.' }),
  })
  .openapi('BankStatementWithLines');

const MATCHES_BY_HAND = ['CAPTURE', 'PAYOUT', 'CARD_SETTLEMENT', 'MOBILE_SETTLEMENT', 'FEE'] as const;
export const BankMatchRequest = z
  .object({
    kind: z.enum(MATCHES_BY_HAND).openapi({
      description:
        'CARD_SETTLEMENT and MOBILE_SETTLEMENT move the amount from the clearing account to BANK; a difference stays there. FEE is a ' +
        'cost of the company.',
    }),
    id: id('transaction')
      .nullish()
      .openapi({ ...textOrNull, description: 'The capture or the withdrawal. Only with CAPTURE and PAYOUT.' }),
  })
  .refine(({ kind, id: named }) => (kind === 'CAPTURE' || kind === 'PAYOUT') === (named != null), {
    message: 'is required with CAPTURE and PAYOUT, and not accepted with other kinds',
    path: ['id'],
  })
  .openapi('BankMatchRequest');

export const Reconciliation = z
  .object({
    at: timestamp().describe('The instant.'),
    accounts: z
      .array(
        z.object({
          account: z.string().nullable().describe('Null: no statement yet. Several accounts stand in one line.'),
          currency: currency().describe('The currency of the accounts.'),
          bankBalance: centsText().describe('Integer cents, of the latest statement that ends before the instant.'),
          bookBalance: centsText().describe('Integer cents, of BANK with the sign of the bank.'),
          difference: centsText().describe('Integer cents, bankBalance less bookBalance: the sum of the open items.'),
        }),
      )
      .describe('A line for each currency.'),
    open: z
      .array(
        z.object({
          side: z.enum(['BANK', 'BOOKS']).describe('The side that has the item.'),
          kind: z
            .string()
            .describe(
              'ENTRY, REVERSAL or BALANCE (from before the first statement, or of a missing one) at the bank; CAPTURE, PAYOUT, ' +
                'REVERSAL, INTERCOMPANY, a settlement, FEE or OTHER in the books.',
            ),
          id: z.string().describe('The entry or the statement of the bank, or the capture, withdrawal or transaction.'),
          direction: direction(),
          reference: z.string().nullable().describe('The reference that people know it by.'),
          amount: centsText().describe('Integer cents, without a sign.'),
          currency: currency().describe('The currency of the amount.'),
          date: day().describe('When it was booked.'),
          ageDays: z.int().describe('Full days until the instant.'),
        }),
      )
      .describe('A page of the open items, oldest first.'),
    totals: z
      .array(
        z.object({
          currency: currency().describe('The currency of the items.'),
          side: z.enum(['BANK', 'BOOKS']).describe('The side that has the items.'),
          count: z.int().describe('How many there are.'),
          amount: centsText().describe('Integer cents, credits less debits.'),
        }),
      )
      .describe('All open items, whatever the page.'),
    total: z.int().describe('The number of all open items.'),
    limit: z.int().describe('The most items of this page.'),
    offset: z.int().describe('How many items come before this page.'),
    clearing: z
      .array(
        z.object({
          type: z.string().describe('The clearing account.'),
          currency: currency().describe('The currency of the account.'),
          balance: centsText().describe('Integer cents that are expected; negative if more arrived.'),
        }),
      )
      .describe('What the gateway, mobile money and declared deposits reported, and the bank does not have yet.'),
  })
  .openapi('BankReconciliation');

export function bankStatementView(record: BankStatementRecord): z.infer<typeof BankStatement> {
  const { entries, duplicates, open } = record;
  return {
    id: publicId('bankStatement', record.id),
    account: record.account,
    currency: record.currency,
    number: record.number,
    from: record.from,
    to: record.to,
    openingBalance: record.openingCents.toString(),
    closingBalance: record.closingCents.toString(),
    entries,
    matched: entries - duplicates - open,
    open,
    duplicates,
    created_at: record.createdAt.toISOString(),
  };
}

export function addedStatementsView(records: readonly BankStatementRecord[]): z.infer<typeof AddedBankStatements> {
  const statements = records.map(bankStatementView);
  const [first] = statements;
  if (first === undefined) throw new Error('a file has a statement');
  return { ...first, statements };
}

export function bankEntryView(record: BankEntryRecord): z.infer<typeof BankEntry> {
  const { match, matchedId, matchedAt } = record;
  return {
    id: publicId('bankEntry', record.id),
    statementId: publicId('bankStatement', record.statementId),
    account: record.account,
    currency: record.currency,
    direction: record.direction,
    amount: record.amountCents.toString(),
    date: record.date,
    valueDate: record.valueDate,
    bankReference: record.bankReference,
    endToEndId: record.endToEndId,
    reference: record.reference,
    isReversal: record.isReversal,
    status: match === null ? 'OPEN' : 'MATCHED',
    match:
      match === null || matchedId === null || matchedAt === null
        ? null
        : { kind: match, id: publicId('transaction', matchedId), at: matchedAt.toISOString() },
  };
}

export async function reconciliationView(
  at: Date,
  found: ReadReconciliation,
  page: { readonly limit: number; readonly offset: number },
): Promise<z.infer<typeof Reconciliation>> {
  return {
    at: at.toISOString(),
    accounts: found.accounts.map(({ account, currency: code, bankCents, bookCents }) => ({
      account,
      currency: code,
      bankBalance: bankCents.toString(),
      bookBalance: bookCents.toString(),
      difference: (bankCents - bookCents).toString(),
    })),
    open: await mapInTurns(found.open, ({ id: named, side, kind, amountCents, ...item }) => ({
      side,
      kind,
      ...item,
      id:
        publicIdOrNull(side === 'BOOKS' ? 'transaction' : kind === 'BALANCE' ? 'bankStatement' : 'bankEntry', named) ??
        '',
      amount: amountCents.toString(),
    })),
    totals: found.totals.map(({ cents: sum, ...one }) => ({ ...one, amount: sum.toString() })),
    total: found.totals.reduce((total, { count }) => total + count, 0),
    ...page,
    clearing: found.clearing.map(({ cents: left, ...one }) => ({ ...one, balance: left.toString() })),
  };
}
