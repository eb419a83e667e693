import { describe, expect, test } from '@jest/globals';
import bidiOf, { type Bidi } from 'bidi-js';
import { isolated } from '../../src/domain/isolated-text.ts';

const bidi = (bidiOf as unknown as () => Bidi)(); // Node gives the function itself; the types expect it below `default`

/** What a reader sees of `text` in a line from left to right. */
const seen = (text: string) =>
  bidi.getReorderedString(text, bidi.getEmbeddingLevels(text, 'ltr')).replace(/\p{Bidi_Control}/gu, '');

describe('isolated', () => {
  test.each(['', 'Pump', 'Société — 字 🙂', 'a\nb'])('leaves %j as it is', (text) => {
    expect(isolated(text)).toBe(text);
  });

  test.each([
    ['an override', '\u202ePump'],
    ['an embedding', '\u202bPump'],
    ['an open isolate', '\u2067Pump'],
    ['an isolate that ends too often, before an override', 'Pu\u2069\u2069\u202emp'],
    ['nested marks', '\u2067\u202e\u2068Pump\u2069'],
    ['letters from right to left', 'שלום'],
    ['Arabic letters with digits', 'مضخة 12'],
    ['a mark in another line', '\u202ePump\nPu\u202emp'],
  ])('%s does not move the amount beside it', (_, text) => {
    const lines = `Release ${isolated(text)}: 1,250.75 USD`.split('\n');
    expect(seen(lines.at(-1) ?? '')).toMatch(/: 1,250\.75 USD$/);
    expect(seen(lines[0] ?? '')).toMatch(/^Release /);
  });

  test('an amount beside a text that is not isolated does move', () => {
    expect(seen('Release \u202ePump: 1,250.75 USD')).not.toMatch(/USD$/);
  });
});
