import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { MIGRATIONS_FOLDER } from '../../src/db/migrations/index.ts';
import { freeze, releasesOf } from '../support/released-schema.ts';
import { SHIPPED_VERSIONS } from '../support/shipped-versions.ts';

/**
 * `npm run freeze-release -- 1.0.0-rc.1` makes the commit of a release, and may be repeated: the version everywhere, the section of the changelog, the
 * rendered chart (needs helm), the checksums of the migrations, and what the release leaves to later ones (takes about half an hour).
 */

const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const UNRELEASED = '## [Unreleased]\n';

const version = process.argv[2] ?? '';
if (!SEMVER.test(version)) throw new Error('Name the version: npm run freeze-release -- 1.0.0-rc.1');

const day = new Date().toISOString().slice(0, 10);
for (const [file, pattern] of SHIPPED_VERSIONS)
  edit(file, (text) => text.replace(pattern, (found, old: string) => found.replace(old, version)));
edit('CHANGELOG.md', (text) =>
  text.includes(`## [${version}]`) ? text : text.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${day}\n`),
);
run('deploy/helm/render.sh');
if (!releasesOf(MIGRATIONS_FOLDER).some((release) => release.version === version)) freeze(MIGRATIONS_FOLDER, version);
run('npm', 'run', 'record-upgrade');
console.log(`Everything says ${version}. Commit it, and tag the commit v${version}.`);

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function run(command: string, ...args: string[]): void {
  if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed`);
}
