import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlStateOf } from '../../../src/db/core/violations.ts';
import { type Books, openBooks } from '../ledger/books.ts';

const FOREIGN_KEY_VIOLATION = '23503';

type Reference = { readonly table: string; readonly column: string; readonly target: string };
type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_needed: boolean;
};

let books: Books;
let references: Reference[];
let columns: Column[];

/** Every check but the foreign keys is switched off, so a row of made-up values is refused for no other reason. */
beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  const found = await em.execute<Reference[]>(
    `select c.relname as table, a.attname as column, t.relname as target
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]
     where k.contype = 'f' and k.conparentid = 0 and k.connamespace = 'public'::regnamespace order by 1, 2`,
  );
  // Columns that name an administrator of the company or of the platform: a trigger checks them.
  const staff = await em.execute<Reference[]>(
    `select c.relname as table, a.attname as column, 'administrator' as target
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_attribute a on a.attrelid = t.tgrelid
     where t.tgfoid = 'check_staff'::regproc and t.tgparentid = 0 and t.tgargs = a.attname::text::bytea || '\\x00'
     order by 1, 2`,
  );
  references = [...found, ...staff];
  columns = await em.execute<Column[]>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as is_needed
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0
       and not a.attisdropped`,
  );
  await em.execute(`do $$
    declare one record;
    begin
      for one in select c.relname, k.conname from pg_constraint k join pg_class c on c.oid = k.conrelid
        where k.contype = 'c' and not c.relispartition and c.relnamespace = 'public'::regnamespace
      loop execute format('alter table %I drop constraint %I', one.relname, one.conname); end loop;
      for one in select distinct c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where not t.tgisinternal and not c.relispartition and c.relnamespace = 'public'::regnamespace
      loop execute format('alter table %I disable trigger user', one.relname); end loop;
      for one in select c.relname, t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where t.tgfoid = 'check_staff'::regproc and not c.relispartition
      loop execute format('alter table %I enable trigger %I', one.relname, one.tgname); end loop;
    end $$`);
});
afterAll(() => books.close());

const VALUES: Readonly<Record<string, () => unknown>> = {
  uuid: () => randomUUID(),
  text: () => randomUUID(),
  encrypted_text: () => `test.${'0'.repeat(40)}`,
  bigint: () => 1,
  integer: () => 1,
  numeric: () => 1,
  boolean: () => false,
  jsonb: () => '{}',
  bytea: () => Buffer.from(randomUUID()),
  date: () => new Date(),
  interval: () => '1 second',
  'timestamp with time zone': () => new Date(),
};

/** Adds a row of made-up values with the rows that it needs, all of one company. Returns the key by which others refer to it. */
async function addRow(
  em: EntityManager,
  table: string,
  companyId: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const row: Record<string, unknown> = { ...given };
  for (const { name, type, is_needed: isNeeded } of columns.filter((column) => column.table === table)) {
    if (!isNeeded || name in row) continue;
    const reference = references.find((one) => one.table === table && one.column === name);
    if (name === 'company_id' || (table === 'company' && name === 'id')) row[name] = companyId;
    else if (reference?.target === 'currency') row[name] = 'USD';
    else if (reference !== undefined) row[name] = await addRow(em, reference.target, companyId);
    else row[name] = type.endsWith('[]') ? '{}' : VALUES[type]?.();
  }
  const names = Object.keys(row);
  const [added] = await em.execute<{ id?: string }[]>(
    `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) returning *`,
    Object.values(row),
  );
  return added?.id ?? '';
}

/** The SQLSTATE with which PostgreSQL refuses a row of one company that refers to a row of `owner`; null if it accepts it. */
async function refusalOf({ table, column, target }: Reference, owner: 'itself' | 'another'): Promise<string | null> {
  const em = books.owner.em.fork();
  await em.begin();
  try {
    const [own, other] = [randomUUID(), randomUUID()];
    await addRow(em, 'company', own);
    await addRow(em, 'company', other);
    const named = await addRow(em, target, owner === 'itself' ? own : other);
    if (table === 'company') await em.execute(`update company set ${column} = ? where id = ?`, [named, own]);
    else await addRow(em, table, own, { [column]: named });
    return null;
  } catch (error) {
    return sqlStateOf(error);
  } finally {
    await em.rollback();
  }
}

test("PostgreSQL refuses the owner's row that refers to another company's row, for every reference", async () => {
  const between = references.filter(({ target }) => !['company', 'currency'].includes(target));
  const found: [string, string | null, string | null][] = [];
  for (const reference of between)
    found.push([
      `${reference.table}.${reference.column}`,
      await refusalOf(reference, 'itself'),
      await refusalOf(reference, 'another'),
    ]);
  expect(found).toEqual(between.map(({ table, column }) => [`${table}.${column}`, null, FOREIGN_KEY_VIOLATION]));
  expect(found.length).toBeGreaterThan(30);
});
