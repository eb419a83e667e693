import { PAGES } from '../src/console/pages/index.ts';
import { permits } from '../src/domain/roles.ts';
import { type Fetched, type MeasuringClient, measuringClient } from './console-client.ts';
import { type ConsoleSite, openConsoleSite } from './console-site.ts';
import { percentile } from './measure.ts';

/**
 * `npm run bench:console`, after `bench:seed`: the time and the size of every page of the console, for the owner of the seeded
 * company and for platform staff who act for it. The pages are those of the console's table, so that a new page is measured too.
 *
 * The base is the read of one ledger transaction by its id over the same HTTP server, with an API key: the request, the
 * authentication, and one indexed row. Pages and base take turns. The time of a page is from its request to its last byte; the time
 * of an export or another file is until its first byte. Words after the command choose pages: `npm run bench:console -- /escrows`.
 */

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100);
const WARM_UP = 5;
/** The limit of a page's p95, as a multiple of the base's p95. */
const MAX_RATIO = 10;
const MAX_BYTES = 60_000;

type Subject = {
  readonly name: string;
  readonly who: 'owner' | 'platform' | 'base';
  readonly ask: (round: number) => ReturnType<MeasuringClient['get']>;
};
type Figures = {
  readonly tookMs: number[];
  bytes: Fetched['bytes'];
  /** Answers that are no success: status → a body. A page that only says what went wrong is fast, and worth nothing. */
  readonly refusals: Map<number, string>;
};

const chosen = process.argv.slice(2);
const site = await openConsoleSite(ROUNDS + WARM_UP);
const clients: MeasuringClient[] = [];
try {
  await run();
} finally {
  for (const client of clients) client.stop();
  await site.stop();
}

async function run(): Promise<void> {
  console.log(`about ${site.entries} entries, ${ROUNDS} rounds`);
  const owner = await loggedIn('owner');
  const platform = await loggedIn('platform');
  await listAssets(owner);
  const subjects = [base(), ...pagesOf('owner', owner), ...pagesOf('platform', platform)];
  const measured = await inTurns(subjects);
  const of = (subject: Subject) => {
    const { tookMs, bytes, refusals } = measured.get(subject) as Figures; // every subject was measured
    return { p50: percentile(tookMs, 50), p95: percentile(tookMs, 95), bytes, refusals };
  };
  const [first] = subjects;
  if (first === undefined) throw new Error('nothing is measured');
  const one = of(first);
  printLine('', 'who', 'p50 ms', 'p95 ms', 'p95 / p95', 'sent', 'plain');
  for (const subject of subjects) {
    const { p50, p95, bytes, refusals } = of(subject);
    const ratio = p95 / one.p95;
    printLine(
      ...[subject.name, subject.who, p50.toFixed(1), p95.toFixed(1), ratio.toFixed(1)],
      ...(bytes === null ? ['–', '–'] : [String(bytes.sent), String(bytes.plain)]),
      verdict(ratio, bytes, refusals),
    );
    for (const [, text] of refusals) console.log(`    ${text.slice(text.indexOf('<h1>')).slice(0, 400)}`);
  }
}

function verdict(ratio: number, bytes: Fetched['bytes'], refusals: Figures['refusals']): string {
  const misses = [
    ...(ratio > MAX_RATIO ? [`slower than ${MAX_RATIO}`] : []),
    ...((bytes?.sent ?? 0) > MAX_BYTES ? ['too large'] : []),
    ...[...refusals.keys()].map((status) => `answers ${status}`),
  ];
  return misses.length === 0 ? 'ok' : misses.join(', ');
}

async function inTurns(subjects: readonly Subject[]): Promise<Map<Subject, Figures>> {
  const measured = new Map<Subject, Figures>(
    subjects.map((subject) => [subject, { tookMs: [], bytes: null, refusals: new Map() }]),
  );
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const [subject, figures] of measured) {
      const { status, tookMs, bytes, text } = await subject.ask(round + WARM_UP);
      figures.bytes = bytes;
      if (status !== 200) figures.refusals.set(status, text);
      if (round >= 0) figures.tookMs.push(tookMs);
    }
  return measured;
}

function base(): Subject {
  const client = measuringClient(site.url);
  clients.push(client);
  const headers = { 'x-api-key': site.apiKey, 'x-company-id': site.companyId };
  const { transactionIds: ids } = site;
  return {
    name: 'one transaction by its id',
    who: 'base',
    ask: (round) => client.get(`/v1/payments/transaction/${ids[round % ids.length]}`, headers),
  };
}

/** The pages that the role may open, and the busiest of them with filters. */
function pagesOf(who: 'owner' | 'platform', client: MeasuringClient): Subject[] {
  const role = who === 'owner' ? 'OWNER' : 'SUPER_ADMIN';
  const own = PAGES.filter((page) => permits(role, page.who)).map(({ path }) => ({
    name: path,
    address: path === '/' ? '' : (site.addresses[path] ?? path),
  }));
  const filtered = filteredLists(site).map((address) => ({ name: address.replace(/_[0-9a-f-]{36}/, '_…'), address }));
  return [...own, ...(who === 'owner' ? filtered : [])]
    .filter(({ name }) => chosen.length === 0 || chosen.includes(name))
    .map(({ name, address }) => ({ name, who, ask: () => client.get(`/console${encodeURI(address)}`) }));
}

function filteredLists({ busySeller: { userId } }: ConsoleSite): string[] {
  return [
    '/search?q=%2B263700000042',
    '/search?q=order 1000',
    '/search?q=User 17',
    '/escrows?status=COMPLETED',
    '/escrows?status=ACTIVE,DELIVERY_NOTED,GOODS_RECEIVED,DISPUTED',
    '/escrows?sort=updatedAt',
    '/escrows?externalReference=order 1000',
    `/escrows?sellerId=${userId}`,
    '/events?type=escrow.released',
    '/audit?operation=POST /v1/payments/deposit',
    '/users?q=User 1',
  ];
}

/** What the first visit loads beside the page. Browsers then keep it. */
async function listAssets(client: MeasuringClient): Promise<void> {
  const { text } = await client.get('/console');
  for (const [address] of text.matchAll(/\/console\/assets\/[\w.-]+/g)) {
    const { bytes } = await client.get(address);
    console.log(`first visit: ${address} ${bytes?.sent} bytes sent, ${bytes?.plain} plain`);
  }
}

async function loggedIn(who: 'owner' | 'platform'): Promise<MeasuringClient> {
  const client = measuringClient(site.url);
  clients.push(client);
  const { status, text } = await client.post('/console/login', { email: site.people[who], password: site.password });
  if (status !== 303) throw new Error(`the login of ${who} answered ${status}: ${text}`);
  if (who === 'platform') {
    const page = await client.get('/console/act-for');
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
    const acted = await client.post('/console/act-for', { csrf, companyId: site.companyId });
    if (acted.status !== 303) throw new Error(`acting for the company answered ${acted.status}`);
  }
  return client;
}

function printLine(name: string, who: string, ...rest: string[]): void {
  const [figures, verdict] = [rest.slice(0, 5), rest.slice(5)];
  console.log(name.slice(0, 58).padEnd(58), who.padEnd(9), ...figures.map((figure) => figure.padStart(9)), ...verdict);
}
