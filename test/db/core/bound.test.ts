import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { executeBound } from '../../../src/db/core/bound.ts';
import { connect } from '../../../src/db/core/orm.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let orm: MikroORM;

beforeAll(async () => {
  database = await freshDatabase();
  orm = await connect({ databaseUrl: database.ownerUrl, poolMax: 2, applicationName: 'test' });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

/** The text of the current statement, as PostgreSQL received it. */
const TEXT = 'select query as text from pg_stat_activity where pid = pg_backend_pid()';

describe('a statement with bound values', () => {
  test('keeps its values out of the text that PostgreSQL receives', async () => {
    const [bound] = await executeBound<{ text: string }>(orm.em.fork(), `${TEXT} and ?::text <> ''`, ['private']);
    expect(bound?.text).not.toContain('private');
    const [written] = await orm.em.fork().execute<{ text: string }[]>(`${TEXT} and ?::text <> ''`, ['private']);
    expect(written?.text).toContain('private');
  });

  test('gets its values in order, also quotes, question marks and null', async () => {
    const values = ["it's", '? $1 \\', null];
    const [row] = await executeBound(orm.em.fork(), 'select ?::text as a, ?::text as b, ?::text as c', values);
    expect(row).toEqual({ a: values[0], b: values[1], c: null });
  });

  test('runs in the transaction of its entity manager', async () => {
    const em = orm.em.fork();
    await em.begin();
    await executeBound(em, "select set_config('app.company_id', ?, true)", ['here']);
    const [inside] = await executeBound(em, 'select current_setting(?) as value', ['app.company_id']);
    await em.rollback();
    expect(inside).toEqual({ value: 'here' });
    const [outside] = await executeBound(em, 'select current_setting(?, true) as value', ['app.company_id']);
    expect(outside).not.toEqual({ value: 'here' });
  });
});
