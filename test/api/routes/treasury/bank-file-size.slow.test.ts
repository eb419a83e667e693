import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MAX_BANK_ENTRIES } from '../../../../src/api/statements/read-camt053.ts';
import { bare } from '../../../support/api.ts';
import { type BankLine, writeBankFile } from '../../../support/bank-writer.ts';
import { done, newCompany, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { sql } from '../../../support/sql.ts';

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
  await addReceipts(company, CAPTURES, 'r-');
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
  const reconciled = (await done(untilAnswered(() => company.get('/v1/treasury/bank/reconciliation')))).body;
  expect(reconciled).toMatchObject({
    accounts: [{ bankBalance: '10000', bookBalance: String(CAPTURES), difference: String(open) }],
    totals: [{ side: 'BANK', count: open, amount: String(open) }],
    ...{ total: open, limit: 10_000, offset: 0 },
  });
  console.info(
    `10,000 entries: ${firstMs} ms; again and reconciled: ${Math.round(performance.now() - startedAt) - firstMs} ms`,
  );
});

/**
 * Receipts of one cent as the database's owner, because the API takes minutes for so many. Their references are numbers from 0 after the
 * prefix; without one they share a reference.
 */
async function addReceipts(company: TestCompany, count: number, prefix = '') {
  await sql(
    service,
    `with own as (
       select max(id::text) filter (where type = 'BANK')::uuid as bank, max(id::text) filter (where type = 'SUSPENSE')::uuid as suspense
       from account where company_id = $1 and currency = 'USD'
     ), made as materialized (
       insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, reference, content_hash)
       select gen_random_uuid(), $1, 'BANK_CAPTURE', 'COMPLETED', 'COMPLETED', 1, 'USD', 'many/' || n, case $3 when '' then 'rent' else $3 || n end, '\\x00'
       from generate_series(0, $2::integer - 1) n
       returning id, reference
     ), moved as (
       insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select m.id, leg.account, $1, leg.amount, 'USD', now()
       from made m cross join own cross join lateral (values (own.bank, -1), (own.suspense, 1)) leg (account, amount)
     )
     insert into bank_capture (id, company_id, reference, currency, amount_cents, matched_kind, matched_id, account_id)
     select m.id, $1, initcap(m.reference), 'USD', 1, 'SUSPENSE', own.suspense, own.suspense from made m cross join own`,
    [bare(company.id), count, prefix],
  );
}

test('ten times as many entries and receipts with one reference take about ten times as long', async () => {
  await sql(service, 'analyze'); // of companies with few receipts
  const took = async (count: number) => {
    const company = await newCompany(service);
    await addReceipts(company, count);
    const lines = Array.from(
      { length: count },
      (_, index): BankLine => ({ amount: '0.01', sign: 'CRDT', ref: `B${index}`, text: ['RENT', 'of a flat'] }),
    );
    const startedAt = performance.now();
    expect(await send(company, lines)).toMatchObject({ entries: count, matched: count, open: 0 });
    return performance.now() - startedAt;
  };
  await took(10); // starts a thread
  const [few, many] = [await took(400), await took(4_000)];
  console.info(`400 with one reference: ${Math.round(few)} ms, 4,000: ${Math.round(many)} ms`);
  expect(many / few).toBeLessThan(40); // a try that takes too long on a busy machine is repeated
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
