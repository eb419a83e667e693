import { describe, expect, test } from '@jest/globals';
import { lookAlikeKey } from '../../src/domain/look-alike.ts';

describe('names look alike', () => {
  test.each([
    ['case and spaces', 'Harare Market', 'HARARE  mar ket'],
    ['Cyrillic letters', 'Harare Market', 'Hаrаrе Mаrkеt'],
    ['capital Cyrillic and Greek letters', 'HARARE BANK', 'НАRАRЕ ΒАΝΚ'],
    ['digits', 'Mobile Shop', 'M0b1le Sh0p'],
    ['one letter for two', 'Modern Farm', 'Modem Farrn'],
    ['accents', 'Cafe Ideal', 'Café Idéal'],
    ['full-width letters', 'EcoPay', 'ＥｃｏＰａｙ'],
    ['punctuation', 'OK Zimbabwe (Pvt) Ltd', 'O.K. Zimbabwe Pvt-Ltd'],
  ])('that differ in %s', (_, one, other) => {
    expect(lookAlikeKey(other)).toBe(lookAlikeKey(one));
  });
});

test.each([
  ['Harare Market', 'Harare Markets'],
  ['EcoPay', 'EcoPlay'],
  ['Market 4', 'Market 7'],
])('%s does not look like %s', (one, other) => {
  expect(lookAlikeKey(other)).not.toBe(lookAlikeKey(one));
});
