import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import type { StatementDocument } from '../../../src/api/statements/document.ts';
import { pdfStatement } from '../../../src/api/statements/pdf.ts';
import type { TransactionId } from '../../../src/domain/ids.ts';
import { documentOf, statementLine as line } from '../../support/statement-document.ts';

/** The PDF of a statement as programs for people read it: its text, its fonts, and the structure that screen readers follow. */

/** Names in their own letters. Each is shown whole, and none as boxes. */
const NAMES = {
  English: 'Tariro Moyo',
  Polish: 'Łukasz Żądło',
  Vietnamese: 'Nguyễn Thị Ánh',
  Russian: 'Анна Иванова',
  Greek: 'Ελένη Παππά',
  'simplified Chinese': '王小明',
  'traditional Chinese': '張國榮',
  Japanese: '山田 たろう カタカナ',
  Korean: '김민준',
  'two scripts': 'Li 李 Łódź',
  Thai: 'สมชาย ใจดี',
} as const;

async function open(document: StatementDocument) {
  const bytes = new Uint8Array(await new Response(pdfStatement(document)).arrayBuffer());
  return { bytes: bytes.slice(), proxy: await getDocumentProxy(bytes) };
}

/** The instructions of all pages, among other data. */
function contentOf(bytes: Uint8Array): string {
  const file = Buffer.from(bytes).toString('latin1');
  return [...file.matchAll(/\/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)]
    .map(([, data = '']) => inflateSync(Buffer.from(data, 'latin1')).toString('latin1'))
    .join('\n');
}

type Node = { readonly role?: string; readonly type?: string; readonly children?: readonly Node[] };
/** All roles of the tree below, in reading order. */
const rolesIn = (node: Node | null): string[] =>
  node === null ? [] : [...(node.role === undefined ? [] : [node.role]), ...(node.children ?? []).flatMap(rolesIn)];

/** The roles of the elements that have content on the page. */
const drawnIn = (node: Node | null): string[] =>
  node === null
    ? []
    : [
        ...(node.children?.some(({ type }) => type === 'content') === true ? [node.role ?? ''] : []),
        ...(node.children ?? []).flatMap(drawnIn),
      ];

const withTax = {
  ...{ grossCents: 1_020n, feeCents: 0n, taxCents: 20n },
  rates: [{ kind: 'TRANSFER_TAX', cents: 20n, basisPoints: 200 }],
} as const;

describe('letters', () => {
  test.each(Object.entries(NAMES))('%s: a name is text that can be searched and copied', async (_script, name) => {
    const { proxy } = await open(documentOf([line(name, 1)], name));
    const { text } = await extractText(proxy, { mergePages: true });
    const squeezed = text.replace(/\s+/g, '');
    expect(squeezed).toContain(`From${name}`.replace(/\s+/g, ''));
    expect(squeezed).toContain(`Accountholder${name}`.replace(/\s+/g, ''));
  });

  test.each([
    ['Devanagari', 'नरेन्द्र शर्मा', 'Devanagari'],
    ['Arabic', 'محمد الأمين', 'Arabic'],
    ['Hebrew', 'דוד (חיפה) 12', 'Hebrew'],
    ['Thai', 'สมชาย ใจดี', 'Thai'],
  ])('%s: a name is drawn with a font of its script', async (_script, name, font) => {
    const { bytes } = await open(documentOf([line(name, 1)]));
    expect(Buffer.from(bytes).toString('latin1')).toMatch(new RegExp(`/FontName /[A-Z]+\\+\\S*${font}`, 'i'));
  });

  test.each([
    ['a rare Han character', '\u{20bb7}田 Li', '[U+20BB7]'],
    ['a script without a font', 'தமிழ் Ltd', '[U+0BA4 0BAE 0BBF 0BB4 0BCD]'],
    ['an emoji of several characters', 'Farm \u{1f9d1}\u{200d}\u{1f33e}', '[U+1F9D1 1F33E]'],
  ])('%s is drawn as its number', async (_what, name, shown) => {
    const { proxy } = await open(documentOf([line(name, 1)]));
    const { text } = await extractText(proxy, { mergePages: true });
    expect(text.replace(/\s+/g, '')).toContain(shown.replaceAll(' ', ''));
  });

  test('text that is drawn in another form is copied as it is', async () => {
    const { bytes } = await open(documentOf([line('\u{20bb7}田 Li', 1)]));
    const text = Buffer.from('\ufeffFrom \u{20bb7}田 Li', 'utf16le').swap16().toString('latin1');
    expect(contentOf(bytes)).toContain(`/ActualText (${text})`);
  });

  test('characters that no font has do not prevent a file', async () => {
    const { proxy } = await open(documentOf([line('\u3402\u{20bb7}\u{1f600} \ud800 \u202e\u0e33\u094d\u200d', 1)]));
    expect(proxy.numPages).toBe(1);
  });

  test('only the letters that are used are embedded: a name in Chinese costs less than 20 KB', async () => {
    const plain = await open(documentOf([line(NAMES.English, 1)]));
    const chinese = await open(documentOf([line(NAMES['simplified Chinese'], 1)]));
    expect(plain.bytes.length).toBeLessThan(20_000);
    expect(chinese.bytes.length - plain.bytes.length).toBeLessThan(20_000);
  });
});

describe('references', () => {
  // The widest ids: `D` is the widest digit of a hexadecimal number.
  const widest = 'dddddddd-dddd-7ddd-8ddd-dddddddddddd';

  test('are complete, however long, so that they can be found in the records of the bank and of the company', async () => {
    const reference = `order ${'WWWW-'.repeat(48)}end`;
    const paidOut = {
      ...line('Tariro', 2),
      type: 'WITHDRAWAL',
      reference,
      withdrawalId: widest as TransactionId,
    } as const;
    const { proxy } = await open(documentOf([paidOut]));
    const { text } = await extractText(proxy, { mergePages: true });
    expect(text).toContain(`WD${widest.replaceAll('-', '').toUpperCase()}`); // in one line, as a search finds it
    const squeezed = text.replace(/\s+/g, '');
    expect(squeezed).toContain(`Ref.${reference.replaceAll(' ', '')}`);
    expect(squeezed).not.toContain('...');
  });
});

describe('amounts', () => {
  test('are complete, however large', async () => {
    const most = { ...line('Tariro', 1), amountCents: 9_088_888_888_888_888_888n };
    const { proxy } = await open(
      documentOf([most, { ...line('Tariro', 2), amountCents: -8_888_888_888_888_888_888n }]),
    );
    const { text } = await extractText(proxy, { mergePages: true });
    for (const amount of ['90,888,888,888,888,888.88', '88,888,888,888,888,888.88', '90,888,888,888,889,888.88'])
      expect(text).toContain(amount);
    expect(text).not.toContain('...');
  });
});

test('bookkeepers find the address and the numbers of the company, each fee with its rate, and the value date', async () => {
  const tax = { ...line('Tariro', 2), breakdown: withTax };
  const confirmed = { ...line('Tariro', 3), valueDate: '2026-02-27' };
  const { proxy } = await open(documentOf([line('Tariro', 1), tax, confirmed]));
  const { text } = await extractText(proxy, { mergePages: true });
  for (const words of ['12 Samora Machel Avenue, Harare', 'Tax no. 10012345', 'Registration no. 1234/2020'])
    expect(text).toContain(words);
  expect(text).toContain('Service fee 6.25 (2.5 %)');
  expect(text).toContain('Platform fee 2.50 (as agreed)');
  expect(text).toContain('Transfer tax 0.20 (2 %)');
  expect(text.match(/Value \S+/g)).toEqual(['Value 2026-03-02', 'Value 2026-03-02', 'Value 2026-02-27']);
});

describe('structure', () => {
  test('is a document with a heading, facts, and a table with a row of column titles', async () => {
    const { proxy } = await open(documentOf([line(NAMES.English, 1), line(NAMES.English, 2)]));
    expect(await proxy.getMarkInfo()).toMatchObject({ Marked: true });
    const { info } = await proxy.getMetadata();
    expect(info).toMatchObject({ Language: 'en', Title: expect.stringMatching(/^Statement acc_/) });
    const roles = rolesIn((await (await proxy.getPage(1)).getStructTree()) as Node | null); // pdf.js declares the tree loosely
    const row = (cell: string) => ['TR', ...Array.from({ length: 5 }, () => cell)];
    expect(roles).toEqual([
      ...['Root', 'Document', 'P', 'H1', ...Array.from({ length: 3 + 11 }, () => 'P'), 'Table'],
      ...row('TH'),
      ...Array.from({ length: 5 }, () => row('TD')).flat(),
    ]);
  });

  test('goes on over pages, with titles for the eye alone, and everything else is an artifact', async () => {
    const { proxy } = await open(documentOf(Array.from({ length: 60 }, (_, index) => line(NAMES.English, index + 1))));
    expect(proxy.numPages).toBeGreaterThan(2);
    const second = await proxy.getPage(2);
    const rows = drawnIn((await second.getStructTree()) as Node | null); // as above
    expect(rows.filter((role) => role === 'TH')).toEqual([]);
    expect(rows.filter((role) => role === 'TD').length).toBeGreaterThan(25);
    const { text } = await extractText(proxy, { mergePages: false });
    for (const page of text) expect(page).toMatch(/Booked, value date\s+Details\s+Debit\s+Credit\s+Balance/);
    // Every text is in a marked content, so a reader knows what it is.
    const { items } = await second.getTextContent({ includeMarkedContent: true });
    let depth = 0;
    for (const item of items)
      if ('str' in item) expect(depth).toBeGreaterThan(0);
      else depth += item.type === 'endMarkedContent' ? -1 : 1;
  });
});
