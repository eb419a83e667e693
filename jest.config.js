import { spawnSync } from 'node:child_process';
import vm from 'node:vm';

// Our tests are ES modules, and jest runs those only under a flag of Node's. `npm test` sets it; `npx jest` and editors come
// here without it, and start over with it, on the Node that this package installs.
if (vm.SourceTextModule === undefined) {
  const node = new URL('./node_modules/.bin/node', import.meta.url).pathname;
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  process.exit(spawnSync(node, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 1);
}

/** Tests of browsers and processes, long random lives, and long stories (15 s a file) are named `*.slow.test.ts`; `npm test` leaves them out. */
const LANES = {
  default: { testMatch: ['<rootDir>/test/**/*.test.ts'], testPathIgnorePatterns: ['\\.slow\\.test\\.ts$'] },
  slow: { testMatch: ['<rootDir>/test/**/*.slow.test.ts'] },
  all: { testMatch: ['<rootDir>/test/**/*.test.ts'] },
};
const lane = process.env.LANE ?? 'default';

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  ...LANES[lane],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: false },
          transform: { react: { runtime: 'automatic', importSource: 'hono/jsx' } },
        },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: process.env.CI === 'true' ? ['<rootDir>/test/support/repeat-once.js'] : [],
  testSequencer: '<rootDir>/test/support/own-services-first.js',
  reporters: ['default', ['<rootDir>/test/support/run-reporter.js', { lane }]],
  // Jest keeps what test files import. A worker whose heap grew beyond this is replaced; the process has twice as much.
  workerIdleMemoryLimit: '400MB',
  // Jest kills a worker that has not ended by then, and warns. A process of 1 GB whose work is done takes up to 2 s on a busy machine.
  workerGracefulExitTimeout: 10_000,
  // On two cores. Each has an API and a worker of its own beside it, about 1.2 GB together; tests of the slow lane wait longer for processes
  // and timers, so a third one is worth it there.
  maxWorkers: lane === 'default' ? 2 : 3,
  testTimeout: 240_000, // matters only for a failing test; some start several processes, which a busy machine does slowly
};
