import { describe, expect, jest, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type CsvRow, csvOf, spreadsheetText } from '../../src/csv/csv.ts';
import { eventually } from '../support/eventually.ts';

const FORMULA = /^\s*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
const NASTY = [
  "=cmd|'/C calc'!A0",
  ' +1',
  '\t=1',
  '\rtext',
  '＝1+1',
  "x;=cmd|'/C calc'!A0;y",
  'Deposit: z;+HYPERLINK(1);z',
  'a\t-1|@b',
  'a"; =1',
  'two\n=lines',
  ';;\t=',
];

async function* pagesOf(...pages: CsvRow[][]) {
  yield* pages;
}

describe('CSV of customer text', () => {
  test.each(NASTY)('%j never starts a formula, with any delimiter', async (text) => {
    const file = await new Response(
      csvOf(pagesOf([{ record: 'ENTRY', text: spreadsheetText(text), amount: '-5' }])),
    ).text();
    for (const delimiter of [';', '\t', '|']) {
      const cells = file.split('\r\n').flatMap((line) => line.split('\n').flatMap((part) => part.split(delimiter)));
      const bare = cells.map((cell) => cell.replace(/^"+/, ''));
      expect(bare.filter((cell) => FORMULA.test(cell))).toEqual([]);
    }
    const [row]: { text: string }[] = parse(file, { columns: true });
    expect(row?.text.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
    expect(row?.text).not.toMatch(FORMULA);
  });

  test.each(['Maize, 50 kg', 'order-1', "it's", 'a;b', ''])('%j is not changed', (text) => {
    expect(spreadsheetText(text)).toBe(text);
  });

  test('has the columns in their order, and leaves missing cells empty', async () => {
    const file = await new Response(csvOf(pagesOf([{ b: '1' }]), ['a', 'b'])).text();
    expect(file).toBe('a,b\r\n,1\r\n');
  });

  test.each<[string, CsvRow[][], string[] | undefined, string]>([
    ['no rows and no columns', [[]], undefined, ''],
    ['no rows', [[], []], ['id'], 'id\r\n'],
    ['no pages', [], ['id'], 'id\r\n'],
    ['an empty page before the first row', [[], [{ id: '0' }]], undefined, 'id\r\n0\r\n'],
  ])('of %s has its header once', async (_name, pages, columns, expected) => {
    expect(await new Response(csvOf(pagesOf(...pages), columns)).text()).toBe(expected);
  });

  test('has a chunk for each page', async () => {
    const chunks: string[] = [];
    for await (const chunk of csvOf(pagesOf([{ id: '0' }], [{ id: '1' }, { id: '2' }])))
      chunks.push(Buffer.from(chunk).toString());
    expect(chunks).toEqual(['id\r\n0\r\n', '1\r\n2\r\n']);
  });

  test('ends its pages when its reader leaves, and reads few ahead', async () => {
    const ended = jest.fn();
    const read = jest.fn();
    async function* endless() {
      try {
        for (let id = 0; ; id += 1) {
          read();
          yield [{ id: `${id}` }];
        }
      } finally {
        ended();
      }
    }
    const reader = csvOf(endless()).getReader();
    await reader.read();
    await reader.cancel();
    await eventually(async () => ended.mock.calls.length === 1);
    expect(read.mock.calls.length).toBeLessThanOrEqual(4);
  });
});
