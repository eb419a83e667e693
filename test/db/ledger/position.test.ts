import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../../src/db/core/orm.ts';
import { type OpenEscrows, readPosition } from '../../../src/db/ledger/position.ts';
import { addCompany, type Books, openBooks, type TestCompany } from './books.ts';

/** The open escrows of a company are read from tallies. They are compared with the rows. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let books: Books;
let company: TestCompany;
let other: TestCompany;
beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  company = await addCompany(em, { users: 1 });
  other = await addCompany(em, { users: 1 });
});
afterAll(() => books.close());

type Row = {
  readonly status: string;
  readonly heldCents: number;
  readonly ageMs?: number;
  readonly disputedMs?: number;
};

const stateOf = ({ heldCents, disputedMs }: Row) =>
  JSON.stringify({
    heldCents: String(heldCents),
    dispute: disputedMs === undefined ? null : { openedAt: new Date(Date.now() - disputedMs).toISOString() },
  });

async function add(row: Row, of = company): Promise<string> {
  const id = uuidv7();
  const createdAt = new Date(Date.now() - (row.ageMs ?? 0));
  await books.owner.em.fork().execute(
    `insert into escrow (id, company_id, status, seq, buyer_id, currency, total_cents, state, created_at, updated_at)
     select ?, u.company_id, ?, 1, u.id, 'USD', 1000, ?::jsonb, ?, ? from app_user u where u.company_id = ? limit 1`,
    [id, row.status, stateOf(row), createdAt, createdAt, of.id],
  );
  return id;
}

const change = (id: string, row: Row) =>
  books.owner.em
    .fork()
    .execute('update escrow set status = ?, state = ?::jsonb where id = ?', [row.status, stateOf(row), id]);

const fold = () => books.worker.em.fork().execute('select open_escrow_fold()');

async function open(of = company, now = new Date()): Promise<readonly OpenEscrows[]> {
  const { open: found } = await inTenant(books.api, of.id, (em) => readPosition(em, of.id, now));
  return [...found].sort((one, two) => `${one.status} ${one.age}`.localeCompare(`${two.status} ${two.age}`));
}

async function counted(of = company): Promise<{ count: number; held: string }> {
  const [row] = await books.owner.em.fork().execute<{ count: number; held: string }[]>(
    `select count(*)::integer as count, coalesce(sum(held_cents), 0)::text as held from escrow
     where company_id = ? and status not in ('COMPLETED', 'CANCELLED', 'RESOLVED')`,
    [of.id],
  );
  return row ?? { count: 0, held: '0' };
}
const sumOf = (rows: readonly OpenEscrows[]) => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  held: String(rows.reduce((sum, { heldCents }) => sum + heldCents, 0n)),
});

test('an escrow is counted from its creation to its end, before and after the changes are added up', async () => {
  const own = await addCompany(books.owner.em.fork(), { users: 1 });
  const id = await add({ status: 'ACTIVE', heldCents: 1_000 }, own);
  const active = { currency: 'USD', status: 'ACTIVE', age: 'UP_TO_1_DAY', count: 1, heldCents: 1_000n };
  expect(await open(own)).toEqual([active]);
  await fold();
  expect(await open(own)).toEqual([active]);
  await change(id, { status: 'ACTIVE', heldCents: 400 });
  expect(await open(own)).toEqual([{ ...active, heldCents: 400n }]);
  await change(id, { status: 'DISPUTED', heldCents: 400, disputedMs: 0 });
  expect(await open(own)).toEqual([{ ...active, status: 'DISPUTED', heldCents: 400n }]);
  await fold();
  await change(id, { status: 'RESOLVED', heldCents: 0, disputedMs: 0 });
  expect(await open(own)).toEqual([]);
  await fold();
  expect(await open(own)).toEqual([]);
});

test.each([
  [2 * HOUR_MS, 'UP_TO_1_DAY'],
  [DAY_MS + 2 * HOUR_MS, 'UP_TO_7_DAYS'],
  [8 * DAY_MS, 'UP_TO_30_DAYS'],
  [40 * DAY_MS, 'OLDER'],
] as const)('an escrow of %i ms is %s, and a dispute counts from its opening', async (ageMs, age) => {
  const own = await addCompany(books.owner.em.fork(), { users: 1 });
  const id = await add({ status: 'ACTIVE', heldCents: 10, ageMs }, own);
  await add({ status: 'DISPUTED', heldCents: 10, ageMs: 50 * DAY_MS, disputedMs: ageMs }, own);
  const expected = [
    { currency: 'USD', status: 'ACTIVE', age, count: 1, heldCents: 10n },
    { currency: 'USD', status: 'DISPUTED', age, count: 1, heldCents: 10n },
  ];
  expect(await open(own)).toEqual(expected);
  await fold();
  expect(await open(own)).toEqual(expected);
  // An escrow whose hour was added to the old ones ends where it is counted.
  await change(id, { status: 'COMPLETED', heldCents: 0, ageMs });
  await fold();
  expect((await open(own)).map(({ status }) => status)).toEqual(['DISPUTED']);
});

test('while escrows come, change and end, and several add up at once', async () => {
  const lives = Array.from({ length: 40 }, async (_, number) => {
    const id = await add({ status: 'ACTIVE', heldCents: 100, ageMs: number * DAY_MS });
    await change(id, { status: 'ACTIVE', heldCents: 60 });
    if (number % 2 === 0) await change(id, { status: 'COMPLETED', heldCents: 0 });
  });
  const folds = Array.from({ length: 20 }, async (_, number) => {
    await lives[number];
    await fold();
  });
  await Promise.all([...lives, ...folds]);
  expect(sumOf(await open())).toEqual(await counted());
  await fold();
  expect(sumOf(await open())).toEqual(await counted());
  expect(await counted()).toEqual({ count: 20, held: '1200' });
});

test('the API sees only its own company', async () => {
  await add({ status: 'ACTIVE', heldCents: 5 }, other);
  const rows = await inTenant(books.api, company.id, (em) =>
    em.execute(
      'select * from open_escrow_tally where company_id = ? union all select * from open_escrow_change where company_id = ?',
      [other.id, other.id],
    ),
  );
  expect(rows).toEqual([]);
});
