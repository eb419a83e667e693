import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../../config/startup-error.ts';
import { codeOf } from '../../observability/thrown.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

/** Keeps a data directory to one process. A lock whose process is gone counts for nothing. */
export type DirectoryLock = { release(): void };

const LOCK_FILE = 'lock.json';
const ATTEMPTS = 10;

const lockSchema = z.object({ pid: z.int(), startedAt: z.string() });

/** @throws StartupError when another process has it. */
export function lockDirectory(dataDir: string): DirectoryLock {
  mkdirSync(dataDir, { recursive: true });
  const lock = join(dataDir, LOCK_FILE);
  const own = `${lock}.${process.pid}`;
  const me = identifyProcess() ?? { pid: process.pid, startedAt: 'unknown' };
  writeFileSync(own, JSON.stringify(me), { mode: 0o600 });
  try {
    // Linking is atomic and refuses an existing name, so no one ever reads a lock that is half written.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLink(own, lock)) return { release: () => releaseIfMine(lock, me) };
      assertUnlocked(dataDir);
      removeStale(lock, own);
    }
    throw new StartupError(`${lock} cannot be taken: others take it at the same time. Start again.`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** @throws StartupError when another process has it. Takes nothing. */
export function assertUnlocked(dataDir: string): void {
  const holder = holderOf(join(dataDir, LOCK_FILE));
  if (holder !== undefined && isAlive(holder)) throw heldBy(holder.pid, dataDir);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Takes the lock aside and looks once more: between our look and now, another process may have made it its own. */
function removeStale(lock: string, own: string): void {
  const aside = `${own}.stale`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // someone else removed it
  }
  const holder = holderOf(aside);
  if (holder !== undefined && isAlive(holder)) tryLink(aside, lock);
  rmSync(aside, { force: true });
}

function releaseIfMine(lock: string, me: ProcessIdentity): void {
  const holder = holderOf(lock);
  if (holder?.pid === me.pid && holder.startedAt === me.startedAt) rmSync(lock, { force: true });
}

function holderOf(lock: string): ProcessIdentity | undefined {
  try {
    return lockSchema.parse(JSON.parse(readFileSync(lock, 'utf8')));
  } catch {
    return undefined;
  }
}

function heldBy(pid: number, dataDir: string): StartupError {
  return new StartupError(
    `Another process (pid ${pid}) already runs on ${dataDir}. Stop it, or set DATA_DIR and PORT to run a second one beside it.`,
  );
}
