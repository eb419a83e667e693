import { acknowledgedBy, type Client, type Company, newTrader, orderOf, post } from '../chaos/clients.ts';
import { eventually } from '../support/eventually.ts';

/** What goes on in an installation while it is disturbed. */

const OPEN_CENTS = 1_000;
/** The number of operations that must succeed between two disturbances. */
const PROGRESS = 12;
const PATIENCE_MS = 180_000;

/** Escrows whose runs are idle, so that a release has to move them. */
export async function openEscrows(company: Company, count: number): Promise<string[]> {
  const trader = await newTrader(company, count * OPEN_CENTS);
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = await post(company, '/v1/escrow/initiate', orderOf(trader, OPEN_CENTS));
    ids.push(String(id));
  }
  return ids;
}

/** Waits until the clients have been answered some more. */
export async function progress(clients: readonly Client[]): Promise<void> {
  const before = acknowledgedBy(clients);
  await eventually(() => acknowledgedBy(clients) >= before + PROGRESS, PATIENCE_MS);
}

export async function timed(event: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`${event} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
}
