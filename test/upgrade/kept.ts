import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What each release left to later ones: the files of `releases`, with their checksums as `sha256sum` writes them. */

const RELEASES = new URL('./releases/', import.meta.url);
const SUMS = 'SHA256SUMS';

export function keptFiles(): readonly string[] {
  return existsSync(RELEASES) ? readdirSync(RELEASES).filter((file) => file !== SUMS) : [];
}

/** Throws if it is not what the release left. */
export function readKept(file: string): Buffer {
  const bytes = readFileSync(new URL(file, RELEASES));
  if (!sums().includes(sumOf(file, bytes))) throw new Error(`${file} is not what the release left`);
  return bytes;
}

export function keep(file: string, bytes: Uint8Array): void {
  mkdirSync(RELEASES, { recursive: true });
  writeFileSync(new URL(file, RELEASES), bytes);
  const others = sums().filter((line) => !line.endsWith(` ${file}`));
  writeFileSync(new URL(SUMS, RELEASES), `${[...others, sumOf(file, bytes)].toSorted().join('\n')}\n`);
}

function sums(): readonly string[] {
  const file = new URL(SUMS, RELEASES);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

function sumOf(file: string, bytes: Uint8Array): string {
  return `${createHash('sha256').update(bytes).digest('hex')}  ${file}`;
}
