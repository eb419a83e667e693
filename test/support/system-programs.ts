import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/**
 * The directory of the system's newest PostgreSQL that has all of these programs, else the first in PATH; undefined where there is none.
 * `oldest`: the major version that Debian's must have.
 */
export function findSystemPostgres(needed: readonly string[], oldest = 0): string | undefined {
  const versions = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
    .filter((version) => Number(version) >= oldest)
    .sort((a, b) => Number(b) - Number(a));
  const directories = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(':').filter((directory) => directory !== ''),
  ];
  return directories.find((directory) => needed.every((program) => existsSync(join(directory, program))));
}
