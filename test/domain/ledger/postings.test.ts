import { expect, test } from '@jest/globals';
import type { AccountId, CompanyId, TransactionId } from '../../../src/domain/ids.ts';
import { leg, type Posting, posting } from '../../../src/domain/ledger/postings.ts';

const account = (name: string) => name as AccountId; // only compared here

const good: Posting = {
  transactionId: 'transaction' as TransactionId,
  companyId: 'company' as CompanyId,
  key: 'key',
  type: 'PAYMENT',
  status: 'COMPLETED',
  amountCents: 10n,
  currency: 'USD',
  reference: null,
  escrowId: null,
  metadata: {},
  legs: [...leg(account('buyer'), -10n), ...leg(account('seller'), 9n), ...leg(account('fee'), 1n)],
  holds: [],
};

test('a posting is built when its legs balance', () => {
  expect(posting(good)).toEqual(good);
  expect(posting({ ...good, legs: [] }).legs).toEqual([]);
});

test.each([
  { broken: { legs: leg(account('seller'), 1n) }, error: 'unbalanced posting key' },
  { broken: { legs: leg(account('seller'), -1n) }, error: 'unbalanced posting key' },
  { broken: { legs: [{ accountId: account('seller'), amountCents: 0n }] }, error: 'empty leg in posting key' },
  { broken: { amountCents: -1n }, error: 'negative posting key' },
])('a posting is never built with an $error', ({ broken, error }) => {
  expect(() => posting({ ...good, ...broken })).toThrow(error);
});

test('a leg of zero leaves nothing', () => {
  expect(leg(account('fee'), 0n)).toEqual([]);
});
