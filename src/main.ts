import { existsSync } from 'node:fs';
import { parseRole } from './config/role.ts';
import { VERSION } from './config/version.ts';
import { run } from './roles/run.ts';
import type { Log, RunningRole } from './roles/shared.ts';

/**
 * `node src/main.ts <role>`: of the service, only this file reads the process's environment and arguments. A role that serves starts with
 * `--no-memory-reducer`, which V8 reads only at its start: otherwise, some seconds after much work, it compacts the whole heap, and the
 * event loop stops for 25 to 100 ms.
 */

if (existsSync('.env')) process.loadEnvFile('.env'); // does not replace variables that are set

const log: Log = (line) => console.log(line);

async function start(signal: AbortSignal): Promise<RunningRole | undefined> {
  const role = parseRole(process.argv[2]);
  log(`Version ${VERSION}.`);
  // A role loads only what it needs.
  switch (role) {
    case 'all':
      return (await import('./roles/all.ts')).startAll(process.env, log, signal);
    case 'api':
      return (await import('./roles/api.ts')).startApiRole(process.env, log);
    case 'worker':
      return (await import('./roles/worker.ts')).startWorkerRole(process.env, log, signal);
    case 'rotate-keys':
      return (await import('./roles/rotate-keys.ts')).startRotateKeys(process.env, log);
    case 'migrate':
      return (await import('./roles/migrate.ts')).startMigrate(process.env, log);
    case 'release':
      return (await import('./roles/release.ts')).startRelease(process.env, log, signal);
    case 'rebuild-workflows':
      return (await import('./roles/rebuild-workflows.ts')).startRebuildWorkflows(process.env, log);
  }
}

process.exit(await run({ start, log, isDebug: process.env.LOG_LEVEL === 'debug' }));
