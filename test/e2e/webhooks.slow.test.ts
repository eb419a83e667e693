import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GIVE_UP_AFTER_MS, RETRY_DELAYS_MS } from '../../src/domain/webhooks.ts';
import { NEWS_SIGNAL } from '../../src/workflows/messages.ts';
import { bare, nobody, refused, sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { done, newCompany, newUser, type TestCompany } from '../support/service.ts';
import { startWebhookReceiver, verifySignature, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Events on their way to the receivers of companies: a real receiver, and the reference library for signatures. */

let service: OwnService;
let company: TestCompany;
let receiver: WebhookReceiver;
beforeAll(async () => {
  service = await ownService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  company = await newCompany(service);
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.stop());

async function addWebhook(fields: Record<string, unknown> = {}) {
  const { status, body } = await company.post('/v1/webhooks', { url: receiver.url, events: ['*'], ...fields });
  expect(status).toBe(201);
  return body;
}

const deposit = (userId: string, amount: number) =>
  done(company.post('/v1/payments/deposit', { userId, amount, currency: 'USD' }));
const change = (id: string, body: Record<string, unknown>) => company.request('PATCH', `/v1/webhooks/${id}`, { body });
const idsOf = (type: string) => receiver.received.filter(({ body }) => body.type === type).map(({ id }) => id);
const deliveriesOf = async (id: string, query = '') =>
  (await company.get(`/v1/webhooks/${id}/deliveries${query}`)).body.data;
/** Moves all planned retries of an endpoint to now. */
const hasten = (id: string) =>
  sql(service, 'update webhook_delivery set next_attempt_at = now() where endpoint_id = $1', [bare(id)]).then(() =>
    sql(service, 'update webhook_endpoint set awake_until = null where id = $1', [bare(id)]),
  );

/** The time that a busy machine may need between an attempt and the test's check of it. */
const BUSY_MS = 30_000;

const skipped = (waits: ReadonlyMap<number, number>) => [...waits.values()].reduce((sum, one) => sum + one, 0);

/** The run of an endpoint. It begins after a failed attempt was written. */
async function begunRun(id: string) {
  const run = service.temporal.workflow.getHandle(`webhook/${id}`);
  await eventually(() => run.describe().catch(() => undefined));
  return run;
}

/** Lets `ms` pass for an endpoint: moves its times back, and makes its run check again. */
async function skipTime(id: string, ms: number): Promise<void> {
  const past = `make_interval(secs => ${ms / 1_000})`;
  await sql(service, `update webhook_delivery set next_attempt_at = next_attempt_at - ${past} where endpoint_id = $1`, [
    bare(id),
  ]);
  await sql(service, `update webhook_endpoint set failing_since = failing_since - ${past} where id = $1`, [bare(id)]);
  await (await begunRun(id)).signal(NEWS_SIGNAL);
}

describe('an endpoint', () => {
  test('gets every event of its types once, signed, with the event of the feed as its body', async () => {
    const { secret } = await addWebhook({ events: ['user.created', 'deposit.received'] });
    const user = await newUser(company);
    for (let count = 1; count <= 5; count += 1) await deposit(user.id, count);
    await eventually(() => receiver.received.length >= 6); // a repetition fails below, and is named
    const { body: feed } = await company.get('/v1/events?type=user.created,deposit.received');
    expect(receiver.received.map(({ id }) => id).toSorted()).toEqual(
      feed.data.map(({ id }: { id: string }) => id).toSorted(),
    );
    for (const one of receiver.received) {
      expect(verifySignature(secret, one)).toEqual(one.body);
      const { createdAt: timestamp, ...event } = feed.data.find(({ id }: { id: string }) => id === one.id);
      expect(one.body).toEqual({ ...event, timestamp });
    }
    expect(() =>
      verifySignature(`whsec_${Buffer.alloc(32).toString('base64')}`, receiver.received[0] as never),
    ).toThrow();
  });

  test('has no run until an attempt fails, because events of healthy endpoints need none', async () => {
    const webhook = await addWebhook({ events: ['user.created'] });
    const run = service.temporal.workflow.getHandle(`webhook/${webhook.id}`);
    for (let sent = 1; sent <= 5; sent += 1) {
      await newUser(company);
      await eventually(async () => (await deliveriesOf(webhook.id, '?status=DELIVERED')).length === sent);
    }
    await expect(run.describe()).rejects.toMatchObject({ name: 'WorkflowNotFoundError' });
    receiver.answer = () => 500;
    await newUser(company);
    await begunRun(webhook.id);
    expect((await deliveriesOf(webhook.id, '?status=PENDING')).length).toBe(1);
  });

  test('is sent a failed event again, while the events of other objects go on and those of the same object wait', async () => {
    const failing = await newUser(company);
    const webhook = await addWebhook({ events: ['account.frozen', 'account.unfrozen', 'user.created'] });
    receiver.answer = ({ body }) => (body.object.id === failing.usdAccountId ? 500 : 200);
    const freeze = (isFrozen: boolean) =>
      company.request('PATCH', `/v1/ledger/accounts/${failing.usdAccountId}`, {
        body: { is_frozen: isFrozen, reason: 'a test' },
      });
    await freeze(true);
    await freeze(false);
    const other = await newUser(company);
    await eventually(() => receiver.received.some(({ body }) => body.object.id === other.id));
    await eventually(() => idsOf('account.frozen').length > 0);
    expect(idsOf('account.unfrozen')).toEqual([]);
    const pending = await eventually(async () => {
      const all: { eventType: string; attempts: unknown[] }[] = await deliveriesOf(webhook.id, '?status=PENDING');
      const first = all.find(({ eventType }) => eventType === 'account.frozen');
      return all.length === 2 && first !== undefined && first.attempts.length > 0 && first;
    });
    expect(pending.attempts[0]).toMatchObject({ status: 500, answer: 'noted', error: null });

    receiver.answer = () => 200;
    await hasten(webhook.id);
    await eventually(() => idsOf('account.unfrozen').length === 1);
    expect(new Set(idsOf('account.frozen')).size).toBe(1); // each attempt has the same id
    await eventually(async () => (await deliveriesOf(webhook.id, '?status=PENDING')).length === 0);
  });

  test('is sent the events of other objects while the answer for one object is awaited', async () => {
    const slow = await newUser(company);
    const webhook = await addWebhook({ events: ['account.frozen', 'account.unfrozen', 'user.created'] });
    const freeze = (isFrozen: boolean) =>
      company.request('PATCH', `/v1/ledger/accounts/${slow.usdAccountId}`, {
        body: { is_frozen: isFrozen, reason: 'a test' },
      });
    const isRecorded = async () =>
      (await deliveriesOf(webhook.id, '?status=DELIVERED')).some(
        ({ eventType }: { eventType: string }) => eventType === 'account.frozen',
      );
    let hasAsked = false;
    let otherId: string | undefined;
    // The answer for the second event of the account comes after those things that must not wait for it.
    receiver.answer = async ({ body }) => {
      if (body.type !== 'account.unfrozen') return 200;
      hasAsked = true;
      await eventually(() => receiver.received.some((one) => one.body.object.id === otherId));
      await eventually(isRecorded);
      return 200;
    };
    await change(webhook.id, { status: 'DISABLED' });
    await freeze(true);
    await freeze(false);
    await freeze(true);
    await change(webhook.id, { status: 'ENABLED' });
    await eventually(() => hasAsked);
    otherId = (await newUser(company)).id;
    const deliveries = await eventually(async () => {
      const all: { eventType: string; attempts: { status: number }[] }[] = await deliveriesOf(
        webhook.id,
        '?status=DELIVERED',
      );
      const ofAccount = all.filter(({ eventType }) => eventType !== 'user.created');
      return ofAccount.length === 3 && ofAccount;
    });
    expect(deliveries.map(({ attempts }) => attempts.map(({ status }) => status))).toEqual(Array(3).fill([200]));
    expect(receiver.received.map(({ body }) => body.type).filter((type) => type !== 'user.created')).toEqual([
      'account.frozen',
      'account.unfrozen',
      'account.frozen',
    ]);
  });

  test('is not delayed by another endpoint at the same address that does not answer', async () => {
    const silent = await addWebhook({ url: `${receiver.url}/silent`, events: ['user.created'] });
    const webhook = await addWebhook({ events: ['user.created'] });
    await change(webhook.id, { status: 'DISABLED' });
    let asked = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer = async ({ path }) => {
      if (!path.endsWith('/silent')) return 200;
      asked += 1;
      await released;
      return 200;
    };
    for (let count = 0; count < 17; count += 1) await newUser(company);
    await eventually(() => asked >= 16);
    await change(webhook.id, { status: 'ENABLED' });
    const delivered = await eventually(async () => {
      const all: { attempts: { durationMs: number }[] }[] = await deliveriesOf(webhook.id, '?status=DELIVERED');
      return all.length === 17 && all;
    });
    release();
    const durations = delivered.flatMap(({ attempts }) => attempts.map(({ durationMs }) => durationMs));
    expect(Math.max(...durations)).toBeLessThan(5_000); // a third of the time that the silent requests hold their connections
    await company.request('DELETE', `/v1/webhooks/${silent.id}`);
  });

  test('is not delayed by more than a hundred endpoints of other companies that do not answer', async () => {
    const waiting = new Set<string>();
    const silentReceiver = createServer((request, response) => {
      const path = request.url ?? '';
      waiting.add(path);
      response.on('close', () => waiting.delete(path));
    });
    await new Promise<void>((resolve) => silentReceiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silentReceiver.address() as AddressInfo).port}`; // it listens on TCP
    try {
      for (let made = 0; made < 6; made += 1) {
        const other = await newCompany(service);
        const add = (_: unknown, number: number) =>
          other.post('/v1/webhooks', { url: `${url}/${made}/${number}`, events: ['user.created'] });
        for (const { status } of await Promise.all(Array.from({ length: 20 }, add))) expect(status).toBe(201);
        await newUser(other);
      }
      await addWebhook({ events: ['user.created'] });
      await eventually(async () => {
        // A busy machine asks some only after the requests to others were given up.
        await sql(service, 'update webhook_delivery set next_attempt_at = now() where next_attempt_at > now()');
        return waiting.size > 100;
      });
      await newUser(company);
      await eventually(() => idsOf('user.created').length === 1);
    } finally {
      silentReceiver.close();
      silentReceiver.closeAllConnections();
    }
  });

  test('that answers 410 is disabled with an event, and goes on where it stopped once it is enabled', async () => {
    const webhook = await addWebhook({ events: ['user.created'], url: `${receiver.url}?token=secret` });
    receiver.answer = () => 410;
    const first = await newUser(company);
    await eventually(async () => (await company.get(`/v1/webhooks/${webhook.id}`)).body.status === 'DISABLED');
    expect((await company.get(`/v1/webhooks/${webhook.id}`)).body).toMatchObject({ disabledReason: 'GONE' });
    const event = await eventually(
      async () => (await company.get('/v1/events?type=webhook_endpoint.disabled')).body.data[0],
    );
    expect(event).toMatchObject({
      object: { id: webhook.id },
      data: { status: 'DISABLED', disabledReason: 'GONE', url: receiver.url },
      requestId: null,
    });
    const { body: audit } = await company.get(`/v1/core/audit-log?actorId=${webhook.id}`);
    expect(audit.data).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        actor: { kind: 'service', id: webhook.id, role: null },
        operation: 'DISABLE /v1/webhooks/{id} (GONE)',
        resource: webhook.id,
        status: 200,
        ip: null,
        requestId: null,
        source: 'SYSTEM',
        changes: null,
      },
    ]);
    const run = await begunRun(webhook.id);
    expect(await run.result()).toEqual({ status: 'GONE' });
    const { currentDetails } = (await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')) ?? {};
    expect(currentDetails).toBe('**DISABLED**: the receiver answered 410.');
    const second = await newUser(company);
    receiver.answer = () => 200;
    receiver.received.length = 0;
    expect(await change(webhook.id, { status: 'ENABLED' })).toMatchObject({
      status: 200,
      body: { disabledReason: null },
    });
    await eventually(() => receiver.received.length === 2);
    // Events of different objects have no order.
    expect(receiver.received.map(({ body }) => body.object.id).toSorted()).toEqual([first.id, second.id].toSorted());
  });

  test('that has failed for three days is disabled, and then replayed from a moment: everything arrives', async () => {
    const webhook = await addWebhook({ events: ['user.created'] });
    receiver.answer = () => 503;
    const from = new Date().toISOString();
    const users = [(await newUser(company)).id];
    // The wait after each number of attempts. On a busy machine the first retries may be sent before the test skips their waits.
    const waits = new Map<number, number>();
    let made = 0;
    for (;;) {
      const next = await eventually(async () => {
        // The attempt after three days is the last one. The status changes a moment after it.
        if (skipped(waits) >= GIVE_UP_AFTER_MS)
          return (await company.get(`/v1/webhooks/${webhook.id}`)).body.status === 'DISABLED' && 'disabled';
        const first = (await deliveriesOf(webhook.id)).at(-1);
        if (first === undefined || first.attempts.length === made) return false;
        made = first.attempts.length;
        return Date.parse(first.nextAttemptAt) - Date.now();
      });
      if (next === 'disabled') break;
      waits.set(made, next);
      if (made === 8) users.push((await newUser(company)).id);
      await skipTime(webhook.id, next);
    }
    const skippedMs = skipped(waits);
    expect(skippedMs).toBeGreaterThanOrEqual(GIVE_UP_AFTER_MS);
    expect(skippedMs - (waits.get(made) ?? 0)).toBeLessThan(GIVE_UP_AFTER_MS);
    for (const [attempts, wait] of waits) {
      const planned = RETRY_DELAYS_MS[attempts - 1] ?? 0;
      expect(wait).toBeGreaterThan(planned - BUSY_MS);
      expect(wait).toBeLessThanOrEqual(planned * 1.2);
    }
    expect((await company.get(`/v1/webhooks/${webhook.id}`)).body.disabledReason).toBe('FAILING');

    users.push((await newUser(company)).id);
    receiver.answer = () => 200;
    receiver.received.length = 0;
    await change(webhook.id, { status: 'ENABLED' });
    expect(await company.post(`/v1/webhooks/${webhook.id}/replay`, { from })).toMatchObject({
      status: 200,
      body: { isReplaying: true },
    });
    await eventually(() => new Set(receiver.received.map(({ body }) => body.object.id)).size === users.length);
    expect(new Set(receiver.received.map(({ body }) => body.object.id))).toEqual(new Set(users));
    await eventually(async () => (await deliveriesOf(webhook.id, '?status=PENDING')).length === 0);
  });

  test('has two signatures while its secret is replaced, and one after the grace period', async () => {
    const webhook = await addWebhook();
    const { body: rotated } = await company.post(`/v1/webhooks/${webhook.id}/rotate-secret`, { graceSeconds: 60 });
    expect(rotated.secret).not.toBe(webhook.secret);
    const ping = async () => {
      receiver.received.length = 0;
      expect(await company.post(`/v1/webhooks/${webhook.id}/ping`)).toMatchObject({
        status: 200,
        body: { isDelivered: true, status: 200, answer: 'noted' },
      });
      return receiver.received.filter(({ body }) => body.type === 'webhook.ping')[0] as never;
    };
    const both = await ping();
    verifySignature(webhook.secret, both);
    verifySignature(rotated.secret, both);
    await sql(service, `update webhook_endpoint set previous_secret_until = now() where id = $1`, [bare(webhook.id)]);
    const one = await ping();
    verifySignature(rotated.secret, one);
    expect(() => verifySignature(webhook.secret, one)).toThrow();
  });

  test('gets the events of the time without a worker', async () => {
    await addWebhook({ events: ['user.created'] });
    await service.stopWorker();
    const users = [await newUser(company), await newUser(company)].map(({ id }) => id);
    await service.startWorker();
    await eventually(() => receiver.received.length === 2);
    expect(receiver.received.map(({ body }) => body.object.id).toSorted()).toEqual(users.toSorted());
  });

  test('has its answer recorded, and is left to other workers, by a worker that was told to stop before it came', async () => {
    const listeners = () =>
      sql(
        service,
        `select from pg_stat_activity
         where datname = current_database() and application_name = 'escrow-worker-listener'`,
      ).then(({ length }) => length);
    await addWebhook({ events: ['user.created'], url: `${receiver.url}/failing` }); // its run listens
    const webhook = await addWebhook({ events: ['deposit.received'] });
    let hasAsked = false;
    receiver.answer = async ({ path }) => {
      if (path.endsWith('/failing')) return 500;
      hasAsked = true;
      await eventually(async () => (await listeners()) === 0); // the worker closes its connections
      return 200;
    };
    const user = await newUser(company);
    await eventually(async () => (await listeners()) === 1);
    await deposit(user.id, 1);
    await eventually(() => hasAsked);
    await service.stopWorker();
    const delivered = await deliveriesOf(webhook.id, '?status=DELIVERED');
    const held = await sql(service, 'select from webhook_endpoint where id = $1 and held_until is not null', [
      bare(webhook.id),
    ]);
    await service.startWorker();
    expect({ delivered: delivered.length, held: held.length }).toEqual({ delivered: 1, held: 0 });
  });

  test('is retried on request', async () => {
    const webhook = await addWebhook({ events: ['user.created'] });
    await newUser(company);
    const [delivery] = await eventually(async () => {
      const all = await deliveriesOf(webhook.id, '?status=DELIVERED');
      return all.length === 1 && all;
    });
    expect((await company.post(`/v1/webhooks/deliveries/${delivery.id}/retry`)).status).toBe(200);
    await eventually(() => receiver.received.length === 2);
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([delivery.eventId]));
  });
});

describe('endpoints of a company', () => {
  test('are listed without secrets, changed and removed', async () => {
    const { secret, ...webhook } = await addWebhook({ description: 'orders' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await company.get('/v1/webhooks')).body).toEqual([webhook]);
    const changed = { events: ['escrow.released'], description: null };
    expect((await change(webhook.id, changed)).body).toEqual({ ...webhook, ...changed });
    expect((await company.request('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(200);
    expect((await company.get('/v1/webhooks')).body).toEqual([]);
    expect(await company.get(`/v1/webhooks/${webhook.id}`)).toMatchObject(refused(404, 'not_found'));
  });

  test('are at most twenty', async () => {
    for (let made = 0; made < 20; made += 1) await addWebhook();
    const one = { url: receiver.url, events: ['*'] };
    expect(await company.post('/v1/webhooks', one)).toMatchObject(refused(409, 'wrong_state'));
  });

  test.each([
    ['an internal address', { url: 'http://169.254.169.254/latest' }],
    ['no URL', { url: 'shop' }],
    ['a type that does not exist', { events: ['escrow.exploded'] }],
    ['no type', { events: [] }],
    ['more types than there are', { events: Array(101).fill('*') }],
  ])('are refused with %s', async (_what, fields) => {
    const one = { url: receiver.url, events: ['*'], ...fields };
    expect(await company.post('/v1/webhooks', one)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('are replayed from any moment that can be written', async () => {
    const webhook = await addWebhook();
    await newUser(company);
    await eventually(async () => (await company.get('/v1/events?type=user.created')).body.data.length > 0);
    const replay = (from: string) => company.post(`/v1/webhooks/${webhook.id}/replay`, { from });
    expect(await replay('9999-12-31T23:59:59-14:00')).toMatchObject({ status: 200, body: { isReplaying: false } });
    expect(await replay('0000-01-01T00:00:00+14:00')).toMatchObject({ status: 200, body: { isReplaying: true } });
  });

  test('and their deliveries are 404 for another company', async () => {
    const webhook = await addWebhook({ events: ['user.created'] });
    await newUser(company);
    const [delivery] = await eventually(async () => {
      const all = await deliveriesOf(webhook.id);
      return all.length === 1 && all;
    });
    const stranger = await newCompany(service);
    const path = `/v1/webhooks/${webhook.id}`;
    const missing = refused(404, 'not_found');
    expect(await stranger.get(path)).toMatchObject(missing);
    expect(await stranger.get(`${path}/deliveries`)).toMatchObject(missing);
    expect(await stranger.request('PATCH', path, { body: { status: 'DISABLED' } })).toMatchObject(missing);
    expect(await stranger.request('DELETE', path)).toMatchObject(missing);
    expect(await stranger.post(`${path}/ping`)).toMatchObject(missing);
    expect(await stranger.post(`${path}/rotate-secret`, {})).toMatchObject(missing);
    expect(await stranger.post(`${path}/replay`, { from: '2026-01-01T00:00:00Z' })).toMatchObject(missing);
    expect(await stranger.post(`/v1/webhooks/deliveries/${delivery.id}/retry`)).toMatchObject(missing);
    expect(await company.post(`/v1/webhooks/deliveries/${nobody('whd')}/retry`)).toMatchObject(missing);
  });
});
