import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { bare } from '../../support/api.ts';
import { documentForm, pdf } from '../../support/documents.ts';
import { eventually } from '../../support/eventually.ts';
import {
  done,
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/**
 * Row-level security is the second check between tenants: it applies if a `where company_id = …` is missing. The tables
 * come from the catalog, so a new table without a policy fails here.
 */

type Table = { readonly name: string; readonly column: 'company_id' | 'id'; readonly columns: readonly string[] };

const INSUFFICIENT_PRIVILEGE = '42501';

let service: TestService;
let owner: pg.Client;
let api: pg.Client;
let tables: readonly Table[];
let ours: string;
let theirs: string;

beforeAll(async () => {
  service = await sharedService();
  const companies = [await newCompany(service), await newCompany(service)];
  for (const company of companies) await fill(company);
  [ours, theirs] = companies.map(({ id }) => bare(id)) as [string, string]; // two of them
  owner = new pg.Client(service.database.ownerUrl);
  api = new pg.Client(service.database.apiUrl);
  await Promise.all([owner.connect(), api.connect()]);
  tables = await tenantTables();
});
afterAll(async () => {
  await Promise.all([owner.end(), api.end()]);
  await service.stop();
});

/** Fills as many tables as a short scenario can. */
async function fill(company: TestCompany): Promise<void> {
  const parties = await newParties(company);
  const { body: escrow } = await company.post('/v1/escrow/initiate', parties.escrow());
  await company.post(`/v1/escrow/${escrow.id}/release`);
  const user = await newUser(company);
  const path = `/v1/identity/users/${user.id}/document`;
  await done(untilAnswered(() => company.request('POST', path, { form: documentForm(pdf()) })));
}

async function tenantTables(): Promise<Table[]> {
  const { rows } = await owner.query<Table>(
    `select c.oid::regclass::text as name, case when c.relname = 'company' then 'id' else 'company_id' end as column,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.oid having c.relname = 'company' or bool_or(a.attname = 'company_id') order by 1`,
  );
  return rows;
}

/** Runs `work` in a transaction of escrow_api for the company, and rolls it back. */
async function asApi<T>(companyId: string | null, work: () => Promise<T>): Promise<T> {
  await api.query('begin');
  try {
    if (companyId !== null) await api.query(`select set_config('app.company_id', $1, true)`, [companyId]);
    return await work();
  } finally {
    await api.query('rollback');
  }
}

/** The SQLSTATE with which a statement fails; '' if it succeeds. */
async function failure(companyId: string, statement: string, values: unknown[]): Promise<string> {
  try {
    await asApi(companyId, () => api.query(statement, values));
    return '';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** Runs `look` on every table and returns all results, so one failure names all affected tables. */
async function everywhere<T>(look: (table: Table) => Promise<T>): Promise<Record<string, T>> {
  const found: Record<string, T> = {};
  for (const table of tables) found[table.name] = await look(table);
  return found;
}
const all = <T>(value: T) => Object.fromEntries(tables.map(({ name }) => [name, value]));

const count = async (client: pg.Client, statement: string, values: unknown[] = []) =>
  Number((await client.query(`select count(*) as rows from ${statement}`, values)).rows[0].rows);

test('escrow_api has no special rights: no superuser, no BYPASSRLS, owner of nothing, member of nothing', async () => {
  const { rows } = await owner.query(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
       (select count(*)::integer from pg_auth_members where member = r.oid) as memberships,
       (select count(*)::integer from pg_class where relowner = r.oid) as owns
     from pg_roles r where rolname = 'escrow_api'`,
  );
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      memberships: 0,
      owns: 0,
    },
  ]);
});

test('every table with a company is behind row-level security, for its owner too, and one policy lets escrow_api in', async () => {
  expect(tables.length).toBeGreaterThan(15);
  const found = await everywhere(async ({ name, column }) => {
    const { rows: flags } = await owner.query(
      'select relrowsecurity, relforcerowsecurity from pg_class where oid = $1::regclass',
      [name],
    );
    const { rows: policies } = await owner.query(
      `select polpermissive, polcmd, pg_get_expr(polqual, polrelid) as rows_seen, pg_get_expr(polwithcheck, polrelid) as rows_written
       from pg_policy where polrelid = $1::regclass and (polroles && array['escrow_api'::regrole::oid, 0::oid])`,
      [name],
    );
    const isOwn = `(${column} = current_company())`;
    expect(policies).toEqual([{ polpermissive: true, polcmd: '*', rows_seen: isOwn, rows_written: isOwn }]);
    return flags[0];
  });
  expect(found).toEqual(all({ relrowsecurity: true, relforcerowsecurity: true }));
});

test('no view bypasses it', async () => {
  const { rows } = await owner.query(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
       and has_table_privilege('escrow_api', c.oid, 'select')
       and (c.relkind = 'm' or not coalesce(c.reloptions @> array['security_invoker=true'], false))`,
  );
  expect(rows).toEqual([]);
});

describe('with the company set, and no where clause', () => {
  test('the rows of this company are visible, and no others', async () => {
    const seen = await everywhere(async ({ name, column }) => {
      const { rows } = await owner.query(`select has_table_privilege('escrow_api', $1, 'select') as may_read`, [name]);
      const rowsOf = (id: string) => count(owner, `${name} where ${column} = $1`, [id]);
      const isFilled = (await rowsOf(theirs)) > 0;
      if (!rows[0].may_read) return { own: 'unreadable', isFilled: true, foreign: 0 };
      return asApi(ours, async () => ({
        // The worker adds rows meanwhile: it seals the ledger.
        own: await eventually(async () => (await count(api, name)) === (await rowsOf(ours))),
        isFilled,
        foreign: await count(api, `${name} where ${column} is distinct from $1`, [ours]),
      }));
    });
    for (const [name, { own, foreign }] of Object.entries(seen))
      expect({ name, own, foreign }).toEqual({ name, own: own === 'unreadable' ? own : true, foreign: 0 });
    // The test would prove nothing on empty tables.
    expect(Object.values(seen).filter(({ isFilled }) => isFilled).length).toBeGreaterThan(12);
  });

  test('no row of another company can be inserted', async () => {
    const codes = await everywhere(({ name, column }) =>
      failure(ours, `insert into ${name} (${column}) values ($1)`, [theirs]),
    );
    expect(codes).toEqual(all(INSUFFICIENT_PRIVILEGE));
  });

  test('row-level security causes that refusal: the same row of the own company fails on a missing column instead', async () => {
    const insertable = ['app_user', 'administrator', 'api_key', 'document', 'ledger'];
    for (const name of insertable)
      expect([name, await failure(ours, `insert into ${name} (company_id) values ($1)`, [ours])]).toEqual([
        name,
        '23502',
      ]);
  });

  test('no row of another company can be changed or deleted, and no row can be moved to one', async () => {
    const touched = await everywhere(async ({ name, column, columns }) => {
      const results: string[] = [];
      for (const changed of columns) {
        const statement = `update ${name} set ${pg.escapeIdentifier(changed)} = ${pg.escapeIdentifier(changed)} where ${column} = $1`;
        results.push(await rowsTouched(statement, [theirs]));
      }
      results.push(await rowsTouched(`delete from ${name} where ${column} = $1`, [theirs]));
      const givenAway = await failure(ours, `update ${name} set ${column} = $1`, [theirs]);
      const isRefused = givenAway === INSUFFICIENT_PRIVILEGE || (givenAway === '' && (await isEmptyForUs(name)));
      return {
        results: [...new Set(results)].filter((result) => result !== 'none' && result !== 'refused'),
        isRefused,
      };
    });
    expect(touched).toEqual(all({ results: [], isRefused: true }));
  });

  /** 'none', 'refused', or what happened instead. */
  async function rowsTouched(statement: string, values: unknown[]): Promise<string> {
    try {
      const { rowCount } = await asApi(ours, () => api.query(statement, values));
      return rowCount === 0 ? 'none' : `${rowCount} by ${statement}`;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // An identity column cannot be set in any row.
      return code === INSUFFICIENT_PRIVILEGE || code === '428C9' ? 'refused' : `${String(code)} by ${statement}`;
    }
  }
  const isEmptyForUs = (name: string) => asApi(ours, async () => (await count(api, name)) === 0);
});

test('without a company, or with an empty one, no row is visible', async () => {
  for (const companyId of [null, '']) {
    const seen = await everywhere(async ({ name }) => {
      const { rows } = await owner.query(`select has_table_privilege('escrow_api', $1, 'select') as may_read`, [name]);
      return rows[0].may_read ? asApi(companyId, () => count(api, name)) : 0;
    });
    expect(seen).toEqual(all(0));
  }
});

test('the company is reset at the end of the transaction, so no connection carries it to the next request', async () => {
  await withClient(service.database.apiUrl, async (client) => {
    await client.query('begin');
    await client.query(`select set_config('app.company_id', $1, true)`, [ours]);
    expect(await count(client, 'app_user')).toBeGreaterThan(0);
    await client.query('commit');
    expect(await count(client, 'app_user')).toBe(0);
  });
});
