import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { bare, sql } from './api.ts';
import { beginEscrow } from './escrows.ts';
import { eventually } from './eventually.ts';
import { done, type TestCompany, type TestService } from './service.ts';
import { asked, companyAccount } from './treasury.ts';

/** The reports of a company, and many postings that come after them. */

export const REPORTS_AT = [
  'ledger/reports/trial-balance',
  'ledger/reports/liabilities',
  'treasury/receivables',
] as const;
const FORMATS = ['json', 'csv', 'pdf'];

/** The bytes of every report of an instant, and of the revenue until then, in every form. */
export function filesOf(service: TestService, { apiKey, id }: TestCompany, at: string): Promise<string[]> {
  const paths = [...REPORTS_AT.map((path) => `${path}?at=${at}`), `ledger/reports/revenue?from=2020-01-01&to=${at}`];
  return Promise.all(
    paths.flatMap((path) =>
      FORMATS.map(async (format) => {
        const headers = { 'x-api-key': apiKey, 'x-company-id': id };
        // 503: the machine is busy, or an earlier posting is still in flight.
        const answer = await eventually(async () => {
          const one = await fetch(`${service.url}/v1/${path}&format=${format}`, { headers });
          return one.status !== 503 && one;
        });
        expect([path, format, answer.status]).toEqual([path, format, 200]);
        return `${path} ${Buffer.from(await answer.arrayBuffer()).toString('latin1')}`;
      }),
    ),
  );
}

/** A moment passes, so that what follows is after the instant that it returns. */
export async function instant(service: TestService): Promise<string> {
  const [row] = await sql(
    service,
    `select ceil(extract(epoch from clock_timestamp()) * 1000)::text as ms from pg_sleep(0.01)`,
  );
  await sql(service, 'select pg_sleep(0.01)');
  return new Date(Number(row?.ms)).toISOString();
}

/** The statement that posts `count` payments into an account, as `ledger_post` takes them. */
export async function postings(of: TestCompany, accountId: string, count: number, amountCents = 1): Promise<string> {
  const declared = await companyAccount(of, 'CLEARING_DECLARED');
  return JSON.stringify(
    Array.from({ length: count }, () => {
      const id = randomUUID();
      return {
        ...{ id, company_id: bare(of.id), key: `deposit/${id}`, type: 'ADJUSTMENT', status: 'COMPLETED' },
        ...{ amount: String(amountCents), currency: 'USD', reference: null, escrow_id: null, metadata: {}, holds: [] },
        legs: [
          { account_id: bare(declared.id), amount: String(-amountCents) },
          { account_id: bare(accountId), amount: String(amountCents) },
        ],
      };
    }),
  );
}

const AT_ONCE = 50;

/** Posts so many payments, and writes the requests that an audit expects as their causes. */
export async function postMany(service: TestService, of: TestCompany, accountId: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const batch = await postings(of, accountId, Math.min(left, AT_ONCE));
    await sql(service, 'select count(*) from ledger_post($1::jsonb)', [batch]);
    await sql(
      service,
      `insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, resource, status, request_id)
       select $1, 'api_key', gen_random_uuid(), 'OWNER', 'POST /v1/payments/deposit', 'txn_' || (p ->> 'id'), 201, 'by hand'
       from jsonb_array_elements($2::jsonb) p`,
      [bare(of.id), batch],
    );
  }
}

/**
 * The reports of an instant stay the same, byte for byte, after so many postings, an escrow, a payout, a chargeback and a reversal,
 * which other reports show.
 */
export async function expectSameReportsAfter(
  service: TestService,
  of: TestCompany,
  at: string,
  count: number,
): Promise<void> {
  const before = await filesOf(service, of, at);
  const { path, seller } = await beginEscrow(of);
  await done(of.post(`${path}/release`));
  const taken = await done(of.post('/v1/payments/deposit', { userId: seller.id, amount: 90_000, currency: 'USD' }));
  await done(of.post('/v1/treasury/withdraw', asked(seller.usdAccountId, 80_000)));
  await done(
    of.post(`/v1/payments/transaction/${taken.body.id}/reverse`, { reason: 'Charged back', isChargeback: true }),
  );
  const bounced = await done(of.post('/v1/payments/deposit', { userId: seller.id, amount: 5, currency: 'ZIG' }));
  await done(of.post(`/v1/payments/transaction/${bounced.body.id}/reverse`, { reason: 'It bounced' }));
  await postMany(service, of, seller.usdAccountId, count);
  const { body: owed } = await of.get('/v1/treasury/receivables');
  expect(BigInt(owed.totals[0].remaining_amount)).toBeGreaterThan(0n);
  expect(await filesOf(service, of, await instant(service))).not.toEqual(before);
  expect(await filesOf(service, of, at)).toEqual(before);
}
