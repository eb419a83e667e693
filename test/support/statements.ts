import { expect } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { extractText, getDocumentProxy } from 'unpdf';
import { camtCents, checkCamt053 } from './iso20022.ts';
import type { TestCompany, TestService } from './service.ts';

/** A statement in each of its formats, read by other libraries than those that wrote it. */

/** In cents. */
export type ReadStatement = {
  readonly opening: string;
  readonly credits: string;
  readonly debits: string;
  readonly closing: string;
  /** The part of the closing balance on hold. */
  readonly closingHeld: string;
  /** Signed, oldest first; null for a PDF, whose lines are for people. */
  readonly entries: readonly string[] | null;
};

const READERS = {
  json: readJson,
  csv: readCsv,
  'camt.053': readCamt053,
  pdf: readPdf,
} as const satisfies Record<string, (answer: Response) => Promise<ReadStatement>>;
type Format = keyof typeof READERS;

const FORMATS = Object.keys(READERS) as readonly Format[]; // its own keys
const FILES = FORMATS.filter((format) => format !== 'json');

export async function fetchStatement(
  service: TestService,
  { apiKey, id }: TestCompany,
  accountId: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${service.url}/v1/ledger/accounts/${accountId}/statement${query}`, {
    headers: { 'x-api-key': apiKey, 'x-company-id': id, ...headers },
  });
}

/** The statement of one window in those formats. */
export async function readStatements(
  service: TestService,
  company: TestCompany,
  accountId: string,
  window: string,
  formats: readonly Format[] = FORMATS,
): Promise<Record<Format, ReadStatement>> {
  const read = await Promise.all(
    formats.map(async (format) => {
      const answer = await fetchStatement(service, company, accountId, `?format=${format}&${window}`);
      return [format, await READERS[format](answer)] as const;
    }),
  );
  return Object.fromEntries(read) as Record<Format, ReadStatement>; // one for each that was asked for
}

type JsonStatement = Record<
  'openingBalance' | 'totalCredits' | 'totalDebits' | 'closingBalance' | 'closingHeld',
  string
> & {
  readonly entries: readonly Record<'direction' | 'amount', string>[];
};

async function readJson(answer: Response): Promise<ReadStatement> {
  const statement = (await answer.json()) as JsonStatement; // what is missing or malformed throws below
  return {
    opening: cents(statement.openingBalance),
    credits: cents(statement.totalCredits),
    debits: cents(statement.totalDebits),
    closing: cents(statement.closingBalance),
    closingHeld: cents(statement.closingHeld),
    entries: statement.entries.map(({ direction, amount }) => signed(direction, amount)),
  };
}

async function readCsv(answer: Response): Promise<ReadStatement> {
  const rows: Record<string, string>[] = parse(await answer.text(), { columns: true });
  const record = (kind: string) => rows.find((row) => row.record === kind);
  return {
    opening: cents(record('OPENING_BALANCE')?.balance_after_cents),
    credits: cents(record('TOTAL_CREDITS')?.amount_cents),
    debits: cents(record('TOTAL_DEBITS')?.amount_cents),
    closing: cents(record('CLOSING_BALANCE')?.balance_after_cents),
    closingHeld: cents(record('CLOSING_BALANCE')?.held_cents),
    entries: rows.filter((row) => row.record === 'ENTRY').map((row) => signed(row.direction, row.amount_cents)),
  };
}

/** Throws if the file violates the schema. */
async function readCamt053(answer: Response): Promise<ReadStatement> {
  const { statement, faults } = checkCamt053(await answer.text());
  if (faults.length > 0) throw new Error(`not a camt.053: ${faults.join('; ')}`);
  const balance = (code: string) =>
    statement.children('Bal').find((one) => one.textAt('Tp', 'CdOrPrtry', 'Cd') === code);
  const sum = (element: string) => cents(statement.textAt('TxsSummry', element, 'Sum')?.replace('.', ''));
  return {
    opening: camtCents(balance('OPBD')).toString(),
    credits: sum('TtlCdtNtries'),
    debits: sum('TtlDbtNtries'),
    closing: camtCents(balance('CLBD')).toString(),
    closingHeld: (camtCents(balance('CLBD')) - camtCents(balance('CLAV'))).toString(),
    entries: statement.children('Ntry').map((entry) => camtCents(entry).toString()),
  };
}

async function readPdf(answer: Response): Promise<ReadStatement> {
  const text = await textOfPdf(answer);
  const figure = (label: string) =>
    cents(new RegExp(`${label}\\s+(-?[\\d,]+\\.\\d\\d)`).exec(text)?.[1]?.replace(/[,.]/g, ''));
  return {
    opening: figure('Opening balance'),
    credits: figure('Total credits'),
    debits: figure('Total debits'),
    closing: figure('Closing balance'),
    closingHeld: figure('Held at closing'),
    entries: null,
  };
}

/** All its pages as one text. */
export async function textOfPdf(answer: Response): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  return (await extractText(document, { mergePages: true })).text;
}

/** Parses an integer without leading zeros. Throws for any other text. */
function cents(text: string | undefined): string {
  return BigInt(text ?? 'missing').toString();
}

function signed(direction: string | undefined, amount: string | undefined): string {
  return cents(direction === 'DEBIT' ? `-${amount}` : amount);
}

export type Account = {
  readonly id: string;
  readonly type: string;
  readonly balance: string;
  readonly held_balance: string;
};

/** All accounts of a company: its own, and those of its first hundred users. */
async function accountsOf(company: Pick<TestCompany, 'get'>): Promise<Account[]> {
  const [{ body: own }, { body: users }] = await Promise.all([
    company.get('/v1/ledger/company/accounts'),
    company.get('/v1/identity/users'),
  ]);
  const ofUsers: Account[][] = await Promise.all(
    users.map(async ({ id }: { id: string }) => (await company.get(`/v1/ledger/user/${id}/accounts`)).body),
  );
  return [...own, ...ofUsers.flat()];
}

/**
 * Checks the statements of every account since `from`: opening + credits − debits = closing, which is
 * the balance; equal in all formats; and nothing lost between two adjacent windows. Returns the number of accounts with entries.
 */
export async function expectSoundStatements(service: TestService, company: TestCompany, from: Date): Promise<number> {
  const to = new Date();
  const middle = new Date((from.getTime() + to.getTime()) / 2);
  const window = (start: Date, end: Date) => `startDate=${start.toISOString()}&endDate=${end.toISOString()}`;
  const json = async (id: string, start: Date, end: Date) =>
    readJson(await fetchStatement(service, company, id, `?${window(start, end)}`));
  let moved = 0;
  for (const { id, type, balance, held_balance: held } of await accountsOf(company)) {
    const whole = await json(id, from, to);
    expect({ id, held: whole.closingHeld }).toEqual({ id, held });
    const { opening, credits, debits, closing, entries } = whole;
    const sum = (entries ?? []).reduce((total, entry) => total + BigInt(entry), 0n);
    const added = (BigInt(opening) + BigInt(credits) - BigInt(debits)).toString();
    expect({ id, type, opening, closing, added, sum: sum.toString() }).toEqual({
      ...{ id, type, opening: '0', closing: balance, added: balance, sum: balance },
    });
    if (entries?.length === 0) continue;
    moved += 1;
    for (const [format, read] of Object.entries(await readStatements(service, company, id, window(from, to), FILES)))
      expect({ id, format, ...read }).toEqual({ ...whole, id, format, entries: read.entries && entries });
    const [before, after] = [await json(id, from, middle), await json(id, new Date(middle.getTime() + 1), to)];
    expect(after.opening).toBe(before.closing);
    expect([...(before.entries ?? []), ...(after.entries ?? [])]).toEqual(entries);
  }
  return moved;
}
