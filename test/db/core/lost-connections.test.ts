import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { isOutage } from '../../../src/db/core/database-errors.ts';
import { connect, inTenant } from '../../../src/db/core/orm.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

/** When a server dies, its sessions end. Their clients must work again as soon as the server is back. */

const PLACES = 2;
const TIMES = PLACES * 3;

let database: TestDatabase;
let orm: MikroORM;
let superuser: MikroORM;
beforeAll(async () => {
  database = await freshDatabase();
  orm = await connect({ databaseUrl: database.ownerUrl, poolMax: PLACES, applicationName: 'lost' });
  superuser = await connect({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'killer' });
});
afterAll(async () => {
  await Promise.all([orm.close(), superuser.close()]);
  await database.drop();
});

const killAll = () =>
  superuser.em
    .fork()
    .execute(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'lost'`);

type InTransaction = <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>;
const COMPANY = '00000000-0000-7000-8000-000000000001' as CompanyId; // any company

describe.each<[string, InTransaction]>([
  ['a transaction', (work) => orm.em.fork().transactional(work)],
  ["a tenant's transaction", (work) => inTenant(orm, COMPANY, work)],
])('%s', (_, inTransaction) => {
  const works = () => inTransaction((em) => em.execute('select 1 as one'));
  /** The pool may still have dead connections: each is found by its use. As many transactions as places use them all. */
  const recovered = () =>
    eventually(async () => {
      const all = await Promise.allSettled(Array.from({ length: PLACES }, works));
      return all.every(({ status }) => status === 'fulfilled');
    });

  test('that loses its connection between two statements fails, and frees its place in the pool', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const lost = inTransaction(async (em) => {
        await em.execute('select 1');
        await killAll();
        await em.execute('select 2');
      });
      expect(isOutage(await lost.catch((error: unknown) => error))).toBe(true);
    }
    await recovered();
  });

  test('that loses its connection before its commit fails, and frees its place in the pool', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      const lost = inTransaction(async (em) => {
        await em.execute('select 1');
        await killAll();
      });
      expect(isOutage(await lost.catch((error: unknown) => error))).toBe(true);
    }
    await recovered();
  });

  test('that cannot begin fails, and frees its place in the pool', async () => {
    for (let time = 0; time < TIMES; time += 1) {
      await recovered();
      // Not awaited: the pool may or may not have noticed it when the next one begins.
      const killed = killAll();
      await Promise.all(Array.from({ length: PLACES * 2 }, () => works().catch((error: unknown) => error)));
      await killed;
    }
    await recovered();
  });
});

test('two transactions on one connection each see only their own tenant', async () => {
  const asked = "select current_setting('app.company_id', true) as company";
  const inside = await inTenant(orm, COMPANY, (em) => em.execute(asked));
  expect(inside).toEqual([{ company: COMPANY }]);
  for (let time = 0; time < TIMES; time += 1)
    expect(await orm.em.fork().transactional((em) => em.execute(asked))).not.toEqual([{ company: COMPANY }]);
});

test.each([
  ['open', "select set_config('app.company_id', '', false)"],
  ['failed', 'select 1 / 0'],
])(
  'a connection that comes back to the pool inside a transaction that is %s is not used again',
  async (_, statement) => {
    const em = orm.em.fork();
    for (let place = 0; place < PLACES; place += 1)
      await em
        .execute(`begin; ${statement}`)
        .catch((error: unknown) => expect(String(error)).toMatch('division by zero'));
    const isInTransaction = 'select now() <> statement_timestamp() as "isInTransaction"';
    for (let time = 0; time < TIMES; time += 1)
      expect(await em.execute(isInTransaction)).toEqual([{ isInTransaction: false }]);
  },
);
