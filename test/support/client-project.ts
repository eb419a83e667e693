import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A project in a separate directory with the client, which compiles and runs programs as an integrator would. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const CLIENT = join(ROOT, 'clients/typescript');
const TSC = join(ROOT, 'node_modules/.bin/tsc');
const STRICT = [
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noEmit',
  '--module',
  'nodenext',
  '--target',
  'es2024',
  '--skipLibCheck',
  '--types',
  'node',
];

/** Runs a program to its end, and returns what it printed. Throws with all its output if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), NODE_OPTIONS: '', ...variables };
  const result = await promisify(execFile)(program, args, { cwd, env }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
    },
  );
  return result.stdout;
}

/** Compiles the client into a package as it is published. */
async function buildClient(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(CLIENT, name), join(directory, name));
  await run(TSC, ['-p', join(CLIENT, 'tsconfig.json'), '--outDir', join(directory, 'dist')], directory);
}

/** Type-checks programs strictly. */
export async function typeCheck(directory: string, files: readonly string[]): Promise<void> {
  await run(TSC, [...STRICT, '--typeRoots', join(ROOT, 'node_modules/@types'), ...files], directory);
}

/** A project with the client of this tree, linked to its dependencies. */
export async function clientProject() {
  const directory = mkdtempSync(join(tmpdir(), 'escrow-project-'));
  const modules = join(directory, 'node_modules');
  await buildClient(join(modules, 'escrow-payments-client'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
