import { describe, expect, test } from '@jest/globals';
import { sentenceOfReason } from '../../../src/domain/withdrawal/failure-reasons.ts';

describe('the sentence of a reason code', () => {
  test.each([
    ['AC04', 'The account is closed.'],
    ['NARR', 'The bank gives its reason in words only. Ask the bank.'],
    ['ZZ99', 'The bank refused the payment with the code ZZ99.'],
  ])('%s: %s', (code, sentence) => {
    expect(sentenceOfReason(code)).toBe(sentence);
  });
});
