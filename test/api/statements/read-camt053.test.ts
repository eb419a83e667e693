import { describe, expect, test } from '@jest/globals';
import { MAX_BANK_ENTRIES, readCamt053 } from '../../../src/api/statements/read-camt053.ts';
import { decodeXml, XmlError } from '../../../src/iso20022/read.ts';
import {
  type BankDay,
  type BankLine,
  closingOf,
  IBAN,
  writeBankFile,
  writeBankFiles,
} from '../../support/bank-writer.ts';
import { randomOf } from '../../support/random.ts';

const DAY = '2026-01-31';
const day = (lines: readonly BankLine[], fields: Partial<BankDay> = {}): BankDay => ({
  ...{ day: DAY, opening: '100.00', lines },
  ...fields,
});
const read = (lines: readonly BankLine[], fields: Partial<BankDay> = {}) => {
  const [statement, ...others] = readCamt053(writeBankFile(day(lines, fields)));
  if (statement === undefined || others.length > 0) throw new Error('the file has one statement');
  return statement;
};
const decimal = (cents: number) => (cents / 100).toFixed(2);
const credit = (fields: Partial<BankLine> = {}): BankLine => ({ amount: '25.00', sign: 'CRDT', ref: 'B1', ...fields });

describe.each(['02', '08'] as const)('camt.053.001.%s', (version) => {
  test('is read with its account, balances, and each booked entry', () => {
    const { statement, lines, entries } = read(
      [
        credit({ endToEndId: 'INV-1', text: 'Rent  January' }),
        { amount: '10.50', sign: 'DBIT', structured: 'RF18', text: ['one', 'two'] },
        credit({ status: 'PDNG', ref: 'B2' }),
        { amount: '25.00', sign: 'DBIT', ref: 'B1', isReversal: true },
      ],
      { version },
    );
    expect(statement).toEqual({
      ...{ account: IBAN, currency: 'USD', number: `S-${DAY}`, from: DAY, to: DAY },
      ...{ openingCents: 10_000n, closingCents: 8_950n },
    });
    expect(entries).toBe(3);
    expect(lines).toMatchObject([
      { part: 1, direction: 'CREDIT', amount: '2500', date: DAY, bankReference: 'B1', endToEndId: 'INV-1' },
      { direction: 'DEBIT', amount: '1050', bankReference: null, endToEndId: null, reference: 'RF18' },
      { direction: 'DEBIT', amount: '2500', isReversal: true },
    ]);
    expect(lines[0]?.search).toEqual(['inv-1', 'rent  january']);
    expect(lines[1]?.search).toEqual(['one two', 'onetwo', 'one', 'two', 'rf18']);
    // The reversal repeats the bank's reference, and is another entry.
    expect(new Set(lines.map(({ key }) => key)).size).toBe(3);
  });

  test('of a batch has a line for each payment, if they come to the entry', () => {
    const batch = [
      { amount: '10.00', endToEndId: 'A' },
      { amount: '15.00', endToEndId: 'B' },
    ];
    const { lines, entries } = read([credit({ batch })], { version });
    expect(entries).toBe(1);
    expect(lines.map(({ part, amount, endToEndId }) => [part, amount, endToEndId])).toEqual([
      [1, '1000', 'A'],
      [2, '1500', 'B'],
    ]);
    expect(lines[0]?.key).toBe(lines[1]?.key);
    const partial = read([credit({ batch: batch.slice(0, 1).concat({ amount: '14.00', endToEndId: 'B' }) })], {
      version,
    });
    expect(partial.lines.map(({ amount }) => amount)).toEqual(['2500']);
  });
});

test('an entry without a bank reference is known by its facts and its place among equals', () => {
  const twins = read([credit({ ref: '' }), credit({ ref: '' }), credit({ ref: '', endToEndId: 'X' })]);
  const again = read([credit({ ref: '', endToEndId: 'X' }), credit({ ref: '' }), credit({ ref: '' })]);
  const keys = twins.lines.map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
  expect(new Set(again.lines.map(({ key }) => key))).toEqual(new Set(keys));
});

test.each(['NOTPROVIDED', 'nonref'])('the placeholder %s is not taken for a bank reference', (ref) => {
  const { lines } = read([credit({ ref }), credit({ ref })]);
  expect(lines.map(({ bankReference }) => bankReference)).toEqual([null, null]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(2);
});

describe('an entry that comes again in another form', () => {
  const batch = [
    { amount: '10.00', endToEndId: 'A' },
    { amount: '15.00', endToEndId: 'B' },
  ];
  const forms = (fields: Partial<BankLine> = {}) => {
    const whole = credit({ batch, ...fields });
    return [whole, { ...whole, isSummary: true }, credit(fields)];
  };

  test.each([
    ['as the bank counts it, once', '125.00'],
    ['as if the bank had counted it each time', '175.00'],
  ])('in its statement is one, with its payments, whatever the closing balance: %s', (_how, closing) => {
    for (const lines of [forms(), forms().reverse()]) {
      const found = read(lines, { closing });
      expect(found.entries).toBe(3);
      expect(found.lines.map(({ part, amount }) => [part, amount])).toEqual([
        [1, '1000'],
        [2, '1500'],
      ]);
    }
  });

  test('and has no reference is one if the closing balance says so', () => {
    const twice = (closing: string) => read(forms({ ref: '' }).slice(0, 2), { closing }).lines;
    expect(twice('125.00').map(({ amount }) => amount)).toEqual(['1000', '1500']);
    expect(twice('150.00').map(({ amount }) => amount)).toEqual(['1000', '1500', '2500']);
  });

  // Entries of all kinds, each in a form of its own in each statement.
  const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);
  test('has one key in all statements of all files, and its parts come to its amount', () => {
    for (const seed of SEEDS) {
      const below = randomOf(seed);
      const entries = Array.from({ length: 1 + below(6) }, (_, index) => {
        const ref = below(2) === 0 ? '' : `B${index}`;
        const amounts = Array.from({ length: 1 + below(3) }, () => 100 + below(3));
        const amount = amounts.reduce((sum, one) => sum + one, 0);
        return { ref, amounts, amount: decimal(amount), sign: below(2) === 0 ? ('CRDT' as const) : ('DBIT' as const) };
      });
      const written = ({ amounts, ...entry }: (typeof entries)[number]): BankLine => {
        const payments = amounts.map((cents, index) => ({ amount: decimal(cents), endToEndId: `E${index}` }));
        // Without a reference the EndToEndId of a single payment tells it from others, so it is always there.
        if (payments.length === 1) return { ...entry, endToEndId: 'E0', isSummary: entry.ref !== '' && below(2) === 0 };
        return { ...entry, ...(below(2) === 0 ? { batch: payments } : {}), isSummary: below(2) === 0 };
      };
      const once = { opening: '100.00', closing: closingOf({ opening: '100.00', lines: entries.map(written) }) };
      const repeated = () => [...entries, ...entries.filter(({ ref }) => ref !== '' && below(2) === 0)].map(written);
      const files = [1, 2].map(() => readCamt053(writeBankFiles([day(repeated(), once), day(repeated(), once)])));
      const statements = files.flat();
      expect(new Set(statements.flatMap(({ lines }) => lines.map(({ key }) => key))).size).toBe(entries.length);
      const wanted = entries.map(({ amount }) => amount.replace('.', '')).sort();
      for (const { lines } of statements) {
        const sums = new Map<string, bigint>();
        for (const { key, amount } of lines) sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount));
        expect({ seed, sums: [...sums.values()].map(String).sort() }).toEqual({ seed, sums: wanted });
      }
    }
  });
});

describe('a file with several statements', () => {
  const statements = (...days: readonly BankDay[]) => writeBankFiles(days);

  test('has the entries of each with its account', () => {
    const found = readCamt053(
      statements(
        day([credit()]),
        day([credit({ ref: 'B1' }), credit({ ref: 'B2' })], { account: '77', opening: '1.00' }),
        day([], { currency: 'ZWG' }),
      ),
    );
    expect(
      found.map(({ statement: { account, currency, closingCents }, entries }) => [
        account,
        currency,
        closingCents,
        entries,
      ]),
    ).toEqual([
      [IBAN, 'USD', 12_500n, 1],
      ['77', 'USD', 5_100n, 2],
      [IBAN, 'ZIG', 10_000n, 0],
    ]);
  });

  test('keeps equal entries apart: of one account by their place, of others and of other currencies by these', () => {
    const twin = () => credit({ ref: '' });
    const found = readCamt053(
      statements(
        day([twin()]),
        day([twin()], { id: 'S-2' }),
        day([twin()], { account: '77' }),
        day([credit({ ref: '', currency: 'ZWG' })], { currency: 'ZWG' }),
      ),
    );
    const keys = found.flatMap(({ lines }) => lines.map(({ key }) => key));
    expect(new Set(keys).size).toBe(4);
    expect(read([twin()]).lines[0]?.key).toBe(keys[0]);
  });

  test('may have 10,000 entries together', () => {
    const many = Array.from({ length: MAX_BANK_ENTRIES }, (_, index) => credit({ amount: '0.01', ref: `B${index}` }));
    expect(() => readCamt053(statements(day(many), day([credit({ ref: 'C' })])))).toThrow('more than 10,000 entries');
  });
});

test('long texts are cut between characters', () => {
  const line = `${'x'.repeat(130)} `;
  const { lines } = read([
    credit({ text: [line, `${'y'.repeat(124)}${'\u{1f33d}'.repeat(9)}`], endToEndId: '\u{1f33d}'.repeat(200) }),
  ]);
  const texts = lines.flatMap(({ reference, endToEndId, search }) => [reference, endToEndId, ...search]);
  expect(texts.map((text) => text?.isWellFormed())).toEqual(texts.map(() => true));
});

test('a file in ISO-8859-1 is read as the bank wrote it', () => {
  const bytes = Buffer.from(
    writeBankFile(day([credit({ text: 'Café Müller' })], { encoding: 'ISO-8859-1' })),
    'latin1',
  );
  expect(readCamt053(decodeXml(bytes))[0]?.lines[0]?.reference).toBe('Café Müller');
  expect(() => decodeXml(Buffer.from(writeBankFile(day([credit({ text: 'Café' })])), 'latin1'))).toThrow(XmlError);
  expect(() => decodeXml(Buffer.from('<?xml version="1.0" encoding="EBCDIC-US"?><a/>'))).toThrow(
    'encoding_unknown: ebcdic-us',
  );
});

const valid = writeBankFile(day([credit()]));
test.each([
  ['is not XML', 'hello', 'not_well_formed'],
  [
    'is another message',
    valid.replaceAll('camt.053.001.08', 'camt.054.001.08'),
    'other_namespace: urn:iso:std:iso:20022:tech:xsd:camt.054.001.08',
  ],
  ['has no namespace', '<Document/>', 'no_namespace'],
  ['is of another version', valid.replaceAll('camt.053.001.08', 'camt.053.001.04'), '001.04'],
  [
    'has a document type',
    valid.replace('<Document', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document'),
    'document_type',
  ],
  ['is cut off', valid.slice(0, -40), 'not_well_formed'],
  ['is nested too deep', valid.replace('<BkTxCd/>', `${'<a>'.repeat(80)}${'</a>'.repeat(80)}`), 'nested_too_deep: 64'],
  ['does not add up', writeBankFile(day([credit()], { closing: '125.01' })), 'do not add up'],
  ['has no closing balance', valid.replace('CLBD', 'CLAV'), 'closing balance'],
  ['has an entry in another currency', writeBankFile(day([credit({ currency: 'EUR' })])), 'another currency'],
  [
    'is in a currency that is not supported',
    writeBankFile(day([credit()], { currency: 'EUR' })),
    'EUR is not supported',
  ],
  ['has a fraction of a cent', valid.replace('>25.00<', '>25.001<'), 'two decimals'],
  ['has a day that is not a date', valid.replaceAll(DAY, '2026-02-30'), 'not a date'],
  ['has the year 0', valid.replaceAll(DAY, '0000-01-31'), 'not a date'],
  ['has no statement', valid.replace(/<Stmt>.*<\/Stmt>/s, ''), 'no statement'],
  [
    'has a second statement that does not add up',
    valid.replace(/<Stmt>.*<\/Stmt>/s, (one) => one + one.replace('>125.00<', '>126.00<')),
    'do not add up',
  ],
])('a file that %s is refused', (_what, text, words) => {
  expect(() => readCamt053(text)).toThrow(words);
});

test('a file may have 10,000 entries, and not one more', () => {
  const lines = Array.from({ length: MAX_BANK_ENTRIES }, (_, index) => credit({ amount: '0.01', ref: `B${index}` }));
  expect(read(lines).lines).toHaveLength(MAX_BANK_ENTRIES);
  expect(() => read([...lines, credit()])).toThrow('more than 10,000 entries');
});
