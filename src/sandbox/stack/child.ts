import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../../config/startup-error.ts';
import { messageOf } from '../../observability/thrown.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';
import { pollUntil } from './wait.ts';

/**
 * Servers whose lifetime is exactly that of this process.
 *
 * Each runs in its own process group, so that Ctrl-C in a terminal reaches only this process, which then stops the servers in
 * order. Three mechanisms prevent a server from staying behind: `stop()`; a watchdog shell that waits for the end of a pipe
 * held only by this process, and therefore notices even a SIGKILL; and a record in the data directory, with which the next
 * start finds what the first two missed.
 */
export type Child = {
  readonly name: string;
  /** Settles when the process has ended, with the reason: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** The reason of its end; undefined while it runs. */
  ending(): string | undefined;
  /** Asks the process to stop, waits, and kills it after this time. Safe to call twice. */
  stop(killAfterMs?: number): Promise<void>;
  /** The last lines of its output, for error messages. */
  lastLines(): string[];
};

export type ChildSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly dataDir: string;
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  readonly env?: NodeJS.ProcessEnv;
  /** If aborted, the server is stopped. */
  readonly signal?: AbortSignal | undefined;
  readonly user?: { readonly uid: number; readonly gid: number };
};

const STOP_TIMEOUT_MS = 15_000;
const LAST_LINES = 12;

/**
 * $1 is the stop signal. Input: the pid on the first line, then a line when the server has ended, or the end of the pipe when
 * this process is gone.
 */
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
      spec.signal?.removeEventListener('abort', onAbort);
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

  const onAbort = () => void stop();
  const stop = async (killAfterMs = STOP_TIMEOUT_MS) => {
    if (ending !== undefined) return;
    child.ref();
    const overdue = setTimeout(() => killGroup(child.pid), killAfterMs);
    child.kill(spec.stopSignal);
    await exited;
    clearTimeout(overdue);
  };
  spec.signal?.addEventListener('abort', onAbort, { once: true });
  return { name, exited, ending: () => ending, stop, lastLines: () => lastLinesOf(logFile) };
}

/**
 * Stops what an earlier run of the same data directory left behind, if its watchdog has not done so yet.
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
  if (process.platform === 'win32') return undefined; // there is no /bin/sh; the record still finds what is left behind
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'watchdog', stopSignal.slice('SIG'.length)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined); // the watchdog may be gone before its last line
  watchdog.unref();
  return watchdog;
}

/** Starts a new log at each start. The previous log is kept, because it may explain why the last run ended. */
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
    return undefined; // no record, or an incomplete one: then the watchdog has the pid
  }
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) signal(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended meanwhile.
  }
}
