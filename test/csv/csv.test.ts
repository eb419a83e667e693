import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { csvOf, spreadsheetText } from '../../src/csv/csv.ts';

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

describe('CSV of customer text', () => {
  test.each(NASTY)('%j never starts a formula, with any delimiter', async (text) => {
    const file = await new Response(csvOf([{ record: 'ENTRY', text: spreadsheetText(text), amount: '-5' }])).text();
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
    const file = await new Response(csvOf([{ b: '1' }], ['a', 'b'])).text();
    expect(file).toBe('a,b\r\n,1\r\n');
  });
});
