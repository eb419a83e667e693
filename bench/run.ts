import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client, Connection } from '@temporalio/client';
import { v7 as uuidv7 } from 'uuid';
import { Batcher } from '../src/db/batcher.ts';
import { postToLedger } from '../src/db/ledger-store.ts';
import { connect } from '../src/db/orm.ts';
import type { AccountId, CompanyId, TransactionId } from '../src/domain/ids.ts';
import { type Posting, posting } from '../src/domain/ledger/postings.ts';
import { httpClient } from './http.ts';
import { inTurns, type Rate, type Subject, summarize } from './measure.ts';
import { type BenchStack, startBenchStack } from './stack.ts';
import { prepareTpcb, tpcb } from './tpcb.ts';

/**
 * `npm run bench`: the ledger, deposits over HTTP, and escrow commands, each in turns with its reference on the same
 * machine in the same run. Five rounds (BENCH_ROUNDS) of five seconds (BENCH_SECONDS); medians and ranges.
 */

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const CALLERS = 64;
const TPCB_CONNECTIONS = 8;
const USERS = 200;
const OPTIONS = { rounds: ROUNDS, seconds: SECONDS, warmUpSeconds: Math.min(2, SECONDS) };

type Figure = {
  readonly what: string;
  readonly rates: readonly Rate[];
  readonly reference: string;
  readonly target: number;
};

const stack = await startBenchStack();
const orm = await connect({ databaseUrl: stack.info.databaseUrl, poolMax: 8, applicationName: 'bench' });
try {
  const figures = [...(await ledgerAndDeposits(stack, orm)), ...(await commands(stack))];
  report(figures);
} finally {
  await orm.close();
  await stack.stop();
}

async function ledgerAndDeposits({ info }: BenchStack, database: MikroORM): Promise<Figure[]> {
  const headers = { 'x-api-key': info.demo.apiKey, 'x-company-id': info.demo.companyId };
  const http = httpClient(CALLERS);
  const users = await makeUsers(http, info.apiUrl, headers);
  const companyId = info.demo.companyId.slice(4) as CompanyId;
  const accounts = await accountsOf(database, companyId);
  await prepareTpcb(info.databaseUrl);
  const yardstick = await tpcb(info.databaseUrl, TPCB_CONNECTIONS);
  const bare = await startBare();

  const batcher = new Batcher((postings: readonly Posting[]) => postToLedger(database.em.fork(), postings), {
    maxItems: 100,
    maxInFlight: 2,
  });
  const post =
    (to: () => AccountId): Subject['once'] =>
    async () => {
      const transactionId = uuidv7() as TransactionId;
      await batcher.submit(
        posting({
          transactionId,
          companyId,
          key: `bench/${transactionId}`,
          type: 'ADJUSTMENT',
          status: 'COMPLETED',
          amountCents: 1n,
          currency: 'USD',
          reference: null,
          escrowId: null,
          metadata: {},
          legs: [
            { accountId: accounts.bank, amountCents: -1n },
            { accountId: to(), amountCents: 1n },
          ],
          holds: [],
        }),
      );
    };
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T; // lists are not empty
  const deposit =
    (userOf: () => string | null): Subject['once'] =>
    async () => {
      const userId = userOf();
      const body = { amount: 100, currency: 'USD', ...(userId === null ? {} : { userId }) };
      await http.post(
        `${info.apiUrl}/v1/payments/deposit`,
        { ...headers, 'x-idempotency-key': randomUUID() },
        JSON.stringify(body),
      );
    };
  const example = JSON.stringify({ userId: any(users), amount: 100, currency: 'USD' });
  const subjects: Subject[] = [
    yardstick,
    { name: 'postings, spread', callers: CALLERS, once: post(() => any(accounts.users)) },
    { name: 'postings, one hot account', callers: CALLERS, once: post(() => accounts.company) },
    { name: 'deposits over HTTP, spread', callers: CALLERS, once: deposit(() => any(users)) },
    { name: 'deposits over HTTP, into one account', callers: CALLERS, once: deposit(() => null) },
    { name: 'bare Hono POST', callers: CALLERS, once: async () => void (await http.post(bare.url, {}, example)) },
  ];
  const rates = await inTurns(subjects, OPTIONS);
  await yardstick.stop();
  bare.stop();
  http.stop();
  const of = (name: string) => rates.get(name) ?? [];
  const base = yardstick.name;
  return [
    { what: base, rates: of(base), reference: base, target: 1 },
    { what: 'postings, spread', rates: of('postings, spread'), reference: base, target: 2 },
    {
      what: 'postings, one hot account',
      rates: of('postings, one hot account'),
      reference: 'postings, spread',
      target: 0.9,
    },
    { what: 'deposits over HTTP, spread', rates: of('deposits over HTTP, spread'), reference: base, target: 1 },
    {
      what: 'deposits over HTTP, into one account',
      rates: of('deposits over HTTP, into one account'),
      reference: 'deposits over HTTP, spread',
      target: 0.9,
    },
    { what: 'bare Hono POST', rates: of('bare Hono POST'), reference: base, target: 0 },
  ];
}

/** Delivery notes on as many escrows as there are callers, against no-op updates on the same Temporal server. */
async function commands({ info }: BenchStack): Promise<Figure[]> {
  const headers = { 'x-api-key': info.demo.apiKey, 'x-company-id': info.demo.companyId };
  const http = httpClient(CALLERS);
  const connection = await Connection.connect({ address: info.temporalAddress });
  const temporal = new Client({ connection });
  const noOps = await startNoOpWorker(info.temporalAddress);
  const figures: Figure[] = [];
  for (const callers of [1, 8, 32, 64]) {
    const escrows: Awaited<ReturnType<typeof makeEscrow>>[] = [];
    while (escrows.length < callers) escrows.push(await makeEscrow(http, info, headers));
    const handles = await Promise.all(
      Array.from({ length: callers }, () =>
        temporal.workflow.start('noOpWorkflow', { taskQueue: noOps.taskQueue, workflowId: `no-op/${randomUUID()}` }),
      ),
    );
    const noOp: Subject = {
      name: `no-op update, ${callers} callers`,
      callers,
      once: async (caller) => void (await handles[caller]?.executeUpdate('nothing')),
    };
    const note: Subject = {
      name: `escrow command, ${callers} callers`,
      callers,
      async once(caller) {
        const escrow = escrows[caller];
        if (escrow !== undefined) await http.post(escrow.url, headers, escrow.body);
      },
    };
    const rates = await inTurns([noOp, note], OPTIONS);
    figures.push(
      { what: noOp.name, rates: rates.get(noOp.name) ?? [], reference: noOp.name, target: 1 },
      { what: note.name, rates: rates.get(note.name) ?? [], reference: noOp.name, target: 0.8 },
    );
    await Promise.all(handles.map((handle) => handle.terminate()));
  }
  noOps.stop();
  http.stop();
  await connection.close();
  return figures;
}

type Http = ReturnType<typeof httpClient>;

async function makeUsers(http: Http, apiUrl: string, headers: Record<string, string>): Promise<string[]> {
  const users: string[] = [];
  for (let index = 0; index < USERS; index++) {
    const mobileNumber = `+26371${String(index).padStart(7, '0')}`;
    const answer = await http.post(
      `${apiUrl}/v1/identity/users`,
      headers,
      JSON.stringify({ mobileNumber, idNumber: 'BENCH' }),
    );
    users.push(JSON.parse(answer).id);
  }
  return users;
}

async function makeEscrow(http: Http, info: BenchStack['info'], headers: Record<string, string>) {
  const post = async (path: string, body: object) =>
    JSON.parse(
      await http.post(`${info.apiUrl}${path}`, { ...headers, 'x-idempotency-key': randomUUID() }, JSON.stringify(body)),
    );
  const { accountId } = await post('/v1/payments/deposit', {
    userId: info.demo.buyerId,
    amount: 1_000,
    currency: 'USD',
  });
  const { id } = await post('/v1/escrow/initiate', {
    buyerId: info.demo.buyerId,
    sellerId: info.demo.sellerId,
    buyerAccountId: accountId,
    externalReference: randomUUID(),
    items: [{ name: 'Bench', quantity: 1, pricePerUnit: 1_000 }],
  });
  const detail = await fetch(`${info.apiUrl}/v1/escrow/${id}`, { headers });
  const { items }: { items: { id: string }[] } = JSON.parse(await detail.text());
  return {
    url: `${info.apiUrl}/v1/escrow/${id}/delivery-note`,
    body: JSON.stringify({ items: [{ itemId: items[0]?.id, quantity: 1, price_per_item: 1_000 }] }),
  };
}

async function accountsOf(database: MikroORM, companyId: CompanyId) {
  const rows = await database.em
    .fork()
    .execute<{ id: AccountId; type: string }[]>(
      `select id, type from account where company_id = ? and currency = 'USD'`,
      [companyId],
    );
  const first = (type: string) => rows.find((row) => row.type === type)?.id as AccountId; // every company has them
  return {
    bank: first('BANK'),
    company: first('COMPANY'),
    users: rows.filter(({ type }) => type === 'USER').map(({ id }) => id),
  };
}

async function startBare() {
  const child = spawn(process.execPath, ['bench/bare.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
  );
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

async function startNoOpWorker(address: string) {
  const taskQueue = `no-op-${randomUUID()}`;
  const child = spawn(process.execPath, ['bench/no-op-worker.ts', address, taskQueue], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  return { taskQueue, stop: () => child.kill() };
}

function report(figures: readonly Figure[]): void {
  const medianOf = (what: string) =>
    summarize((figures.find((figure) => figure.what === what)?.rates ?? []).map(({ perSecond }) => perSecond)).median;
  const rows = figures.map(({ what, rates, reference, target }) => {
    const rate = summarize(rates.map(({ perSecond }) => perSecond));
    const ratio = rate.median / medianOf(reference);
    return {
      what,
      perSecond: rate,
      p50Ms: summarize(rates.map(({ p50Ms }) => p50Ms)).median,
      p99Ms: summarize(rates.map(({ p99Ms }) => p99Ms)).median,
      reference,
      ratio,
      target,
    };
  });
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const lines = [
    `${ROUNDS} rounds of ${SECONDS} s in turns, everything on one machine: ${machine}.`,
    '',
    '| what | per second: median (range) | p50 ms | p99 ms | against | ratio | wanted |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(({ what, perSecond, p50Ms, p99Ms, reference, ratio, target }) => {
      const range = `${Math.round(perSecond.median)} (${Math.round(perSecond.least)}–${Math.round(perSecond.most)})`;
      const isReference = reference === what;
      const wanted = isReference || target === 0 ? '' : `≥ ${target}${ratio >= target ? '' : ' (short)'}`;
      return `| ${what} | ${range} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${isReference ? '' : reference} | ${isReference ? '1' : ratio.toFixed(2)} | ${wanted} |`;
    }),
  ];
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(
    'bench/results/latest.json',
    `${JSON.stringify({ machine, rounds: ROUNDS, seconds: SECONDS, rows }, null, 2)}\n`,
  );
  writeFileSync('bench/results/latest.md', `${lines.join('\n')}\n`);
  console.log(lines.join('\n'));
}
