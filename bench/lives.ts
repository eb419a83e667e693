import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { initiation, type MadeEscrow, openMarket } from './market.ts';
import { inTurns, type Settings, type Subject } from './measure.ts';
import { startNoOps } from './no-op.ts';
import type { Part } from './report.ts';
import type { BenchStack } from './stack.ts';

/** Whole lives of escrows: the start, all five steps, and what each leaves in memory, in Temporal and in PostgreSQL. */

const CALLERS = 16;
const CACHED = 500;
const NOTES = 20;
const DEPOSITS = 5_000;
const SETTLE_MS = 3_000;

export async function lives(stack: BenchStack, orm: MikroORM, settings: Settings): Promise<Part> {
  const market = openMarket(stack, CALLERS);
  const noOps = await startNoOps(stack.info.temporalAddress);
  const { accountId } = await market.post('/v1/payments/deposit', {
    userId: stack.info.demo.buyerId,
    amount: 1_000_000_000,
    currency: 'USD',
  });
  const start: Subject = { name: 'no-op update-with-start', callers: CALLERS, once: () => noOps.startByUpdate() };
  const initiate: Subject = {
    name: 'initiate (update-with-start)',
    callers: CALLERS,
    once: () => market.post('/v1/escrow/initiate', initiation(stack.info, accountId)),
  };
  const life: Subject = {
    name: 'escrows from deposit to payout, five steps',
    callers: CALLERS,
    async once() {
      const { path, items } = await market.makeEscrow();
      await market.post(`${path}/delivery-note`, items);
      await market.post(`${path}/goods-received`, items);
      await market.post(`${path}/release`);
    },
  };
  const memory = await memoryPerEscrow(stack, () =>
    market.post('/v1/escrow/initiate', initiation(stack.info, accountId)),
  );
  const history = await historyPerCommand(noOps.client, await market.makeEscrow(), market.post);
  const bytes = await bytesPerPosting(orm, () =>
    market.post('/v1/payments/deposit', { amount: 100, currency: 'USD', userId: stack.info.demo.buyerId }),
  );
  const rates = await inTurns([start, initiate, life], settings);
  await noOps.stop();
  market.stop();
  const of = ({ name }: Subject) => rates.get(name) ?? [];
  const perMinute = of(life).map(({ perSecond }) => perSecond * 60);
  return {
    figures: [
      { what: start.name, rates: of(start), reference: start.name, target: 0 },
      { what: initiate.name, rates: of(initiate), reference: start.name, target: 0 },
      { what: life.name, rates: of(life), reference: start.name, target: 0 },
    ],
    quantities: [
      {
        what: 'escrows per minute, five steps',
        value: perMinute.sort((a, b) => a - b)[perMinute.length >> 1] ?? 0,
        unit: 'escrows',
      },
      { what: 'history events per command', value: history.events, unit: '', limit: 7 },
      { what: 'history bytes per command', value: history.bytes, unit: 'B' },
      { what: 'memory of the process per cached escrow', value: memory, unit: 'MB', limit: 1 },
      { what: 'database bytes per posting (deposit), with its indexes', value: bytes, unit: 'B' },
    ],
  };
}

/** Growth of the resident memory of the whole process, API and worker, per escrow that stays open. */
async function memoryPerEscrow({ pid }: BenchStack, begin: () => Promise<unknown>): Promise<number> {
  const many = async (count: number) => {
    for (let made = 0; made < count; made += CALLERS) await Promise.all(Array.from({ length: CALLERS }, begin));
    await wait(SETTLE_MS); // wait for garbage collection
    return residentBytes(pid);
  };
  const before = await many(CALLERS * 4);
  return ((await many(CACHED)) - before) / CACHED / 1e6;
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

async function historyPerCommand(
  client: Awaited<ReturnType<typeof startNoOps>>['client'],
  { id, path, items }: MadeEscrow,
  post: (path: string, body: object) => Promise<unknown>,
): Promise<{ events: number; bytes: number }> {
  const handle = client.workflow.getHandle(`escrow/${id}`);
  const before = await handle.describe();
  for (let note = 0; note < NOTES; note++) await post(`${path}/delivery-note`, items);
  const after = await handle.describe();
  return {
    events: (after.historyLength - before.historyLength) / NOTES,
    bytes: ((after.historySize ?? 0) - (before.historySize ?? 0)) / NOTES,
  };
}

async function bytesPerPosting(orm: MikroORM, deposit: () => Promise<unknown>): Promise<number> {
  const size = async () => {
    const [row] = await orm.em
      .fork()
      .execute<{ bytes: string }[]>(
        `select sum(pg_total_relation_size(oid)) as bytes from pg_class where relname in ('ledger_transaction', 'entry', 'ledger_block')`,
      );
    return Number(row?.bytes);
  };
  const before = await size();
  for (let made = 0; made < DEPOSITS; made += CALLERS) await Promise.all(Array.from({ length: CALLERS }, deposit));
  await wait(SETTLE_MS); // wait for the sealer
  return ((await size()) - before) / DEPOSITS;
}
