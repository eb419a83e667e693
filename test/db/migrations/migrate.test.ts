import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requireDatabaseSchema } from '../../../src/config/database-checks.ts';
import { connect } from '../../../src/db/core/orm.ts';
import { migrationsList, requirePostgres } from '../../../src/db/migrations/index.ts';
import { migrate } from '../../../src/db/migrations/migrate.ts';
import { servers } from '../../support/servers.ts';
import { type Books, openBooks } from '../ledger/books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const rows = (sql: string) => books.owner.em.fork().execute<Record<string, unknown>[]>(sql);

test('every SQL file has run, once, in the order of its name', async () => {
  const names = (await rows('select name from mikro_orm_migrations order by id')).map((row) => row.name);
  expect(names).toEqual(migrationsList.map((migration) => ('name' in migration ? migration.name : '')));
  expect(names).toEqual([...names].sort());
});

test('repeated and concurrent runs change nothing and do not fail', async () => {
  const { apiPassword, workerPassword } = servers();
  const options = { databaseUrl: books.database.ownerUrl, apiPassword, workerPassword, isProduction: false };
  const before = await rows('select count(*) from mikro_orm_migrations');
  await Promise.all([migrate(options), migrate(options), migrate(options)]);
  expect(await rows('select count(*) from mikro_orm_migrations')).toEqual(before);
});

test('a program of the service that works under the lock has a connection of its own, so its changes are committed', async () => {
  const { apiPassword, workerPassword } = servers();
  const options = { databaseUrl: books.database.ownerUrl, apiPassword, workerPassword, isProduction: false };
  let asService: unknown;
  await migrate(options, async () => {
    const { databaseUrl } = options;
    const program = await connect({ databaseUrl, poolMax: 1, applicationName: 'test', isForService: true });
    asService = await program.em.fork().execute(`select current_setting('app.as_service', true) as value`);
    await program.close();
  });
  expect(asService).toEqual([{ value: 'on' }]);
});

test('a server that is too old is refused, and the message names both versions', async () => {
  await requirePostgres(books.owner.em.fork());
  const [server] = await rows('show server_version');
  await expect(requirePostgres(books.owner.em.fork(), 99)).rejects.toThrow(
    `needs PostgreSQL 99 or later, and this server is ${server?.server_version}.`,
  );
});

describe('a database that was made by other files', () => {
  const options = () => {
    const { apiPassword, workerPassword } = servers();
    return { databaseUrl: books.database.ownerUrl, apiPassword, workerPassword, isProduction: false };
  };
  const during = async (change: string, undo: string, work: () => Promise<void>) => {
    await rows(change);
    await work().finally(() => rows(undo));
  };

  test('is refused by migrate and at every start, and the message says what to do', async () => {
    const [before] = await rows("select value from installation where name = '010-tenancy'");
    await during(
      "update installation set value = 'another' where name = '010-tenancy'",
      `update installation set value = '${before?.value}' where name = '010-tenancy'`,
      async () => {
        await expect(migrate(options())).rejects.toThrow('010-tenancy differs');
        await expect(requireDatabaseSchema(books.owner)).rejects.toThrow(/restore a backup/);
      },
    );
    await requireDatabaseSchema(books.owner);
  });

  test('is refused if it has no checksums at all', async () => {
    await during('alter table installation rename to away', 'alter table away rename to installation', async () => {
      await expect(migrate(options())).rejects.toThrow('no migration 005-installation');
      await expect(requireDatabaseSchema(books.owner)).rejects.toThrow(/npm run migrate/);
    });
  });

  test('is accepted if it only has migrations of a later version', async () => {
    await during(
      "insert into installation (kind, name, value) values ('migration', '999-later', 'x')",
      "delete from installation where name = '999-later'",
      () => requireDatabaseSchema(books.owner),
    );
  });
});

test('grants that were changed by hand are named by a metric, and restored by the next migration', async () => {
  const { apiPassword, workerPassword } = servers();
  const undone: string[] = [];
  await rows('revoke insert on escrow_event from escrow_worker');
  await rows('grant delete on entry to escrow_api');
  const missing = () => rows(`select label from task_snapshot() where metric = 'missing_grants'`);
  expect(await missing()).toEqual([{ label: 'insert on table escrow_event to escrow_worker' }]);
  const databaseUrl = books.database.ownerUrl;
  await migrate({ databaseUrl, apiPassword, workerPassword, isProduction: false, onGrant: (one) => undone.push(one) });
  expect(undone.sort()).toEqual([
    'grant insert on table escrow_event to escrow_worker',
    'revoke delete on table entry from escrow_api',
  ]);
  expect(await missing()).toEqual([]);
});

test('the roles of the service can log in and are not above row-level security', async () => {
  const found = await rows(
    `select rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname in ('escrow_api', 'escrow_worker') order by 1`,
  );
  const plain = { rolcanlogin: true, rolsuper: false, rolbypassrls: false, rolcreaterole: false };
  expect(found).toEqual([
    { rolname: 'escrow_api', ...plain },
    { rolname: 'escrow_worker', ...plain },
  ]);
});

test('no role of the service makes temporary tables, which would stand in for the tables that triggers read', async () => {
  const { apiPassword, workerPassword } = servers();
  await rows(`do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`);
  await migrate({ databaseUrl: books.database.ownerUrl, apiPassword, workerPassword, isProduction: false });
  const may = (role: string) => `has_database_privilege('${role}', current_database(), 'temporary')`;
  expect(await rows(`select ${may('escrow_api')} as api, ${may('escrow_worker')} as worker`)).toEqual([
    { api: false, worker: false },
  ]);
});

test('no function is open to everyone', async () => {
  const open = await rows(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace and has_function_privilege('public', oid, 'execute')`,
  );
  expect(open).toEqual([]);
});

test("no function with its owner's rights searches schemas that other roles can write", async () => {
  const open = await rows(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
     and not coalesce(proconfig, '{}') @> '{"search_path=public, pg_temp"}'`,
  );
  expect(open).toEqual([]);
});

test('every table that names a company is behind row-level security, also for its owner', async () => {
  const bare = await rows(
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not (c.relrowsecurity and c.relforcerowsecurity)`,
  );
  expect(bare).toEqual([]);
});
