import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlStateOf } from '../../../src/db/core/database-errors.ts';
import { type Books, openBooks } from '../ledger/books.ts';

const FOREIGN_KEY_VIOLATION = '23503';

type Reference = { readonly table: string; readonly column: string; readonly target: string };
type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_needed: boolean;
};

/** The name in `column` of a row of `table` is in the directory under `kind`. */
type Directory = { readonly table: string; readonly column: string; readonly kind: string };

let books: Books;
let references: Reference[];
let directories: Directory[];
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
  // Columns that name a row of one of several tables: a trigger checks them.
  const named = await em.execute<Reference[]>(
    `select c.relname as table, split_part(encode(t.tgargs, 'escape'), '\\000', 1) as column,
       unnest(split_part(encode(t.tgargs, 'escape'), '\\000', 2)::text[]) as target
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgfoid = 'check_named'::regproc and t.tgparentid = 0 order by 1, 2, 3`,
  );
  references = [...found, ...named];
  directories = await em.execute<Directory[]>(
    `select split_part(encode(t.tgargs, 'escape'), '\\000', 1) as table,
       split_part(encode(t.tgargs, 'escape'), '\\000', 2) as column, replace(t.tgname, '_checked', '') as kind
     from pg_trigger t where t.tgfoid = 'check_directory'::regproc order by 3`,
  );
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
        where t.tgfoid = any (array['check_named', 'check_directory', 'settlement_has_receipt']::regproc[]) and not c.relispartition
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
    if (name === 'company_id' || name === 'by_company' || (table === 'company' && name === 'id')) row[name] = companyId;
    else if (reference?.target === 'currency') row[name] = 'USD';
    else if (reference !== undefined) row[name] = await anyRow(em, reference.target, companyId);
    else row[name] = type.endsWith('[]') ? '{}' : VALUES[type]?.();
  }
  const names = Object.keys(row);
  const [added] = await em.execute<{ id?: string }[]>(
    `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) returning *`,
    Object.values(row),
  );
  return added?.id ?? '';
}

/** A row of the company: one that is there, or a new one. */
async function anyRow(em: EntityManager, table: string, companyId: string): Promise<string> {
  const column = table === 'company' ? 'id' : 'company_id';
  const [known] = await em.execute<{ id: string }[]>(`select id from ${table} where ${column} = ? limit 1`, [
    companyId,
  ]);
  return known?.id ?? addRow(em, table, companyId);
}

/** The SQLSTATE with which PostgreSQL refuses what `write` adds; null if it accepts it. `own` and `other` are companies. */
async function refusalOf(
  write: (em: EntityManager, own: string, other: string) => Promise<unknown>,
): Promise<string | null> {
  const em = books.owner.em.fork();
  await em.begin();
  try {
    const [own, other] = [randomUUID(), randomUUID()];
    await addRow(em, 'company', own);
    await addRow(em, 'company', other);
    await write(em, own, other);
    return null;
  } catch (error) {
    return sqlStateOf(error);
  } finally {
    await em.rollback();
  }
}

test("PostgreSQL refuses the owner's row that refers to another company's row, for every reference", async () => {
  const between = references.filter(({ target }) => !['company', 'currency'].includes(target));
  const refused = ({ table, column, target }: Reference, isItsOwn: boolean) =>
    refusalOf(async (em, own, other) => {
      const named = await addRow(em, target, isItsOwn ? own : other);
      if (table === 'company') await em.execute(`update company set ${column} = ? where id = ?`, [named, own]);
      else await addRow(em, table, own, { [column]: named });
    });
  const found: [string, string | null, string | null][] = [];
  for (const reference of between)
    found.push([
      `${reference.table}.${reference.column} → ${reference.target}`,
      await refused(reference, true),
      await refused(reference, false),
    ]);
  expect(found).toEqual(
    between.map(({ table, column, target }) => [`${table}.${column} → ${target}`, null, FOREIGN_KEY_VIOLATION]),
  );
  expect(found.length).toBeGreaterThan(40);
});

test('a name in the directory leads to the row that has it, and to no other', async () => {
  const refused = (
    { kind, table, column }: Directory,
    row: (own: string, other: string) => { company: string; owner: string; isNamed: boolean },
  ) =>
    refusalOf(async (em, own, other) => {
      const { company, owner, isNamed } = row(own, other);
      const isText = columns.some((one) => one.table === table && one.name === column && one.type === 'text');
      const id = await addRow(em, table, owner, isText ? { [column]: randomUUID() } : {});
      const [found] = await em.execute<{ name: string }[]>(
        `select directory_name(?, ?, to_jsonb(t)) as name from ${table} t where company_id = ? and id = ?`,
        [kind, column, owner, id],
      );
      const key = isNamed ? found?.name : randomUUID();
      await em.execute('insert into directory (kind, key, company_id, id) values (?, ?, ?, ?)', [
        kind,
        key,
        company,
        id,
      ]);
    });
  const found: unknown[] = [];
  for (const directory of directories)
    found.push([
      directory.kind,
      await refused(directory, (own) => ({ company: own, owner: own, isNamed: true })),
      await refused(directory, (own) => ({ company: own, owner: own, isNamed: false })),
      await refused(directory, (own, other) => ({ company: own, owner: other, isNamed: true })),
    ]);
  expect(found).toEqual(directories.map(({ kind }) => [kind, null, FOREIGN_KEY_VIOLATION, FOREIGN_KEY_VIOLATION]));
  expect(found.length).toBe(10);
});

test('a settlement between companies names a receipt in the books of the platform', async () => {
  const refused = (isThePlatforms: boolean) =>
    refusalOf(async (em, own, other) => {
      await em.execute('update company set is_platform = true where id = ?', [other]);
      const receiptId = await addRow(em, 'ledger_transaction', isThePlatforms ? other : own);
      await addRow(em, 'intercompany_settlement', own, { receipt_id: receiptId });
      await em.execute('set constraints all immediate');
    });
  expect([await refused(true), await refused(false)]).toEqual([null, FOREIGN_KEY_VIOLATION]);
});
