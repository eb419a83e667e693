import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isOutage } from '../../../src/db/core/database-errors.ts';
import { connect } from '../../../src/db/core/orm.ts';
import { readsOnReplica } from '../../../src/db/core/reads.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { replicaReads } from '../../../src/observability/metrics.ts';
import { addressFor, SUPERUSER, withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { bare } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { type MigratedPostgres, startMigratedPostgres } from '../../support/migrated-postgres.ts';
import { type Replica, startReplica } from '../../support/replica.ts';
import { newCompany, newUser, type TestCompany } from '../../support/service.ts';
import { type OwnService, startService } from '../../support/whole-service.ts';

describe('statements and lists with a streaming replica', () => {
  const directory = mkdtempSync(join(tmpdir(), 'escrow-replica-'));
  const database = 'escrow';
  let primary: MigratedPostgres;
  let replica: Replica;
  let service: OwnService;
  let company: TestCompany;
  let user: { readonly id: string; readonly usdAccountId: string };
  beforeAll(async () => {
    primary = await startMigratedPostgres(join(directory, 'primary'), database);
    replica = await startReplica(primary, join(directory, 'primary'), join(directory, 'replica'));
    const { ownerUrl, apiPassword, workerPassword, superuserPassword } = primary;
    const apiUrl = addressFor(ownerUrl, { user: 'escrow_api', password: apiPassword });
    service = await startService({
      withWorker: false,
      databaseReadUrl: replica.via(apiUrl),
      database: {
        name: database,
        ownerUrl,
        apiUrl,
        workerUrl: addressFor(ownerUrl, { user: 'escrow_worker', password: workerPassword }),
        superuserUrl: addressFor(ownerUrl, { user: SUPERUSER, password: superuserPassword }),
        drop: async () => undefined,
      },
    });
    company = await newCompany(service);
    user = await newUser(company);
  });
  afterAll(async () => {
    await service.stop();
    await replica.child.stop();
    await primary.child.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(() => replicaReads.reset());

  const deposit = () => company.post('/v1/payments/deposit', { userId: user.id, amount: 100, currency: 'USD' });
  const statement = () => company.get(`/v1/ledger/accounts/${user.usdAccountId}/statement`);
  const onReplica = (sql: string) =>
    withClient(replica.via(service.database.superuserUrl), (client) => client.query(sql));
  async function outcomes(): Promise<Record<string, number>> {
    const { values } = await replicaReads.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
  }

  /** A connection to the replica that took too long makes reads avoid it for a while. The tests are not about that. */
  async function untilReplicaIsUsed(): Promise<void> {
    await eventually(async () => {
      await statement();
      return (await outcomes()).replica !== undefined;
    });
    replicaReads.reset();
  }

  test('see every write that was answered before', async () => {
    await untilReplicaIsUsed();
    let rounds = 0;
    await eventually(async () => {
      const made = await deposit();
      const { body } = await statement();
      expect(body.entries.at(-1)?.transactionId).toBe(made.body.id);
      rounds += 1;
      return rounds >= 20 && (await outcomes()).replica !== undefined;
    });
  });

  test.each([
    '/v1/ledger/company/accounts',
    '/v1/ledger/escrow/history',
    '/v1/ledger/stats/system',
    '/v1/ledger/stats/cashflow',
    '/v1/core/audit-log',
    '/v1/escrow',
    '/v1/escrow/active',
    '/v1/identity/users',
    '/v1/payments/links',
    '/v1/treasury/captures',
    '/v1/treasury/withdrawals',
  ])('GET %s runs on the replica', async (path) => {
    await eventually(async () => {
      const { status, body } = await company.get(path);
      if (status === 503) return false; // a busy machine
      if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      return (await outcomes()).replica !== undefined;
    });
  });

  test('run on the primary while the replica is behind', async () => {
    await untilReplicaIsUsed();
    await onReplica('select pg_wal_replay_pause()');
    await eventually(
      async () => (await onReplica('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state === 'paused',
    );
    try {
      const made = await deposit();
      const { body } = await statement();
      expect(body.entries.at(-1)?.transactionId).toBe(made.body.id);
      expect(Object.values(await outcomes())).toEqual([1]);
      expect(await outcomes()).not.toHaveProperty('replica');
    } finally {
      await onReplica('select pg_wal_replay_resume()');
    }
  });

  test('run on the primary if the address for reads is not a replica', async () => {
    await service.stopApi();
    const other = await startService({
      withWorker: false,
      database: service.database,
      databaseReadUrl: service.database.apiUrl,
    });
    try {
      const another = await newCompany(other);
      const read = async () => expect((await another.get('/v1/identity/users')).status).toBe(200);
      await eventually(async () => {
        await read();
        return (await outcomes()).foreign !== undefined;
      });
      for (let round = 1; round <= 10; round += 1) await read();
      expect((await outcomes()).foreign).toBeLessThan(5); // most of the next ones did not ask it again
    } finally {
      await other.stop();
      await service.startApi();
    }
  });

  test('run on the primary if the replica is on another timeline, even if its log is further on', async () => {
    const otherWay = await startReplica(primary, join(directory, 'primary'), join(directory, 'other-way'));
    const url = otherWay.via(addressFor(primary.ownerUrl, { user: 'escrow_api', password: primary.apiPassword }));
    await withClient(otherWay.via(service.database.superuserUrl), (client) => client.query('select pg_promote()'));
    await deposit();
    const poolMax = 2;
    const restored = await connect({ databaseUrl: url, poolMax, applicationName: 'test' });
    const former = await connect({
      databaseUrl: replica.via(url),
      poolMax,
      applicationName: 'test',
      mayBeStandby: true,
    });
    const isReplica = await readsOnReplica(restored, former)(bare(company.id) as CompanyId, async (em) => {
      const [row] = await em.execute<{ is_replica: boolean }[]>('select pg_is_in_recovery() as is_replica');
      return row?.is_replica;
    });
    await Promise.all([restored.close(), former.close()]);
    await otherWay.child.stop();
    expect(isReplica).toBe(false);
    expect(await outcomes()).toMatchObject({ foreign: 1 });
  });

  test('cannot share a connection with writes, which is closed if it leads to a standby', async () => {
    const url = replica.via(service.database.apiUrl);
    const orm = await connect({ databaseUrl: url, poolMax: 1, applicationName: 'led to a standby' });
    const failure = await orm.em
      .fork()
      .execute('select 1')
      .catch((error: unknown) => error);
    expect(isOutage(failure)).toBe(true);
    const sessions = `select from pg_stat_activity where application_name = 'led to a standby'`;
    await eventually(async () => (await onReplica(sessions)).rowCount === 0);
    await orm.close();
  });

  test('run on the primary while the replica is down', async () => {
    await service.stopApi();
    const { port } = new URL(service.url);
    const other = await startService({
      withWorker: false,
      database: service.database,
      databaseReadUrl: service.database.apiUrl.replace(/:\d+\//, `:${port}/`), // nothing listens there
    });
    try {
      const another = await newCompany(other);
      for (let round = 1; round <= 10; round += 1) expect((await another.get('/v1/identity/users')).status).toBe(200);
      expect((await outcomes()).unavailable).toBeLessThan(5); // most of them did not try it again
    } finally {
      await other.stop();
      await service.startApi();
    }
  });
});
