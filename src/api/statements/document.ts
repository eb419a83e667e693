import type { AccountRecord } from '../../db/ledger/accounts.ts';
import { publicId } from '../../domain/ids.ts';
import type { Statement } from '../../domain/ledger/statement.ts';

/** A statement with its header data, for all formats. */
export type StatementDocument = {
  readonly statement: Statement;
  readonly account: AccountRecord;
  readonly companyName: string;
  readonly createdAt: Date;
};

/** The last instant of the window; `to` is the first instant after it. */
export function lastInstant({ to }: Pick<Statement, 'to'>): Date {
  return new Date(to.getTime() - 1);
}

/** Only letters, digits, dashes, dots and underscores, so that a header can carry it unescaped. */
export function fileName({ statement, account }: StatementDocument, extension: string): string {
  const day = (instant: Date) => instant.toISOString().slice(0, 10);
  const window = `${day(statement.from)}_${day(lastInstant(statement))}`;
  return `statement_${publicId('account', account.id)}_${window}.${extension}`;
}
