import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MAX_BANK_ENTRIES } from '../../../../src/api/statements/read-camt053.ts';
import { type BankLine, writeBankFile } from '../../../support/bank-writer.ts';
import { done, newCompany, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { sql } from '../../../support/sql.ts';
import { together } from '../../../support/together.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const CAPTURES = 1_000;

async function send(company: TestCompany, lines: readonly BankLine[]) {
  const day = new Date().toISOString().slice(0, 10);
  const rawBody = writeBankFile({ day, opening: '0.00', lines });
  const headers = { 'content-type': 'application/xml' };
  const post = (key: string) =>
    company.request('POST', '/v1/treasury/bank/statements', {
      rawBody,
      headers: { ...headers, 'x-idempotency-key': key },
    });
  return (await done(untilAnswered(post))).body;
}

test('a file of 10,000 entries, and the one after it, are stored and matched in time', async () => {
  // The statistics know companies with few entries, and not this one.
  await send(await newCompany(service), [{ amount: '0.01', sign: 'CRDT', ref: 'B', text: 'R' }]);
  await sql(service, 'analyze');
  const company = await newCompany(service);
  const references = Array.from({ length: CAPTURES }, (_, index) => `R-${index}`);
  await together(references, async (reference) => {
    await done(company.post('/v1/treasury/bank/capture', { amount: 1, currency: 'USD', reference }));
  });
  const lines = Array.from(
    { length: MAX_BANK_ENTRIES },
    (_, index): BankLine => ({ amount: '0.01', sign: 'CRDT', ref: `B${index}`, text: `R-${index}` }),
  );
  const open = MAX_BANK_ENTRIES - CAPTURES;
  const startedAt = performance.now();
  expect(await send(company, lines)).toMatchObject({
    entries: MAX_BANK_ENTRIES,
    matched: CAPTURES,
    open,
    duplicates: 0,
  });
  const firstMs = Math.round(performance.now() - startedAt);
  expect(await send(company, lines)).toMatchObject({ matched: 0, open: 0, duplicates: MAX_BANK_ENTRIES });
  const { accounts } = (await done(untilAnswered(() => company.get('/v1/treasury/bank/reconciliation')))).body;
  expect(accounts).toMatchObject([{ bankBalance: '10000', bookBalance: String(CAPTURES), difference: String(open) }]);
  console.info(
    `10,000 entries: ${firstMs} ms; again and reconciled: ${Math.round(performance.now() - startedAt) - firstMs} ms`,
  );
});

test('a receipt is recorded though 8,000 open entries have its reference', async () => {
  const company = await newCompany(service);
  const lines = Array.from(
    { length: 8_000 },
    (_, index): BankLine => ({
      amount: index === 2_000 ? '0.02' : '0.01',
      sign: 'CRDT',
      ref: `B${index}`,
      text: 'rent',
    }),
  );
  await send(company, lines);
  await done(
    company.post('/v1/treasury/bank/capture', { amount: 2, currency: 'USD', reference: 'Rent' }, randomUUID()),
  );
  const { accounts } = (await done(company.get('/v1/treasury/bank/reconciliation'))).body;
  expect(accounts).toMatchObject([{ bankBalance: '8001', bookBalance: '2', difference: '7999' }]);
});
