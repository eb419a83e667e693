import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { startMobileNumbersAt } from './mobile-numbers.ts';
import { servers } from './servers.ts';
import { clientOf, type ServiceDescription, type TestService } from './service.ts';

/**
 * One service for each jest worker, in a process of its own. The process that started the run keeps them, because jest replaces
 * workers that grew. A service starts when a test file first asks for it.
 */

const MAIN = fileURLToPath(new URL('./shared-service-main.ts', import.meta.url));
const NUMBERS_OF_A_FILE = 2_000;
/** In MB. Without limits Node lets garbage grow to gigabytes on a machine with much memory. */
const SMALL_HEAP = ['--max-old-space-size=320', '--max-semi-space-size=8'];

type Share = ServiceDescription & {
  /** How many test files had this service before. */
  readonly filesBefore: number;
};

/**
 * The service that the files of this jest worker share, one after the other. A file registers companies of its own and asserts only
 * about those. It may not stop the service, fill a table or change what all companies have.
 */
export async function sharedService(): Promise<TestService> {
  const { sharedServicesUrl } = servers();
  if (sharedServicesUrl === undefined) throw new Error('Only a run of jest has shared services.');
  const response = await fetch(`${sharedServicesUrl}/${process.env.JEST_WORKER_ID ?? '1'}`);
  if (!response.ok) throw new Error(`The shared service did not start: ${await response.text()}`);
  // Our own process answers, with what startSharedServices() sends.
  const { filesBefore, ...description } = (await response.json()) as Share;
  startMobileNumbersAt(filesBefore * NUMBERS_OF_A_FILE);
  return clientOf(description);
}

export type SharedServices = { readonly url: string; stop(): Promise<void> };

/** Answers at /<jest worker> with that worker's service. */
export async function startSharedServices(): Promise<SharedServices> {
  const services = new Map<
    string,
    { readonly child: ChildProcess; readonly ready: Promise<ServiceDescription>; files: number }
  >();
  const start = (worker: string) => {
    const child = fork(MAIN, {
      env: { ...process.env, JEST_WORKER_ID: worker },
      execArgv: ['--disable-warning=ExperimentalWarning', ...SMALL_HEAP],
    });
    const ready = Promise.race([
      once(child, 'message').then(([description]) => description),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`exit code ${code}`))),
    ]);
    return { child, ready, files: 0 };
  };
  const server = createServer(async ({ url = '' }, response) => {
    const service = services.get(url) ?? start(url.slice(1));
    services.set(url, service);
    const filesBefore = service.files++;
    response.shouldKeepAlive = false; // a worker asks again after seconds, when the server may be closing the connection
    try {
      response.end(JSON.stringify({ ...(await service.ready), filesBefore } satisfies Share));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await Promise.all([...services.values()].map(({ child }) => stopChild(child)));
    },
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.disconnect();
  await end;
}
