import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** The directory of the system's newest PostgreSQL that has all of these programs; undefined where there is none. */
export function findSystemPostgres(needed: readonly string[]): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const directories = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(':').filter((directory) => directory !== ''),
  ];
  return directories.find((directory) => needed.every((program) => existsSync(join(directory, program))));
}
