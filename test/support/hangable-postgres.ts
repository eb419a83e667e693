import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from '../../src/sandbox/stack/lock.ts';
import { addressFor, SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import type { TestDatabase } from './database.ts';
import { startMigratedPostgres } from './migrated-postgres.ts';

/** A PostgreSQL for one test, which can be suspended during its work: it keeps running, but answers nothing. */
export type HangablePostgres = {
  readonly database: TestDatabase;
  /** Sends SIGSTOP to the server and to each of its sessions. */
  hang(): Promise<void>;
  /** Lets it continue. Safe to call when it does not hang. */
  resume(): void;
};

const DATABASE = 'escrow';

export async function startHangablePostgres(): Promise<HangablePostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'escrow-test-'));
  const lock = lockDirectory(dataDir);
  const { child, ownerUrl, superuserPassword, apiPassword, workerPassword } = await startMigratedPostgres(
    dataDir,
    DATABASE,
  );
  const superuserUrl = addressFor(ownerUrl, { user: SUPERUSER, password: superuserPassword });
  let stopped: readonly number[] = [];
  const resume = () => {
    for (const pid of stopped) signal(pid, 'SIGCONT');
    stopped = [];
  };
  return {
    hang: async () => {
      // The server first, so that it starts no session that the list lacks.
      const sessions = await withClient(superuserUrl, async (client) => {
        const pids = [serverPid(dataDir)];
        for (const pid of pids) signal(pid, 'SIGSTOP');
        stopped = pids;
        const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
        return rows.map(({ pid }) => pid);
      });
      stopped = [...stopped, ...sessions];
      for (const pid of sessions) signal(pid, 'SIGSTOP');
    },
    resume,
    database: {
      name: DATABASE,
      ownerUrl,
      superuserUrl,
      apiUrl: addressFor(ownerUrl, { user: 'escrow_api', password: apiPassword }),
      workerUrl: addressFor(ownerUrl, { user: 'escrow_worker', password: workerPassword }),
      drop: async () => {
        resume();
        await child.stop();
        lock.release();
        rmSync(dataDir, { recursive: true, force: true });
      },
    },
  };
}

function serverPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // That session has ended.
  }
}
