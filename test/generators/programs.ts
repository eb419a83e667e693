import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Programs that the generators and their code need, and the tools that are installed once for all runs. */

const MAX_OUTPUT_BYTES = 64_000_000;

export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<string> {
  const settings = {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', DO_NOT_TRACK: '1', ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  const { stdout, stderr } = await promisify(execFile)(program, args, settings).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${program} ${args.join(' ')}: ${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
    },
  );
  return `${stdout}\n${stderr}`;
}

/** `python3>=3.10` is a Python of at least this version. A name that begins with a slash is a file. */
export function hasProgram(name: string): boolean {
  if (name.startsWith('/')) return existsSync(name);
  const [program = '', version] = name.split('>=');
  if (version === undefined) return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  const isOlder = `import sys; sys.exit(sys.version_info < (${version.replace('.', ', ')}))`;
  return spawnSync(program, ['-c', isOlder]).status === 0;
}

export type Tools = {
  /** A virtual environment of Python with these packages. Its `bin` folder. */
  readonly python: (packages: readonly string[]) => Promise<string>;
  /** A jar of Maven, as `group:artifact:version`. */
  readonly jar: (name: string) => Promise<string>;
};

/** Each tool is installed once, in a folder that later runs find again. */
export function toolsIn(directory: string): Tools {
  mkdirSync(directory, { recursive: true });
  const installing = new Map<string, Promise<string>>();
  const once = (name: string, install: () => Promise<string>): Promise<string> => {
    const path = installing.get(name) ?? install();
    installing.set(name, path);
    return path;
  };
  return {
    python: (packages) =>
      once(packages.join(' '), async () => {
        const home = join(
          directory,
          `python-${createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)}`,
        );
        const bin = join(home, 'bin');
        if (existsSync(join(home, 'ready'))) return bin;
        await run('python3', ['-m', 'venv', '--clear', home], { cwd: directory });
        await run(join(bin, 'pip'), ['install', '--quiet', ...packages], { cwd: directory });
        mkdirSync(join(home, 'ready'));
        return bin;
      }),
    jar: (name) =>
      once(name, async () => {
        const [, artifact, version] = name.split(':');
        const file = join(directory, `${artifact}-${version}.jar`);
        const copy = ['--batch-mode', '-q', 'dependency:copy', `-Dartifact=${name}`, `-DoutputDirectory=${directory}`];
        if (!existsSync(file)) await run('mvn', copy, { cwd: directory });
        return file;
      }),
  };
}
