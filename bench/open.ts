import { type MadeEscrow, openMarket } from './market.ts';
import { percentile, type Settings } from './measure.ts';
import type { Part, Quantity } from './report.ts';
import type { BenchStack } from './stack.ts';

/**
 * g. The first command on an escrow that the worker no longer keeps in memory, compared with the second command on the same escrow,
 * which finds it there. One caller, so that nothing waits. The worker keeps few runs, and there are many more escrows, asked in the
 * order of their creation: each is evicted before it is asked again.
 */

const KEPT_RUNS = 10;
const ESCROWS = KEPT_RUNS * 4;
/** The environment of the stack. */
export const OPEN_ENVIRONMENT = { TEMPORAL_CACHED_RUNS: String(KEPT_RUNS) };
/** How much longer the first command may take. */
const LIMIT = 1.5;
const HISTORIES = [1, 10];

export async function open(stack: BenchStack, { seconds, rounds, show }: Settings): Promise<Part> {
  const market = openMarket(stack, 1);
  const escrows: MadeEscrow[] = [];
  while (escrows.length < ESCROWS) escrows.push(await market.makeEscrow());
  const command = async ({ path, items }: MadeEscrow): Promise<number> => {
    const at = performance.now();
    await market.post(`${path}/delivery-note`, items);
    return performance.now() - at;
  };
  const quantities: Quantity[] = [];
  let made = 0;
  for (const history of HISTORIES) {
    for (; made < history; made += 1) for (const escrow of escrows) await command(escrow);
    const [first, second]: [number[], number[]] = [[], []];
    const endsAt = performance.now() + rounds * seconds * 1_000;
    for (let at = 0; performance.now() < endsAt || at < escrows.length; at += 1) {
      const escrow = escrows[at % escrows.length] as MadeEscrow; // checked above
      first.push(await command(escrow));
      second.push(await command(escrow));
    }
    const after = `after ${history} to ${history + Math.ceil((2 * first.length) / escrows.length)} commands`;
    const [evicted, cached] = [percentile(first, 50), percentile(second, 50)];
    quantities.push(
      { what: `first command, evicted, ${after}, p50`, value: evicted, unit: 'ms' },
      { what: `second command, ${after}, p50`, value: cached, unit: 'ms' },
      { what: `first against second, ${after}`, value: evicted / cached, unit: '×', limit: LIMIT },
    );
    show?.({ what: after, done: HISTORIES.indexOf(history) + 1, total: HISTORIES.length });
  }
  market.stop();
  return { quantities };
}
