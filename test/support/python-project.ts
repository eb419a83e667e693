import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasProgram } from '../generators/programs.ts';

/** A virtual environment in a separate directory with the wheel of the Python client, and mypy. */

export const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url));
export const hasPython = () => hasProgram('python3>=3.10');

export type PythonProject = Awaited<ReturnType<typeof pythonProject>>;

export async function pythonProject() {
  const directory = mkdtempSync(join(tmpdir(), 'escrow-python-'));
  const bin = (name: string) => join(directory, 'venv', 'bin', name);
  /** Keeps the event loop free: a test that blocks it does not see that the service closed an idle connection. */
  const run = async (program: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const env = { ...process.env, ...variables };
    const result = await promisify(execFile)(program, args, { cwd: directory, env }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
      },
    );
    return result.stdout;
  };
  await run('python3', ['-m', 'venv', 'venv']);
  await run(bin('pip'), ['wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheels', PYTHON_CLIENT]);
  const [wheel = ''] = readdirSync(join(directory, 'wheels'));
  await run(bin('pip'), ['install', '--quiet', join('wheels', wheel), 'mypy==2.4.1']);
  return {
    directory,
    python: (args: readonly string[], variables?: Readonly<Record<string, string>>) =>
      run(bin('python'), args, variables),
    checkTypes: (files: readonly string[]) => run(bin('mypy'), ['--strict', ...files]),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
