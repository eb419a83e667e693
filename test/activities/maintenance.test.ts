import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { MockActivityEnvironment } from '@temporalio/testing';
import { NOTHING_HEALED } from '../../src/activities/findings.ts';
import {
  createMaintenanceActivities,
  type MaintenanceActivities,
} from '../../src/activities/maintenance.activities.ts';
import { connect } from '../../src/db/core/orm.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;
let orm: MikroORM;
let activities: MaintenanceActivities;

beforeAll(async () => {
  database = await freshDatabase();
  orm = await connect({ databaseUrl: database.workerUrl, poolMax: 2, applicationName: 'maintenance-test' });
  const swept = async () => ({ checked: 0, healed: NOTHING_HEALED, next: null });
  activities = createMaintenanceActivities(orm, { sweepRows: swept, sweepRuns: swept });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

const ALL = { isNewOnly: false, previous: null };
const HEARTBEAT_TIMEOUT_MS = 200;
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Runs `work` while no audit can read the entries. */
function whileAuditsWait<T>(work: () => Promise<T>): Promise<T> {
  return withClient(database.superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table entry in access exclusive mode');
    const result = await work();
    await client.query('commit');
    return result;
  });
}

describe('the audit activity', () => {
  test('sends heartbeats while the audit runs, and then returns its result', async () => {
    const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS });
    let beats = 0;
    environment.on('heartbeat', () => {
      beats += 1;
    });
    const running = await whileAuditsWait(async () => {
      const audit = environment.run(() => activities.auditLedger(ALL));
      await eventually(async () => beats >= 5);
      return { audit };
    });
    expect(await running.audit).toMatchObject({ ok: true, mismatchCount: 0 });
  });

  test('begins anew if another audit is stored after its snapshot', async () => {
    const next = await withClient(database.superuserUrl, async (other) => {
      await other.query('begin');
      await other.query('select ledger_keep_audit(true)');
      const audit = new MockActivityEnvironment().run(() => activities.auditLedger(ALL));
      await eventually(async () => (await orm.em.fork().execute(WAITING)).length === 1);
      await other.query('commit');
      return audit;
    });
    expect(next).toMatchObject({ ok: true });
  });

  test('ends at once when it is cancelled, and leaves the next audit free to run', async () => {
    const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS });
    let isBeating = false;
    environment.on('heartbeat', () => {
      isBeating = true;
    });
    await whileAuditsWait(async () => {
      const end = environment.run(() => activities.auditLedger(ALL)).catch((error: unknown) => error);
      await eventually(async () => isBeating);
      environment.cancel('CANCELLED');
      expect(await end).toMatchObject({ name: 'CancelledFailure' });
    });
    const next = new MockActivityEnvironment();
    expect(await next.run(() => activities.auditLedger(ALL))).toMatchObject({ ok: true });
  });
});
