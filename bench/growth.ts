import type { WorkflowHandle } from '@temporalio/client';
import { type MadeEscrow, openMarket } from './market.ts';
import { inTurns, type Settings, type Subject, summarize } from './measure.ts';
import { startNoOps } from './no-op.ts';
import type { Plot } from './plot.ts';
import { any } from './postings.ts';
import type { Figure, Part } from './report.ts';
import type { BenchStack } from './stack.ts';

/**
 * The cost of a command while many escrows are open. Each size is compared with no-op updates measured at the same time.
 * Beyond about two thousand escrows a worker does not keep all of them in memory, and replays the others.
 */

const SIZES = (process.env.BENCH_ESCROWS ?? '100,1000,10000').split(',').map(Number);
const CALLERS = 32;

export async function growth(stack: BenchStack, settings: Settings): Promise<Part> {
  const market = openMarket(stack, CALLERS);
  const noOps = await startNoOps(stack.info.temporalAddress);
  const handles = await noOps.start(CALLERS);
  const escrows: MadeEscrow[] = [];
  const figures: Figure[] = [];
  for (const size of SIZES) {
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (escrows.length < size) escrows.push(await market.makeEscrow());
      }),
    );
    const noOp: Subject = {
      name: `no-op update beside ${size} open escrows`,
      callers: CALLERS,
      once: (caller) => (handles[caller] as WorkflowHandle).executeUpdate('nothing'),
    };
    const note: Subject = {
      name: `command on any of ${size} open escrows`,
      callers: CALLERS,
      once: () => {
        const { path, items } = any(escrows);
        return market.post(`${path}/delivery-note`, items);
      },
    };
    const rates = await inTurns([noOp, note], settings);
    const [smallest] = figures.filter(({ what }) => what.startsWith('command'));
    figures.push(
      { what: noOp.name, rates: rates.get(noOp.name) ?? [], reference: noOp.name, target: 0 },
      {
        what: note.name,
        rates: rates.get(note.name) ?? [],
        reference: smallest?.what ?? note.name,
        target: 1 / 1.3,
      },
    );
  }
  await noOps.stop();
  market.stop();
  return { figures, plot: plotOf(figures) };
}

/** Commands and no-op updates per second, by the number of open escrows. */
function plotOf(figures: readonly Figure[]): Plot {
  const line = (name: string, beginning: string) => ({
    name,
    points: figures
      .filter(({ what }) => what.startsWith(beginning))
      .map(({ rates }, index) => ({
        x: SIZES[index] ?? 1,
        y: summarize(rates.map(({ perSecond }) => perSecond)).median,
      })),
  });
  return {
    title: `Commands with many open escrows, ${CALLERS} callers`,
    horizontal: 'open escrows',
    vertical: 'per second',
    lines: [line('escrow commands', 'command'), line('no-op updates', 'no-op')],
  };
}
