import { randomBytes } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Client as Temporal, WorkflowExecutionInfo } from '@temporalio/client';
import pg from 'pg';
import { connect } from '../../src/db/core/orm.ts';
import { addressFor, SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { dropDatabase, type TestDatabase } from '../support/database.ts';
import { type History, historyFrom, historyToText } from '../support/histories.ts';
import { servers } from '../support/servers.ts';
import { keep, keptFiles, readKept } from './kept.ts';

/**
 * What an installation of a release left: the rows of its database, and the histories of runs. The schema is not in it, because the
 * migrations of a release are frozen. One line is the head, then each table's name and its rows as PostgreSQL writes them in JSON,
 * then the histories. Rows stay text, because they contain integers that a number of JavaScript cannot hold.
 */
export type Fixture = {
  readonly version: string;
  /** The last migration that the release has. */
  readonly lastMigration: string;
  /** Sequence → its last value. */
  readonly sequences: Readonly<Record<string, string>>;
  readonly tables: ReadonlyMap<string, readonly string[]>;
  readonly histories: readonly { readonly workflowId: string; readonly history: History }[];
};

const SUFFIX = '.zst';
const LEVEL = 19;
const ROWS_PER_INSERT = 1_000;

/** Those that are kept, by the version that made them. */
export function keptFixtures(): readonly string[] {
  return keptFiles()
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length));
}

export function readFixture(version: string): Fixture {
  return unpack(readKept(`${version}${SUFFIX}`));
}

export function keepFixture(version: string, packed: Uint8Array): void {
  keep(`${version}${SUFFIX}`, packed);
}

export function pack(fixture: Fixture): Uint8Array {
  const { ZSTD_c_compressionLevel: level, ZSTD_c_enableLongDistanceMatching: isFar } = constants;
  return zstdCompressSync(format(fixture), { params: { [level]: LEVEL, [isFar]: 1 } });
}

export function unpack(packed: Uint8Array): Fixture {
  return parse(zstdDecompressSync(packed).toString());
}

/** Reads everything. Nothing may write at the same time. `maxHistories`: of runs, of each kind the latest. */
export async function takeFixture(
  version: string,
  { superuserUrl }: Pick<TestDatabase, 'superuserUrl'>,
  temporal: Temporal,
  taskQueue: string,
  maxHistories: number,
): Promise<Fixture> {
  const rows = await withClient(superuserUrl, async (client) => {
    const texts = async (sql: string) => (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text);
    const tables = new Map<string, string[]>();
    for (const table of await texts(TABLES))
      tables.set(
        table,
        await texts(`select row_to_json(t)::text as text from ${pg.escapeIdentifier(table)} t order by ctid`),
      );
    const sequences = await client.query<{ name: string; value: string }>(
      `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null`,
    );
    const [lastMigration = ''] = await texts('select max(name) as text from mikro_orm_migrations');
    return {
      lastMigration,
      tables,
      sequences: Object.fromEntries(sequences.rows.map(({ name, value }) => [name, value])),
    };
  });
  return { version, ...rows, histories: await historiesOf(temporal, `TaskQueue = "${taskQueue}"`, maxHistories) };
}

/** Of the runs that the query finds, of each kind the latest `max`. */
export async function historiesOf(temporal: Temporal, query: string, max: number): Promise<Fixture['histories']> {
  const byKind = new Map<string, WorkflowExecutionInfo[]>();
  for await (const run of temporal.workflow.list({ query })) {
    const of = byKind.get(run.type) ?? [];
    byKind.set(run.type, of);
    if (of.length < max) of.push(run);
  }
  const histories: Fixture['histories'][number][] = [];
  for (const { workflowId, runId } of [...byKind.values()].flat())
    histories.push({ workflowId, history: await temporal.workflow.getHandle(workflowId, runId).fetchHistory() });
  return histories;
}

/** A database with the schema of the release and its rows. Today's migrations have not run. */
export async function restoreFixture(fixture: Fixture): Promise<TestDatabase> {
  const { ownerUrl, superuserPassword, apiPassword, workerPassword } = servers();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withClient(addressFor(ownerUrl, { database: 'postgres' }), (client) =>
    client.query(`create database ${name} template template0`),
  );
  const at = (user: string, password: string) => addressFor(ownerUrl, { database: name, user, password });
  const database: TestDatabase = {
    name,
    ownerUrl: addressFor(ownerUrl, { database: name }),
    apiUrl: at('escrow_api', apiPassword),
    workerUrl: at('escrow_worker', workerPassword),
    superuserUrl: at(SUPERUSER, superuserPassword),
    drop: () => dropDatabase(ownerUrl, name),
  };
  const orm = await connect({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'test-fixture' });
  try {
    await orm.migrator.up({ to: fixture.lastMigration });
    await orm.em.fork().execute('grant usage on schema public to escrow_api, escrow_worker');
  } finally {
    await orm.close();
  }
  await withClient(database.superuserUrl, (client) => load(client, fixture));
  return database;
}

/** As pg_restore does with --disable-triggers. */
async function load(client: pg.Client, { tables, sequences }: Fixture): Promise<void> {
  await client.query("set session_replication_role = 'replica'");
  const names = [...tables.keys()].map((table) => pg.escapeIdentifier(table));
  await client.query(`truncate ${names.join(', ')}`);
  for (const [table, rows] of tables) {
    const name = pg.escapeIdentifier(table);
    const { rows: columns } = await client.query<{ attname: string }>(
      `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [name],
    );
    const list = columns.map(({ attname }) => pg.escapeIdentifier(attname)).join(', ');
    for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
      await client.query(
        `insert into ${name} (${list}) overriding system value select ${list} from json_populate_recordset(null::${name}, $1::json)`,
        [`[${rows.slice(from, from + ROWS_PER_INSERT).join(',')}]`],
      );
  }
  for (const [name, value] of Object.entries(sequences))
    await client.query('select setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), value]);
  await client.query('analyze');
}

const TABLES = `select c.relname as text from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;

const TABLE = '# ';
const RUN = '@ ';

function format({ tables, histories, ...head }: Fixture): string {
  const lines = [JSON.stringify(head)];
  for (const [table, rows] of tables) lines.push(`${TABLE}${table}`, ...rows);
  for (const { workflowId, history } of histories) lines.push(`${RUN}${workflowId}`, historyToText(history).trimEnd());
  return `${lines.join('\n')}\n`;
}

function parse(text: string): Fixture {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const tables = new Map<string, string[]>();
  const histories: Fixture['histories'][number][] = [];
  let rows: string[] = [];
  let workflowId: string | undefined;
  for (const line of lines) {
    if (line.startsWith(TABLE)) {
      rows = [];
      tables.set(line.slice(TABLE.length), rows);
    } else if (line.startsWith(RUN)) workflowId = line.slice(RUN.length);
    else if (workflowId === undefined) rows.push(line);
    else histories.push({ workflowId, history: historyFrom(line) });
  }
  const { version, lastMigration, sequences }: Pick<Fixture, 'version' | 'lastMigration' | 'sequences'> =
    JSON.parse(head);
  return { version, lastMigration, sequences, tables, histories };
}
