import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KINDS, UNCHECKED_IDS } from '../../support/catalogue.ts';
import { type Books, openBooks } from '../ledger/books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const rows = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  books.owner.em.fork().execute<Row[]>(sql, [...values]);

type Key = { name: string; table: string; columns: string[] };
type ForeignKey = Key & { target: string; target_columns: string[] };

const isTenant = (table: string) => (KINDS.tenant as readonly string[]).includes(table);

function foreignKeys(): Promise<ForeignKey[]> {
  return rows<ForeignKey>(`
    select k.conname as name, c.relname as table, t.relname as target,
      array(select a.attname::text from unnest(k.conkey) with ordinality x(n, at)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x.n order by x.at) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality x(n, at)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = x.n order by x.at) as target_columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and k.connamespace = 'public'::regnamespace order by 2, 1`);
}

describe('the catalogue of tables', () => {
  test('has every table, under one kind', async () => {
    const found = await rows<{ name: string }>(
      `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
         and relnamespace = 'public'::regnamespace`,
    );
    expect(Object.values(KINDS).flat().sort()).toEqual(found.map(({ name }) => name).sort());
  });

  test('every table of a tenant names its company', async () => {
    const found = await rows<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
         and a.attname = 'company_id' and a.attnotnull`,
    );
    const named = found.map(({ name }) => name).filter((name) => name !== 'directory');
    expect(named.sort()).toEqual([...KINDS.tenant].sort());
  });

  test("every primary and unique key of a tenant's table begins with its company", async () => {
    const keys = await rows<Key>(`
      select i.relname as name, c.relname as table,
        array(select coalesce(a.attname::text, 'an expression') from unnest(x.indkey) with ordinality k(n, at)
          left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.n order by k.at) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      where x.indisunique and c.relnamespace = 'public'::regnamespace and not c.relispartition order by 2, 1`);
    const broken = keys.filter(({ table, columns }) => isTenant(table) && columns[0] !== 'company_id');
    expect(broken).toEqual([]);
    expect(keys.filter(({ table }) => isTenant(table)).length).toBeGreaterThan(60);
  });

  test("every foreign key to a tenant's table contains the company on both sides", async () => {
    const broken = (await foreignKeys()).filter(
      ({ target, columns, target_columns: targets, table }) =>
        isTenant(target) &&
        !(targets[0] === 'company_id' && columns[0] === (table === 'company' ? 'id' : 'company_id')),
    );
    expect(broken).toEqual([]);
  });

  test("every id in a tenant's table is compared with the company, unless there is a reason", async () => {
    const found = await rows<{ table: string; name: string }>(`
      select c.relname as table, format('%s.%s', c.relname, a.attname) as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0
        and not a.attisdropped and a.attname not in ('id', 'company_id') and format_type(a.atttypid, null) in ('uuid', 'uuid[]')
        and not exists (select from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
        and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = 'check_staff'::regproc
          and t.tgargs = a.attname::text::bytea || '\\x00')`);
    const unchecked = found.filter(({ table }) => isTenant(table)).map(({ name }) => name);
    expect(unchecked.sort()).toEqual(Object.values(UNCHECKED_IDS).flat().sort());
  });

  test('every other foreign key leads to a table that all companies share', async () => {
    const targets = (await foreignKeys()).map(({ target }) => target).filter((target) => !isTenant(target));
    expect([...new Set(targets)].sort()).toEqual(['company', 'currency']);
  });
});
