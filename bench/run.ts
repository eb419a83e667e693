import { connect } from '../src/db/core/orm.ts';
import { commands } from './commands.ts';
import { growth } from './growth.ts';
import { ledger } from './ledger.ts';
import { lives } from './lives.ts';
import type { Settings } from './measure.ts';
import { report } from './report.ts';
import { startBenchStack } from './stack.ts';

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
  ledger,
  commands: (stack, _, how) => commands(stack, how),
  lives,
  growth: (stack, _, how) => growth(stack, how),
} satisfies Record<string, typeof ledger>;
const isPart = (name: string): name is keyof typeof PARTS => name in PARTS;

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !isPart(name));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}
for (const name of asked.length > 0 ? asked.filter(isPart) : Object.keys(PARTS).filter(isPart)) {
  const stack = await startBenchStack();
  const orm = await connect({ databaseUrl: stack.info.databaseUrl, poolMax: 8, applicationName: 'bench' });
  try {
    const found = await PARTS[name](stack, orm, settings);
    report(name, found, `${settings.rounds} rounds of ${settings.seconds} s in turns`);
  } finally {
    await orm.close();
    await stack.stop();
  }
}
