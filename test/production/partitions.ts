import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { KINDS } from '../support/catalogue.ts';
import { PLANS_FILE } from './explaining-setup.ts';
import { plansIn, type SeenStatement, spreadStatements } from './plans.ts';

/**
 * `npm run try:partitions -- [test paths]`: runs the tests on a schema in which every tenant's table is partitioned by a hash of
 * its company, in a copy of this folder. PostgreSQL then refuses a key without the company. Afterwards it runs the first
 * integration, and looks in the plan of each of its statements for the partitions that were read: a command, a deposit and a read
 * touch one.
 */

const PARTITIONS = 16;
const ROOT = new URL('../..', import.meta.url).pathname;
const NOT_COPIED = ['node_modules', '.git', 'dist', '.data'];
/**
 * What says nothing about partitions: tests of the files of this folder, tests that need a repository, and the checksums of released
 * migrations. Jest replaces its own list, which leaves out slow tests.
 */
const NOT_RUN = [
  'test/repo',
  'test/docs',
  'test/bench',
  'test/browser',
  'test/db/migrations/released',
  'test/upgrade',
  '\\.slow\\.test\\.ts$',
];

const EVENT_TABLES = ['escrow_event', 'payment_link_event', 'withdrawal_event'];
const CREATE_TABLE = /^create table (\w+) \(([\s\S]*?)\n\)(?: (with \([^)]*\)))?;/gm;
/** The end of the table in the procedure event_table. */
const EVENT_TABLE = /\)\$table\$(, name, entity, reference\);)/g;

const PARTITION_TABLE = `create procedure partition_table(name text, options text) language plpgsql as $$
begin
  for i in 0 .. ${PARTITIONS - 1} loop
    execute format('create table %I partition of %I for values with (modulus ${PARTITIONS}, remainder %s) %s',
      name || '_p' || i, name, i, options);
    execute format('alter table %I enable row level security', name || '_p' || i);
    execute format('alter table %I force row level security', name || '_p' || i);
  end loop;
end $$;
revoke execute on procedure partition_table from public;
`;

const copy = mkdtempSync(join(tmpdir(), 'escrow-partitions-'));
try {
  process.exitCode = tryPartitions() ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function tryPartitions(): boolean {
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  partitionMigrations(join(copy, 'src/db/migrations'));
  const paths = process.argv.slice(2);
  const isGreen = jest([...paths, '--testPathIgnorePatterns', ...NOT_RUN]);
  const hasPlans = jest(['test/api/openapi/examples', '--globalSetup', './test/production/explaining-setup.ts']);
  const log = join(copy, PLANS_FILE);
  const statements = existsSync(log) ? plansIn(readFileSync(log, 'utf8')) : [];
  const spread = spreadStatements(statements);
  report(statements, spread);
  if (!isGreen) console.log('Not all tests passed in partitions.');
  if (!hasPlans) console.log('The first integration did not end, so statements are missing.');
  if (statements.length === 0) console.log('PostgreSQL logged no plan: does its installation have auto_explain?');
  return isGreen && hasPlans && statements.length > 0 && spread.length === 0;
}

function jest(args: readonly string[]): boolean {
  return spawnSync('npm', ['test', '--', ...args], { cwd: copy, stdio: 'inherit' }).status === 0;
}

function report(statements: readonly SeenStatement[], spread: readonly SeenStatement[]): void {
  const onOne = statements.filter(({ partitions }) => partitions === 1).length;
  console.log(`${statements.length} statements on tenants' tables; ${onOne} of them touched exactly one partition.`);
  for (const { text, partitions } of spread) console.log(`${partitions} partitions: ${text}`);
}

/** Rewrites the tables of tenants in the copied migrations. */
function partitionMigrations(folder: string): void {
  // Each migration adds a row to the table of 005-installation.sql.
  writeFileSync(join(folder, '006-partitions.sql'), PARTITION_TABLE);
  const done = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const path = join(folder, file);
    const sql = readFileSync(path, 'utf8')
      .replace(CREATE_TABLE, (all, name: string, columns: string, options = '') => {
        if (!isTenant(name)) return all;
        done.add(name);
        return `create table ${name} (${columns}\n) partition by hash (company_id);\ncall partition_table('${name}', '${options}');`;
      })
      .replace(EVENT_TABLE, (_all, rest: string) => {
        for (const name of EVENT_TABLES) done.add(name);
        return `) partition by hash (company_id)$table$${rest}\n  call partition_table(name, '');`;
      });
    writeFileSync(path, sql);
  }
  const missing = KINDS.tenant.filter((name) => !done.has(name));
  if (missing.length > 0) throw new Error(`not partitioned: ${missing.join(', ')}`);
}

function isTenant(name: string): boolean {
  return (KINDS.tenant as readonly string[]).includes(name); // a name of any table
}
