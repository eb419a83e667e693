import { setTimeout as wait } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { type MadeEscrow, openMarket } from './market.ts';
import { percentile, type Settings } from './measure.ts';
import type { Part, Quantity } from './report.ts';
import type { BenchStack } from './stack.ts';

/**
 * The first command on an escrow that the worker no longer keeps in memory, compared with the second command on the same escrow,
 * which finds it there. One caller, so that nothing waits. The worker keeps few runs, and there are many more escrows, asked in the
 * order of their creation: each is evicted before it is asked again.
 */

const KEPT_RUNS = 10;
const ESCROWS = KEPT_RUNS * 4;
/** The environment of the stack. */
export const OPEN_ENVIRONMENT = { TEMPORAL_CACHED_RUNS: String(KEPT_RUNS) };
/** How much longer the first command may take. */
const LIMIT = 1.5;
/** Numbers of commands before the measurement. An escrow with few of them never continues as new. */
const FEW = [1, 3, 5, 7];
const MANY = { least: 10, step: 2, most: 22 };
/** An idle run with a long history continues as new after a minute. */
const IDLE_TIMEOUT_MS = 240_000;
const LOOK_MS = 1_000;

export async function open(stack: BenchStack, { show }: Settings): Promise<Part> {
  const market = openMarket(stack, 1);
  const escrows: MadeEscrow[] = [];
  while (escrows.length < ESCROWS) escrows.push(await market.makeEscrow());
  const command = async ({ path, items }: MadeEscrow): Promise<number> => {
    const at = performance.now();
    await market.post(`${path}/delivery-note`, items);
    return performance.now() - at;
  };
  const pairs = async (): Promise<{ readonly first: number[]; readonly second: number[] }> => {
    const [first, second]: [number[], number[]] = [[], []];
    for (const escrow of escrows) {
      first.push(await command(escrow));
      second.push(await command(escrow));
    }
    return { first, second };
  };

  for (const escrow of escrows) await command(escrow);
  const early: Awaited<ReturnType<typeof pairs>>[] = [];
  for (const made of FEW) {
    early.push(await pairs());
    show?.({ what: `after ${made} commands`, done: early.length, total: FEW.length + 1 });
  }
  const busy = [early.flatMap(({ first }) => first), early.flatMap(({ second }) => second)] as const;

  // Each escrow has nine commands by now.
  const made = 1 + 2 * FEW.length;
  for (const [index, escrow] of escrows.entries()) {
    const wanted = MANY.least + ((index * MANY.step) % (MANY.most - MANY.least + MANY.step));
    for (let count = made; count < wanted; count += 1) await command(escrow);
  }
  await untilContinued(stack, escrows);
  const { first, second } = await pairs();
  market.stop();
  return {
    quantities: [
      ...compared(`after ${FEW[0]} to ${FEW.at(-1)} commands`, busy[0], busy[1]),
      ...compared(`after ${MANY.least} to ${MANY.most} commands and a minute of rest`, first, second),
    ],
  };
}

function compared(after: string, first: readonly number[], second: readonly number[]): Quantity[] {
  const [evicted, cached] = [percentile(first, 50), percentile(second, 50)];
  return [
    { what: `first command, evicted, ${after}, p50`, value: evicted, unit: 'ms' },
    { what: `second command, ${after}, p50`, value: cached, unit: 'ms' },
    { what: `first against second, ${after}`, value: evicted / cached, unit: '×', limit: LIMIT },
  ];
}

/** Waits until no run has the history of all its commands. */
async function untilContinued({ info }: BenchStack, escrows: readonly MadeEscrow[]): Promise<void> {
  const connection = await Connection.connect({ address: info.temporalAddress });
  const { workflow } = new Client({ connection });
  const until = Date.now() + IDLE_TIMEOUT_MS;
  for (const { id } of escrows)
    while ((await workflow.getHandle(`escrow/${id}`).describe()).historyLength > MANY.least * 2) {
      if (Date.now() > until) throw new Error(`the run of ${id} did not continue as new`);
      await wait(LOOK_MS);
    }
  await connection.close();
}
