import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { connect, inTenant } from '../../../src/db/core/orm.ts';
import { replayEvents, retryDelivery } from '../../../src/db/webhooks/deliveries.ts';
import { changeEndpoint } from '../../../src/db/webhooks/endpoints.ts';
import {
  dueDeliveries,
  endpointsToWake,
  fallAsleep,
  leaveToRun,
  pullEvents,
  recordAttempts,
  type Sender,
} from '../../../src/db/webhooks/queue.ts';
import type { CompanyId, WebhookId } from '../../../src/domain/ids.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

/** The queue of endpoints in a database of its own, without runs and receivers. */

let database: TestDatabase | undefined;
let worker: MikroORM;
let api: MikroORM;
let owner: pg.Client;
const companyId = randomUUID() as CompanyId; // made here
const RUN: Sender = { kind: 'run', id: randomUUID() };

async function open(): Promise<TestDatabase> {
  const opened = await freshDatabase();
  worker = await connect({ databaseUrl: opened.workerUrl, poolMax: 4, applicationName: 'test-webhooks' });
  api = await connect({ databaseUrl: opened.apiUrl, poolMax: 2, applicationName: 'test-webhooks-api' });
  owner = new pg.Client(opened.ownerUrl);
  await owner.connect();
  await owner.query('insert into company (id, name, slug) values ($1, $2, $2)', [companyId, 'queue']);
  await owner.query(
    `insert into administrator (id, company_id, first_name, last_name, email, password_hash, role, proof)
     values ($1, $1, 'A', 'B', 'owner@test.example', 'x', 'OWNER', 'x.x')`,
    [companyId],
  );
  return opened;
}
/** The next test gets another database, which has no statistics. */
async function close(): Promise<void> {
  if (database === undefined) return;
  await owner.end();
  await api.close();
  await worker.close();
  await database.drop();
  database = undefined;
}
beforeEach(async () => {
  database ??= await open();
  await owner.query('truncate webhook_endpoint, event cascade');
});
afterAll(close);

/** Endpoints for all types that have received everything up to `cursor`. Their ids rise. */
async function addEndpoints(count: number, cursor: number): Promise<WebhookId[]> {
  const { rows } = await owner.query(
    `insert into webhook_endpoint (id, company_id, url, events, secret, created_by_kind, created_by, cursor_position)
     select uuidv7(), $1, 'https://shop.example/', '{*}', $2, 'administrator', $1, $3 from generate_series(1, $4)
     returning id`,
    [companyId, `test.${'x'.repeat(39)}`, cursor, count],
  );
  return rows.map(({ id }) => id).toSorted();
}

/** One event, of an object of its own unless `objectId` names one. */
async function addEvent(position: number, at = new Date(), objectId: string = randomUUID()): Promise<void> {
  await owner.query(
    `insert into event (position, id, company_id, type, object_kind, object_id, created_at, source, data)
     values ($1, gen_random_uuid(), $2, 'user.created', 'user', $4, $3, 'SYSTEM', '{}')`,
    [position, companyId, at, objectId],
  );
}

const wake = async (companies: readonly CompanyId[] | null = null) =>
  (await endpointsToWake(worker.em.fork(), companies)).map(({ id }) => id);
const duePositions = async (id: WebhookId) =>
  (await dueDeliveries(worker.em.fork(), companyId, id)).map(({ event }) => event.position);

const hasDue = async (id: WebhookId) => (await fallAsleep(worker.em.fork(), companyId, id, RUN)).hasWork;

async function pullAll(id: WebhookId): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const pulled = await pullEvents(worker, companyId, id, RUN, true);
    hasMore = pulled.kind === 'pulled' && pulled.hasMore;
  }
}

async function onlyEndpoint(cursor = 0): Promise<WebhookId> {
  const [id] = await addEndpoints(1, cursor);
  if (id === undefined) throw new Error('no endpoint was written');
  return id;
}

describe('the run of an endpoint', () => {
  test('is woken for an event, however many other endpoints have nothing to do', async () => {
    await addEvent(1);
    await addEndpoints(1_200, 1);
    const [last] = await addEndpoints(1, 0);
    expect(await wake()).toEqual([last]);
    expect(await wake()).toEqual([]); // it counts as awake
  });

  test('is woken for an event of its company without a look at the endpoints of other companies', async () => {
    await addEvent(1);
    await addEndpoints(1_000, 0);
    const other = randomUUID() as CompanyId; // made here
    await owner.query('insert into company (id, name, slug) values ($1, $2, $2)', [other, 'other']);
    await owner.query('vacuum (analyze)');
    await owner.query('select pg_stat_force_next_flush()'); // otherwise what was read before counts too
    await owner.query('begin');
    expect((await owner.query(`select from webhooks_to_wake('1 s', array[$1::uuid])`, [other])).rowCount).toBe(0);
    const { rows } = await owner.query(
      `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_scan, 0))::integer as reads from pg_stat_xact_user_tables
       where relname in ('webhook_endpoint', 'webhook_delivery', 'event')`,
    );
    await owner.query('rollback');
    expect(rows[0].reads).toBeLessThan(10);
    expect(await wake([other])).toEqual([]);
    expect(await wake([companyId])).toHaveLength(1_000);
  });

  test('is not woken for deliveries whose events were removed', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    await pullAll(id);
    await owner.query('delete from event');
    await owner.query('update webhook_endpoint set awake_until = null');
    await pullAll(id);
    await owner.query('update webhook_endpoint set awake_until = null');
    expect(await wake()).toEqual([]);
  });
});

describe.each([
  { when: 'without statistics', early: 'select', late: 'select' },
  { when: 'with statistics from before its rows', early: 'analyze', late: 'select' },
  { when: 'with statistics of its rows', early: 'select', late: 'analyze' },
])('a company with many endpoints and events, $when', ({ early, late }) => {
  const [EVENTS, ENDPOINTS] = [1_000, 200];
  let behind: WebhookId | undefined;
  let waiting: WebhookId | undefined;

  beforeAll(close);
  beforeEach(async () => {
    await owner.query(early);
    await owner.query(
      `insert into event (position, id, company_id, type, object_kind, object_id, created_at, source, data)
       select n, gen_random_uuid(), $1, 'user.created', 'user', gen_random_uuid(), now() - interval '1 minute', 'SYSTEM', '{}'
       from generate_series(1, $2::integer) n`,
      [companyId, EVENTS],
    );
    await addEndpoints(ENDPOINTS, EVENTS);
    [behind] = await addEndpoints(1, EVENTS - 1);
    [waiting] = await addEndpoints(1, EVENTS);
    await owner.query(
      `insert into webhook_delivery (endpoint_id, company_id, position, event_id, event_type, object_id, created_at)
       select $1, company_id, position, id, type, object_id, now() - interval '2 minutes' from event where position = $2`,
      [waiting, EVENTS],
    );
    await owner.query(late);
    await owner.query('select pg_stat_force_next_flush()'); // otherwise what was read before counts too
  });

  /** The answer, without reading all events for each endpoint. */
  async function answer(statement: string) {
    await owner.query('begin');
    const found = await owner.query(statement);
    const { rows } = await owner.query(
      `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables
       where relname = 'event'`,
    );
    await owner.query('rollback');
    expect(rows[0].rows).toBeLessThan((EVENTS * ENDPOINTS) / 10);
    return found.rows;
  }

  test('shows the lag of those with work', async () => {
    const lags = await answer(
      `select label, round(value / 60) as minutes from event_snapshot() where metric = 'webhook_lag_seconds'`,
    );
    expect(lags).toEqual([
      { label: waiting, minutes: 2 },
      { label: behind, minutes: 1 },
    ]);
  });

  test('wakes those with work', async () => {
    const woken = await answer(`select id from webhooks_to_wake('1 s')`);
    expect(woken.map(({ id }) => id).toSorted()).toEqual([behind, waiting].toSorted());
  });
});

describe('an endpoint', () => {
  test('receives changes from before its creation that enter the feed later, so that none is lost between two reads', async () => {
    const id = await onlyEndpoint();
    const { rows } = await owner.query('select created_at as at from webhook_endpoint');
    const createdAt: Date = rows[0].at;
    await addEvent(1, new Date(createdAt.getTime() - 60_000)); // its step waited for the database
    await pullAll(id);
    expect(await duePositions(id)).toEqual([1]);
  });

  test('receives the events of the time in which it was disabled', async () => {
    const id = await onlyEndpoint();
    const change = (status: 'DISABLED' | 'ENABLED') =>
      inTenant(api, companyId, (em) => changeEndpoint(em, companyId, id, { status }));
    await change('DISABLED');
    await addEvent(1);
    await change('ENABLED');
    await pullAll(id);
    expect(await duePositions(id)).toEqual([1]);
  });
});

describe('an endpoint that a worker holds', () => {
  const WORKER: Sender = { kind: 'worker', id: randomUUID() };
  const held = async (sender = WORKER) =>
    (await endpointsToWake(worker.em.fork(), null, sender)).filter(({ isHeld }) => isHeld);
  const pull = async (id: WebhookId, sender: Sender, isFirst = sender.kind === 'run') =>
    (await pullEvents(worker, companyId, id, sender, isFirst)).kind;
  const endHold = (id: WebhookId, sender = WORKER) => fallAsleep(worker.em.fork(), companyId, id, sender);
  /** As if its sender had given no sign of life for long. */
  const passTime = () =>
    owner.query(
      `update webhook_endpoint set awake_until = now() - interval '1 s', held_until = now() - interval '1 s'`,
    );

  test('has nothing but new events', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    expect(await held()).toMatchObject([{ id }]);
    await endHold(id);
    await owner.query('update webhook_endpoint set failing_since = now()');
    expect(await held()).toEqual([]);
    await owner.query('update webhook_endpoint set failing_since = null, awake_until = null');
    await pullAll(id); // as a worker that was killed before it sent
    await owner.query('update webhook_endpoint set awake_until = null');
    expect(await held()).toEqual([]);
    expect(await duePositions(id)).toEqual([1]);
  });

  test('is not woken, and its run does not send, until the hold ends', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    await held();
    await owner.query('update webhook_endpoint set awake_until = null'); // as a replay by request
    expect(await wake()).toEqual([]);
    expect(await pull(id, RUN)).toBe('busy');
    await fallAsleep(worker.em.fork(), companyId, id, RUN);
    expect(await pull(id, WORKER)).toBe('pulled');
    await endHold(id);
    expect(await pull(id, RUN)).toBe('pulled');
    expect(await pull(id, WORKER)).toBe('busy');
    await passTime();
    await owner.query('delete from webhook_delivery');
    await addEvent(2);
    await held();
    await leaveToRun(worker.em.fork(), companyId, id, WORKER);
    expect(await pull(id, RUN)).toBe('pulled');
  });

  test('belongs to its run when the worker was killed and the time of the hold is over', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    await held();
    expect(await pull(id, WORKER)).toBe('pulled');
    await passTime();
    expect(await endpointsToWake(worker.em.fork(), null, WORKER)).toMatchObject([{ id, isHeld: false }]);
    expect(await pull(id, RUN)).toBe('pulled');
    expect(await pull(id, WORKER)).toBe('busy');
    expect(await duePositions(id)).toEqual([1]);
  });

  test('has one sender: one that was silent for too long neither sends on nor ends the hold of the next', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    await held();
    await passTime();
    const next: Sender = { kind: 'worker', id: randomUUID() };
    expect(await held(next)).toMatchObject([{ id }]);
    expect(await pull(id, WORKER)).toBe('busy');
    await endHold(id);
    await leaveToRun(worker.em.fork(), companyId, id, WORKER);
    expect(await pull(id, RUN)).toBe('busy');
    expect(await pull(id, next)).toBe('pulled');
  });

  test('stays with a worker that was silent for long while nobody else took it', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    await held();
    await passTime();
    expect(await pull(id, WORKER)).toBe('pulled');
    expect(await pull(id, RUN)).toBe('busy');
  });

  test('is taken by the next activity of the run from one that was lost', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    expect(await pull(id, RUN)).toBe('pulled');
    const next: Sender = { kind: 'run', id: randomUUID() };
    expect(await pull(id, next)).toBe('pulled');
    expect(await pull(id, RUN, false)).toBe('busy');
    expect(await pull(id, next, false)).toBe('pulled');
  });
});

describe('the outcome of a delivery', () => {
  const OK = { status: 200, error: null, answer: null, isDelivered: true, retryAt: null };
  const FAILED = { ...OK, status: 500, isDelivered: false };

  /** An endpoint with one delivery that has failed so many times, and a function that records the outcome of one more attempt. */
  async function sentOne(failedAttempts = 0) {
    const id = await onlyEndpoint();
    await addEvent(1);
    await pullAll(id);
    await owner.query('update webhook_delivery set failed_attempts = $1', [failedAttempts]);
    const [due] = await dueDeliveries(worker.em.fork(), companyId, id);
    if (due === undefined) throw new Error('nothing is due');
    const record = (outcome: typeof OK) =>
      recordAttempts(worker.em.fork(), companyId, id, [
        { deliveryId: due.id, failedAttempts, at: new Date(), durationMs: 1, ...outcome },
      ]);
    const retry = () => inTenant(api, companyId, (em) => retryDelivery(em, companyId, due.id));
    return { id, record, retry };
  }
  const state = async () => {
    const { rows } = await owner.query(
      `select d.status, failed_attempts as failures, w.failing_since is not null as "isFailing",
         (select count(*)::integer from webhook_attempt) as attempts
       from webhook_delivery d join webhook_endpoint w on w.id = d.endpoint_id`,
    );
    return rows[0];
  };

  test('that failed does not undo what another sender delivered meanwhile', async () => {
    const { record } = await sentOne();
    await record(OK);
    await record(FAILED);
    expect(await state()).toEqual({ status: 'DELIVERED', failures: 0, isFailing: false, attempts: 2 });
  });

  test('that failed for the last time does not end a delivery that was begun again meanwhile', async () => {
    const { id, record, retry } = await sentOne(9);
    await retry();
    await record(FAILED);
    expect(await state()).toEqual({ status: 'PENDING', failures: 0, isFailing: false, attempts: 1 });
    expect(await duePositions(id)).toEqual([1]);
  });

  test.each(['record', 'retry'] as const)(
    'can be written while the endpoint is changed: to %s locks the endpoint before the delivery',
    async (what) => {
      const sent = await sentOne();
      await owner.query('begin');
      await owner.query('select from webhook_endpoint for update'); // as a change does before that of its deliveries
      const writing = sent[what](OK);
      const waiting = 'select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid';
      await eventually(async () => ((await owner.query(waiting)).rowCount ?? 0) > 0);
      expect((await owner.query('select from webhook_delivery for update nowait')).rowCount).toBe(1);
      await owner.query('commit');
      await writing;
    },
  );
});

describe('a replay', () => {
  test('sends the events of its time, and none that lie between them in the feed', async () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
    const id = await onlyEndpoint(4);
    for (const [index, hour] of [10, 3, 11, 12].entries()) await addEvent(index + 1, at(hour));
    const isReplaying = await inTenant(api, companyId, (em) =>
      replayEvents(em, companyId, id, { from: at(10), to: at(12) }),
    );
    expect(isReplaying).toBe(true);
    await pullAll(id);
    expect(await duePositions(id)).toEqual([1, 3]);
  });
});

describe('the run of an endpoint has something to do', () => {
  const delay = (position: number) =>
    owner.query(`update webhook_delivery set next_attempt_at = now() + interval '1 hour' where position = $1`, [
      position,
    ]);

  test('while an event or a delivery waits, until the retry is planned for later', async () => {
    const id = await onlyEndpoint();
    expect(await fallAsleep(worker.em.fork(), companyId, id, RUN)).toEqual({ hasWork: false, nextAttemptAt: null });
    await addEvent(1);
    expect(await hasDue(id)).toBe(true); // the queue does not have it yet
    await pullAll(id);
    expect(await hasDue(id)).toBe(true);
    await delay(1);
    const { rows } = await owner.query('select next_attempt_at as at from webhook_delivery');
    expect(await fallAsleep(worker.em.fork(), companyId, id, RUN)).toEqual({
      hasWork: false,
      nextAttemptAt: rows[0].at,
    });
  });

  test('not for a delivery behind a planned retry of its object', async () => {
    const id = await onlyEndpoint();
    const objectId = randomUUID();
    await addEvent(1, new Date(), objectId);
    await addEvent(2, new Date(), objectId);
    await pullAll(id);
    await delay(1);
    expect(await hasDue(id)).toBe(false);
    expect(await duePositions(id)).toEqual([]);
    await owner.query('update webhook_endpoint set awake_until = null');
    expect(await wake()).toEqual([]);
    await addEvent(3);
    expect(await wake()).toEqual([id]);
  });

  test('and is found in time behind thousands that wait for a retry, whatever statistics the planner has', async () => {
    const other = await onlyEndpoint();
    await addEvent(0);
    await owner.query(
      `insert into webhook_delivery (endpoint_id, company_id, position, event_id, event_type, object_id)
       values ($1, $2, 0, $2, 'user.created', $2)`,
      [other, companyId],
    );
    await owner.query('analyze');
    const id = await onlyEndpoint(12_000); // no event is beyond its cursor
    // A first delivery of each object waits for its retry, and a second one for the first. The last one waits for nothing.
    await owner.query(
      `insert into webhook_delivery (endpoint_id, company_id, position, event_id, event_type, object_id, next_attempt_at)
       select $1, $2, n, $2, 'user.created', md5((case when n < 12000 then n % 6000 else n end)::text)::uuid, now() + case when n < 6000 then interval '1 hour' else '0' end
       from generate_series(0, 12000) n`,
      [id, companyId],
    );
    await addEvent(12_000);
    const startedAt = performance.now();
    expect(await duePositions(id)).toEqual([12_000]);
    expect(await hasDue(id)).toBe(true);
    expect(await wake()).toContain(id);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });

  test('not for a delivery whose event was removed', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    await pullAll(id);
    await owner.query('delete from event');
    expect(await hasDue(id)).toBe(false);
    expect(await duePositions(id)).toEqual([]);
  });
});

describe('an endpoint that is enabled', () => {
  test('gets its waiting deliveries at once, and as many tries as new ones', async () => {
    const id = await onlyEndpoint();
    await addEvent(1);
    await pullAll(id);
    await owner.query(`update webhook_delivery set failed_attempts = 9, next_attempt_at = now() + interval '12 hours'`);
    await owner.query(`update webhook_endpoint set status = 'DISABLED', disabled_reason = 'FAILING'`);
    expect(await duePositions(id)).toEqual([]);
    await inTenant(api, companyId, (em) => changeEndpoint(em, companyId, id, { status: 'ENABLED' }));
    expect(await duePositions(id)).toEqual([1]);
    expect(await dueDeliveries(worker.em.fork(), companyId, id)).toMatchObject([{ failedAttempts: 0 }]);
  });
});
