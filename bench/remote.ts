import { LOOPBACK } from '../src/sandbox/stack/ports.ts';
import { withClient } from '../src/sandbox/stack/postgres-client.ts';
import { type Gate, startGate } from '../test/support/gate.ts';
import { httpClient } from './http.ts';
import { withInstallation } from './installation.ts';
import { openMarket, registerMarket } from './market.ts';
import { percentile, type Settings } from './measure.ts';
import type { Part, Quantity } from './report.ts';

/**
 * How many round trips to PostgreSQL one request waits for. Each round measures requests of one caller with PostgreSQL near and far
 * away from API and worker. What the distance adds to a request, divided by what it adds to `select 1`, rounded, is the number of its round trips.
 */

const FAR_MS = 40;
const REQUESTS = 25;

export async function remote(settings: Settings): Promise<Part> {
  let gate: Gate | undefined;
  try {
    return await withInstallation(async (installation) => {
      const opened = await startGate(installation.ownerUrl);
      gate = opened;
      const { port } = await installation.startApi(opened.through);
      await installation.startWorker(opened.through);
      return withClient(opened.through(installation.ownerUrl), (client) =>
        count(opened, `http://${LOOPBACK}:${port}`, () => client.query('select 1'), settings),
      );
    });
  } finally {
    await gate?.stop();
  }
}

async function count(
  gate: Gate,
  apiUrl: string,
  roundTrip: () => Promise<unknown>,
  { rounds, show }: Settings,
): Promise<Part> {
  const demo = await registerMarket(apiUrl);
  const market = openMarket({ info: { apiUrl, demo } }, 1);
  const http = httpClient(1);
  const headers = { 'x-api-key': demo.apiKey, 'x-company-id': demo.companyId };
  const { path, items } = await market.makeEscrow();
  const money = { userId: demo.buyerId, amount: 100, currency: 'USD' };
  const requests = [
    { what: 'read', limit: 2, once: () => http.get(`${apiUrl}${path}`, headers) },
    { what: 'deposit', limit: 2, once: () => market.post('/v1/payments/deposit', money) },
    { what: 'command', limit: 4, once: () => market.post(`${path}/delivery-note`, items) },
  ];
  const addedMs = async (once: () => Promise<unknown>) => {
    const near = await medianMs(once);
    gate.delay(FAR_MS);
    const far = await medianMs(once);
    gate.delay(0);
    return far - near;
  };
  const trips = requests.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    const one = await addedMs(roundTrip);
    for (const [index, { what, once }] of requests.entries()) {
      show?.({ what, done: round, total: rounds + 1 });
      const added = await addedMs(once);
      if (round > 0) trips[index]?.push(added / one); // the first round warms up
    }
  }
  market.stop();
  http.stop();
  return {
    quantities: requests.map(
      ({ what, limit }, index): Quantity => ({
        what: `round trips, ${what}`,
        value: Math.round(percentile(trips[index] ?? [], 50)),
        unit: '',
        limit,
      }),
    ),
  };
}

async function medianMs(once: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  while (tookMs.length < REQUESTS) {
    const at = performance.now();
    await once();
    tookMs.push(performance.now() - at);
  }
  return percentile(tookMs, 50);
}
