import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { addressFor, withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { refused } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { type OwnService, ownService } from '../../support/own-service.ts';
import { newCompany, type TestCompany } from '../../support/service.ts';

let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  service = await ownService({ withWorker: false });
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('GET /health', () => {
  test('says that the process is alive, without any credential', async () => {
    expect(await service.request('GET', '/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', version: 'test', uptimeSeconds: expect.any(Number) },
    });
  });
});

describe('GET /health/ready', () => {
  /** The first answer that says so of Temporal. A busy machine may not get its answer within 2 s. */
  const health = (path: string) =>
    eventually(async () => {
      const answer = await service.request('GET', path);
      return (answer.body.checks?.temporal ?? 'up') === 'up' && answer.body.status !== 'degraded' && answer;
    });
  afterEach(() => limitConnections(-1));

  test('says that database and Temporal answer', async () => {
    const { status, body } = await health('/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok', checks: { database: 'up', temporal: 'up' } });
  });

  test('is 503 while the database is down; the process stays alive, and operations answer Retry-After', async () => {
    await shutOut();
    const { status, body } = await health('/health/ready');
    expect(status).toBe(503);
    expect(body).toEqual({ status: 'unavailable', checks: { database: 'down', temporal: 'up' } });
    expect(await service.request('GET', '/health')).toMatchObject({ status: 200 });
    const refusal = await company.get('/v1/core/companies/me');
    expect(refusal).toMatchObject(refused(503, 'dependency_unavailable'));
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    await limitConnections(-1);
    await eventually(async () => (await service.request('GET', '/health/ready')).status === 200);
    await eventually(async () => (await company.get('/v1/core/companies/me')).status === 200);
  });

  test('/health/serving is 503 too while the database is down', async () => {
    expect(await health('/health/serving')).toMatchObject({ status: 200, body: { status: 'ok' } });
    await shutOut();
    expect(await health('/health/serving')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'down', temporal: 'up' } },
    });
    await limitConnections(-1);
    await eventually(async () => (await service.request('GET', '/health/serving')).status === 200);
  });

  /** Ends the API's connections, and refuses new ones. */
  async function shutOut(): Promise<void> {
    await withClient(service.database.apiUrl, async (asApi) => {
      await limitConnections(0);
      await asApi.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
      );
    });
  }

  async function limitConnections(limit: number): Promise<void> {
    const { name, ownerUrl } = service.database;
    await withClient(addressFor(ownerUrl, { database: 'postgres' }), (client) =>
      client.query(`alter database ${pg.escapeIdentifier(name)} connection limit ${limit}`),
    );
  }
});
