import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error: the configuration is JavaScript without types
import base from '../../jest.config.js';
import { MUTATIONS, type Mutation } from './mutations.ts';

/**
 * Makes each mutation in a copy of the project, and runs the tests that must find it. Prints those that no test found. With an argument:
 * only the mutations of files whose path contains it.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'mutations-'));
const COPIED = ['src', 'test', 'package.json', 'tsconfig.json'];
/** Large, and read by none of the tests. */
const LEFT_OUT = join(root, 'test/histories');
/** A test that a mutation keeps from ending is stopped, and counts as failed. */
const LIMIT_MS = 120_000;

// None of the tests needs a server, so the copy's runs start none.
const config = JSON.stringify({
  ...base,
  globalSetup: undefined,
  globalTeardown: undefined,
  reporters: ['default'],
  rootDir: copy,
});

function run(tests: readonly string[]): boolean {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const files = tests.map((file) => join(copy, 'test', file));
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, jest, '--config', config, '-i', '--bail', ...files],
    {
      cwd: copy,
      stdio: 'ignore',
      timeout: LIMIT_MS,
    },
  );
  return status === 0;
}

/** Whether a test fails with the mutation. */
function isKilled({ file, find, replaceBy, killedBy }: Mutation): boolean {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} does not have this exactly once: ${find}`);
  writeFileSync(
    path,
    source.replace(find, () => replaceBy),
  );
  const passes = killedBy.every((test) => run([test])); // the quick ones first
  writeFileSync(path, source);
  return !passes;
}

const [part = ''] = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ file }) => file.includes(part));

try {
  for (const path of COPIED)
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: (source) => source !== LEFT_OUT });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const all = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))];
  if (!run(all)) throw new Error('the tests fail without a mutation');
  const alive: Mutation[] = [];
  for (const [index, mutation] of chosen.entries()) {
    const killed = isKilled(mutation);
    if (!killed) alive.push(mutation);
    process.stdout.write(
      `${index + 1} of ${chosen.length}: ${killed ? 'killed' : 'ALIVE'}: ${mutation.file}: ${mutation.find}\n`,
    );
  }
  process.stdout.write(`${chosen.length - alive.length} of ${chosen.length} mutations are found by a test\n`);
  process.exitCode = alive.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
