import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { connect } from '../../../src/db/core/orm.ts';
import { SEAL_FACTS, sealEvents, startEventSealer, tryAgain } from '../../../src/db/events/event-sealer.ts';
import { type EventRecord, listEvents } from '../../../src/db/events/events.ts';
import { clearOldEvents } from '../../../src/db/operations/housekeeping.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

/** The feed of a database of its own. Writers are plain connections, so that a test decides when each commits. */

let database: TestDatabase;
let worker: MikroORM;
let owner: pg.Client;
let companyId: CompanyId;

beforeAll(async () => {
  database = await freshDatabase();
  worker = await connect({ databaseUrl: database.workerUrl, poolMax: 8, applicationName: 'test-events' });
  owner = new pg.Client(database.ownerUrl);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await worker.close();
  await database.drop();
});
/** Each test has a company of its own, and an empty feed. */
beforeEach(async () => {
  companyId = randomUUID() as CompanyId; // made here
  await owner.query('truncate event_fact, event_set_aside, event');
  await owner.query('update event_feed set last_position = 0');
  await owner.query('insert into company (id, name, slug) values ($1::uuid, $1::text, $1::text)', [companyId]);
});

async function addUser(): Promise<string> {
  const id = randomUUID();
  await owner.query(
    `insert into app_user (id, company_id, mobile_number, id_number, first_name) values ($1::uuid, $2, $1::text, $3, '0')`,
    [id, companyId, `test.${'x'.repeat(39)}`],
  );
  return id;
}

/** One change of a user, numbered on the locked row: its event carries the number as the first name. */
const CHANGE = 'update app_user set first_name = (first_name::integer + 1)::text where id = $1';

const read = (after: number, limit = 1_000) => listEvents(worker.em.fork(), companyId, {}, { after, limit });
const sealAll = async () => {
  while ((await sealEvents(worker)) !== null);
};

/** Pages through the feed while it grows, until it has seen `total` events. */
async function readEverything(total: number, limit: number): Promise<EventRecord[]> {
  const seen: EventRecord[] = [];
  await eventually(async () => {
    while (seen.length < total) {
      const page = await read(seen.at(-1)?.position ?? 0, limit);
      if (page.length === 0) return false;
      seen.push(...page);
    }
    return true;
  });
  return seen;
}

describe('the feed', () => {
  test('shows every event once and in the order of its object to every reader, with 16 writers that commit in random order', async () => {
    const [writers, changesEach] = [16, 15];
    const users: string[] = [];
    for (let made = 0; made < 6; made += 1) users.push(await addUser());
    const total = users.length + writers * changesEach;
    const closing = new AbortController();
    const options = { intervalMs: 2, log: { error: () => undefined, info: () => undefined }, signal: closing.signal };
    const sealers = [1, 2].map(() => startEventSealer(worker, options));
    const readers = [1, 7, 100].map((limit) => readEverything(total, limit));

    const write = async () => {
      const client = new pg.Client(database.apiUrl);
      await client.connect();
      for (let change = 0; change < changesEach; change += 1) {
        await client.query('begin');
        await client.query(`select set_config('app.company_id', $1, true)`, [companyId]);
        await client.query(CHANGE, [users[Math.floor(Math.random() * users.length)]]);
        await wait(Math.random() * 8); // the commit comes later than those of transactions that began later
        await client.query('commit');
      }
      await client.end();
    };
    await Promise.all(Array.from({ length: writers }, write));
    const feeds = await Promise.all(readers);
    closing.abort();
    await Promise.all(sealers);

    const [first] = feeds;
    expect(new Set(first?.map(({ id }) => id)).size).toBe(total);
    for (const feed of feeds) expect(feed.map(({ id }) => id)).toEqual(first?.map(({ id }) => id));
    for (const user of users) {
      const numbers = (first ?? [])
        .filter(({ objectId }) => objectId === user)
        .map(({ data }) => Number(data.firstName));
      expect(numbers).toEqual(numbers.map((_, index) => index));
    }
  });

  test('gives a change its position after the commit, so one that commits late comes after those that were read', async () => {
    const early = await addUser();
    const late = await addUser();
    await sealAll();
    const slow = new pg.Client(database.ownerUrl);
    await slow.connect();
    await slow.query('begin');
    await slow.query(CHANGE, [late]); // draws its number first
    await owner.query(CHANGE, [early]);
    await sealAll();
    const before = await read(0);
    await slow.query('commit');
    await slow.end();
    await sealAll();
    const after = await read(before.at(-1)?.position ?? 0);
    expect(before.map(({ objectId }) => objectId)).toEqual([early, late, early]);
    expect(after.map(({ objectId }) => objectId)).toEqual([late]);
  });

  test('keeps the order of a backlog larger than a round, also where its numbers grow by a digit', async () => {
    const user = await addUser();
    await sealAll();
    await owner.query('alter table event_fact alter id restart with 9990');
    for (let change = 0; change < SEAL_FACTS + 20; change += 1) await owner.query(CHANGE, [user]);
    await sealAll();
    const numbers = (await read(0)).map(({ data }) => Number(data.firstName));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(numbers).toHaveLength(SEAL_FACTS + 21);
  });

  test('has no event for a change that was rolled back', async () => {
    const user = await addUser();
    await owner.query('begin');
    await owner.query(CHANGE, [user]);
    await owner.query('rollback');
    await sealAll();
    expect((await read(0)).map(({ type }) => type)).toEqual(['user.created']);
  });

  test('has one event for each change that one statement makes, and describes the object after it', async () => {
    const user = await addUser();
    await owner.query(`update app_user set kyc_level = 2, identity_status = 'BLACKLISTED' where id = $1`, [user]);
    await owner.query(`update app_user set identity_status = 'BLACKLISTED', kyc_level = 1 where id = $1`, [user]);
    await sealAll();
    expect((await read(0)).map(({ type, data }) => [type, data.kycLevel, data.identityStatus])).toEqual([
      ['user.created', 1, 'CLEAR'],
      ['user.approved', 2, 'BLACKLISTED'],
      ['user.blacklisted', 2, 'BLACKLISTED'],
      ['user.approval_withdrawn', 1, 'BLACKLISTED'],
    ]);
  });

  test('goes on without a change that cannot be described, which is set aside until it is tried again', async () => {
    const other = randomUUID() as CompanyId;
    await owner.query('insert into company (id, name, slug) values ($1::uuid, $1::text, $1::text)', [other]);
    const before = await addUser();
    await owner.query(
      `insert into event_fact (company_id, object_kind, object_id, change, at, snapshot) values
         ($1, 'account', $2, 'FROZEN', now(), '{"isFrozen": true}'),
         ($1, 'user', $2, 'PROMOTED', now(), '{}'),
         ($1, 'spaceship', $2, 'LAUNCHED', now(), '{}')`,
      [other, randomUUID()],
    );
    const broken = await addUser();
    const after = await addUser();
    await owner.query(`update event_fact set snapshot = snapshot || '{"createdAt": "never"}' where object_id = $1`, [
      broken,
    ]);
    const known = await owner.query('select snapshot from event_fact where object_id = $1', [after]);
    const setAside: string[] = [];
    const round = await sealEvents(worker, (_, error) => setAside.push(String(error)));
    expect(round).toEqual({ taken: 6, companies: [companyId] });
    expect((await read(0)).map(({ objectId, position }) => [objectId, position])).toEqual([
      [before, 1],
      [after, 2],
    ]);
    expect(setAside).toEqual([
      expect.stringMatching(/there is no account/),
      expect.stringMatching(/unknown change: user PROMOTED/),
      expect.stringMatching(/no kind of object "spaceship"/),
      'RangeError: Invalid time value',
    ]);
    const { rows: metrics } = await owner.query(`select value from event_snapshot() where metric = 'events_set_aside'`);
    expect(metrics).toEqual([{ value: 4 }]);

    // Workers try it again when they start, and later what a worker of an earlier version did not know.
    await owner.query(
      `update event_set_aside set snapshot = snapshot || '{"createdAt": "2026-03-01T10:00:00Z"}' where object_id = $1`,
      [broken],
    );
    const closing = new AbortController();
    const log = { error: () => undefined, info: () => undefined };
    const sealer = startEventSealer(worker, { intervalMs: 2, log, signal: closing.signal }, undefined, 10);
    await eventually(async () => (await read(2)).length === 1);
    await owner.query(
      `insert into event_set_aside (fact_id, company_id, object_kind, object_id, change, at, snapshot, source, reason)
       values (1000000, $1, 'user', $2, 'BLACKLISTED', now(), $3, 'API', 'unknown change: user BLACKLISTED')`,
      [companyId, after, known.rows[0].snapshot],
    );
    await eventually(async () => (await read(3)).length === 1);
    closing.abort();
    await sealer;
    expect((await read(2)).map(({ objectId, type }) => [objectId, type])).toEqual([
      [broken, 'user.created'],
      [after, 'user.blacklisted'],
    ]);
    const { rows: left } = await owner.query('select change from event_set_aside order by fact_id');
    expect(left.map(({ change }) => change)).toEqual(['FROZEN', 'PROMOTED', 'LAUNCHED']);
  });

  test('waits, and sets nothing aside, if the database is at fault and not a change', async () => {
    await addUser();
    await owner.query('revoke insert on event from escrow_worker');
    await expect(sealEvents(worker)).rejects.toThrow('permission denied for table event');
    await owner.query('grant insert on event to escrow_worker');
    await sealAll();
    expect((await read(0)).map(({ type }) => type)).toEqual(['user.created']);
  });

  test('is sealed by one session at a time', async () => {
    await addUser();
    await owner.query('begin');
    await owner.query('select from event_feed for update');
    expect(await sealEvents(worker)).toBeNull();
    await owner.query('rollback');
    expect(await sealEvents(worker)).toEqual({ taken: 1, companies: [companyId] });
  });

  test('removes events after their retention time, and continues the positions', async () => {
    await addUser();
    await sealAll();
    await owner.query(`update event set created_at = now() - interval '91 days'`);
    const user = await addUser();
    await sealAll();
    expect(await clearOldEvents(worker.em.fork(), 90)).toBe(1);
    expect((await read(0)).map(({ objectId, position }) => [objectId, position])).toEqual([[user, 2]]);
  });
});

test('a fact that goes back into the queue waits for an erasure, which empties it', async () => {
  await owner.query(
    `insert into event_set_aside (fact_id, company_id, object_kind, object_id, change, at, snapshot, source, reason)
     values (1, $1, 'user', $1, 'CREATED', now(), '{"firstName": "Ada"}', 'API', 'a test')`,
    [companyId],
  );
  await owner.query('begin');
  await owner.query('select from event_feed for update'); // as an erasure does first
  const back = tryAgain(worker.em.fork(), 10, 'all');
  const waiting = `select from pg_locks where locktype = 'tuple' and relation = 'event_feed'::regclass
    and database = (select oid from pg_database where datname = current_database())`;
  await eventually(async () => (await owner.query(waiting)).rowCount === 1);
  await owner.query(`update event_set_aside set snapshot = '{"firstName": null}'`);
  await owner.query('commit');
  expect(await back).toBe(1);
  expect((await owner.query('select snapshot from event_fact')).rows).toEqual([{ snapshot: { firstName: null } }]);
});
