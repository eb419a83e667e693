import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MB = 1_000_000;

/** The size of all files in a directory. Files that are renamed or removed meanwhile may be missing. */
export function megabytesIn(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size);
  return Math.ceil(sizes.reduce<number>((sum, size = 0) => sum + size, 0) / MB);
}
