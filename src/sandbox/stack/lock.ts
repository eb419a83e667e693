import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../../config/startup-error.ts';
import { codeOf } from '../../observability/thrown.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

/** Restricts a data directory to one process. The lock of a process that has ended does not count. */
export type DirectoryLock = { release(): void };

const LOCK_FILE = 'lock.json';
const ATTEMPTS = 10;

const lockSchema = z.object({ pid: z.int(), startedAt: z.string() });

/** @throws StartupError when another process holds the lock. */
export function lockDirectory(dataDir: string): DirectoryLock {
  mkdirSync(dataDir, { recursive: true });
  const lock = join(dataDir, LOCK_FILE);
  const own = `${lock}.${process.pid}`;
  const me = identifyProcess() ?? { pid: process.pid, startedAt: 'unknown' };
  writeFileSync(own, JSON.stringify(me), { mode: 0o600 });
  try {
    // Linking is atomic and fails for an existing name, so no process ever reads a half-written lock.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLink(own, lock)) return { release: () => releaseIfMine(lock, me) };
      assertUnlocked(dataDir);
      removeStale(lock, own);
    }
    throw new StartupError(`${lock} cannot be taken: another process is taking it. Start again.`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Checks the lock without taking it. @throws StartupError when another process holds it. */
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

/** Moves the lock aside and checks it again: another process may have taken it since the first check. */
function removeStale(lock: string, own: string): void {
  const aside = `${own}.stale`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // another process removed it
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
