import { z } from '@hono/zod-openapi';
import { publicId } from '../../domain/ids.ts';
import { TRANSACTION_TYPES } from '../../domain/ledger/postings.ts';
import { directionOf, type Period } from '../../domain/ledger/statement.ts';
import { InvalidRequest } from '../problem.ts';
import { lastInstant, type StatementDocument } from '../statements/document.ts';
import { STATEMENT_FORMATS } from '../statements/formats.ts';
import { centsText, timestamp } from './common.ts';
import { Account, accountView } from './ledger.ts';
import { dateRange, isOrdered, START_AFTER_END } from './lists.ts';

/** The default length of a statement's window, in days up to its end. */
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

export const Direction = z.enum(['DEBIT', 'CREDIT']);

/** The window of a query: it ends now if no end is given, and starts DEFAULT_DAYS before its end if no start is given. */
export function periodOf(query: { startDate?: Date | undefined; endDate?: Date | undefined }, now: Date): Period {
  const to = query.endDate ?? new Date(now.getTime() + 1);
  const from = query.startDate ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
  if (!isOrdered({ startDate: from, endDate: to }))
    throw new InvalidRequest('validation_failed', [
      { path: START_AFTER_END.path.join('.'), message: START_AFTER_END.message },
    ]);
  return { from, to };
}

export const StatementQuery = dateRange()
  .extend({
    format: z.enum(STATEMENT_FORMATS).optional().openapi({ description: 'Takes precedence over the Accept header.' }),
  })
  .refine(isOrdered, START_AFTER_END);

export const Statement = z
  .object({
    account: Account,
    startDate: timestamp(),
    endDate: timestamp().openapi({ description: 'The last instant that is included.' }),
    openingBalance: centsText(),
    closingBalance: centsText(),
    totalCredits: centsText(),
    totalDebits: centsText(),
    entries: z.array(
      z.object({
        id: z.string(),
        transactionId: z.string(),
        type: z.enum(TRANSACTION_TYPES),
        direction: Direction,
        amount: centsText(),
        balance_after: centsText(),
        reference: z.string().nullable(),
        description: z.string(),
        created_at: timestamp(),
      }),
    ),
  })
  .openapi('Statement');

export function statementView({ statement, account }: StatementDocument): z.infer<typeof Statement> {
  return {
    account: accountView(account),
    startDate: statement.from.toISOString(),
    endDate: lastInstant(statement).toISOString(),
    openingBalance: statement.openingCents.toString(),
    closingBalance: statement.closingCents.toString(),
    totalCredits: statement.totalCreditsCents.toString(),
    totalDebits: statement.totalDebitsCents.toString(),
    entries: statement.entries.map((entry) => ({
      id: entry.id,
      transactionId: publicId('transaction', entry.transactionId),
      type: entry.type,
      direction: directionOf(entry),
      amount: (entry.amountCents < 0n ? -entry.amountCents : entry.amountCents).toString(),
      balance_after: entry.balanceAfterCents.toString(),
      reference: entry.reference,
      description: entry.description,
      created_at: entry.createdAt.toISOString(),
    })),
  };
}
