import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type HangablePostgres, startHangablePostgres } from '../support/hangable-postgres.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

/** A PostgreSQL that is suspended: it keeps its connections, accepts new ones, and answers nothing. */

/** The service answers within 10 s. A busy machine may measure more. */
const ANSWER_MS = 15_000;
/** More requests at once than the pool has connections. */
const REQUESTS = 12;

let postgres: HangablePostgres;
let service: OwnService;
let company: TestCompany;
let parties: Awaited<ReturnType<typeof newParties>>;

beforeAll(async () => {
  postgres = await startHangablePostgres();
  service = await ownService({ database: postgres.database });
  company = await newCompany(service);
  parties = await newParties(company);
});
afterAll(async () => {
  postgres.resume();
  await service.stop();
});

/** An answer and its duration. */
async function timed<T>(request: Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const askedAt = performance.now();
  const answer = await request;
  return { answer, tookMs: performance.now() - askedAt };
}

describe('while PostgreSQL hangs', () => {
  beforeAll(() => postgres.hang());
  afterAll(() => postgres.resume());

  test('readiness is 503 and names the database; the process stays alive', async () => {
    await eventually(async () => {
      const { answer, tookMs } = await timed(service.request('GET', '/health/ready'));
      expect(answer).toMatchObject({ status: 503, body: { checks: { database: 'down' } } });
      expect(tookMs).toBeLessThan(ANSWER_MS);
      return answer.body.checks.temporal === 'up'; // on a busy machine this check may take too long, too
    });
    expect(await service.request('GET', '/health')).toMatchObject({ status: 200 });
  });

  test('reads, deposits and commands are answered 503 within 10 s, also when they wait for a connection', async () => {
    const asked = Array.from({ length: REQUESTS }, (_, index) => {
      if (index % 3 === 0) return company.get('/v1/core/companies/me');
      if (index % 3 === 1) return company.post('/v1/escrow/initiate', parties.escrow(), randomUUID());
      const deposit = { userId: parties.buyer.id, amount: 1, currency: 'USD' };
      return company.post('/v1/payments/deposit', deposit, randomUUID());
    });
    for (const { answer, tookMs } of await Promise.all(asked.map(timed))) {
      expect(answer).toMatchObject(refused(503, 'dependency_unavailable'));
      expect(tookMs).toBeLessThan(ANSWER_MS);
    }
  });
});

describe('once PostgreSQL continues', () => {
  test('the same processes serve again, and a command that was repeated was carried out once', async () => {
    const key = randomUUID();
    const deposit = () =>
      company.post('/v1/payments/deposit', { userId: parties.buyer.id, amount: 700, currency: 'USD' }, key);
    const held = () =>
      eventually(async () => {
        const { status, body } = await company.get(`/v1/ledger/overview/${parties.buyer.ledgerId}`);
        if (status === 503) return false;
        return body.totals.find(({ currency }: { currency: string }) => currency === 'USD').balance as string;
      });
    await eventually(async () => (await service.request('GET', '/health/ready')).status === 200);
    const before = BigInt(await held());

    await postgres.hang();
    expect(await deposit()).toMatchObject({ status: 503 });
    postgres.resume();

    await eventually(async () => (await deposit()).status === 201);
    expect(BigInt(await held()) - before).toBe(700n);
    expect(await company.post('/v1/escrow/initiate', parties.escrow())).toMatchObject({ status: 201 });
    expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true });
  });
});
