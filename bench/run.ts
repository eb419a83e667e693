import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../src/db/core/orm.ts';
import { apiReads } from './api-reads.ts';
import { commands } from './commands.ts';
import { events } from './events.ts';
import { growth } from './growth.ts';
import { ledger } from './ledger.ts';
import { lives } from './lives.ts';
import { many } from './many.ts';
import type { Settings } from './measure.ts';
import { neighbour } from './neighbour.ts';
import { OPEN_ENVIRONMENT, open } from './open.ts';
import { progressBar } from './progress.ts';
import { remote } from './remote.ts';
import { type Part, report } from './report.ts';
import { scale } from './scale.ts';
import { sizing } from './sizing.ts';
import { type BenchStack, startBenchStack } from './stack.ts';
import { tenants } from './tenants.ts';

/**
 * `npm run bench [-- part…]`: runs each part on a service of its own, in turns with its references on the same machine. Five
 * rounds (BENCH_ROUNDS) of five seconds (BENCH_SECONDS); medians and ranges go to bench/results. `npm run bench:growth`
 * measures how reads and postings scale with the ledger.
 */

const settings: Settings = {
  rounds: Number(process.env.BENCH_ROUNDS ?? 5),
  seconds: Number(process.env.BENCH_SECONDS ?? 5),
  warmUpSeconds: 5,
};
const PARTS = {
  ledger: onStack(ledger),
  commands: onStack((stack, _, how) => commands(stack, how)),
  lives: onStack(lives),
  events: onStack(events),
  growth: onStack((stack, _, how) => growth(stack, how)),
  open: onStack((stack, _, how) => open(stack, how), OPEN_ENVIRONMENT),
  reads: onStack((stack, _, how) => apiReads(stack, how)),
  neighbour: onStack(neighbour),
  tenants: onStack(tenants),
  many,
  remote,
  scale,
  sizing,
} satisfies Record<string, (settings: Settings) => Promise<Part>>;
const isPart = (name: string): name is keyof typeof PARTS => name in PARTS;

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !isPart(name));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}
for (const name of asked.length > 0 ? asked.filter(isPart) : Object.keys(PARTS).filter(isPart)) {
  const found = await PARTS[name]({ ...settings, show: progressBar(name) });
  report(name, found, `${settings.rounds} rounds of ${settings.seconds} s in turns`);
}

/** A part that runs on the stack of `npm start`. */
function onStack(
  part: (stack: BenchStack, orm: MikroORM, settings: Settings) => Promise<Part>,
  env: Record<string, string> = {},
): (settings: Settings) => Promise<Part> {
  return async (how) => {
    const stack = await startBenchStack(env);
    const orm = await connect({
      databaseUrl: stack.info.databaseUrl,
      poolMax: 8,
      applicationName: 'bench',
      isForService: true,
    });
    try {
      return await part(stack, orm, how);
    } finally {
      await orm.close();
      await stack.stop();
    }
  };
}
