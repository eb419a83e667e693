import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { requireRealTime } from '../../src/config/database-checks.ts';
import { connect } from '../../src/db/core/orm.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { bare } from '../support/api.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { servers } from '../support/servers.ts';
import { newCompany } from '../support/service.ts';

/** Production runs in real time: a moved test clock would release money before its time. */

describe('a database in which a test clock was moved', () => {
  let service: OwnService;
  beforeAll(async () => {
    service = await ownService({ withWorker: false, settings: { isProduction: true } });
    const company = await newCompany(service);
    await withClient(service.database.ownerUrl, (client) =>
      client.query(`insert into company_clock (company_id, ahead, moved_by) values ($1, interval '1 hour', $2)`, [
        bare(company.id),
        randomUUID(),
      ]),
    );
  });
  afterAll(() => service.stop());

  test('is refused by the check for both roles and for the owner', async () => {
    for (const databaseUrl of Object.values({
      api: service.database.apiUrl,
      worker: service.database.workerUrl,
      owner: service.database.ownerUrl,
    }))
      await expect(check(databaseUrl)).rejects.toThrow(/A test clock was moved.*ESCROW_ENVIRONMENT=production refuses/);
  });

  test('has no sandbox operations in production, and starts neither an API nor a worker', async () => {
    for (const path of ['/v1/sandbox/clock', '/v1/sandbox/messages'])
      expect(await service.request('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await service.request('POST', '/v1/sandbox/clock', { body: { advanceHours: 1 } })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    const { body } = await service.request('GET', '/openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/v1/sandbox'))).toEqual([]);

    await service.stopApi();
    await expect(service.startApi()).rejects.toThrow(/A test clock was moved/);
    await expect(service.startWorker()).rejects.toThrow(/A test clock was moved/);
  });
});

describe('a database without a moved clock', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());
  const migrated = (isProduction: boolean) => {
    const { apiPassword, workerPassword } = servers();
    return migrate({ databaseUrl: database.ownerUrl, apiPassword, workerPassword, isProduction });
  };
  const mayMoveClocks = () =>
    withClient(database.ownerUrl, async (client) => {
      const { rows } = await client.query(
        `select has_table_privilege('escrow_api', 'company_clock', 'insert')
           or has_any_column_privilege('escrow_api', 'company_clock', 'update') as may`,
      );
      return rows[0]?.may;
    });
  beforeEach(() => migrated(false));

  test('passes the check, and so does an unreachable one', async () => {
    await check(database.apiUrl);
    await check('postgres://escrow_api:none@127.0.0.1:1/escrow');
  });

  test('lets nobody move clocks after the migration for production', async () => {
    expect(await mayMoveClocks()).toBe(true);
    await migrated(true);
    expect(await mayMoveClocks()).toBe(false);
  });
});

async function check(databaseUrl: string): Promise<void> {
  const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'test' });
  try {
    await requireRealTime(orm);
  } finally {
    await orm.close();
  }
}
