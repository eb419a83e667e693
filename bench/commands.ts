import type { WorkflowHandle } from '@temporalio/client';
import { type MadeEscrow, openMarket } from './market.ts';
import { inTurns, type Settings, type Subject } from './measure.ts';
import { startNoOps } from './no-op.ts';
import type { Figure, Part } from './report.ts';
import type { BenchStack } from './stack.ts';

/**
 * Delivery notes over HTTP, on as many escrows as there are callers, compared with no-op updates on the same Temporal
 * server.
 */

const CALLERS = [1, 8, 32, 64];

export async function commands(stack: BenchStack, settings: Settings): Promise<Part> {
  const market = openMarket(stack, Math.max(...CALLERS));
  const noOps = await startNoOps(stack.info.temporalAddress);
  const figures: Figure[] = [];
  for (const callers of CALLERS) {
    const escrows: MadeEscrow[] = [];
    while (escrows.length < callers) escrows.push(await market.makeEscrow());
    const handles = await noOps.start(callers);
    const noOp: Subject = {
      name: `no-op update, ${callers} callers`,
      callers,
      once: (caller) => (handles[caller] as WorkflowHandle).executeUpdate('nothing'),
    };
    const note: Subject = {
      name: `escrow command, ${callers} callers`,
      callers,
      once: (caller) => {
        const { path, items } = escrows[caller] as MadeEscrow;
        return market.post(`${path}/delivery-note`, items);
      },
    };
    const rates = await inTurns([noOp, note], settings);
    figures.push(
      { what: noOp.name, rates: rates.get(noOp.name) ?? [], reference: noOp.name, target: 0 },
      { what: note.name, rates: rates.get(note.name) ?? [], reference: noOp.name, target: 0.8, targetP99: 2 },
    );
    await Promise.all(handles.map((handle) => handle.terminate()));
  }
  await noOps.stop();
  market.stop();
  return { figures };
}
