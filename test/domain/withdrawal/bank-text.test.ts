import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BANK_CHARACTER_SETS, bankText, bankTextAnyway, isBankCode } from '../../../src/domain/withdrawal/bank-text.ts';

/** Names and references as the bank takes them. */

test.each([
  ['Ana Moyo', 'Ana Moyo', 'Ana Moyo'],
  ['Zoë Müller & Söhne', 'Zoe Muller + Sohne', 'Zoë Müller & Söhne'],
  ['Łukasz Strauß', 'Lukasz Strauss', 'Lukasz Strauß'],
  ["N'Gol’o “Ça va”", "N'Gol'o 'Ca va'", "N'Gol'o 'Ça va'"],
  ['Ｆｕｌｌ　width', 'Full width', 'Full width'],
  ['order_7 #12', 'order-7 No.12', 'order_7 #12'],
  ['e\u0301', 'e', 'é'],
  ['  two   spaces ', 'two spaces', 'two spaces'],
])('%j is written %j by SWIFT, and %j in ISO 8859-1', (text, swift, latin1) => {
  expect([bankText(text, 'swift'), bankText(text, 'latin1')]).toEqual([swift, latin1]);
});

test('a name in another script is refused, except where the bank takes all letters', () => {
  for (const name of ['田中', 'Ольга', 'محمد'])
    expect(BANK_CHARACTER_SETS.map((set) => bankText(name, set))).toEqual([null, null, name]);
});

test.each([
  ['an emoji', 'Ana 😀'],
  ['a mark that turns the direction', 'Ana\u202eoyoM'],
  ['a mark without width', 'A\u200bna'],
  ['a control character', 'Ana\u0007'],
  ['a line break', 'Ana\nMoyo'],
  ['half of a character', 'Ana\ud800'],
  ['a character for private use', 'Ana\ue000'],
  ['nothing but spaces', '   '],
])('%s is refused in every set', (_what, text) => {
  expect(BANK_CHARACTER_SETS.map((set) => bankText(text, set))).toEqual([null, null, null]);
});

describe('for any text and set', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  const anySet = fc.constantFrom(...BANK_CHARACTER_SETS);

  test('what is written has only characters of the set, and stays as it is when it is written again', () => {
    fc.assert(
      fc.property(anyText, anySet, (text, set) => {
        const written = bankText(text, set);
        if (written === null) return;
        expect(isBankCode(written, set)).toBe(true);
        expect(bankText(written, set)).toBe(written);
        expect(bankTextAnyway(text, set)).toBe(written);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a text that was accepted before is written with characters of the set too', () => {
    fc.assert(
      fc.property(anyText, anySet, (text, set) => isBankCode(bankTextAnyway(text, set), set)),
      { numRuns: 2_000 },
    );
  });
});
