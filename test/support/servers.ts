import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Child } from '../../src/sandbox/stack/child.ts';

/**
 * How test processes learn the run's servers, which global-setup.ts starts once: by the environment, which jest
 * passes to its workers. global-teardown.ts, which runs in the process of the setup, uses a global.
 */
export type Servers = {
  /** The template database, as the schema's owner. */
  readonly ownerUrl: string;
  readonly superuserPassword: string;
  readonly apiPassword: string;
  readonly workerPassword: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** PostgreSQL's log of all tests of the run. */
  readonly postgresLogFile: string;
  /** The workflow code, bundled once for the run. */
  readonly workflowBundleFile: string;
  /** Answers with the shared service of a jest worker: shared-services.ts. */
  readonly sharedServicesUrl?: string;
};

export const TEMPLATE_DATABASE = 'escrow_template';

/** Here Node keeps the code that it compiled, so that the next process starts in half the time. */
export const COMPILED_DIRECTORY = join(tmpdir(), `escrow-compiled-${userInfo().username}`);

const VARIABLE = 'ESCROW_TEST_SERVERS';

export function publishServers(servers: Servers): void {
  process.env[VARIABLE] = JSON.stringify(servers);
}

export function servers(): Servers {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('The test servers are not there: run tests with jest, which starts them.');
  return JSON.parse(text);
}

export type Started = { readonly dataDir: string; readonly children: readonly Pick<Child, 'stop'>[] };

declare global {
  var escrowTestServers: Started | undefined;
}

export function keepForTeardown(started: Started): void {
  globalThis.escrowTestServers = started;
}

export function takeForTeardown(): Started | undefined {
  return globalThis.escrowTestServers;
}
