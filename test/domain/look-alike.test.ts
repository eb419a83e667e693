import { describe, expect, test } from '@jest/globals';
import { asRead, lookAlikeKey } from '../../src/domain/look-alike.ts';

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

test.each([
  ['zero-width letters', '63\u200b-123\u2060456', '63-123456'],
  ['a soft hyphen and direction marks', '63\u00ad\u202e12\u200f3', '63123'],
  ['letters of another script', '63-АВ12', '63-AB12'],
  ['digits of other scripts', '٦٣ १२३', '63 123'],
  ['full-width signs', '６３．１２', '63.12'],
])('%s are read as %p shows', (_what, text, read) => {
  expect(asRead(text).toUpperCase()).toBe(read);
});

test('digits and Latin letters that look alike stay apart', () => {
  expect(asRead('O0 l1 5S é')).toBe('O0 l1 5S é');
});
