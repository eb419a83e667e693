import { z } from '@hono/zod-openapi';
import { expect, test } from '@jest/globals';
import { isNear, nearestOf, surplusOf, unknownNames } from '../../../src/api/contract/unknown-names.ts';

const unknownFields = (...of: Parameters<typeof surplusOf>) => surplusOf(...of).unknown;

const schema = z.object({
  name: z.string(),
  items: z.array(z.object({ quantity: z.int(), price: z.int().nullish() })),
  metadata: z.record(z.string(), z.unknown()).optional(),
  bank: z.object({ account_number: z.string() }).nullish(),
});

test('a body of known fields has no unknown ones, and a record takes every name', () => {
  const body = { name: 'a', items: [{ quantity: 1, price: null }], metadata: { anything: { at: 'all' } }, bank: null };
  expect(unknownFields(schema, body)).toEqual([]);
});

test('unknown fields are found at every depth, each with the nearest name of its own object', () => {
  const body = { Name: 'a', items: [{ quantity: 1 }, { qantity: 2 }], bank: { accountNumber: '1' } };
  expect(unknownFields(schema, body)).toEqual([
    { path: 'Name', nearest: 'name' },
    { path: 'items.1.qantity', nearest: 'quantity' },
    { path: 'bank.accountNumber', nearest: 'account_number' },
  ]);
});

test('a value of the wrong type has no fields to compare', () => {
  for (const body of [null, [], 'text', 1, { items: 'none' }, { items: [null, 3] }, { bank: [] }])
    expect(unknownFields(schema, body)).toEqual([]);
});

test('JSON in a field of a form is compared with the schema behind it', () => {
  const form = z.object({
    bank: z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(z.object({ account: z.string() })),
  });
  expect(unknownFields(form, { bank: '{"acount":"1"}' })).toEqual([{ path: 'bank.acount', nearest: 'account' }]);
  expect(unknownFields(form, { bank: 'not JSON' })).toEqual([]);
});

test('of a union, the form with the fewest unknown fields counts', () => {
  const union = z.union([z.object({ id: z.string() }), z.object({ id: z.string(), payload: z.string() })]);
  expect(unknownFields(union, { id: 'a', payload: 'b', more: 1 })).toEqual([{ path: 'more', nearest: 'id' }]);
});

test('at most 20 unknown names are compared and named', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, index]));
  expect(unknownFields(schema, many)).toHaveLength(20);
  expect(unknownFields(schema, { ...many, bank: many, items: [many] })).toHaveLength(20);
});

test.each([
  ['statsu', ['status', 'sort', 'limit'], 'status'],
  ['stat', ['sort', 'status', 'limit'], 'status'],
  ['so', ['status', 'sort'], 'sort'],
  ['start_date', ['endDate', 'startDate'], 'startDate'],
  ['', ['limit'], 'limit'],
  ['anything', [], undefined],
])('the name nearest to %p among %p is %p', (name, known, nearest) => {
  expect(nearestOf(name, known)).toBe(nearest);
});

test('names that are known are not reported', () => {
  expect(unknownNames(['limit', 'offset'], ['offset', 'limit'])).toEqual([]);
});

test.each([
  ['ammount', 'amount', true],
  ['accountNumber', 'account_number', true],
  ['stat', 'status', true],
  ['memo', 'userId', false],
  ['amount', 'items', false],
])('%p looks like %p: %p', (name, known, isAlike) => {
  expect(isNear(name, known)).toBe(isAlike);
});

test('a list that is too long is found before its entries are looked at', () => {
  const list = z.object({ orders: z.array(z.object({ items: z.array(z.object({ id: z.int() })).max(2) })).max(3) });
  const items = Array.from({ length: 100_000 }, () => ({ unknown: true }));
  expect(surplusOf(list, { orders: [{ items }] })).toEqual({
    unknown: [],
    overlong: [{ path: 'orders.0.items', most: 2 }],
  });
});
