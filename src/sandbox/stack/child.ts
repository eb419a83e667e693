import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../../config/startup-error.ts';
import { messageOf } from '../../observability/thrown.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';
import { pollUntil } from './wait.ts';

/**
 * Servers that live exactly as long as this process.
 *
 * Each runs in its own process group, so that Ctrl-C in a terminal reaches only us and we stop them in our order. Three
 * things keep one from staying behind: `stop()`; a shell that waits for the end of a pipe only we hold, and so notices even
 * a SIGKILL; and a record in the data directory, by which the next start finds what the first two missed.
 */
export type Child = {
  readonly name: string;
  /** Settles when the process ended, with how: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** How it ended; undefined while it runs. */
  ending(): string | undefined;
  /** Asks it to end, waits, and after STOP_TIMEOUT_MS ends it. Safe to call twice. */
  stop(): Promise<void>;
  /** The last lines it wrote, for a message that says why it failed. */
  lastLines(): string[];
};

export type ChildSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly dataDir: string;
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  readonly env?: NodeJS.ProcessEnv;
  /** Aborted: it is stopped. */
  readonly signal?: AbortSignal | undefined;
  readonly user?: { readonly uid: number; readonly gid: number };
};

const STOP_TIMEOUT_MS = 15_000;
const LAST_LINES = 12;

/** $1: the signal to stop with. First line in: the pid. Then a line when all is over, or the pipe's end when we are gone. */
const WATCHDOG = `
read -r pid || exit 0
read -r over && exit 0
kill -s "$1" "$pid" 2>/dev/null || exit 0
n=0
while [ $n -lt 75 ] && kill -0 "$pid" 2>/dev/null; do sleep 0.2; n=$((n + 1)); done
kill -s KILL -- "-$pid" 2>/dev/null
exit 0`;

const recordSchema = z.object({ pid: z.int(), startedAt: z.string(), stopSignal: z.enum(['SIGINT', 'SIGTERM']) });

export function logFileOf(dataDir: string, name: string): string {
  return join(dataDir, 'logs', `${name}.log`);
}

function recordFileOf(dataDir: string, name: string): string {
  return join(dataDir, 'run', `${name}.json`);
}

export function startChild(spec: ChildSpec): Child {
  const { name, dataDir } = spec;
  spec.signal?.throwIfAborted();
  const logFile = logFileOf(dataDir, name);
  const watchdog = startWatchdog(spec.stopSignal);
  const log = openLog(logFile);
  const child = spawn(spec.command, spec.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: spec.env ?? process.env,
    ...spec.user,
  });
  closeSync(log);
  child.unref();

  let ending: string | undefined;
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      ending ??= how;
      watchdog?.stdin?.end('over\n');
      rmSync(recordFileOf(dataDir, name), { force: true });
      spec.signal?.removeEventListener('abort', stop);
      resolve(ending);
    };
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.once('error', (error) => end(messageOf(error)));
  });

  if (child.pid !== undefined) {
    watchdog?.stdin?.write(`${child.pid}\n`);
    const identity = identifyProcess(child.pid);
    if (identity !== undefined) record(dataDir, name, identity, spec.stopSignal);
  }

  const stop = async () => {
    if (ending !== undefined) return;
    child.ref();
    const overdue = setTimeout(() => killGroup(child.pid), STOP_TIMEOUT_MS);
    child.kill(spec.stopSignal);
    await exited;
    clearTimeout(overdue);
  };
  spec.signal?.addEventListener('abort', stop, { once: true });
  return { name, exited, ending: () => ending, stop, lastLines: () => lastLinesOf(logFile) };
}

/**
 * Stops what an earlier run of the same data directory left behind, if its watchdog has not yet.
 * @throws StartupError when it cannot be stopped.
 */
export async function stopLeftover(dataDir: string, name: string): Promise<void> {
  const file = recordFileOf(dataDir, name);
  const left = readRecord(file);
  if (left !== undefined && isAlive(left)) {
    signal(left.pid, left.stopSignal);
    const gone = () => (isAlive(left) ? undefined : true);
    if ((await pollUntil(STOP_TIMEOUT_MS, gone)) === undefined) {
      killGroup(left.pid);
      if ((await pollUntil(STOP_TIMEOUT_MS, gone)) === undefined) {
        throw new StartupError(
          `A ${name} process (pid ${left.pid}) of an earlier run does not end. End it and start again.`,
        );
      }
    }
  }
  rmSync(file, { force: true });
}

function startWatchdog(stopSignal: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined; // there is no /bin/sh; the record still finds what stays behind
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'watchdog', stopSignal.slice('SIG'.length)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined); // it may be gone before its last line
  watchdog.unref();
  return watchdog;
}

/** A new log for each start; the one before is kept, as it may say why the last run ended. */
function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) renameSync(file, file.replace(/\.log$/, '.previous.log'));
  return openSync(file, 'w', 0o600);
}

function lastLinesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LAST_LINES);
  } catch {
    return [];
  }
}

function record(dataDir: string, name: string, identity: ProcessIdentity, stopSignal: string): void {
  const file = recordFileOf(dataDir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...identity, stopSignal }));
}

function readRecord(file: string): z.infer<typeof recordSchema> | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined; // none, or half written: then the watchdog has the pid
  }
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) signal(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
}
