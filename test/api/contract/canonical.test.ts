import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UploadedFile } from '../../../src/api/bodies/uploaded-file.ts';
import { canonical, digestOf } from '../../../src/api/contract/canonical.ts';

test('the order of fields does not matter at any depth; the order of a list does', () => {
  expect(canonical({ b: 1, a: { d: [1, 2], c: null } })).toBe(canonical({ a: { c: null, d: [1, 2] }, b: 1 }));
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
});

test('an absent field is ignored; a null field is not', () => {
  expect(canonical({ a: undefined, b: 1 })).toBe('{"b":1}');
  expect(canonical({ a: null })).toBe('{"a":null}');
});

test('bigints and dates have one form', () => {
  expect(canonical({ amount: 9_007_199_254_740_991n, at: new Date(0) })).toBe(
    '{"amount":9007199254740991,"at":"1970-01-01T00:00:00.000Z"}',
  );
});

test('values that differ as JSON differ in canonical form', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const isSame = JSON.stringify(a) === JSON.stringify(b);
      if (isSame) expect(canonical(a)).toBe(canonical(b));
      // Two of them may be equal only after their names are sorted.
      else if (canonical(a) === canonical(b)) expect(a).toEqual(b);
    }),
  );
});

test('a file counts by its content', async () => {
  const digest = async (content: string) => {
    const document = new UploadedFile(Buffer.from(content));
    return (await digestOf('POST /x', { form: { document, idNumber: '1' } })).toString('hex');
  };
  expect(await digest('one')).toBe(await digest('one'));
  expect(await digest('one')).not.toBe(await digest('two'));
});

test('the operation and every part of the request count', async () => {
  const digests = await Promise.all([
    digestOf('POST /x', { json: { a: 1 } }),
    digestOf('POST /y', { json: { a: 1 } }),
    digestOf('POST /x', { json: { a: 2 } }),
    digestOf('POST /x', { query: { a: 1 } }),
    digestOf('POST /x', { json: { a: 1 }, param: { id: 'b' } }),
  ]);
  expect(new Set(digests.map((digest) => digest.toString('hex'))).size).toBe(digests.length);
});

test('a null field counts in PATCH, where it clears, and in metadata, which is stored as it is sent', async () => {
  const digest = async (operation: string, json: object) => (await digestOf(operation, { json })).toString('hex');
  const nested = { items: [{ name: 'a', description: null }], note: null };
  expect(await digest('POST /x', nested)).toBe(await digest('POST /x', { items: [{ name: 'a' }] }));
  expect(await digest('PATCH /x', { note: null })).not.toBe(await digest('PATCH /x', {}));
  expect(await digest('POST /x', { metadata: { a: null } })).not.toBe(await digest('POST /x', { metadata: {} }));
});
