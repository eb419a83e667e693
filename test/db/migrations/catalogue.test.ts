import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { KINDS, UNCHECKED_IDS } from '../../support/catalogue.ts';
import { type Books, openBooks } from '../ledger/books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

type Key = { name: string; table: string; columns: string[] };
type ForeignKey = Key & { target: string; target_columns: string[] };

const isTenant = (table: string) => (KINDS.tenant as readonly string[]).includes(table);
/** The names that only one of the lists has. */
const difference = (some: readonly string[], others: readonly string[]) => [
  ...some.filter((name) => !others.includes(name)),
  ...others.filter((name) => !some.includes(name)),
];

/** Everything that holds rows, in any schema but those of PostgreSQL itself. */
const TABLES = `(select c.*, case when c.relnamespace = 'public'::regnamespace then c.relname::text else c.oid::regclass::text end as name
  from pg_class c join pg_namespace s on s.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'm', 'f') and not c.relispartition and s.nspname !~ '^pg_' and s.nspname <> 'information_schema')`;

const foreignKeys = (em: EntityManager) =>
  em.execute<ForeignKey[]>(`
    select k.conname as name, c.name as table, t.name as target,
      array(select a.attname::text from unnest(k.conkey) with ordinality x(n, at)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x.n order by x.at) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality x(n, at)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = x.n order by x.at) as target_columns
    from pg_constraint k join ${TABLES} c on c.oid = k.conrelid join ${TABLES} t on t.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 order by 2, 1`);

/** Rule → what breaks it. */
const RULES = {
  'every table is listed, under one kind': async (em) => {
    const found = await em.execute<{ name: string }[]>(`select c.name from ${TABLES} c`);
    return difference(
      found.map(({ name }) => name),
      Object.values(KINDS).flat(),
    );
  },
  'every table of a tenant names its company': async (em) => {
    const found = await em.execute<{ name: string }[]>(
      `select c.name from ${TABLES} c join pg_attribute a on a.attrelid = c.oid
       where a.attname = 'company_id' and a.attnotnull and c.name <> 'directory'`,
    );
    return difference(
      found.map(({ name }) => name),
      KINDS.tenant,
    );
  },
  "every primary and unique key of a tenant's table begins with its company": async (em) => {
    const keys = await em.execute<Key[]>(`
      select i.relname as name, c.name as table,
        array(select coalesce(a.attname::text, 'an expression') from unnest(x.indkey) with ordinality k(n, at)
          left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.n order by k.at) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join ${TABLES} c on c.oid = x.indrelid
      where x.indisunique or x.indisexclusion order by 2, 1`);
    return keys.filter(({ table, columns }) => isTenant(table) && columns[0] !== 'company_id');
  },
  "every foreign key to a tenant's table contains the company on both sides": async (em) =>
    (await foreignKeys(em)).filter(
      ({ target, columns, target_columns: targets, table }) =>
        isTenant(target) && !(targets[0] === 'company_id' && columns[0] === (COMPANY_COLUMN[table] ?? 'company_id')),
    ),
  'every other foreign key names the own company, or a row that all companies share': async (em) =>
    (await foreignKeys(em)).filter(
      ({ target, columns }) =>
        !isTenant(target) && target !== 'currency' && !(target === 'company' && columns.join() === 'company_id'),
    ),
  'every id is compared with the company, unless there is a reason': async (em) => {
    const found = await em.execute<{ name: string }[]>(`
      select format('%s.%s', c.name, a.attname) as name
      from pg_attribute a join ${TABLES} c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      where a.attnum > 0 and not a.attisdropped and a.attname not in ('id', 'company_id')
        and ('uuid'::regtype in (t.oid, t.typbasetype, t.typelem) or (a.attname ~ '_ids?$' and t.typcategory <> 'N'))
        and not exists (select from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
        and not exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgenabled = 'O'
          and (g.tgfoid = 'check_named'::regproc and starts_with(encode(g.tgargs, 'escape'), a.attname || '\\000')
            or (g.tgfoid = 'settlement_has_receipt'::regproc and a.attname = 'receipt_id')))`);
    return difference(
      found.map(({ name }) => name),
      Object.values(UNCHECKED_IDS).flat(),
    );
  },
} satisfies Readonly<Record<string, (em: EntityManager) => Promise<unknown[]>>>;

/** Where the column with the company has another name. */
const COMPANY_COLUMN: Readonly<Record<string, string>> = { company: 'id', blacklist_mark: 'by_company' };

/** The broken rules, with what breaks them. */
async function broken(em: EntityManager): Promise<Record<string, unknown[]>> {
  const found: [string, unknown[]][] = [];
  for (const [rule, look] of Object.entries(RULES)) found.push([rule, await look(em)]);
  return Object.fromEntries(found.filter(([, offences]) => offences.length > 0));
}

test("tables and keys follow the rules that keep companies' rows apart", async () => {
  expect(await broken(books.owner.em.fork())).toEqual({});
});

const NOTED = 'alter table dispute_note add column';
/** What a change of the schema could bring → the rule that it breaks. */
const SNEAKED: Readonly<Record<string, readonly [statements: string, rule: keyof typeof RULES]>> = {
  'a table that nobody listed': ['create table added (id uuid)', 'every table is listed, under one kind'],
  'a table in a schema of its own': [
    'create schema apart; create table apart.added (company_id uuid, escrow_id uuid)',
    'every table is listed, under one kind',
  ],
  'a stored view': [
    'create materialized view added as select id, buyer_id from escrow',
    'every table is listed, under one kind',
  ],
  'a unique key without the company': [
    'create unique index on escrow (id)',
    "every primary and unique key of a tenant's table begins with its company",
  ],
  'an exclusion without the company': [
    'alter table escrow add exclude using hash (buyer_id with =)',
    "every primary and unique key of a tenant's table begins with its company",
  ],
  'a reference to another company': [
    `${NOTED} partner uuid references company`,
    'every other foreign key names the own company, or a row that all companies share',
  ],
  'an id without a foreign key': [
    `${NOTED} other_note uuid`,
    'every id is compared with the company, unless there is a reason',
  ],
  'a list of ids': [`${NOTED} notes uuid[]`, 'every id is compared with the company, unless there is a reason'],
  'an id of a type of its own': [
    `create domain note_reference as uuid; ${NOTED} other_note note_reference`,
    'every id is compared with the company, unless there is a reason',
  ],
  'an id as text': [`${NOTED} note_id text`, 'every id is compared with the company, unless there is a reason'],
  'an id in a table of no company': [
    'alter table login_try add column escrow uuid',
    'every id is compared with the company, unless there is a reason',
  ],
  'a foreign key, dropped': [
    'alter table escrow drop constraint escrow_company_id_buyer_id_fkey',
    'every id is compared with the company, unless there is a reason',
  ],
  'a check, switched off': [
    'alter table dispute_note disable trigger dispute_note_administrator_id_named',
    'every id is compared with the company, unless there is a reason',
  ],
};

/** In a table that is partitioned by the company (`npm run try:partitions`), PostgreSQL itself refuses a key without it. */
const REFUSED_IN_PARTITIONS = /constraint on partitioned table must include all partitioning columns/;

test.each(Object.entries(SNEAKED))('%s does not pass unnoticed', async (_, [statements, rule]) => {
  const em = books.owner.em.fork();
  await em.begin();
  try {
    const noticed = await em.execute(statements).then(
      async () => Object.keys(await broken(em)),
      (error: unknown) => (REFUSED_IN_PARTITIONS.test(String(error)) ? [rule] : [String(error)]),
    );
    expect(noticed).toContain(rule);
  } finally {
    await em.rollback();
  }
});
