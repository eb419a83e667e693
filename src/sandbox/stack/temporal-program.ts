import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../../startup-error.ts';

/**
 * Where the `temporal` program comes from: PATH, our cache, a Go workspace, a download, or built from source with Go. The
 * last two put it into the cache, so they happen once per machine and version.
 */
export type ProgramSearch = {
  readonly env: NodeJS.ProcessEnv;
  /** Told while a download or a build goes on. */
  readonly progress: (line: string) => void;
};

/** The newest version that `go install` takes: later ones have `replace` in their go.mod. */
export const TEMPORAL_CLI_VERSION = 'v1.5.1';

const MODULE = `github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`;
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const CHECK_TIMEOUT_MS = 20_000;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
const BUILD_TIMEOUT_MS = 20 * 60_000;
const PROGRESS_INTERVAL_MS = 15_000;

/**
 * The path of a `temporal` that runs.
 * @throws StartupError naming every way, when none works.
 */
export async function findTemporalProgram({ env, progress }: ProgramSearch): Promise<string> {
  const cached = join(cacheDirectory(env), PROGRAM);
  const go = onPath('go', env);
  const places = [onPath(PROGRAM, env), cached, go && join(goPath(go, env), 'bin', PROGRAM)];
  for (const place of places) if (place && runs(place, env)) return place;

  mkdirSync(dirname(cached), { recursive: true });
  progress(`No temporal program here yet. Downloading Temporal CLI ${TEMPORAL_CLI_VERSION} …`);
  const downloaded = await download(cached, env, progress);
  if (downloaded.ok) return cached;
  progress(`The download did not work (${downloaded.why}).`);

  let built: Attempt = { ok: false, why: 'there is no go on PATH' };
  if (go !== undefined) {
    progress(`Building Temporal CLI ${TEMPORAL_CLI_VERSION} with Go, once; this takes a few minutes …`);
    built = await build(go, cached, env, progress);
    if (built.ok) return cached;
    progress(`The build did not work (${built.why}).`);
  }
  throw new StartupError(
    [
      'There is no Temporal server. Any one of these will do:',
      '  - set TEMPORAL_ADDRESS to a Temporal server that runs already;',
      `  - install the Temporal CLI, so that \`temporal\` is on PATH (https://docs.temporal.io/cli);`,
      `  - let this program download it, with access to temporal.download (tried: ${downloaded.why});`,
      `  - install Go, so that it is built here by \`go install ${MODULE}\` (tried: ${built.why}).`,
    ].join('\n'),
  );
}

type Attempt = { ok: true } | { ok: false; why: string };

/** Ours for this user and version, outside the checkout, so that every clone finds it. */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  const base =
    env.XDG_CACHE_HOME ||
    (process.platform === 'darwin' && join(homedir(), 'Library', 'Caches')) ||
    (process.platform === 'win32' && env.LOCALAPPDATA) ||
    join(homedir(), '.cache');
  return join(base, 'escrow-payments-service', `temporal-cli-${TEMPORAL_CLI_VERSION}`);
}

/** The download that `@temporalio/testing` does, in a process of its own: its runtime wants to be the only one in a process. */
async function download(target: string, env: NodeJS.ProcessEnv, progress: ProgramSearch['progress']): Promise<Attempt> {
  const directory = mkdtempSync(join(dirname(target), 'download-'));
  try {
    const script = fileURLToPath(new URL('./download-temporal.ts', import.meta.url));
    const attempt = await attemptTo(
      'downloading',
      progress,
      DOWNLOAD_TIMEOUT_MS,
      process.execPath,
      [script, directory, TEMPORAL_CLI_VERSION],
      env,
    );
    if (!attempt.ok) return attempt;
    return keep(directory, target, env);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function build(
  go: string,
  target: string,
  env: NodeJS.ProcessEnv,
  progress: ProgramSearch['progress'],
): Promise<Attempt> {
  const directory = mkdtempSync(join(dirname(target), 'build-'));
  try {
    const attempt = await attemptTo('building', progress, BUILD_TIMEOUT_MS, go, ['install', MODULE], {
      ...env,
      GOBIN: directory,
    });
    if (!attempt.ok) return attempt;
    return keep(directory, target, env);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Moves the one program in `directory` to its place, whole or not at all. */
function keep(directory: string, target: string, env: NodeJS.ProcessEnv): Attempt {
  const found = readdirSync(directory)
    .map((name) => join(directory, name))
    .find((path) => statSync(path).isFile() && runs(path, env));
  if (found === undefined) return { ok: false, why: 'what came does not run on this machine' };
  renameSync(found, target);
  return { ok: true };
}

/** Runs a command and says every while that it still goes on. `why` is the last line of what it wrote. */
function attemptTo(
  what: string,
  progress: ProgramSearch['progress'],
  timeoutMs: number,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Attempt> {
  const begin = performance.now();
  const ticking = setInterval(() => progress(`  … ${what}, ${secondsSince(begin)} s`), PROGRESS_INTERVAL_MS);
  return new Promise<Attempt>((resolve) => {
    let lastLine = '';
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        lastLine = String(chunk).trim().split('\n').at(-1)?.trim() || lastLine;
      });
    }
    child.once('error', (error) => resolve({ ok: false, why: error.message }));
    child.once('close', (code, signal) => {
      if (code === 0) resolve({ ok: true });
      else
        resolve({
          ok: false,
          why: signal === null ? lastLine || `exit code ${code}` : `stopped after ${secondsSince(begin)} s`,
        });
    });
  }).finally(() => clearInterval(ticking));
}

function secondsSince(begin: number): number {
  return Math.round((performance.now() - begin) / 1000);
}

function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, program))
    .find(isExecutable);
}

function goPath(go: string, env: NodeJS.ProcessEnv): string {
  return spawnSync(go, ['env', 'GOPATH'], { env, encoding: 'utf8' }).stdout?.trim() ?? '';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function runs(path: string, env: NodeJS.ProcessEnv): boolean {
  return (
    existsSync(path) && spawnSync(path, ['--version'], { env, timeout: CHECK_TIMEOUT_MS, stdio: 'ignore' }).status === 0
  );
}
