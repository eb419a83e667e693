import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * A made-up next version: this code with next-version.patch, which adds a column, a command and an event. If the patch does not fit
 * any more, apply it by hand in a clone, and write it again with `git diff -U2`.
 */

export const NEXT_VERSION = '99.0.0';
const REPOSITORY = resolve(import.meta.dirname, '../..');
const PATCH = join(import.meta.dirname, 'next-version.patch');
/** What the image has. */
const SHIPPED = ['package.json', 'package-lock.json', 'src', 'docs/guides'];

/** Writes its code to a directory, as the image has it. */
export function writeNextVersion(directory: string): void {
  const files = execFileSync('git', ['ls-files', ...SHIPPED], { cwd: REPOSITORY, encoding: 'utf8' })
    .trim()
    .split('\n');
  for (const file of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    cpSync(join(REPOSITORY, file), join(directory, file));
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(directory, 'node_modules'));
  // Outside of a repository, because inside it git ignores files that are not the repository's.
  execFileSync('git', ['apply', PATCH], {
    cwd: directory,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(directory) },
  });
  const manifest = join(directory, 'package.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version: NEXT_VERSION }));
}
