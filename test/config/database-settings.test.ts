import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

const unfit = async () => (await findUnfitSettings(orm)).map(({ name }) => name);

test('settings with which a failover loses commands are found, and the time limits of the role are there', async () => {
  expect(await unfit()).toEqual(['fsync', 'full_page_writes', 'synchronous_standby_names', 'tcp_keepalives_idle']);
});

test.each([
  ['synchronous_commit', 'off'],
  ['synchronous_commit', 'local'],
  ['statement_timeout', '0'],
  ['tcp_keepalives_idle', '7200'],
])('%s = %s is found', async (name, value) => {
  await orm.em.fork().execute(`set ${name} = ${value}`); // the pool has one connection
  expect(await unfit()).toContain(name);
  await orm.em.fork().execute(`reset ${name}`);
});

test('a keepalive of 30 s and a commit that standbys have applied are fit', async () => {
  await orm.em.fork().execute('set tcp_keepalives_idle = 30; set synchronous_commit = remote_apply');
  expect(await unfit()).toEqual(['fsync', 'full_page_writes', 'synchronous_standby_names']);
});
