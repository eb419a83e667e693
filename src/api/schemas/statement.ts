import { z } from '@hono/zod-openapi';
import { MAX_STATEMENT_ENTRIES } from '../../db/ledger/statements.ts';
import { TRANSACTION_TYPES } from '../../domain/ledger/postings.ts';
import { COUNTERPARTY_KINDS, directionOf, type Period, type StatementEntry } from '../../domain/ledger/statement.ts';
import { DAY_MS } from '../../domain/time.ts';
import { InvalidRequest } from '../problem.ts';
import { lastInstant, publicIdsOf, type StatementHead } from '../statements/document.ts';
import { STATEMENT_FORMATS } from '../statements/formats.ts';
import { centsText, timestamp } from './common.ts';
import { Account, accountView } from './ledger.ts';
import { dateRange, isOrdered, startAfterEnd, storableDate } from './lists.ts';

/** The default length of a statement's window, in days up to its end. */
const DEFAULT_DAYS = 30;

export const Direction = z.enum(['DEBIT', 'CREDIT']);

/** The window of a query: it ends now if no end is given, and starts DEFAULT_DAYS before its end if no start is given. */
export function periodOf(query: { startDate?: Date | undefined; endDate?: Date | undefined }, now: Date): Period {
  const to = query.endDate ?? new Date(now.getTime() + 1);
  const from = query.startDate ?? storableDate(to.getTime() - DEFAULT_DAYS * DAY_MS);
  if (!isOrdered({ startDate: from, endDate: to }))
    throw new InvalidRequest('validation_failed', [
      { path: 'startDate', message: 'must not be after endDate, which is now if it is not sent' },
    ]);
  return { from, to };
}

export const StatementQuery = dateRange()
  .extend({
    lastEntries: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(MAX_STATEMENT_ENTRIES))
      .optional()
      .openapi({
        type: 'integer',
        minimum: 1,
        maximum: MAX_STATEMENT_ENTRIES,
        description:
          'Only so many entries, the last of the window: `startDate` is then the instant of the first of them. Entries of that ' +
          'instant are all included.',
      }),
    totals: z
      .enum(['entries', 'window'])
      .optional()
      .openapi({
        description:
          'With `lastEntries`, as JSON. `window`: the totals and `startDate` are those of the whole window, or of its last ' +
          `${MAX_STATEMENT_ENTRIES.toLocaleString('en')} entries, as in a file.`,
      }),
    format: z.enum(STATEMENT_FORMATS).optional().openapi({ description: 'Takes precedence over the Accept header.' }),
  })
  .refine(isOrdered, startAfterEnd());

export const Counterparty = z
  .object({
    kind: z.enum(COUNTERPARTY_KINDS).openapi({
      description: 'BANK_ACCOUNT: the payee of a withdrawal. EXTERNAL: money from outside, or back to it.',
    }),
    id: z.string().nullable().openapi({ description: 'Of a user or company.' }),
    name: z.string().nullable().openapi({
      description: "For EXTERNAL the deposit's `userReference`, else the name of the user, company or bank account.",
    }),
  })
  .openapi('Counterparty', { description: "The other side of a line. Null for another company's transaction." });

/** An amount of the line's whole transaction. */
const partOfTransaction = (description: string) =>
  z
    .string()
    .nullable()
    .openapi({ description: `${description} Integer cents.`, example: '25000' });

export const Statement = z
  .object({
    account: Account,
    startDate: timestamp().describe('The first instant that is included.'),
    endDate: timestamp().openapi({ description: 'The last instant that is included.' }),
    openingBalance: centsText().describe('The balance at the start. Integer cents.'),
    closingBalance: centsText().describe('The balance at the end. Integer cents.'),
    openingHeld: centsText().openapi({ description: 'The part of the opening balance on hold. Integer cents.' }),
    closingHeld: centsText().openapi({ description: 'The part of the closing balance on hold. Integer cents.' }),
    totalCredits: centsText(),
    totalDebits: centsText(),
    entries: z
      .array(
        z
          .object({
            id: z.string().describe('The line.'),
            transactionId: z.string().openapi({ description: "A withdrawal's own id for its payment." }),
            type: z.enum(TRANSACTION_TYPES).describe('What the transaction does.'),
            direction: Direction.describe('DEBIT takes from the account, CREDIT adds to it.'),
            amount: centsText(),
            balance_after: centsText(),
            reference: z.string().nullable().describe('The reference of the payment.'),
            description: z.string().describe('The line in words.'),
            escrowId: z.string().nullable().describe('The escrow that it belongs to. Null: none.'),
            withdrawalId: z.string().nullable().openapi({ description: 'The withdrawal that was paid or returned.' }),
            end_to_end_id: z.string().nullable().openapi({
              description: "The withdrawal's reference at the bank: EndToEndId in pain.001 and in camt.053.",
            }),
            counterparty: Counterparty.nullable(),
            gross: partOfTransaction(
              'The amount of the whole transaction before fee and tax. The recipient gets gross less fee and tax.',
            ),
            fee: partOfTransaction("The company's and the platform's fee on the whole transaction."),
            tax: partOfTransaction('The transfer tax on the whole transaction.'),
            created_at: timestamp().describe('When it was made.'),
          })
          .openapi('StatementEntry'),
      )
      .describe('The lines, oldest first.'),
  })
  .openapi('Statement');

/** Without the entries, which come last. */
export function statementView({
  statement,
  account,
}: Pick<StatementHead, 'statement' | 'account'>): Omit<z.infer<typeof Statement>, 'entries'> {
  return {
    account: accountView(account),
    startDate: statement.from.toISOString(),
    endDate: lastInstant(statement).toISOString(),
    openingBalance: statement.openingCents.toString(),
    closingBalance: statement.closingCents.toString(),
    openingHeld: statement.openingHeldCents.toString(),
    closingHeld: statement.closingHeldCents.toString(),
    totalCredits: statement.totalCreditsCents.toString(),
    totalDebits: statement.totalDebitsCents.toString(),
  };
}

export function entryView(entry: StatementEntry): z.infer<typeof Statement>['entries'][number] {
  const { counterparty, breakdown } = entry;
  const { transactionId, escrowId, withdrawalId, endToEndId, counterpartyId } = publicIdsOf(entry);
  return {
    id: entry.id,
    transactionId,
    type: entry.type,
    direction: directionOf(entry),
    amount: (entry.amountCents < 0n ? -entry.amountCents : entry.amountCents).toString(),
    balance_after: entry.balanceAfterCents.toString(),
    reference: entry.reference,
    description: entry.description,
    escrowId,
    withdrawalId,
    end_to_end_id: endToEndId,
    counterparty:
      counterparty === null ? null : { kind: counterparty.kind, id: counterpartyId, name: counterparty.name },
    gross: breakdown?.grossCents.toString() ?? null,
    fee: breakdown?.feeCents.toString() ?? null,
    tax: breakdown?.taxCents.toString() ?? null,
    created_at: entry.createdAt.toISOString(),
  };
}
