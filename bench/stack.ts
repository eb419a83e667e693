import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FieldKey } from '../src/db/core/field-cipher.ts';
import { type EmbeddedInfo, embeddedInfoFile } from '../src/roles/embedded-info.ts';
import { anyFreePort } from '../src/sandbox/stack/ports.ts';
import { loadSecrets } from '../src/sandbox/stack/secrets.ts';
import { fieldKeyOf } from './database.ts';

/** The whole service as `npm start` runs it, in a separate process, with temporary data. */
export type BenchStack = {
  readonly info: EmbeddedInfo;
  readonly pid: number;
  readonly fieldKey: FieldKey;
  /** Where the service tells about the turns of its event loop: turns.ts. */
  readonly turnsPort: number;
  readonly stop: () => Promise<void>;
};

const START_TIMEOUT_MS = 120_000;
const TURNS = new URL('./turns.ts', import.meta.url).href;

/** `env` adds to the environment. */
export async function startBenchStack(env: Record<string, string> = {}): Promise<BenchStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'escrow-bench-'));
  const turnsPort = await anyFreePort();
  const child = spawn(process.execPath, [`--import=${TURNS}`, '--no-memory-reducer', 'src/main.ts', 'all'], {
    env: {
      ...process.env,
      TURNS_PORT: String(turnsPort),
      DATA_DIR: dataDir,
      PORT: String(await anyFreePort()),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_COMPANY_PER_MINUTE: '1000000',
      RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(child).catch((error: unknown) => {
    child.kill('SIGINT');
    throw error;
  });
  const info: EmbeddedInfo = JSON.parse(readFileSync(embeddedInfoFile(dataDir), 'utf8'));
  return {
    info,
    pid: child.pid ?? 0,
    fieldKey: fieldKeyOf(loadSecrets(dataDir)),
    turnsPort,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the stack did not start in time')), START_TIMEOUT_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!chunk.toString().includes('The escrow service is ready')) return;
      clearTimeout(late);
      resolve();
    });
    child.once('exit', (code) => reject(new Error(`the stack ended with ${code}`)));
  });
}
