import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createDeliveries, type Deliveries, type Endpoint } from '../../src/activities/webhook.activities.ts';
import { FieldCipher } from '../../src/db/core/field-cipher.ts';
import { connect, inTenant } from '../../src/db/core/orm.ts';
import { addEndpoint, changeEndpoint } from '../../src/db/webhooks/endpoints.ts';
import { endpointsToWake, type Sender } from '../../src/db/webhooks/queue.ts';
import type { CompanyId } from '../../src/domain/ids.ts';
import { generateWebhookSecret, type WebhookSender } from '../../src/providers/webhooks.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { FIELD_KEY } from '../support/keys.ts';

/** A worker sends one event, and something happens before the receiver answers. What was sent is recorded, so nobody sends it again. */

const companyId = randomUUID() as CompanyId; // made here
const WORKER: Sender = { kind: 'worker', id: randomUUID() };
const ANSWER = { isDelivered: true, status: 200, error: null, answer: null, durationMs: 1 };

let database: TestDatabase;
let worker: MikroORM;
let api: MikroORM;
let owner: pg.Client;
let endpoint: Endpoint;
let deliveries: Deliveries;
let stopping: AbortController;
/** What happens until the receiver answers. */
let beforeAnswer: () => Promise<unknown>;
/** The turns of the round's loop. Each begins with a pull. */
let turns: number;
const isCancelled = () => {
  turns += 1;
  return false;
};
/** Resolves when a turn has begun that was not begun yet. */
const nextTurn = () => {
  const before = turns;
  return eventually(() => turns > before);
};

beforeEach(async () => {
  database = await freshDatabase();
  worker = await connect({ databaseUrl: database.workerUrl, poolMax: 4, applicationName: 'test-deliveries' });
  api = await connect({ databaseUrl: database.apiUrl, poolMax: 2, applicationName: 'test-deliveries-api' });
  owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  await owner.query('insert into company (id, name, slug) values ($1, $2, $2)', [companyId, 'queue']);
  await owner.query(
    `insert into administrator (id, company_id, first_name, last_name, email, password_hash, role, proof)
     values ($1, $1, 'A', 'B', 'owner@test.example', 'x', 'OWNER', 'x.x')`,
    [companyId],
  );
  const cipher = new FieldCipher([FIELD_KEY]);
  const fields = { url: 'https://shop.example/', events: ['*'], description: null };
  const { id } = await inTenant(api, companyId, (em) =>
    addEndpoint(
      em,
      cipher,
      companyId,
      { ...fields, createdBy: { kind: 'administrator', id: companyId } },
      generateWebhookSecret(),
    ),
  );
  endpoint = { companyId, id };
  turns = 0;
  stopping = new AbortController();
  const sender: WebhookSender = {
    send: async () => {
      await beforeAnswer();
      return ANSWER;
    },
    refusalOf: async () => null,
    close: async () => undefined,
  };
  const listener = { subscribe: () => () => undefined, close: async () => undefined };
  deliveries = createDeliveries({ orm: worker, cipher, sender, listener, stopping: stopping.signal });
  await owner.query(
    `insert into event (position, id, company_id, type, object_kind, object_id, created_at, source, data)
     values (1, gen_random_uuid(), $1, 'user.created', 'user', gen_random_uuid(), now(), 'SYSTEM', '{}')`,
    [companyId],
  );
  expect(await endpointsToWake(worker.em.fork(), null, WORKER)).toMatchObject([{ id, isHeld: true }]);
});
afterEach(async () => {
  await owner.end();
  await api.close();
  await worker.close();
  await database.drop();
});

const deliver = () => deliveries.deliver(endpoint, WORKER, isCancelled);
const isDelivered = async () =>
  (await owner.query("select from webhook_delivery where status = 'DELIVERED'")).rowCount === 1;
const isHeld = async () =>
  (await owner.query('select coalesce(held_until > now(), false) as is_held from webhook_endpoint')).rows[0].is_held;

describe('what a worker sent is recorded', () => {
  test('when its hold was over and the run has taken the endpoint', async () => {
    beforeAnswer = async () => {
      await owner.query('update webhook_endpoint set held_until = null, held_by = gen_random_uuid()');
      await nextTurn();
    };
    await deliver();
    expect(await isDelivered()).toBe(true);
  });

  test('when another worker holds the endpoint, whose hold goes on', async () => {
    beforeAnswer = async () => {
      await owner.query(
        `update webhook_endpoint set held_by = gen_random_uuid(), awake_until = now() + interval '1 h'`,
      );
      await nextTurn();
    };
    await deliver();
    expect(await isDelivered()).toBe(true);
    expect(await isHeld()).toBe(true);
  });

  test('when the database refuses to look for more', async () => {
    beforeAnswer = async () => {
      await owner.query('revoke insert on webhook_delivery from escrow_worker');
      await nextTurn();
    };
    await expect(deliver()).rejects.toThrow('permission denied');
    expect(await isDelivered()).toBe(true);
  });

  test('when the database refuses the outcome and then is out of reach for a while, and the hold ends', async () => {
    await owner.query('create sequence refusal');
    await owner.query(
      `create function refuse() returns trigger language plpgsql security definer set search_path = public as $$
       declare
         v_number constant bigint := nextval('refusal');
       begin
         if v_number = 1 then raise 'refused'; end if;
         if v_number < 4 then raise 'starting up' using errcode = 'cannot_connect_now'; end if;
         return null;
       end $$`,
    );
    await owner.query('create trigger refuse before insert on webhook_attempt execute function refuse()');
    beforeAnswer = async () => undefined;
    await expect(deliver()).rejects.toThrow('refused');
    expect(await isDelivered()).toBe(true);
    expect(await isHeld()).toBe(false);
  });

  test('when the endpoint is disabled, which ends the hold, so that nothing waits for it when it is enabled', async () => {
    beforeAnswer = async () => {
      await inTenant(api, companyId, (em) => changeEndpoint(em, companyId, endpoint.id, { status: 'DISABLED' }));
      await nextTurn();
    };
    expect(await deliver()).toEqual({ kind: 'ended', reason: 'REQUESTED' });
    expect(await isDelivered()).toBe(true);
    expect(await isHeld()).toBe(false);
  });

  test('before the worker closes its connections, and the hold has ended', async () => {
    let recorded: Promise<unknown> | undefined;
    beforeAnswer = async () => {
      stopping.abort();
      recorded = deliveries.recorded();
    };
    void deliver();
    await eventually(() => recorded !== undefined);
    await recorded;
    expect(await isDelivered()).toBe(true);
    expect(await isHeld()).toBe(false);
  });
});
