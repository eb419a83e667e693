import type { AccountRecord } from '../../db/ledger/accounts.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import type { Counterparty, Statement, StatementEntry, StatementTotals } from '../../domain/ledger/statement.ts';
import { dayIn } from '../../domain/time-zone.ts';
import { endToEndIdOf } from '../../domain/withdrawal/payout.ts';
import type { Letterhead } from '../pdf/letterhead.ts';

/** What a file says before its first entry: the totals of a statement, and its header data. */
export type StatementHead = {
  readonly statement: StatementTotals;
  readonly account: AccountRecord;
  readonly company: Letterhead;
  /** Of the days and times in PDF and file name. */
  readonly timeZone: string;
  readonly createdAt: Date;
};
/** The entries of a statement, page by page. They can be read once. If reading fails, the file breaks off. */
export type EntryPages = AsyncIterable<readonly StatementEntry[]>;
/** For the formats that need all entries at once. */
export type StatementDocument = StatementHead & { readonly statement: Statement };

export async function entriesOf(pages: EntryPages): Promise<StatementEntry[]> {
  const entries: StatementEntry[] = [];
  for await (const page of pages) entries.push(...page);
  return entries;
}

export async function wholeDocument(head: StatementHead, pages: EntryPages): Promise<StatementDocument> {
  return { ...head, statement: { ...head.statement, entries: await entriesOf(pages) } };
}

/** The last instant of the window; `to` is the first instant after it. */
export function lastInstant({ to }: Pick<StatementTotals, 'to'>): Date {
  return new Date(to.getTime() - 1);
}

/** The ids of an entry as clients see them, the same in all formats. Null: the entry has no such id. */
export function publicIdsOf({ transactionId, escrowId, withdrawalId, counterparty }: StatementEntry) {
  return {
    transactionId: publicId('transaction', transactionId),
    escrowId: publicIdOrNull('escrow', escrowId),
    withdrawalId: publicIdOrNull('transaction', withdrawalId),
    /** The reference of a payout at the bank. */
    endToEndId: withdrawalId === null ? null : endToEndIdOf(withdrawalId),
    counterpartyId: counterparty === null ? null : publicIdOfParty(counterparty),
  };
}

function publicIdOfParty(party: Counterparty): string | null {
  switch (party.kind) {
    case 'USER':
      return publicId('user', party.id);
    case 'COMPANY':
      return publicId('company', party.id);
    case 'BANK_ACCOUNT':
    case 'EXTERNAL':
      return null;
  }
}

/** Only letters, digits, dashes, dots and underscores, so that a header can carry it unescaped. */
export function fileName({ statement, account, timeZone }: StatementHead, extension: string): string {
  const day = (instant: Date) => dayIn(timeZone, instant);
  const window = `${day(statement.from)}_${day(lastInstant(statement))}`;
  return `statement_${publicId('account', account.id)}_${window}.${extension}`;
}
