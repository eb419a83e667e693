import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StartupError } from '../../config/startup-error.ts';

export const LOOPBACK = '127.0.0.1';

/** Whether the port of `host` is free. */
export async function isPortFree(port: number, host: string = LOOPBACK): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

/**
 * Chooses a port for one of the stack's servers: the requested one, which must be free; else the usual one, so that addresses
 * stay the same between starts; else any free one.
 */
export async function choosePort(variable: string, asked: number | undefined, usual: number): Promise<number> {
  if (asked !== undefined) {
    if (await isPortFree(asked)) return asked;
    throw new StartupError(`${variable}: port ${asked} is in use on ${LOOPBACK}. Set ${variable} to a free one.`);
  }
  return (await listenOnce(usual, LOOPBACK)) ?? (await anyFreePort());
}

/** Systems give ports from 32768 or 49152 upwards to sockets that ask for any port. */
const NEVER_GIVEN_AWAY = { first: 20_000, end: 32_000 };
const MAX_TRIES = 100;

/** A port that is free and that the system gives to nobody, so that it is still free when a server starts seconds later. */
export async function anyFreePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(NEVER_GIVEN_AWAY.first, NEVER_GIVEN_AWAY.end);
    if (await isPortFree(port)) return port;
  }
  throw new StartupError(`There is no free port on ${LOOPBACK}.`);
}

/** Listens and closes again. Returns the port, or undefined if it is in use or not permitted. */
function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
