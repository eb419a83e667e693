import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';

/** Programs that the generators and their code need, and the tools that are installed once for all runs. */

const MAX_OUTPUT_BYTES = 64_000_000;
const limit = { minutes: 60, isOver: AbortSignal.timeout(60 * 60_000) };

/** Programs of this process that still run after this time are stopped. */
export function limitPrograms(minutes: number): void {
  Object.assign(limit, { minutes, isOver: AbortSignal.timeout(minutes * 60_000) });
}

/** The machine lacks a program, a registry did not answer, or the time was over. It says nothing about the description. */
export class NotTried extends Error {}

export async function run(
  program: string,
  args: readonly string[],
  {
    cwd,
    env = {},
    timeoutMs,
  }: { readonly cwd: string; readonly env?: Record<string, string>; readonly timeoutMs?: number },
): Promise<string> {
  const settings = {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', DO_NOT_TRACK: '1', ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
    signal: limit.isOver,
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  };
  const { stdout, stderr } = await promisify(execFile)(program, args, settings).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      if (limit.isOver.aborted) throw new NotTried(`stopped after ${limit.minutes} minutes`);
      throw new Error(`${program} ${args.join(' ')}: ${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
    },
  );
  return `${stdout}\n${stderr}`;
}

/** What a package manager does. If it fails, the code is not at fault. */
export function downloaded<Result>(what: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof NotTried ? error : new NotTried(`${what} was not installed: ${reasonIn(String(error))}`);
  });
}

/** Maven downloads while it compiles. */
export function maven(args: readonly string[], cwd: string): Promise<string> {
  return run('mvn', ['--batch-mode', '-q', ...args], { cwd }).catch((error: unknown) => {
    const isDownload = /Could not (transfer|find) artifact|could not be resolved/i.test(String(error));
    return isDownload ? downloaded('the library of a Java project', Promise.reject(error)) : Promise.reject(error);
  });
}

const MAX_REASON_CHARACTERS = 200;

function reasonIn(output: string): string {
  const [, ...lines] = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /\berror\b\W/i.test(line)) ?? lines.at(-1) ?? output;
  return stripVTControlCharacters(reason).trim().slice(0, MAX_REASON_CHARACTERS);
}

/** `python3>=3.10` is a Python of at least this version that can make environments. A name that begins with a slash is a file. */
export function hasProgram(name: string): boolean {
  if (name.startsWith('/')) return existsSync(name);
  const [program = '', version] = name.split('>=');
  if (version === undefined) return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  const isOlder = `import ensurepip, sys, venv; sys.exit(sys.version_info < (${version.replace('.', ', ')}))`;
  return spawnSync(program, ['-c', isOlder]).status === 0;
}

export type Tools = {
  /** A virtual environment of Python with these packages. Its `bin` folder. */
  readonly python: (packages: readonly string[]) => Promise<string>;
  /** A package of npm, as `name@version`, with what it needs but its optional packages. Its `bin` folder. */
  readonly npm: (name: string) => Promise<string>;
  /** A jar of Maven, as `group:artifact:version`. */
  readonly jar: (name: string) => Promise<string>;
  /** A program in Go, as `path@version`. The folder that it is in. */
  readonly go: (program: string) => Promise<string>;
};

/** Each tool is installed once, in a folder that later runs find again. */
export function toolsIn(directory: string): Tools {
  mkdirSync(directory, { recursive: true });
  const installing = new Map<string, Promise<string>>();
  const once = (name: string, install: () => Promise<string>): Promise<string> => {
    const path = installing.get(name) ?? downloaded(name, install());
    installing.set(name, path);
    return path;
  };
  const folderOf = (kind: string, name: string) =>
    join(directory, `${kind}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`);
  return {
    python: (packages) =>
      once(packages.join(' '), async () => {
        const home = folderOf('python', packages.join(' '));
        const bin = join(home, 'bin');
        if (existsSync(join(home, 'ready'))) return bin;
        await run('python3', ['-m', 'venv', '--clear', home], { cwd: directory });
        await run(join(bin, 'pip'), ['install', '--quiet', ...packages], { cwd: directory });
        mkdirSync(join(home, 'ready'));
        return bin;
      }),
    npm: (name) =>
      once(name, async () => {
        const home = folderOf('npm', name);
        const install = ['install', '--no-audit', '--no-fund', '--omit=optional', '--prefix', home, name];
        if (!existsSync(join(home, 'node_modules/.bin'))) await run('npm', install, { cwd: directory });
        return join(home, 'node_modules/.bin');
      }),
    jar: (name) =>
      once(name, async () => {
        const [, artifact, version] = name.split(':');
        const file = join(directory, `${artifact}-${version}.jar`);
        if (!existsSync(file))
          await maven(['dependency:copy', `-Dartifact=${name}`, `-DoutputDirectory=${directory}`], directory);
        return file;
      }),
    go: (program) =>
      once(program, async () => {
        const bin = folderOf('go', program);
        if (!existsSync(bin)) await run('go', ['install', program], { cwd: directory, env: { GOBIN: bin } });
        return bin;
      }),
  };
}
