import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findShippedBundle } from '../../src/worker/workflow-bundle.ts';
import { hasProgram, run, toolsIn } from '../generators/programs.ts';
import { megabytesIn } from '../support/directory-size.ts';

/**
 * `npm run release:check` makes the artefacts of a release from the last commit, twice, each time in a fresh clone: the root of the
 * image (/app), the chart, both clients, the bill of materials with its licences, and the checksums. Both must have the same bytes.
 * The root must be small, and each role is started from it; `npm run try:production -- DIRECTORY` runs all of them from an unpacked
 * root. The artefacts stand in dist/release.
 */

const REPOSITORY = resolve(import.meta.dirname, '../..');
const RELEASE = join(REPOSITORY, 'dist/release');
const NEEDED = ['git', 'tar', 'gzip', 'sh', 'python3>=3.10'];
const WHEEL_TOOLS = ['build==1.3.0', 'hatchling==1.27.0'];
/** Without its optional packages, which only validate what it writes. */
const BOM_TOOL = '@cyclonedx/cyclonedx-npm@6.0.1';
const ROLES = ['migrate', 'api', 'worker'];
const MAX_ROOT_MB = 280;
/** What a role answers that has no configuration: it has loaded all of its code, and names what it lacks. */
const LACKS_CONFIGURATION = /DATABASE_URL/;

/** Licences that allow the code to be shipped with ours. Each package must have one of them. */
const LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'Bitstream-Vera',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later', // libvips, as a library of its own that is loaded
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
];
/** Of packages whose licence is a text only. */
const LICENCE_TEXTS: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'png-js': 'MIT',
  unionfs: 'Unlicense',
};
const OWN = /^escrow-payments-/;

type Component = {
  readonly name: string;
  readonly group?: string;
  readonly version?: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string };
    readonly expression?: string;
  }[];
};

const missing = NEEDED.filter((program) => !hasProgram(program));
if (missing.length > 0) fail(`release:check needs ${missing.join(', ')}`);
const git = (...args: string[]) => spawnSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).stdout.trim();
const commit = git('rev-parse', 'HEAD');
/** The time of every file: that of the commit, in seconds since 1970. */
const seconds = git('log', '-1', '--format=%ct');
if (git('status', '--porcelain') !== '') console.log('What is not committed is not in the release.');

const work = mkdtempSync(join(tmpdir(), 'escrow-release-'));
const tools = toolsIn(join(tmpdir(), 'escrow-release-tools'));
try {
  const [first, second] = [await artefacts('first'), await artefacts('second')];
  const differing = Object.keys(first.sums).filter((name) => first.sums[name] !== second.sums[name]);
  if (differing.length > 0) fail(`other bytes in the second clone: ${differing.join(', ')}`);
  const rootMb = megabytesIn(join(work, 'app'));
  if (rootMb > MAX_ROOT_MB) fail(`the root of the image has ${rootMb} MB, and may have ${MAX_ROOT_MB}`);
  for (const role of ROLES) requireRole(join(work, 'app'), role);
  if (findShippedBundle(pathToFileURL(`${join(work, 'app')}/`)) === undefined)
    fail('the bundle of the image is not of its sources');
  rmSync(RELEASE, { recursive: true, force: true });
  cpSync(first.directory, RELEASE, { recursive: true });
  for (const [name, sum] of Object.entries(first.sums)) console.log(`${sum}  ${name}`);
  console.log(
    `Version ${first.version} of commit ${commit}, made twice with equal bytes: ${RELEASE}. The root has ${rootMb} MB.`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Clones, builds and packs. Both clones have the same path one after the other, as an image is always built in /app. */
async function artefacts(name: string) {
  console.log(`Making the artefacts in the ${name} clone …`);
  const clone = join(work, 'clone');
  const app = join(work, 'app');
  const directory = join(work, name);
  for (const old of [clone, app]) rmSync(old, { recursive: true, force: true });
  mkdirSync(directory);
  await run('git', ['clone', '--quiet', '--no-local', REPOSITORY, clone], { cwd: work });
  await run('git', ['checkout', '--quiet', commit], { cwd: clone });
  const { version }: { version: string } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));

  await assembleImage(clone, app);
  await archive(app, join(directory, `escrow-payments-service-${version}-app.tar.gz`), '.');
  await archive(
    clone,
    join(directory, `escrow-payments-service-chart-${version}.tgz`),
    'deploy/helm',
    's,^deploy/helm,escrow-payments-service,',
  );

  await run('npm', ['ci', '--ignore-scripts'], { cwd: clone });
  await run('npm', ['pack', '--workspace', 'clients/typescript', '--pack-destination', directory], { cwd: clone });
  const python = await tools.python(WHEEL_TOOLS);
  const wheel = ['-m', 'build', '--wheel', '--no-isolation', '--outdir', directory, 'clients/python'];
  await run(join(python, 'python3'), wheel, { cwd: clone, env: { SOURCE_DATE_EPOCH: seconds } });

  const materials = join(directory, 'sbom.cdx.json');
  const bom = ['--omit', 'dev', '--output-reproducible', '--output-file', materials];
  await run(join(await tools.npm(BOM_TOOL), 'cyclonedx-npm'), bom, { cwd: clone });
  writeFileSync(join(directory, 'LICENCES.md'), licences(materials));

  const sums = Object.fromEntries(
    readdirSync(directory)
      .toSorted()
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(directory, file)))
          .digest('hex'),
      ]),
  );
  writeFileSync(
    join(directory, 'SHA256SUMS'),
    Object.entries(sums)
      .map(([file, sum]) => `${sum}  ${file}\n`)
      .join(''),
  );
  return { directory, sums, version };
}

/** Carries out the COPY and RUN lines of the Dockerfile's first stage, so that the steps of the image stand there alone. */
async function assembleImage(clone: string, app: string): Promise<void> {
  mkdirSync(app);
  const [, stage = ''] = readFileSync(join(clone, 'Dockerfile'), 'utf8')
    .replaceAll('\\\n', ' ')
    .split(/^FROM .*$/m);
  for (const line of stage.split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'RUN') await run('sh', ['-ec', rest.join(' ')], { cwd: app });
    if (word !== 'COPY') continue;
    const to = rest.pop() ?? '.';
    for (const from of rest) copyInto(join(clone, from), app, to, from);
  }
}

/** As COPY does: a file goes into a directory that ends in a slash or is `.`; of a directory, what is in it. */
function copyInto(source: string, app: string, to: string, from: string): void {
  const isDirectory = to === '.' || to.endsWith('/');
  const isFile = statSync(source).isFile();
  const target = isFile && isDirectory ? join(app, to, from.split('/').at(-1) ?? from) : join(app, to);
  mkdirSync(dirname(target), { recursive: true });
  if (isFile) copyFileSync(source, target);
  else cpSync(source, target, { recursive: true });
}

async function archive(directory: string, file: string, what: string, rename = ''): Promise<void> {
  const reproducible = [
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=go=rX,u+rw,a-s',
    '--format=gnu',
  ];
  const tar = file.replace(/\.(tar\.gz|tgz)$/, '.tar');
  await run('tar', [...reproducible, ...(rename === '' ? [] : [`--transform=${rename}`]), '-cf', tar, what], {
    cwd: directory,
  });
  await run('gzip', ['--no-name', '--best', '--force', tar], { cwd: directory });
  renameSync(`${tar}.gz`, file);
}

/** A table of what is shipped and under which licence. Throws if one is not allowed. */
function licences(file: string): string {
  const { components = [] }: { components?: readonly Component[] } = JSON.parse(readFileSync(file, 'utf8'));
  const others = components.filter(({ name }) => !OWN.test(name));
  const rows = others.map(({ group, name, version = '', licenses = [] }) => ({
    name: group === undefined ? name : `${group}/${name}`,
    version,
    licence:
      LICENCE_TEXTS[name] ?? licenses.map(({ license, expression }) => expression ?? license?.id ?? '').join(' AND '),
  }));
  const refused = rows.filter(({ licence }) => !isAllowed(licence));
  if (refused.length > 0)
    fail(`licences: ${refused.map(({ name, licence }) => `${name}: ${licence || 'none'}`).join('; ')}`);
  const lines = rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |\n`).toSorted();
  return `# Licences of what is shipped\n\n| package | version | licence |\n|---|---|---|\n${[...new Set(lines)].join('')}`;
}

/** Of `(A OR B) AND C`, one of A and B, and C. */
function isAllowed(expression: string): boolean {
  const every = expression.replaceAll(/[()]/g, '').split(' AND ');
  return every.every((part) => part.split(' OR ').some((licence) => LICENCES.includes(licence)));
}

/** The root has all that a role loads: without a configuration the role says what it lacks. */
function requireRole(app: string, role: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/main.ts', role], {
    cwd: app,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ESCROW_ENVIRONMENT: 'production' },
  });
  if (status === 0 || !LACKS_CONFIGURATION.test(stdout + stderr))
    fail(`${role} does not start from the image: ${stdout}${stderr}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
