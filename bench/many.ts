import { setTimeout as wait } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createSweep, sweepAll } from '../src/activities/sweep.ts';
import { connect } from '../src/db/core/orm.ts';
import { verifyLedger } from '../src/db/ledger/verify.ts';
import { EMBEDDED_NAMESPACE } from '../src/sandbox/stack/temporal.ts';
import { lazyClient } from '../src/temporal/connection.ts';
import { createRunKeeper } from '../src/temporal/run-keeper.ts';
import { sealed, startReceiver } from './events.ts';
import { httpClient } from './http.ts';
import { allSealed } from './ledger.ts';
import { openMarket, registerMarket } from './market.ts';
import { inParallel, inTurns, percentile, type Settings, type Subject } from './measure.ts';
import { any } from './postings.ts';
import { residentMb } from './processor-time.ts';
import type { Part, Quantity } from './report.ts';
import { type SeededMarket, seedMarkets } from './seed/parties.ts';
import { writeEscrows } from './seed/steps.ts';
import { type BenchStack, startBenchStack } from './stack.ts';

/**
 * Many companies as a state: what one request, one registration, one audited transaction, one swept run and one delivery cost beside few
 * companies and beside many (BENCH_TENANTS, such as 100,10000). Each company has 20 users, 49 ended escrows, one open escrow and one
 * webhook endpoint. Both services run at the same time and are measured in turns.
 */

const SIZES = (process.env.BENCH_TENANTS ?? '100,1000').split(',').map(Number);
/** As many companies as the smallest site has: the others only exist beside them. */
const FEW = Math.min(...SIZES);
const USERS = 20;
const ENDED = 49;
const CALLERS = 8;
const DEPOSIT_CALLERS = 64;
const MADE_AT_ONCE = 8;
const RETRIES = 60;
/** Companies in one transaction. */
const SEEDED_AT_ONCE = 100;
/** How much more one object may take beside many companies. */
const LIMIT = 1.3;
const MAX_LAG_MS = 2_000;
const MAX_RECEIPT_MS = 1_000;
const NEW_DEPOSITS = 1_000;
/** How long an audit of the service itself may take. */
const OWN_AUDIT_MS = 900_000;
/** Few, because they make the few companies more. */
const REGISTRATIONS = 4;
const STEADY_PER_SECOND = 20;
const STEADY_SECONDS = 15;
const CHECK_MS = 50;
/** The default. */
const TASK_QUEUE = 'escrow';

type Site = {
  readonly name: string;
  readonly stack: BenchStack;
  readonly orm: MikroORM;
  readonly markets: readonly SeededMarket[];
  readonly http: ReturnType<typeof httpClient>;
  /** The times from a change to its receipt. */
  readonly deliveredMs: number[];
  readonly stop: () => Promise<void>;
};

export async function many(settings: Settings): Promise<Part> {
  const sites: Site[] = [];
  try {
    for (const size of SIZES) sites.push(await openSite(size, settings));
    return await compare(sites, settings);
  } finally {
    for (const site of sites) await site.stop();
  }
}

async function openSite(size: number, { show }: Settings): Promise<Site> {
  const stack = await startBenchStack();
  const orm = await connect({
    databaseUrl: stack.info.databaseUrl,
    poolMax: 8,
    applicationName: 'bench',
    isForService: true,
  });
  const name = `${size} companies`;
  const step = (what: string) => (done: number) => show?.({ what: `${what} of ${name}`, done, total: size });
  const markets = await seedMarkets(
    orm,
    { fieldKey: stack.fieldKey, count: size, users: USERS },
    step('keys and users'),
  );
  // Without statistics the first step takes more than a minute.
  await orm.em.fork().execute('analyze');
  for (let at = 0; at < size; at += SEEDED_AT_ONCE) {
    const some = markets.slice(at, at + SEEDED_AT_ONCE).map(({ parties }) => parties);
    await orm.em.fork().transactional((em) => writeEscrows(em, some, { from: 0, to: ENDED, of: ENDED }));
    step('ended escrows')(at + some.length);
  }
  await orm.em.fork().execute('vacuum (analyze)');
  const deliveredMs: number[] = [];
  const receiver = await startReceiver((changedAt) => deliveredMs.push(Date.now() - changedAt));
  let open = 0;
  await inParallel(size, MADE_AT_ONCE, async (index) => {
    const market = openMarket({ info: { apiUrl: stack.info.apiUrl, demo: markets[index] as SeededMarket } }, 1);
    await insist(() => market.makeEscrow());
    await insist(() => market.post('/v1/webhooks', { url: receiver.url, events: ['deposit.received'] }));
    market.stop();
    open += 1;
    step('open escrows')(open);
  });
  const http = httpClient(DEPOSIT_CALLERS);
  const stop = async () => {
    http.stop();
    receiver.stop();
    await orm.close();
    await stack.stop();
  };
  return { name, stack, orm, markets, http, deliveredMs, stop };
}

/** A busy machine answers some of thousands of commands too late. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let left = RETRIES; left > 0; left -= 1)
    try {
      return await work();
    } catch (error) {
      console.error(error);
    }
  return work();
}

async function compare(sites: readonly Site[], settings: Settings): Promise<Part> {
  const settled = () => Promise.all(sites.map(untilQuiet));
  const audits = await auditInTurns(sites, settings);
  const requests = sites.map((site) => requestsOf(site, settled));
  const rates = await inTurns(requests.flat(), settings);
  /** Of each site: the times of one object, in milliseconds; of a request at the rate of its callers. */
  const times = requests.map(
    (subjects) =>
      new Map(
        subjects.map(({ name }) => [
          name.slice(0, name.indexOf(',')),
          rates.get(name)?.map(({ perSecond }) => 1_000 / perSecond) ?? [],
        ]),
      ),
  );
  for (const [index, ms] of audits.entries()) times[index]?.set('full audit', ms);
  for (let round = 0; round < settings.rounds; round += 1)
    for (const [index, site] of sites.entries()) {
      settings.show?.({ what: `work beside ${site.name}`, done: round, total: settings.rounds });
      await settled();
      for (const [what, ms] of await workOf(site)) times[index]?.set(what, [...(times[index]?.get(what) ?? []), ms]);
    }
  for (const [index, { stack }] of sites.entries()) times[index]?.set('memory', [residentMb(stack.pid)]);
  const median = (index: number, what: string) => percentile(times[index]?.get(what) ?? [], 50);
  const quantities: Quantity[] = [];
  for (const [index, site] of sites.entries()) {
    const beside = site.name;
    for (const what of times[index]?.keys() ?? [])
      quantities.push(
        { what: `${what}, ${beside}`, value: median(index, what), unit: what === 'memory' ? 'MB' : 'ms' },
        { what, value: median(index, what) / median(0, what), unit: '×', limit: LIMIT, beside },
      );
    const [p50, p99] = await deliver(site);
    quantities.push(
      { what: `delivery, p50, ${beside}`, value: p50, unit: 'ms' },
      { what: 'sealing, p99', value: await lagMs(site), unit: 'ms', limit: MAX_LAG_MS, beside },
      { what: 'delivery, p99', value: p99, unit: 'ms', limit: MAX_RECEIPT_MS, beside },
    );
  }
  return { quantities };
}

/**
 * The times of a full audit of each site, in milliseconds for a transaction. Before the requests: their deposits, which are audited faster than
 * escrows, are as many at each site, and so a larger part of the transactions of few companies.
 */
async function auditInTurns(sites: readonly Site[], { rounds, show }: Settings): Promise<number[][]> {
  const times = sites.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, site] of sites.entries()) {
      show?.({ what: `full audit of ${site.name}`, done: round, total: rounds });
      await untilQuiet(site);
      times[index]?.push(await auditMs(site, false));
    }
  return times;
}

/** The time of an audit for each of its transactions. */
async function auditMs({ orm }: Site, isNewOnly: boolean): Promise<number> {
  const options = { isNewOnly, keep: true, patienceMs: OWN_AUDIT_MS };
  const { checkedTransactions, durationMs, mismatches } = await verifyLedger(orm.em.fork(), null, options);
  if (mismatches.length > 0) throw new Error(`the audit found ${JSON.stringify(mismatches[0])}`);
  return durationMs / checkedTransactions;
}

/** Waits until nothing of earlier requests is left to do. */
async function untilQuiet({ orm }: Site): Promise<void> {
  await allSealed(orm);
  await sealed(orm);
  for (;;) {
    const behind = await orm.em.fork().execute(
      `select 1 from webhook_endpoint w
       where w.cursor_position < (select max(e.position) from event e where e.company_id = w.company_id)
         or exists (select from webhook_delivery d where d.company_id = w.company_id and d.endpoint_id = w.id and d.status = 'PENDING')
       limit 1`,
    );
    if (behind.length === 0) return;
    await wait(CHECK_MS);
  }
}

type Credential = { readonly apiKey: string; readonly companyId: string };

const as = ({ apiKey, companyId }: Credential) => ({ 'x-api-key': apiKey, 'x-company-id': companyId });

/** A deposit in any of these companies. */
function deposit({ stack, http }: Site, markets: readonly SeededMarket[]): Promise<string> {
  const market = any(markets);
  return http.post(
    `${stack.info.apiUrl}/v1/payments/deposit`,
    { ...as(market), 'x-idempotency-key': crypto.randomUUID() },
    JSON.stringify({ userId: market.buyerId, amount: 100, currency: 'USD' }),
  );
}

/** Requests over HTTP, the same for every site. */
function requestsOf(site: Site, settled: Subject['settled'] & {}): Subject[] {
  const { name, stack, markets, http } = site;
  const { apiUrl, platformAdmin, demo } = stack.info;
  const login = JSON.stringify({ email: demo.ownerEmail, password: demo.ownerPassword });
  const get = (path: string, who: Credential) => http.get(`${apiUrl}${path}`, as(who));
  const subject = (what: string, once: () => Promise<unknown>, callers = CALLERS): Subject => ({
    name: `${what}, ${name}`,
    callers,
    settled,
    once,
  });
  return [
    subject('login', () => http.post(`${apiUrl}/v1/auth/login`, {}, login)),
    subject('deposit', () => deposit(site, markets), DEPOSIT_CALLERS),
    subject(`deposit in ${FEW}`, () => deposit(site, markets.slice(0, FEW)), DEPOSIT_CALLERS),
    subject('feed', () => get('/v1/events?limit=20', any(markets))),
    subject('companies', () => get('/v1/platform/companies', platformAdmin)),
    subject('overview', () => get('/v1/platform/state', platformAdmin)),
  ];
}

/** Work of the worker for one object each, and a registration with a login, a key and two users, in milliseconds. */
async function workOf(site: Site): Promise<(readonly [what: string, ms: number])[]> {
  const { stack, orm, markets } = site;
  const { apiUrl, temporalAddress } = stack.info;
  await auditMs(site, true);
  const audited = async (among: readonly SeededMarket[]) => {
    await inParallel(NEW_DEPOSITS, DEPOSIT_CALLERS, () => deposit(site, among));
    await untilQuiet(site);
    return auditMs(site, true);
  };
  const ofAll = await audited(markets);
  const ofFew = await audited(markets.slice(0, FEW));
  const { client, connection } = lazyClient({ temporalAddress, temporalNamespace: EMBEDDED_NAMESPACE });
  const sweep = createSweep(orm, createRunKeeper(client, TASK_QUEUE), ({ finding, workflowId }) => {
    throw new Error(`the sweep found ${workflowId} ${finding}`);
  });
  const rows = await sweepMs(sweep.sweepRows);
  const runs = await sweepMs(sweep.sweepRuns);
  await connection.close();
  const startedAt = performance.now();
  for (let made = 0; made < REGISTRATIONS; made += 1) await registerMarket(apiUrl);
  const registration = (performance.now() - startedAt) / REGISTRATIONS;
  return [
    ['incremental audit', ofAll],
    [`incremental audit in ${FEW}`, ofFew],
    ['swept row', rows],
    ['swept run', runs],
    ['registration', registration],
  ];
}

async function sweepMs(sweepBatch: Parameters<typeof sweepAll>[0]): Promise<number> {
  const startedAt = performance.now();
  const { checked } = await sweepAll(sweepBatch);
  return (performance.now() - startedAt) / checked;
}

/** The 99th percentile of the time from a deposit over HTTP to the block that has it. Seeded deposits are older. */
async function lagMs({ orm }: Site): Promise<number> {
  const [row] = await orm.em.fork().execute<{ ms: number }[]>(
    `select percentile_cont(0.99) within group (order by extract(epoch from b.created_at - t.created_at) * 1000)::float8 as ms
     from block b cross join lateral unnest(b.transaction_ids) x(id)
     join ledger_transaction t on t.company_id = b.company_id and t.id = x.id
     where t.type = 'DEPOSIT' and t.created_at > b.created_at - interval '1 hour'`,
  );
  return row?.ms ?? Number.NaN;
}

/** Median and 99th percentile of the time to the endpoint of a company, in milliseconds, at a steady pace. */
async function deliver(site: Site): Promise<[p50: number, p99: number]> {
  await untilQuiet(site);
  const { deliveredMs } = site;
  deliveredMs.length = 0;
  const sent: Promise<unknown>[] = [];
  while (sent.length < STEADY_PER_SECOND * STEADY_SECONDS) {
    sent.push(deposit(site, site.markets));
    await wait(1_000 / STEADY_PER_SECOND);
  }
  await Promise.all(sent);
  while (deliveredMs.length < sent.length) await wait(CHECK_MS);
  return [percentile(deliveredMs, 50), percentile(deliveredMs, 99)];
}
