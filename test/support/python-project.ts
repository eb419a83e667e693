import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasProgram } from '../generators/programs.ts';
import { servers } from './servers.ts';

/** A separate directory for Python programs, which run with the wheel of the Python client, and mypy. */

export const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url));
export const hasPython = () => hasProgram('python3>=3.10');

export type PythonProject = Awaited<ReturnType<typeof pythonProject>>;

export async function pythonProject() {
  const made = await environment();
  const python = join(made, 'bin', 'python');
  const directory = mkdtempSync(join(tmpdir(), 'escrow-python-'));
  const runHere = (args: readonly string[], variables?: Readonly<Record<string, string>>) =>
    run(python, args, directory, { MYPY_CACHE_DIR: join(made, 'mypy'), ...variables });
  return {
    directory,
    python: runHere,
    checkTypes: (files: readonly string[]) => runHere(['-m', 'mypy', '--strict', ...files]),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The virtual environment of this run of jest. The first test that needs it makes it, which takes longer than most tests. */
async function environment(): Promise<string> {
  const made = join(dirname(servers().workflowBundleFile), 'python');
  if (existsSync(made)) return made;
  const fresh = mkdtempSync(`${made}-`);
  const python = (args: readonly string[]) => run(join(fresh, 'bin', 'python'), args, fresh);
  await run('python3', ['-m', 'venv', '.'], fresh);
  // It builds the wheel. Python compiles what the programs import; mypy has been compiled.
  await python(['-m', 'pip', 'install', '--quiet', '--no-compile', PYTHON_CLIENT, 'mypy==2.4.1']);
  try {
    renameSync(fresh, made); // the programs that pip wrote name the old place, so they are called as modules
  } catch {
    rmSync(fresh, { recursive: true, force: true }); // another test was faster
  }
  return made;
}

/** Keeps the event loop free: a test that blocks it does not see that the service closed an idle connection. */
async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...variables };
  const result = await promisify(execFile)(program, args, { cwd, env }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
    },
  );
  return result.stdout;
}
