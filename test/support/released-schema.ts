import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { sqlFilesIn } from '../../src/db/migrations/index.ts';

/**
 * The migrations of each release, with their checksums: `released.json` beside them. From its release on a migration never changes,
 * because databases have it.
 */
export type Release = { readonly version: string; readonly migrations: Readonly<Record<string, string>> };

const releasesFile = (folder: URL) => new URL('released.json', folder);

/** Oldest first. Empty before the first release. */
export function releasesOf(folder: URL): readonly Release[] {
  const file = releasesFile(folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** What makes the migrations unfit for a database of a release. Empty: there are only new ones, at the end. */
export function changesOfReleased(folder: URL): string[] {
  const released = new Map(releasesOf(folder).flatMap(({ migrations }) => Object.entries(migrations)));
  const files = sqlFilesIn(folder);
  const names = new Set(files.map(({ name }) => name));
  const last = [...released.keys()].toSorted().at(-1) ?? '';
  return [
    ...[...released.keys()].filter((name) => !names.has(name)).map((name) => `${name} is gone`),
    ...files.flatMap(({ name, checksum }) => {
      const before = released.get(name);
      if (before === undefined) return name < last ? [`${name} is new, and would run before ${last}`] : [];
      return before === checksum ? [] : [`${name} has changed`];
    }),
  ];
}

/** Freezes the migrations that no earlier release has. */
export function freeze(folder: URL, version: string): void {
  const changes = changesOfReleased(folder);
  if (changes.length > 0) throw new Error(changes.join('\n'));
  const releases = releasesOf(folder);
  if (releases.some((release) => release.version === version)) throw new Error(`${version} is released`);
  const frozen = new Set(releases.flatMap(({ migrations }) => Object.keys(migrations)));
  const added = sqlFilesIn(folder).filter(({ name }) => !frozen.has(name));
  const migrations = Object.fromEntries(added.map(({ name, checksum }) => [name, checksum]));
  writeFileSync(releasesFile(folder), `${JSON.stringify([...releases, { version, migrations }], null, 2)}\n`);
}
