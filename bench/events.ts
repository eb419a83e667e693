import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Client, Connection } from '@temporalio/client';
import { withClient } from '../src/sandbox/stack/postgres-client.ts';
import { type Market, openMarket } from './market.ts';
import { inTurns, percentile, type Settings, type Subject } from './measure.ts';
import type { Part } from './report.ts';
import type { BenchStack } from './stack.ts';

/**
 * Events: 10,000 events to three endpoints, the time from a change to its receipt at 20 events a second, and what writing the
 * event adds to a command and to a deposit.
 */

const EVENTS = 10_000;
const ENDPOINTS = 3;
const CALLERS = 32;
const STEADY_PER_SECOND = 20;
const STEADY_SECONDS = 30;
const DRAIN_CHECK_MS = 20;
const CENTS = 100;

export async function events(stack: BenchStack, orm: MikroORM, settings: Settings): Promise<Part> {
  const market = openMarket(stack, CALLERS);
  const users = await market.makeUsers();
  let next = 0;
  const deposit = () =>
    market.post('/v1/payments/deposit', { userId: users[next++ % users.length], amount: CENTS, currency: 'USD' });
  const cost = await costOfWriting(stack, orm, market, deposit, settings);
  await sealed(orm);
  const delivery = await deliver(stack, orm, market, deposit);
  market.stop();
  return { figures: cost, quantities: delivery };
}

/** A receiver in this process; `onReceipt` gets the time of the change. */
export async function startReceiver(onReceipt: (changedAt: number) => void) {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      response.end();
      onReceipt(Date.parse(JSON.parse(text).timestamp));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, // it listens on TCP
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function deliver(stack: BenchStack, orm: MikroORM, market: Market, deposit: () => Promise<unknown>) {
  let received = 0;
  let latenciesMs: number[] = [];
  const receiver = await startReceiver((changedAt) => {
    received += 1;
    latenciesMs.push(Date.now() - changedAt);
  });
  const ids: string[] = [];
  while (ids.length < ENDPOINTS)
    ids.push((await market.post('/v1/webhooks', { url: receiver.url, events: ['deposit.received'] })).id);
  const set = (status: string) => Promise.all(ids.map((id) => patch(stack, `/v1/webhooks/${id}`, { status })));

  // The events wait until all of them are there.
  await set('DISABLED');
  const left = Array.from({ length: EVENTS }).keys();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (const _ of left) await deposit();
    }),
  );
  await sealed(orm);
  received = 0;
  const before = await historyEvents(stack, ids);
  const startedAt = performance.now();
  await set('ENABLED');
  while (received < EVENTS * ENDPOINTS) await wait(DRAIN_CHECK_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const history = (await historyEvents(stack, ids)) - before;

  latenciesMs = [];
  const everyMs = 1_000 / STEADY_PER_SECOND;
  const sent: Promise<unknown>[] = [];
  for (let number = 0; number < STEADY_PER_SECOND * STEADY_SECONDS; number += 1) {
    sent.push(deposit());
    await wait(everyMs);
  }
  await Promise.all(sent);
  while (latenciesMs.length < sent.length * ENDPOINTS) await wait(DRAIN_CHECK_MS);
  receiver.stop();
  return [
    {
      what: `deliveries per second to ${ENDPOINTS} endpoints (≥300)`,
      value: (EVENTS * ENDPOINTS) / seconds,
      unit: '',
    },
    {
      what: 'history events per 1,000 deliveries',
      value: (1_000 * history) / (EVENTS * ENDPOINTS),
      unit: '',
      limit: 50,
    },
    {
      what: `from change to receipt at ${STEADY_PER_SECOND} a second, p50`,
      value: percentile(latenciesMs, 50),
      unit: 'ms',
    },
    {
      what: `from change to receipt at ${STEADY_PER_SECOND} a second, p99`,
      value: percentile(latenciesMs, 99),
      unit: 'ms',
      limit: 1_000,
    },
  ];
}

async function patch({ info: { apiUrl, demo } }: BenchStack, path: string, body: object): Promise<void> {
  const response = await fetch(`${apiUrl}${path}`, {
    method: 'PATCH',
    headers: { 'x-api-key': demo.apiKey, 'x-company-id': demo.companyId, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

/** The length of all histories of the endpoints' runs. */
async function historyEvents({ info }: BenchStack, ids: readonly string[]): Promise<number> {
  const connection = await Connection.connect({ address: info.temporalAddress });
  const client = new Client({ connection });
  let total = 0;
  for (const id of ids)
    for await (const { runId } of client.workflow.list({ query: `WorkflowId = 'webhook/${id}'` }))
      total += (await client.workflow.getHandle(`webhook/${id}`, runId).describe()).historyLength;
  await connection.close();
  return total;
}

/** Waits until every change has its event. */
export async function sealed(orm: MikroORM): Promise<void> {
  for (;;) {
    const rows = await orm.em.fork().execute('select 1 from event_fact limit 1');
    if (rows.length === 0) return;
    await wait(DRAIN_CHECK_MS);
  }
}

/**
 * Deposits and commands with and without the statements that write facts, in turns. Meanwhile nothing is sealed: a transaction
 * holds the row that the sealer locks.
 */
async function costOfWriting(
  stack: BenchStack,
  orm: MikroORM,
  market: Market,
  deposit: () => Promise<unknown>,
  settings: Settings,
) {
  const escrows = await Promise.all(Array.from({ length: CALLERS }, () => market.makeEscrow()));
  const note = (caller: number) => {
    const escrow = escrows[caller];
    if (escrow === undefined) throw new Error('there is an escrow for each caller');
    return market.post(`${escrow.path}/delivery-note`, escrow.items);
  };
  const withFacts = await statement(stack, `select pg_get_functiondef('ledger_post'::regproc) as code`);
  const withoutFacts = withFacts.replace(/<<write_facts>>[\s\S]*?end write_facts;/, '');
  if (withoutFacts === withFacts) throw new Error('ledger_post writes no facts');
  const writeFacts = async (isOn: boolean) => {
    await statement(stack, isOn ? withFacts : withoutFacts);
    await statement(stack, `alter table escrow_event ${isOn ? 'enable' : 'disable'} trigger zz_escrow_event_fact`);
  };
  const subject = (name: string, once: (caller: number) => Promise<unknown>, isOn: boolean): Subject => ({
    name: `${name}, ${isOn ? 'with' : 'without'} its event`,
    callers: CALLERS,
    settled: () => writeFacts(isOn),
    once,
  });
  const subjects = [
    subject('deposits', deposit, false),
    subject('deposits', deposit, true),
    subject('commands', note, false),
    subject('commands', note, true),
  ];
  const holding = orm.em.fork();
  await holding.begin();
  await holding.execute('select 1 from event_feed for update');
  const rates = await inTurns(subjects, settings).finally(() => holding.rollback());
  await writeFacts(true);
  return subjects.map(({ name }, index) => ({
    what: name,
    rates: rates.get(name) ?? [],
    reference: subjects[index - (index % 2)]?.name ?? name,
    target: index % 2 === 0 ? 0 : index === 1 ? 0.9 : 0.95,
  }));
}

/** Runs a statement as the owner. Returns `code` of its first row. */
function statement({ info }: BenchStack, text: string): Promise<string> {
  return withClient(info.databaseUrl, async (client) => (await client.query(text)).rows[0]?.code ?? '');
}
