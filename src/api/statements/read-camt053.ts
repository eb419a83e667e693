import { createHash } from 'node:crypto';
import { refusedFor } from '../../domain/errors.ts';
import { type BankLine, type BankStatement, comparable } from '../../domain/ledger/bank-statement.ts';
import { currencyOfIso, isoCurrency, sumCents } from '../../domain/money.ts';
import type { StatementReason } from '../../domain/refusal-reasons.ts';
import { parseXml, type XmlNode } from '../../iso20022/read.ts';

/**
 * Reads ISO 20022 BankToCustomerStatement, versions 001.02 and 001.08: statements of one or several accounts. Only booked entries
 * count: pending and informational ones come again when they are booked. Whether an entry is a credit is what CdtDbtInd says; RvslInd
 * says only why.
 */

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.';
const VERSIONS = ['02', '08'];

export const MAX_BANK_ENTRIES = 10_000;
const MAX_BANK_STATEMENTS = 1_000;
/** The parts of all entries together. */
const MAX_PARTS = 50_000;
const MAX_TEXT = 255;

export type ReadStatement = {
  readonly statement: BankStatement;
  readonly lines: readonly BankLine[];
  /** The booked entries; `lines` has one or more for each. */
  readonly entries: number;
};

type Entry = {
  readonly iso: string | undefined;
  readonly direction: BankLine['direction'];
  readonly cents: bigint;
  readonly date: string | null;
  readonly valueDate: string | null;
  readonly bankReference: string | null;
  readonly isReversal: boolean;
  readonly parts: readonly Part[];
};
type Part = {
  readonly cents: bigint;
  readonly endToEndId: string | null;
  readonly reference: string | null;
  readonly search: readonly string[];
};

/** In the order of the file. Throws XmlError, `statement_invalid` and `statement_too_large`. */
export function readCamt053(text: string): ReadStatement[] {
  const read: ReadStatement[] = [];
  const places: Places = { taken: new Map(), before: new Map() };
  let booked: Entry[] = [];
  let entries = 0;
  let parts = 0;
  const root = parseXml(text, NAMESPACE, (node, path) => {
    if (path[1] !== 'BkToCstmrStmt' || path[2] !== 'Stmt') return false;
    if (path.length === 3) {
      if (read.length === MAX_BANK_STATEMENTS)
        throw refusedFor('statement_too_large', { code: 'too_many_statements', value: String(MAX_BANK_STATEMENTS) });
      read.push(readStatement(node, booked, places));
      booked = [];
      return true;
    }
    if (path.length !== 4 || node.name !== 'Ntry') return false;
    if (statusOf(node) !== 'BOOK') return true;
    const entry = entryOf(node);
    if (entry.cents === 0n) return true; // a notice of the bank
    booked.push(entry);
    entries += 1;
    parts += entry.parts.length;
    if (entries > MAX_BANK_ENTRIES || parts > MAX_PARTS)
      throw refusedFor('statement_too_large', { code: 'too_many_entries', value: String(MAX_BANK_ENTRIES) });
    return true;
  });
  if (!VERSIONS.includes(root.namespace.slice(NAMESPACE.length)))
    throw invalid('version_unknown', root.namespace.slice(-15));
  if (read.length === 0) throw invalid('no_statement');
  return read;
}

const invalid = (code: StatementReason, value?: string) => refusedFor('statement_invalid', { code, value });

function readStatement(node: XmlNode, entries: readonly Entry[], places: Places): ReadStatement {
  const statement = statementOf(node);
  const addsUp = (some: readonly Entry[]) =>
    statement.openingCents + sumCents(some.map(({ direction, cents }) => (direction === 'CREDIT' ? cents : -cents))) ===
    statement.closingCents;
  let named = byName(entries, placed(statement, places));
  if (!addsUp(entries) && !addsUp([...named.values()])) {
    // Entries without a reference may also stand there twice.
    named = byName(entries, (entry) => nameOf(statement, entry, 1));
    if (!addsUp([...named.values()])) throw invalid('balances_differ');
  }
  if (entries.some(({ iso }) => iso !== isoCurrency(statement.currency))) throw invalid('entry_currency_differs');
  return { statement, lines: linesOf(statement, named), entries: entries.length };
}

function statementOf(node: XmlNode): BankStatement {
  const account = node.textAt('Acct', 'Id', 'IBAN') ?? node.textAt('Acct', 'Id', 'Othr', 'Id');
  if (account === undefined || account === '') throw invalid('account_unnamed');
  const balances = node.children('Bal');
  const coded = (...codes: readonly string[]) =>
    codes.map((code) => balances.find((one) => one.textAt('Tp', 'CdOrPrtry', 'Cd') === code)).find((one) => one);
  const opening = coded('OPBD', 'PRCD');
  const closing = coded('CLBD');
  if (opening === undefined || closing === undefined) throw invalid('balance_missing');
  const iso = closing.at('Amt')?.attribute('Ccy') ?? '';
  const currency = currencyOfIso(iso);
  if (iso === '') throw invalid('currency_missing');
  if (currency === undefined) throw invalid('currency_unknown', iso.slice(0, 3));
  if ((opening.at('Amt')?.attribute('Ccy') ?? iso) !== iso || (node.textAt('Acct', 'Ccy') ?? iso) !== iso)
    throw invalid('several_currencies');
  const to = dayAt(closing, 'Dt') ?? dayIn(node.textAt('FrToDt', 'ToDtTm'));
  if (to === null) throw invalid('closing_date_missing');
  const from = dayIn(node.textAt('FrToDt', 'FrDtTm')) ?? dayAt(opening, 'Dt') ?? to;
  return {
    account: account.replace(/\s+/g, '').slice(0, MAX_TEXT),
    currency,
    number: plain(node.textAt('Id')) ?? '',
    from: [from, to].sort()[0] ?? to, // dates of this form are in the order of their texts
    to,
    openingCents: signed(opening),
    closingCents: signed(closing),
  };
}

function statusOf(entry: XmlNode): string | undefined {
  return entry.textAt('Sts', 'Cd') ?? entry.textAt('Sts'); // 001.08, 001.02
}

function entryOf(node: XmlNode): Entry {
  const details = node.children('NtryDtls').flatMap((one) => one.children('TxDtls'));
  const amount = node.at('Amt');
  const cents = centsOf(amount);
  const only = details.length === 1 ? details[0] : undefined;
  const iso = amount?.attribute('Ccy');
  const parts = details.map((one) => partOf(one, node, partCents(one, iso)));
  const isBatch =
    parts.length > 1 && parts.every((one) => one.cents > 0n) && sumCents(parts.map((one) => one.cents)) === cents;
  return {
    iso,
    direction: directionOf(node),
    cents,
    date: dayAt(node, 'BookgDt'),
    valueDate: dayAt(node, 'ValDt'),
    bankReference: referenceOf(node.textAt('AcctSvcrRef')) ?? referenceOf(only?.textAt('Refs', 'AcctSvcrRef')),
    isReversal: ['true', '1'].includes(node.textAt('RvslInd') ?? ''),
    // A batch whose payments the bank does not state in full is matched as a whole.
    parts: isBatch ? parts : [partOf(only ?? node, node, cents)],
  };
}

function referenceOf(text: string | undefined): string | null {
  const reference = plain(text);
  return reference === null || NO_REFERENCE.includes(reference.toUpperCase()) ? null : reference;
}

/** The amount of one payment of a batch: 001.08 has it in Amt, 001.02 in AmtDtls. 0 if it is not in the account's currency. */
function partCents(details: XmlNode, iso: string | undefined): bigint {
  const amount = details.at('Amt') ?? details.at('AmtDtls', 'TxAmt', 'Amt') ?? details.at('AmtDtls', 'InstdAmt', 'Amt');
  return amount === undefined || amount.attribute('Ccy') !== iso ? 0n : centsOf(amount);
}

function partOf(details: XmlNode, entry: XmlNode, cents: bigint): Part {
  const remittance = details.at('RmtInf');
  const unstructured = (remittance?.children('Ustrd') ?? []).flatMap(({ text }) => plain(text) ?? []);
  const structured = (remittance?.children('Strd') ?? []).flatMap((one) => [
    plain(one.textAt('CdtrRefInf', 'Ref')),
    ...one.children('RfrdDocInf').map((document) => plain(document.textAt('Nb'))),
  ]);
  const named = referenceOf(details.textAt('Refs', 'EndToEndId'));
  const lines = [unstructured.join(' '), unstructured.join('')];
  const texts = [named, ...lines, ...unstructured, ...structured, plain(entry.textAt('AddtlNtryInf'))];
  const search = texts.flatMap((text) => (text === null || text === '' ? [] : cut(comparable(text))));
  return {
    cents,
    endToEndId: named,
    reference: (structured[0] ?? cut(unstructured.join(' '))) || plain(entry.textAt('AddtlNtryInf')),
    search: [...new Set(search)],
  };
}

/** What banks write where they have no reference. */
const NO_REFERENCE = ['NOTPROVIDED', 'NONREF'];

/**
 * How many entries without a reference the file has had, by what else they say; and how many before each of its statements, because a
 * bank may send one again in another form.
 */
type Places = { readonly taken: Map<string, number>; readonly before: Map<string, Map<string, number>> };

/** One number may stand for accounts in several currencies. */
const accountOf = ({ account, currency }: BankStatement) => `${account}|${currency}`;

/** What an entry without a reference says of itself. A batch has no EndToEndId: its payments have. */
function factsOf(statement: BankStatement, { cents, direction, parts, ...entry }: Entry): string {
  const named = parts.length === 1 ? parts[0]?.endToEndId : null;
  return [accountOf(statement), bookedOn(statement, entry), cents, direction, named ?? ''].join('|');
}

function bookedOn(statement: BankStatement, { date, valueDate }: Pick<Entry, 'date' | 'valueDate'>): string {
  return date ?? valueDate ?? statement.to;
}

/** The same in whatever file and form the entry comes. */
function nameOf(statement: BankStatement, entry: Entry, place: number): string {
  const { bankReference, direction, cents } = entry;
  return bankReference === null
    ? `${factsOf(statement, entry)}|${place}`
    : // A bank that reverses an entry may repeat its reference with the other sign.
      [accountOf(statement), bankReference, direction, cents].join('|');
}

/** Names the entries of a statement one by one, each with its place among equals. */
function placed(statement: BankStatement, { taken, before }: Places): (entry: Entry) => string {
  const { number, from, to, openingCents, closingCents } = statement;
  const repeated = [accountOf(statement), number, from, to, openingCents, closingCents].join('|');
  const start = before.get(repeated) ?? new Map<string, number>();
  before.set(repeated, start);
  const own = new Map<string, number>();
  return (entry) => {
    if (entry.bankReference !== null) return nameOf(statement, entry, 1);
    const facts = factsOf(statement, entry);
    const first = start.get(facts) ?? taken.get(facts) ?? 0;
    const place = first + (own.get(facts) ?? 0) + 1;
    start.set(facts, first);
    own.set(facts, place - first);
    taken.set(facts, Math.max(place, taken.get(facts) ?? 0));
    return nameOf(statement, entry, place);
  };
}

/** The entries by their names. Of one that comes again in another form, the form with the most payments, because they tell the most. */
function byName(entries: readonly Entry[], naming: (entry: Entry) => string): Map<string, Entry> {
  const named = new Map<string, Entry>();
  for (const entry of entries) {
    const name = naming(entry);
    const known = named.get(name);
    if (known === undefined || known.parts.length < entry.parts.length) named.set(name, entry);
  }
  return named;
}

function linesOf(statement: BankStatement, named: ReadonlyMap<string, Entry>): BankLine[] {
  return [...named].flatMap(([name, entry]) => {
    const { direction, valueDate, bankReference, isReversal, parts } = entry;
    const key = createHash('sha256').update(name).digest('hex');
    const date = bookedOn(statement, entry);
    return parts.map(({ cents, endToEndId, reference, search }, index) => ({
      ...{ key, part: index + 1, direction, amount: cents.toString(), date, valueDate },
      ...{ bankReference, endToEndId, reference, isReversal, search },
    }));
  });
}

function directionOf(node: XmlNode): BankLine['direction'] {
  const indicator = node.textAt('CdtDbtInd');
  if (indicator === 'CRDT') return 'CREDIT';
  if (indicator === 'DBIT') return 'DEBIT';
  throw invalid('direction_missing', node.name);
}

function signed(balance: XmlNode): bigint {
  const cents = centsOf(balance.at('Amt'));
  return directionOf(balance) === 'CREDIT' ? cents : -cents;
}

const AMOUNT = /^(\d{1,16})(?:\.(\d{1,2})0{0,3})?$/;

function centsOf(amount: XmlNode | undefined): bigint {
  const [, whole, fraction = ''] = AMOUNT.exec(amount?.text ?? '') ?? [];
  if (whole === undefined) throw invalid('amount_invalid');
  return BigInt(whole + fraction.padEnd(2, '0'));
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

function dayAt(node: XmlNode, name: string): string | null {
  return dayIn(node.textAt(name, 'Dt') ?? node.textAt(name, 'DtTm'));
}

/** The day of a date or a date-time, as the bank wrote it. */
function dayIn(text: string | undefined): string | null {
  const day = DAY.exec(text ?? '')?.[0] ?? null;
  if (day === null) return null;
  const parsed = new Date(`${day}T00:00:00Z`);
  // PostgreSQL has no year 0.
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== day || day < '0001')
    throw invalid('date_invalid', day);
  return day;
}

/** A line of text without control characters; null if it is absent or empty. */
function plain(text: string | undefined): string | null {
  const line = (text ?? '').replace(/\p{Cc}+/gu, ' ').trim();
  return line === '' ? null : cut(line);
}

/** The database reads no half of a character. */
function cut(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed();
}
