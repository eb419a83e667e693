import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Books, openBooks } from '../ledger/books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

test('what a person has to look at is found without comparing all companies with each other', async () => {
  const COMPANIES = 1_000;
  const em = books.owner.em.fork();
  await em.begin();
  try {
    await em.execute(
      `insert into company (id, name, name_key, slug, created_at)
       select gen_random_uuid(), 'Many ' || n, 'many ' || least(n, ${COMPANIES - 1}), 'many-' || n, now() + n * interval '1 day'
       from generate_series(1, ${COMPANIES}) n`,
    );
    await em.execute('analyze company');
    await em.execute(`select set_config('app.company_id', platform_company()::text, true)`);
    const reads = async () => {
      const [row] = await em.execute<{ rows: number }[]>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables where relname = 'company'`,
      );
      return row?.rows ?? 0;
    };
    const before = await reads();
    const found = await em.execute(
      `select (select name from company where id = object_id) from platform_concerns(10, 10) where kind = 'LOOK_ALIKE_NAME'`,
    );
    expect(found).toEqual([{ name: `Many ${COMPANIES}` }]);
    expect((await reads()) - before).toBeLessThan(1.5 * COMPANIES);
  } finally {
    await em.rollback();
  }
});
