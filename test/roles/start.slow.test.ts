import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addressFor, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { dropDatabase } from '../support/database.ts';
import { FIELD_KEY } from '../support/keys.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { anyFreePort } from '../support/ports.ts';
import { beginWorkerProcess, RoleProcess } from '../support/role-process.ts';
import { servers } from '../support/servers.ts';

/** What a role prints when it cannot start. Each failure names the setting and the remedy, and ends with exit code 1. */

let service: OwnService;
/** Stays without a schema. */
const EMPTY = `empty_${process.pid}`;
const MIGRATED = `migrated_${process.pid}`;
beforeAll(async () => {
  service = await ownService({ withWorker: false });
  for (const name of [EMPTY, MIGRATED])
    await withClient(addressFor(servers().ownerUrl, { database: 'postgres' }), (client) =>
      client.query(`create database ${name} template template0`),
    );
});
afterAll(async () => {
  for (const name of [EMPTY, MIGRATED]) await dropDatabase(servers().ownerUrl, name);
  await service.stop();
});

const { apiPassword, workerPassword } = servers();
const migration = (databaseUrl: string, variables: Record<string, string> = {}) =>
  RoleProcess.start('migrate', {
    DATABASE_URL: databaseUrl,
    DATABASE_API_PASSWORD: apiPassword,
    DATABASE_WORKER_PASSWORD: workerPassword,
    FIELD_ENCRYPTION_KEYS: `${FIELD_KEY.id}:${FIELD_KEY.key.toString('base64')}`,
    ...variables,
  });

const FAILURES: readonly (readonly [string, () => RoleProcess | Promise<RoleProcess>, RegExp])[] = [
  [
    'a migration with a wrong password',
    () => migration(addressFor(service.database.ownerUrl, { password: 'wrong' })),
    /^DATABASE_URL: PostgreSQL refuses the password\./m,
  ],
  [
    'a worker with a wrong password',
    () => beginWorkerProcess(service, { DATABASE_URL: addressFor(service.database.workerUrl, { password: 'wrong' }) }),
    /^DATABASE_URL: PostgreSQL refuses the password\./m,
  ],
  [
    'a worker on a database that does not exist',
    () =>
      beginWorkerProcess(service, {
        DATABASE_URL: addressFor(service.database.workerUrl, { database: 'not_there' }),
      }),
    /^DATABASE_URL: the database does not exist\./m,
  ],
  [
    'a migration by a role without rights',
    () => migration(service.database.apiUrl),
    /^DATABASE_URL: the role lacks a privilege\./m,
  ],
  [
    'a migration where nothing listens',
    async () => migration(Object.assign(new URL(service.database.ownerUrl), { port: await anyFreePort() }).href),
    /^DATABASE_URL or TEMPORAL_ADDRESS: nothing listens there\./m,
  ],
  [
    'a migration at a host without an address',
    () => migration(service.database.ownerUrl.replace(/127\.0\.0\.1|localhost/, 'postgres.invalid')),
    /^DATABASE_URL or TEMPORAL_ADDRESS: the host has no address/m,
  ],
  [
    'a worker on a database without schema',
    () => beginWorkerProcess(service, { DATABASE_URL: addressFor(service.database.workerUrl, { database: EMPTY }) }),
    /npm run migrate/,
  ],
  [
    'a migration of a namespace that does not exist',
    () =>
      migration(service.database.ownerUrl, {
        TEMPORAL_ADDRESS: servers().temporalAddress,
        TEMPORAL_NAMESPACE: 'not-there',
      }),
    /^TEMPORAL_NAMESPACE: the namespace does not exist\./m,
  ],
];

describe('a start that fails says what to do:', () => {
  test.each(FAILURES)('%s', async (_what, begin, remedy) => {
    const role = await begin();
    expect(await role.exitCode).toBe(1);
    expect(role.output).toMatch(remedy);
    expect(role.output).not.toContain('unexpectedly');
  });
});

test('three first migrations at once all succeed', async () => {
  const url = addressFor(servers().ownerUrl, { database: MIGRATED });
  const migrations = [migration(url), migration(url), migration(url)];
  const ends = await Promise.all(migrations.map(async (one) => [await one.exitCode, one.output]));
  expect(ends).toEqual(ends.map(() => [0, expect.any(String)]));
});
