import { LOOPBACK } from '../src/sandbox/stack/ports.ts';
import { type Installation, withInstallation } from './installation.ts';
import { type MadeEscrow, type Market, type MarketInfo, openMarket, registerMarket } from './market.ts';
import { type Rate, rateOf, type Settings, type Subject } from './measure.ts';
import { any } from './postings.ts';
import { PARTS, type ProcessorMs, perOperation, processorTime } from './processor-time.ts';
import type { Figure, Part, Quantity } from './report.ts';

/**
 * One and more APIs and workers (BENCH_SCALE, such as 1,2,4) against Temporal on PostgreSQL: deposits and commands, and the processor
 * time that each part takes for one. The sizes follow each other, because all workers share one queue.
 */

const SIZES = (process.env.BENCH_SCALE ?? '1,2').split(',').map(Number);
const CALLERS = 64;
/** For what an operation leaves to others: blocks, positions of events, Temporal's queues. */
const AFTER_MS = 2_000;

type Measured = { readonly rates: Rate[]; readonly costs: ProcessorMs[] };

export function scale(settings: Settings): Promise<Part> {
  return withInstallation((installation) => measureSizes(installation, settings));
}

async function measureSizes(installation: Installation, settings: Settings): Promise<Part> {
  const apis: { readonly port: number; readonly pid: number }[] = [];
  const workers: number[] = [];
  const markets: Market[] = [];
  const figures: Figure[] = [];
  const quantities: Quantity[] = [];
  let demo: MarketInfo['demo'] | undefined;
  let users: string[] = [];
  const escrows: MadeEscrow[] = [];
  for (const size of SIZES) {
    while (apis.length < size) {
      const api = await installation.startApi();
      apis.push(api);
      workers.push((await installation.startWorker()).pid);
      const apiUrl = `http://${LOOPBACK}:${api.port}`;
      demo ??= await registerMarket(apiUrl);
      markets.push(openMarket({ info: { apiUrl, demo } }, CALLERS));
    }
    const market = (caller: number) => markets[caller % markets.length] as Market; // there is one for each API
    if (users.length === 0) users = await market(0).makeUsers();
    while (escrows.length < CALLERS) escrows.push(await market(escrows.length).makeEscrow());
    const subjects: Subject[] = [
      {
        name: 'deposits',
        callers: CALLERS,
        once: (caller) =>
          market(caller).post('/v1/payments/deposit', { userId: any(users), amount: 100, currency: 'USD' }),
      },
      {
        name: 'commands',
        callers: CALLERS,
        once: (caller) => {
          const { path, items } = escrows[caller] as MadeEscrow; // one for each caller
          return market(caller).post(`${path}/delivery-note`, items);
        },
      },
    ];
    const pids = apis.map(({ pid }) => pid);
    for (const subject of subjects) {
      const { rates, costs } = await measure(subject, pids, workers, settings);
      const what = `${subject.name}, ${processes(size)}`;
      const reference = `${subject.name}, ${processes(SIZES[0] ?? 1)}`;
      figures.push({ what, rates, reference, target: size === SIZES[0] ? 0 : 1 });
      for (const part of PARTS) {
        const value = costs.reduce((sum, cost) => sum + cost[part], 0) / costs.length;
        quantities.push({ what: `${part}: one of the ${what}`, value, unit: 'ms of a core' });
      }
    }
  }
  for (const market of markets) market.stop();
  return { figures, quantities };
}

function processes(size: number): string {
  return size === 1 ? '1 API and 1 worker' : `${size} APIs and ${size} workers`;
}

async function measure(
  subject: Subject,
  apis: readonly number[],
  workers: readonly number[],
  { rounds, seconds, warmUpSeconds, show }: Settings,
): Promise<Measured> {
  const measured: Measured = { rates: [], costs: [] };
  await rateOf(subject, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
    const before = processorTime(apis, workers);
    const rate = await rateOf(subject, seconds);
    await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
    const after = processorTime(apis, workers);
    measured.rates.push(rate);
    measured.costs.push(perOperation(before, after, rate.perSecond * seconds));
    show?.({ what: `${subject.name}, ${processes(apis.length)}`, done: round + 1, total: rounds });
  }
  return measured;
}
