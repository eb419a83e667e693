import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { findUnfitSettings } from '../../src/config/database-settings.ts';
import { connect } from '../../src/db/core/orm.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

/** The server of the tests has no standby, does not wait for the disk, and has the keepalive of the system. */

let database: TestDatabase;
let orm: MikroORM;
beforeAll(async () => {
  database = await freshDatabase();
  orm = await connect({ databaseUrl: database.workerUrl, poolMax: 1, applicationName: 'settings' });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

afterEach(() => orm.em.fork().execute('reset all')); // the pool has one connection

const unfit = async () => (await findUnfitSettings(orm)).map(({ name }) => name);
const KEEPALIVE = ['tcp_keepalives_count', 'tcp_keepalives_idle', 'tcp_keepalives_interval'];

test('settings with which a failover loses commands are found, and the time limits of the role are there', async () => {
  expect(await unfit()).toEqual(['fsync', 'full_page_writes', 'synchronous_standby_names', ...KEEPALIVE]);
});

test.each([
  ['synchronous_commit', 'off'],
  ['synchronous_commit', 'local'],
  ['statement_timeout', '0'],
  ['tcp_keepalives_idle', '7200'],
])('%s = %s is found', async (name, value) => {
  await orm.em.fork().execute(`set ${name} = ${value}`);
  expect(await unfit()).toContain(name);
});

test.each([
  // idle, interval, count, what is found
  [30, 75, 3, [{ name: 'tcp_keepalives_interval', value: '75', wanted: 'at most 5' }]],
  [30, 5, 20, [{ name: 'tcp_keepalives_count', value: '20', wanted: 'at most 3' }]],
  [60, 5, 3, [{ name: 'tcp_keepalives_idle', value: '60', wanted: 'at most 30' }]],
  [30, 5, 3, []],
  [15, 10, 3, []],
])('a keepalive of %i s, then every %i s, %i times', async (idle, interval, count, found) => {
  await orm.em
    .fork()
    .execute(
      `set tcp_keepalives_idle = ${idle}; set tcp_keepalives_interval = ${interval}; set tcp_keepalives_count = ${count}`,
    );
  const settings = await findUnfitSettings(orm);
  expect(settings.filter(({ name }) => KEEPALIVE.includes(name))).toEqual(found);
});

test('a commit that standbys have applied is fit', async () => {
  await orm.em.fork().execute('set synchronous_commit = remote_apply');
  expect(await unfit()).not.toContain('synchronous_commit');
});
