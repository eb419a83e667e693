import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Closing, closedPeriod, readClosings } from '../../../src/db/ledger/statements.ts';
import { lockCash } from '../../../src/db/treasury/cash-backing.ts';
import { seedFeeConfigs } from '../../../src/db/treasury/fee-configs.ts';
import type { Period } from '../../../src/domain/ledger/statement.ts';
import { addCompany, type Books, fund, openBooks, type TestCompany } from './books.ts';

const HOUR_MS = 3_600_000;
/** So many that the hashes of their ids look like earlier and like later times. */
const COMPANIES = 8;

let books: Books;
let platform: TestCompany;
let companies: TestCompany[];
beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  platform = await addCompany(em, { users: 0, isPlatform: true });
  companies = [];
  for (let count = 0; count < COMPANIES; count += 1) companies.push(await addCompany(em, { users: 1 }));
});
afterAll(() => books.close());

/** An hour that has just ended, on the database's clock. */
async function endedHour(em: EntityManager) {
  const [row] = await em.execute<{ now: Date }[]>(`select date_trunc('milliseconds', clock_timestamp()) as now`);
  const to = new Date(row?.now ?? Number.NaN);
  return { from: new Date(to.getTime() - HOUR_MS), to };
}

async function closed(em: EntityManager, { id }: TestCompany, period: Period): Promise<Period> {
  const [closing] = (await readClosings(em, [id])) as [Closing]; // one for each company
  return closedPeriod(closing, period);
}

test('a period that would begin after a posting in flight is empty, and before that posting', async () => {
  const em = books.owner.em.fork();
  const sender = books.owner.em.fork();
  const company = await addCompany(em, { users: 1 });
  await sender.begin();
  await fund(sender, company, company.user(0), 100n);
  const { to } = await endedHour(em);
  const { from, to: end } = await closed(em, company, { from: to, to });
  await sender.commit();
  const [entry] = await em.execute<{ at: Date }[]>('select created_at as at from entry where company_id = ?', [
    company.id,
  ]);
  expect(from).toEqual(end);
  expect(end.getTime()).toBeLessThanOrEqual(new Date(entry?.at ?? 0).getTime());
});

test('a posting in flight holds back its own company and the platform, and no other company that asks at the same time', async () => {
  const em = books.owner.em.fork();
  const sender = books.owner.em.fork();
  const [poster, ...others] = companies as [TestCompany, ...TestCompany[]]; // there are 8
  await sender.begin();
  await fund(sender, poster, poster.user(0), 100n);
  const { to } = await endedHour(em);
  const closings = await readClosings(
    em,
    [...others, poster, platform].map(({ id }) => id),
  );
  await sender.commit();
  const isHeldBack = closings.map(({ until }) => until <= to);
  expect(isHeldBack).toEqual([...others.map(() => false), true, true]);
});

describe('the period of a statement ends earlier only for a posting in flight', () => {
  test.each([
    ['the cash', (em: EntityManager, { id }: TestCompany) => lockCash(em, id, 'USD')],
    [
      'the default rates',
      (em: EntityManager, { id }: TestCompany) =>
        seedFeeConfigs(em, { id, systemFeeBasisPoints: 100, serviceFeeBasisPoints: 0 }),
    ],
  ])('and not while a transaction locks %s of companies', async (_, lock) => {
    const em = books.owner.em.fork();
    await books.owner.em.fork().transactional(async (other) => {
      for (const company of companies) await lock(other, company);
      const period = await endedHour(em);
      expect(await closed(em, platform, period)).toEqual(period);
    });
  });

  test('because ledger_post alone takes advisory locks with two keys', () => {
    // The other calls have a number, a parameter, or one hash. hashtextextended returns a bigint, which is always the only key.
    const TWO_KEYS = /advisory_\w*lock\w*\((?!hashtextextended\(|hashtext\('\w+'\)\)|[\w?]+\))/;
    const src = join(import.meta.dirname, '../../../src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:ts|sql)$/.test(file));
    const withTwoKeys = files.filter((file) => TWO_KEYS.test(readFileSync(join(src, file), 'utf8')));
    expect(withTwoKeys).toEqual([join('db', 'migrations', '120-ledger-post.sql')]);
  });
});
