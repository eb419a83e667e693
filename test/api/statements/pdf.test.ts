import { describe, expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import type { StatementDocument } from '../../../src/api/statements/document.ts';
import { pdfStatement } from '../../../src/api/statements/pdf.ts';
import type { AccountId, CompanyId, LedgerId, TransactionId, UserId } from '../../../src/domain/ids.ts';
import { type StatementLine, statementOf } from '../../../src/domain/ledger/statement.ts';

/** The PDF of a statement as programs for people read it: its text, its fonts, and the structure that screen readers follow. */

const id = <Id>(digit: number) => `00000000-0000-7000-8000-${String(digit).padStart(12, '0')}` as Id; // an id of the kind asked for
const AT = new Date('2026-03-02T10:15:00.000Z');

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

function line(name: string, number: number): StatementLine {
  return {
    id: String(number),
    transactionId: id<TransactionId>(number),
    type: 'PAYMENT',
    amountCents: number % 2 === 0 ? -1_000n : 24_125n,
    reference: `order-${number}`,
    memo: null,
    escrowId: null,
    withdrawalId: null,
    counterparty: { kind: 'USER', id: id<UserId>(number), name },
    breakdown: { grossCents: 25_000n, feeCents: 875n, taxCents: 0n },
    createdAt: AT,
  };
}

function documentOf(lines: readonly StatementLine[], holder = 'Tariro Moyo'): StatementDocument {
  const period = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-04-01T00:00:00.000Z') };
  const base = { openingCents: 100_000n, openingHeldCents: 2_500n, closingHeldCents: 5_000n };
  return {
    statement: statementOf(id<AccountId>(1), period, base, lines),
    account: {
      id: id<AccountId>(1),
      companyId: id<CompanyId>(2),
      ledgerId: id<LedgerId>(3),
      ledgerName: holder,
      userId: id<UserId>(4),
      userFirstName: null,
      userLastName: null,
      type: 'USER',
      currency: 'USD',
      balanceCents: 0n,
      heldCents: 0n,
      isFrozen: false,
      createdAt: AT,
      updatedAt: AT,
    },
    companyName: 'Harvest Market',
    createdAt: AT,
  };
}

async function open(document: StatementDocument) {
  const bytes = new Uint8Array(await new Response(pdfStatement(document)).arrayBuffer());
  return { bytes: bytes.slice(), proxy: await getDocumentProxy(bytes) };
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

describe('structure', () => {
  test('is a document with a heading, facts, and a table with a row of column titles', async () => {
    const { proxy } = await open(documentOf([line(NAMES.English, 1), line(NAMES.English, 2)]));
    expect(await proxy.getMarkInfo()).toMatchObject({ Marked: true });
    const { info } = await proxy.getMetadata();
    expect(info).toMatchObject({ Language: 'en', Title: expect.stringMatching(/^Statement acc_/) });
    const roles = rolesIn((await (await proxy.getPage(1)).getStructTree()) as Node | null); // pdf.js declares the tree loosely
    const row = (cell: string) => ['TR', ...Array.from({ length: 5 }, () => cell)];
    expect(roles).toEqual([
      ...['Root', 'Document', 'P', 'H1', ...Array.from({ length: 11 }, () => 'P'), 'Table'],
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
    for (const page of text) expect(page).toMatch(/Date \(UTC\)\s+Details\s+Debit\s+Credit\s+Balance/);
    // Every text is in a marked content, so a reader knows what it is.
    const { items } = await second.getTextContent({ includeMarkedContent: true });
    let depth = 0;
    for (const item of items)
      if ('str' in item) expect(depth).toBeGreaterThan(0);
      else depth += item.type === 'endMarkedContent' ? -1 : 1;
  });
});
