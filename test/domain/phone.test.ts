import { expect, test } from '@jest/globals';
import { dialled, isPhoneRegion, type PhoneRegion, parsePhone } from '../../src/domain/phone.ts';

test.each<[string, PhoneRegion, string | undefined]>([
  ['0771234567', 'ZW', '+263771234567'],
  ['077 123 4567', 'ZW', '+263771234567'],
  ['(077) 123-4567', 'ZW', '+263771234567'],
  ['771234567', 'ZW', '+263771234567'],
  ['263771234567', 'ZW', '+263771234567'],
  ['263 77 123 4567', 'ZA', '+263771234567'],
  ['00263771234567', 'ZW', '+263771234567'],
  ['+263 (0)77 123 4567', 'ZW', '+263771234567'],
  ['+263771234567', 'ZA', '+263771234567'],
  ['+263 77-123-4567', 'ZW', '+263771234567'],
  ['082 123 4567', 'ZA', '+27821234567'],
  ['020 7946 0958', 'GB', '+442079460958'],
  // A number with a plus and 8 to 15 digits is accepted unchanged, whether or not it is assigned.
  ['+12345678', 'ZW', '+12345678'],
  ['+999999999999999', 'ZW', '+999999999999999'],
  ['+1234567', 'ZW', undefined],
  ['+1234567890123456', 'ZW', undefined],
  ['', 'ZW', undefined],
  ['12', 'ZW', undefined],
  ['hello', 'ZW', undefined],
  ['call 0771234567 now', 'ZW', undefined],
  ['0771234567; drop table', 'ZW', undefined],
  ['07712345678901234', 'ZW', undefined],
])('%p in %s is %p', (typed, region, phone) => {
  expect(parsePhone(typed, region)).toBe(phone);
});

test.each([
  ['ZW', true],
  ['zw', false],
  ['XX', false],
  ['', false],
])('%p is a region: %p', (text, isRegion) => {
  expect(isPhoneRegion(text)).toBe(isRegion);
});

test.each([
  ['+2630771234567', '+263771234567'],
  ['+4402079460958', '+442079460958'],
  ['+263771234567', '+263771234567'],
  ['+390612345678', '+390612345678'], // in Italy the 0 stays
  ['+999999999999999', '+999999999999999'],
])('%s reaches %s', (number, reached) => {
  expect(dialled(number)).toBe(reached);
});
