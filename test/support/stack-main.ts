/** The program of stack-process.ts: the embedded stack without the service. Argument: its configuration as JSON. */
import { run } from '../../src/roles/run.ts';
import { startEmbeddedStack } from '../../src/sandbox/stack/stack.ts';

const log = (line: string) => console.log(line);

async function start(signal: AbortSignal) {
  const stack = await startEmbeddedStack(JSON.parse(process.argv[2] ?? '{}'), { env: process.env, log, signal });
  log(`ready ${JSON.stringify({ databaseUrl: stack.databaseUrl, temporalAddress: stack.temporalAddress })}`);
  return stack;
}

process.exit(await run({ start, log, isDebug: false }));
