import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { PERSONAL, PersonalDay, SECRET } from '../../e2e/personal-day.ts';
import { bare } from '../../support/api.ts';
import { UNTIED_FUNCTIONS } from '../../support/catalogue.ts';
import { type OwnService, ownService } from '../../support/own-service.ts';
import { randomOf } from '../../support/random.ts';
import { newCompany, newUser } from '../../support/service.ts';

/**
 * Functions with the owner's rights, called by the API's role for one company with forged arguments: ids and rows of another company,
 * nulls, numbers at the limits, long and crafted texts. None answers anything of the other company, or changes a row of it.
 */

const CALLS = Number(process.env.CALLS ?? 60);
const SEED = Number(process.env.SEED ?? 1);
const STATEMENT_MS = 5_000;
/** Lists what is to be deleted of all companies, by ids alone. */
const OF_ALL = ['documents_to_delete'];
/** Errors of the server itself: a crash, or an internal error. */
const FAULT = /^(XX|57P|53)/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

type Fn = {
  readonly name: string;
  readonly signature: string;
  readonly types: readonly string[];
  readonly is_procedure: boolean;
};
type Row = Record<string, unknown>;

type Pick = <T>(values: readonly T[]) => T;

function pickerOf(seed: number): Pick {
  const random = randomOf(seed);
  return (values) => values[random(values.length)] as (typeof values)[number]; // none is empty
}

let service: OwnService;
let owner: pg.Client;
let api: pg.Client;
let worker: pg.Client;
let ours: string;
let theirs: string;
let tables: readonly string[];
/** Values of the other company by PostgreSQL's type. */
const foreign: { uuids: string[]; texts: string[]; row: Row } = { uuids: [], texts: [], row: {} };
/** What no answer may have: words and ids of the other company. */
let secrets: readonly string[];

beforeAll(async () => {
  service = await ownService();
  const [own, other] = [await newCompany(service), await newCompany(service)];
  await newUser(own);
  await new PersonalDay(service, other).live();
  [ours, theirs] = [bare(own.id), bare(other.id)];
  // Nothing but the test changes a row from here on.
  await service.stopWorker();
  await service.stopApi();
  owner = new pg.Client(service.database.ownerUrl);
  api = new pg.Client(service.database.apiUrl);
  worker = new pg.Client(service.database.workerUrl);
  await Promise.all([owner, api, worker].map((client) => client.connect()));
  for (const client of [api, worker]) await client.query(`set statement_timeout = ${STATEMENT_MS}`);
  tables = (
    await owner.query<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id') order by 1`,
    )
  ).rows.map(({ name }) => name);
  await learn();
});
afterAll(async () => {
  await Promise.all([owner?.end(), api?.end(), worker?.end()]);
  await service?.stop();
});

/** Collects what the other company has. */
async function learn(): Promise<void> {
  const where = async (condition: string) =>
    (
      await Promise.all(
        tables.map((table) =>
          owner.query<{ row: Row }>(`select to_jsonb(t) as row from "${table}" t where ${condition} limit 200`, [
            theirs,
          ]),
        ),
      )
    ).flatMap(({ rows }) => rows.map(({ row }) => row));
  const rows = await where('company_id = $1');
  const idsIn = (all: readonly Row[]) => new Set(JSON.stringify(all).match(UUID));
  const known = idsIn(await where('company_id <> $1')); // such as the accounts of the platform
  foreign.row = Object.assign({}, ...rows, { company_id: theirs });
  foreign.uuids = [...idsIn(rows)].filter((id) => !known.has(id));
  foreign.texts = rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
  expect(foreign.uuids.length).toBeGreaterThan(100);
  secrets = [...foreign.uuids, ...Object.values({ ...SECRET, ...PERSONAL })];
}

/** The definer functions that a role may execute. */
async function functionsOf(role: string): Promise<Fn[]> {
  const { rows } = await owner.query<Fn>(
    `select p.proname as name, p.oid::regprocedure::text as signature, p.prokind = 'p' as is_procedure,
       array(select format_type(t, null) from unnest(p.proargtypes) with ordinality as a(t, n) order by n) as types
     from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.prorettype <> 'trigger'::regtype
       and has_function_privilege($1, p.oid, 'execute') order by 2`,
    [role],
  );
  return rows;
}

const LONG = 'x'.repeat(100_000);
const CRAFTED = [
  '',
  '%',
  '_',
  `'; drop table entry; --`,
  `{"a": [[[[]]]]}`,
  '{}',
  '{NULL}',
  '\u{202e}',
  LONG,
  'company',
  'escrow',
  '*',
];

function scalar(type: string, pick: Pick, isForged: boolean): unknown {
  switch (type) {
    case 'uuid':
      return isForged
        ? pick([theirs, pick(foreign.uuids), ours])
        : pick([ours, '00000000-0000-0000-0000-000000000000']);
    case 'text':
      return isForged && pick([...Array(3).keys()]) > 0 ? pick(foreign.texts) : pick(CRAFTED);
    case 'jsonb': {
      const row = isForged ? foreign.row : { company_id: ours };
      return JSON.stringify(
        pick<unknown>([[row], row, [row, row], [{ ...row, line: row, posting: row }], [], {}, [null], 0]),
      );
    }
    case 'boolean':
      return pick([true, false]);
    case 'integer':
      return pick([0, 1, 10, -1, 2_147_483_647]);
    case 'bigint':
    case 'numeric':
      return pick(['0', '1', '-1', '9223372036854775807']);
    case 'interval':
      return pick(['0', '1 second', '-100 years', '100 years']);
    case 'timestamp with time zone':
    case 'date':
      return pick(['-infinity', 'infinity', '2026-01-01', '1900-01-01']);
    case 'bytea':
      return pick([Buffer.alloc(0), Buffer.alloc(32)]);
    default:
      return null;
  }
}

function argument(type: string, pick: Pick, isForged: boolean): unknown {
  if (pick([...Array(8).keys()]) === 0) return null;
  if (!type.endsWith('[]')) return scalar(type, pick, isForged);
  const length = pick([0, 1, 2, 2, 2, 1_000]);
  return Array.from({ length }, () => scalar(type.slice(0, -2), pick, isForged));
}

/** The other company's rows. What the order of two equal rows is does not matter. */
async function digests(): Promise<Record<string, string>> {
  const parts = tables.map(
    (table) =>
      `select '${table}' as name, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as digest from "${table}" t where company_id = $1`,
  );
  const { rows } = await owner.query<{ name: string; digest: string }>(parts.join(' union all '), [theirs]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

async function call(
  client: pg.Client,
  { signature, types, name, is_procedure }: Fn,
  values: readonly unknown[],
): Promise<{ rows: unknown; code: string }> {
  await client.query('begin');
  try {
    await client.query(`select set_config('app.company_id', $1, true)`, [ours]);
    const places = types.map((type, index) => `$${index + 1}::${type}`).join(', ');
    const { rows } = await client.query(is_procedure ? `call ${name}(${places})` : `select * from ${name}(${places})`, [
      ...values,
    ]);
    await client.query('commit');
    return { rows, code: '' };
  } catch (error) {
    await client.query('rollback');
    if (error instanceof pg.DatabaseError)
      return { rows: [error.message, error.detail, error.hint], code: error.code ?? '' };
    throw new Error(`${signature}: the connection is lost`, { cause: error });
  }
}

test('none answers or changes anything of another company', async () => {
  const untied: readonly string[] = Object.values(UNTIED_FUNCTIONS).flat();
  const functions = await functionsOf('escrow_api');
  expect(functions.length).toBeGreaterThan(50);
  const found: string[] = [];
  const answered = new Set<string>();
  let before = await digests();
  for (const fn of functions) {
    const pick = pickerOf(SEED);
    // Those that look up what a caller sends, for whoever sends it, get no values of the other company.
    const isForged = !untied.includes(fn.name);
    for (let calls = 0; calls < CALLS; calls += 1) {
      const values = fn.types.map((type) => argument(type, pick, isForged));
      const { rows, code } = await call(api, fn, values);
      if (code === '') answered.add(fn.name);
      if (FAULT.test(code)) found.push(`${fn.signature} failed with ${code}: ${JSON.stringify(rows).slice(0, 200)}`);
      if (code === '57014') found.push(`${fn.signature} took too long: ${JSON.stringify(values).slice(0, 200)}`);
      const text = JSON.stringify(rows);
      const sent = JSON.stringify(values);
      const leaked = secrets.filter((secret) => text.includes(secret) && !sent.includes(secret));
      if (leaked.length > 0 && !OF_ALL.includes(fn.name))
        found.push(`${fn.signature} answers ${leaked.slice(0, 3)} to ${sent.slice(0, 300)}`);
    }
    const after = await digests();
    const changed = tables.filter((table) => before[table] !== after[table]);
    if (changed.length > 0) found.push(`${fn.signature} changes ${changed}`);
    before = after;
  }
  expect([...new Set(found)]).toEqual([]);
  expect(answered.size).toBeGreaterThan(20); // others refuse what they are given
});

test("those of the worker's role do not break the server", async () => {
  const found: string[] = [];
  for (const fn of await functionsOf('escrow_worker')) {
    const pick = pickerOf(SEED);
    for (let calls = 0; calls < CALLS; calls += 1) {
      const { rows, code } = await call(
        worker,
        fn,
        fn.types.map((type) => argument(type, pick, false)),
      );
      if (FAULT.test(code) || code === '57014')
        found.push(`${fn.signature} failed with ${code}: ${JSON.stringify(rows).slice(0, 200)}`);
    }
  }
  expect([...new Set(found)]).toEqual([]);
});
