import { randomInt } from 'node:crypto';
import { isPortFree, LOOPBACK } from '../../src/sandbox/stack/ports.ts';

/** Below the ports that systems give to sockets which ask for any port. */
const FIRST = 20_000;
/** The process that starts the run has the first part, and each of jest's workers another. */
const PARTS = 4;
const PORTS_OF_PART = 3_000;
const MAX_TRIES = 100;

/** A free port that no other process of the test run chooses, so that it is still free when a server starts seconds later. */
export async function anyFreePort(): Promise<number> {
  const part = Number(process.env.JEST_WORKER_ID ?? 0) % PARTS;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = FIRST + part * PORTS_OF_PART + randomInt(PORTS_OF_PART);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`there is no free port on ${LOOPBACK}`);
}
