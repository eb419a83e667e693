import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { httpClient } from './http.ts';
import { allSealed } from './ledger.ts';
import { type MarketInfo, openMarket } from './market.ts';
import { inTurns, percentile, type Rate, rateOf, type Settings, type Subject } from './measure.ts';
import { any } from './postings.ts';
import type { Part } from './report.ts';
import { seedMarkets } from './seed/parties.ts';
import type { BenchStack } from './stack.ts';
import { openTpcb } from './tpcb.ts';

/**
 * Deposits over HTTP of one company, of many, and of many of which some are blocked, beside TPC-B. BENCH_COMPANIES (such as 200,2000)
 * are the numbers of companies.
 */

const CALLERS = 64;
const TPCB_CONNECTIONS = 8;
const COMPANIES = (process.env.BENCH_COMPANIES ?? '200,2000').split(',').map(Number);
const BLOCKED = 3;

type Company = MarketInfo['demo'];

export async function tenants(stack: BenchStack, orm: MikroORM, settings: Settings): Promise<Part> {
  const { fieldKey } = stack;
  const { apiUrl, databaseUrl } = stack.info;
  const most = Math.max(...COMPANIES);
  const companies = await seedMarkets(orm, { fieldKey, count: most }, (done) =>
    settings.show?.({ what: 'companies', done, total: most }),
  );
  await allSealed(orm);
  const http = httpClient(CALLERS + BLOCKED);
  const deposit = ({ companyId, apiKey, buyerId }: Company) =>
    http.post(
      `${apiUrl}/v1/payments/deposit`,
      { 'x-api-key': apiKey, 'x-company-id': companyId, 'x-idempotency-key': crypto.randomUUID() },
      JSON.stringify({ userId: buyerId, amount: 100, currency: 'USD' }),
    );
  const market = openMarket(stack, CALLERS);
  const users = await market.makeUsers();
  const ofOne = () => market.post('/v1/payments/deposit', { userId: any(users), amount: 100, currency: 'USD' });
  const alone = await openTpcb(databaseUrl, 1);
  const together = await openTpcb(databaseUrl, TPCB_CONNECTIONS);
  const one: Subject = { name: 'deposits of one company, 64 callers', callers: CALLERS, once: ofOne };
  const single: Subject = { name: 'deposits of one company, one caller', callers: 1, once: ofOne };
  const many = COMPANIES.map((count): Subject & { readonly callers: number } => {
    const some = companies.slice(0, count);
    return { name: `deposits of ${count} companies`, callers: CALLERS, once: () => deposit(any(some)) };
  });
  const [fewer] = COMPANIES;
  const free = companies.slice(BLOCKED, fewer);
  // An answer that comes too late, 503, counts by its time.
  const late = (company: Company) => deposit(company).catch(() => undefined);
  const unblocked: Subject = {
    name: 'deposits, no company is blocked',
    callers: CALLERS,
    once: () => late(any(free)),
  };
  const blocked: Subject = {
    name: `deposits beside ${BLOCKED} blocked companies`,
    measure: (seconds) => besideBlocked(databaseUrl, companies.slice(0, BLOCKED), late, unblocked, seconds),
  };
  const subjects = [alone.subject, single, together.subject, one, ...many, unblocked, blocked];
  const rates = await inTurns(subjects, settings);
  await alone.stop();
  await together.stop();
  http.stop();
  market.stop();
  const of = ({ name }: Subject) => rates.get(name) ?? [];
  const figure = (subject: Subject, reference: Subject, target: number, targetP99?: number) => ({
    what: subject.name,
    rates: of(subject),
    reference: reference.name,
    target,
    ...(targetP99 === undefined ? {} : { targetP99 }),
  });
  return {
    figures: [
      figure(alone.subject, alone.subject, 0),
      figure(single, alone.subject, 1 / 3),
      figure(together.subject, together.subject, 0),
      figure(one, together.subject, 0.8),
      ...many.map((subject) => figure(subject, one, 0.8)),
      figure(unblocked, unblocked, 0),
      figure(blocked, unblocked, 0, 1.2),
    ],
    quantities: [
      {
        what: 'p50 of one deposit by that of TPC-B, one client',
        value: p50(of(single)) / p50(of(alone.subject)),
        unit: '×',
        limit: 3,
      },
    ],
  };
}

function p50(rates: readonly Rate[]): number {
  return percentile(
    rates.map((rate) => rate.p50Ms),
    50,
  );
}

/** The rate of `others` while another session has locked the accounts of the blocked companies, which go on sending. */
async function besideBlocked(
  databaseUrl: string,
  blocked: readonly Company[],
  deposit: (company: Company) => Promise<unknown>,
  others: Subject,
  seconds: number,
): Promise<Rate> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select from account where company_id = any ($1) for update', [
      blocked.map(({ companyId }) => companyId.slice(companyId.indexOf('_') + 1)),
    ]);
    let isOver = false;
    const waiting = blocked.map(async (company) => {
      while (!isOver) await deposit(company);
    });
    const rate = await rateOf(others, seconds);
    isOver = true;
    await client.query('rollback');
    await Promise.all(waiting);
    return rate;
  } finally {
    await client.end();
  }
}
