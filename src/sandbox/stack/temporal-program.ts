import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../../config/startup-error.ts';
import { messageOf } from '../../observability/thrown.ts';

/**
 * Finds the `temporal` program: in PATH, our cache, a Go workspace, by download, or by building it from source with Go. The
 * last two store it in the cache, so they run once per machine and version.
 */
export type ProgramSearch = {
  readonly env: NodeJS.ProcessEnv;
  /** Receives progress messages during a download or a build. */
  readonly progress: (line: string) => void;
  /** If aborted, a download or a build is cancelled. */
  readonly signal?: AbortSignal;
};

/** The newest version that `go install` takes: later ones have `replace` in their go.mod. */
const TEMPORAL_CLI_VERSION = 'v1.5.1';

const MODULE = `github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`;
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
/** The default directory of Go's installer, which is not in every user's PATH. */
const GO_DEFAULT = '/usr/local/go/bin/go';
const CHECK_TIMEOUT_MS = 20_000;
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
const BUILD_TIMEOUT_MS = 20 * 60_000;
const PROGRESS_INTERVAL_MS = 15_000;

/**
 * Returns the path of a working `temporal`.
 * @throws StartupError that lists all failed ways, if none works
 */
export async function findTemporalProgram(search: ProgramSearch): Promise<string> {
  const { env, progress } = search;
  const cached = join(cacheDirectory(env), PROGRAM);
  const go = onPath('go', env) ?? [GO_DEFAULT].find(isExecutable);
  const places = [onPath(PROGRAM, env), cached, join(goPath(go, env), 'bin', PROGRAM)];
  for (const place of places) if (place !== undefined && runs(place, env)) return place;

  progress(`There is no temporal program yet. Downloading the Temporal CLI ${TEMPORAL_CLI_VERSION} …`);
  const downloaded = await fillCache(cached, search, downloadInto);
  if (downloaded.ok) return cached;
  progress(`The download did not work (${downloaded.why}).`);

  let built: Attempt = { ok: false, why: 'there is no Go' };
  if (go !== undefined) {
    progress(`Building the Temporal CLI ${TEMPORAL_CLI_VERSION} with Go, once; this takes a few minutes …`);
    built = await fillCache(cached, search, (directory) => buildInto(directory, go, env));
    if (built.ok) return cached;
    progress(`The build did not work (${built.why}).`);
  }
  throw new StartupError(
    [
      'There is no Temporal server. Any one of these will do:',
      '  - set TEMPORAL_ADDRESS to a Temporal server that runs already;',
      '  - install the Temporal CLI, so that `temporal` is on PATH (https://docs.temporal.io/cli);',
      `  - let it be downloaded here, with access to temporal.download (tried: ${downloaded.why});`,
      `  - install Go, so that \`go install ${MODULE}\` builds it here (tried: ${built.why}).`,
    ].join('\n'),
  );
}

type Attempt = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** A command that leaves `temporal` in a directory. */
type Errand = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
};

/** The cache for this user and version, outside the checkout, so that all clones share it. */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  const base =
    env.XDG_CACHE_HOME ||
    (process.platform === 'darwin' && join(homedir(), 'Library', 'Caches')) ||
    (process.platform === 'win32' && env.LOCALAPPDATA) ||
    join(homedir(), '.cache');
  return join(base, 'escrow-payments-service', `temporal-cli-${TEMPORAL_CLI_VERSION}`);
}

/** Uses `@temporalio/testing`, in a separate process because its runtime must be the only one in a process. */
function downloadInto(directory: string): Errand {
  const script = fileURLToPath(new URL('./download-temporal.ts', import.meta.url));
  const args = [script, directory, TEMPORAL_CLI_VERSION];
  return { name: 'downloading', command: process.execPath, args, timeoutMs: DOWNLOAD_TIMEOUT_MS };
}

function buildInto(directory: string, go: string, env: NodeJS.ProcessEnv): Errand {
  const args = ['install', MODULE];
  return { name: 'building', command: go, args, env: { ...env, GOBIN: directory }, timeoutMs: BUILD_TIMEOUT_MS };
}

/** Runs the command in a temporary directory and moves the result to its place atomically. */
async function fillCache(
  target: string,
  search: ProgramSearch,
  errandFor: (directory: string) => Errand,
): Promise<Attempt> {
  let directory: string;
  try {
    mkdirSync(dirname(target), { recursive: true });
    directory = mkdtempSync(join(dirname(target), 'unfinished-'));
  } catch (error) {
    return { ok: false, why: messageOf(error) };
  }
  try {
    const attempt = await run(errandFor(directory), search);
    if (!attempt.ok) return attempt;
    const found = readdirSync(directory)
      .map((name) => join(directory, name))
      .find((path) => statSync(path).isFile() && runs(path, search.env));
    if (found === undefined) return { ok: false, why: 'what came does not run on this machine' };
    renameSync(found, target);
    return { ok: true };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Reports at intervals that the command still runs. `why` is the last line of its output. */
async function run({ name, command, args, env, timeoutMs }: Errand, search: ProgramSearch): Promise<Attempt> {
  const begin = performance.now();
  const ticking = setInterval(() => search.progress(`  … ${name}, ${secondsSince(begin)} s`), PROGRESS_INTERVAL_MS);
  const attempt = await new Promise<Attempt>((resolve) => {
    let lastLine = '';
    const child = spawn(command, args, {
      env: env ?? search.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGINT',
      signal: search.signal,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        lastLine = String(chunk).trim().split('\n').at(-1)?.trim() || lastLine;
      });
    }
    child.once('error', (error) => resolve({ ok: false, why: error.message }));
    child.once('close', (code, signal) => {
      if (code === 0) resolve({ ok: true });
      else if (signal === null) resolve({ ok: false, why: lastLine || `exit code ${code}` });
      else resolve({ ok: false, why: `stopped after ${secondsSince(begin)} s` });
    });
  }).finally(() => clearInterval(ticking));
  search.signal?.throwIfAborted();
  return attempt;
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

function goPath(go: string | undefined, env: NodeJS.ProcessEnv): string {
  const told = go && spawnSync(go, ['env', 'GOPATH'], { env, encoding: 'utf8' }).stdout?.trim().split(delimiter)[0];
  return told || join(homedir(), 'go');
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
    isExecutable(path) &&
    spawnSync(path, ['--version'], { env, timeout: CHECK_TIMEOUT_MS, stdio: 'ignore' }).status === 0
  );
}
