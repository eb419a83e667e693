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

export async function anyFreePort(): Promise<number> {
  const port = await listenOnce(0, LOOPBACK);
  if (port === undefined) throw new StartupError(`There is no free port on ${LOOPBACK}.`);
  return port;
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
