import { execFile, spawnSync } from 'node:child_process';
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

export function hasProgram(name: string): boolean {
  return name.startsWith('/') ? existsSync(name) : spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}

export type Tools = {
  /** A virtual environment of Python with these packages. Its `bin` folder. */
  readonly python: (name: string, packages: readonly string[]) => Promise<string>;
  readonly pythonOf: (name: string) => string;
  /** A jar of Maven, as `group:artifact:version`. */
  readonly jar: (name: string) => Promise<string>;
};

export async function toolsIn(directory: string): Promise<Tools> {
  mkdirSync(directory, { recursive: true });
  return {
    python: async (name, packages) => {
      const home = join(directory, name);
      const bin = join(home, 'bin');
      if (existsSync(join(home, 'ready'))) return bin;
      await run('python3', ['-m', 'venv', '--clear', home], { cwd: directory });
      await run(join(bin, 'pip'), ['install', '--quiet', ...packages], { cwd: directory });
      mkdirSync(join(home, 'ready'));
      return bin;
    },
    pythonOf: (name) => join(directory, name, 'bin', 'python'),
    jar: async (name) => {
      const [, artifact, version] = name.split(':');
      const file = join(directory, `${artifact}-${version}.jar`);
      if (!existsSync(file))
        await run(
          'mvn',
          ['--batch-mode', '-q', 'dependency:copy', `-Dartifact=${name}`, `-DoutputDirectory=${directory}`],
          { cwd: directory },
        );
      return file;
    },
  };
}
