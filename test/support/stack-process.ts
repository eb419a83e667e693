import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive, type ProcessIdentity } from '../../src/sandbox/stack/process-identity.ts';
import type { EmbeddedStackConfig } from '../../src/sandbox/stack/stack.ts';
import { pollUntil } from '../../src/sandbox/stack/wait.ts';

/** Long, because it matters only for a failing test: the stack makes a database, and on a busy machine starts for many seconds. */
const WAIT_MS = 60_000;

/** The embedded stack of `npm start` in a separate process, for tests that kill it. */
export class StackProcess {
  readonly exitCode: Promise<number | null>;
  readonly pid: number;
  #output = '';

  private constructor(child: ChildProcess) {
    this.pid = child.pid ?? 0;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output += String(chunk);
      });
    }
    this.exitCode = new Promise((resolve) => child.once('close', resolve));
  }

  /** In a separate process group, as a shell starts it in a terminal. */
  static start(config: EmbeddedStackConfig, env: NodeJS.ProcessEnv = process.env): StackProcess {
    const script = fileURLToPath(new URL('./stack-main.ts', import.meta.url));
    const args = ['--disable-warning=ExperimentalWarning', script, JSON.stringify(config)];
    return new StackProcess(spawn(process.execPath, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** All it has written to standard output and standard error. */
  get output(): string {
    return this.#output;
  }

  /** The addresses, once it is ready. */
  async ready(): Promise<{ databaseUrl: string; temporalAddress: string }> {
    const line = await pollUntil(WAIT_MS, () => /^ready (.*)$/m.exec(this.#output)?.[1]);
    if (line === undefined) throw new Error(`The stack did not get ready: ${this.#output}`);
    return JSON.parse(line);
  }
}

/** The servers that run on the data directory. */
export function serversOf(dataDir: string): ProcessIdentity[] {
  return readdirSync(join(dataDir, 'run')).map((name) => JSON.parse(readFileSync(join(dataDir, 'run', name), 'utf8')));
}

/** Waits until all of them have ended. Returns false after the time limit. */
export async function allEnd(processes: readonly ProcessIdentity[]): Promise<boolean> {
  return (await pollUntil(WAIT_MS, () => (processes.some(isAlive) ? undefined : true))) ?? false;
}
