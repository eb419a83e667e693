import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from '../../../src/api/bodies/json-bodies.ts';
import { JSON_LIMITS } from '../../../src/api/limits.ts';

const { depth, names, values } = JSON_LIMITS;
const parse = (text: string) => parseJson(Buffer.from(text));
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const named = (count: number) => `{${Array.from({ length: count }, (_, at) => `"n${at}":":[{"`).join(',')}}`;

test('every JSON text within the limits is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(parse(JSON.stringify(value, null, 1))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('the limits themselves are allowed, and signs inside texts do not count', () => {
  expect(parse(nested(depth))).toBeDefined();
  expect(Object.keys(parse(named(names)) as object)).toHaveLength(names);
  expect(parse(`[${'{},'.repeat(values)}{}]`)).toHaveLength(values + 1);
  expect(parse(String.raw`"\"[[[\\\":::"`)).toBe(String.raw`"[[[\":::`);
});

test('numbers are parsed in every notation', () => {
  const text = '[1e2,100.00,0.1,-0.0e-9,1E+2,250e-1,33.33,1e999,2.5e-324,12345678901234567890,"1.0000000000000000001"]';
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ['one level too deep', nested(depth + 1), `the body is nested more than ${depth} levels`],
  ['lists that never end', '['.repeat(60_000), `the body is nested more than ${depth} levels`],
  ['one name too many', named(names + 1), 'the body has more than 4,096 names'],
  ['one value too many', `[${'{},'.repeat(values)}{},1]`, 'the body has more than 20,000 values'],
  ['an object that never ends', `{${'"a":1,'.repeat(5_000)}`, 'the body has more than 4,096 names'],
  ['a fraction that a double loses', '[1.0000000000000000001]', 'the body has a fraction with too many digits'],
  ['one of a large number', '{"a":9007199254740990.6}', 'the body has a fraction with too many digits'],
  ['one that its exponent makes', '10000000000000000001e-19', 'the body has a fraction with too many digits'],
  ['one that is nearly nothing', '-1e-400 ', 'the body has a fraction with too many digits'],
  ['text that is not JSON', '{"a":', 'the body is not valid JSON'],
  ['a text that never ends', '"a\\', 'the body is not valid JSON'],
])('%s: invalid_json', (_what, text, detail) => {
  expect(() => parse(text)).toThrow(detail);
});

test('bytes that are not UTF-8 are refused, and not replaced', () => {
  expect(() => parseJson(Buffer.from('{"name":"M\xfcller"}', 'latin1'))).toThrow('the body is not valid UTF-8');
  expect(() => parseJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toThrow('the body is not valid UTF-8');
});
