import { setTimeout as wait } from 'node:timers/promises';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import { type Received, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { type Body, type Company, get, post } from './clients.ts';
import type { World } from './servers.ts';

/**
 * `npm run chaos -- 100 webhooks`: five endpoints and three readers of the feed watch the clients trade while everything is killed.
 * Afterwards each endpoint must have every event, in the order of each object, and each reader the whole feed.
 */

const FAILING = 0.3;
const SLOW_MS = 200;
const READERS = [3, 20, 100];
const READ_EVERY_MS = 200;
const DRAIN_MS = 300_000;

type Endpoint = {
  readonly name: string;
  readonly receiver: WebhookReceiver;
  /** The messages that it answered with 2xx, in order. */
  readonly accepted: Received[];
};

type Reader = { readonly limit: number; readonly ids: string[] };

export type WebhookWatch = {
  /** Returns the faults at the end, and prints the number of deliveries. */
  readonly complaints: () => Promise<string[]>;
};

export async function watchWebhooks(world: World, company: Company): Promise<WebhookWatch> {
  const endpoints = [
    await endpoint('plain'),
    await endpoint('plain too'),
    await endpoint('plain three'),
    await endpoint('failing', () => (Math.random() < FAILING ? 500 : 200)),
    await endpoint('slow', () => wait(SLOW_MS, 200)),
  ];
  for (const { receiver } of endpoints) await post(company, '/v1/webhooks', { url: receiver.url, events: ['*'] });
  const first = await withClient(world.ownerUrl, async (client) => {
    const { rows } = await client.query(
      'select coalesce(max(cursor_position), 0)::text as position from webhook_endpoint',
    );
    return Number(rows[0].position);
  });
  const ending = new AbortController();
  const readers = READERS.map((limit): Reader => ({ limit, ids: [] }));
  const reading = readers.map((reader) => read(company, reader, ending.signal));

  return {
    async complaints() {
      const complaints: string[] = [];
      await eventually(() => isDrained(world), DRAIN_MS).catch((error: unknown) => complaints.push(String(error)));
      const events = await feedOf(world);
      await eventually(() => readers.every(({ ids }) => ids.length >= events.length), DRAIN_MS).catch(() => undefined);
      ending.abort();
      await Promise.all(reading);
      for (const { limit, ids } of readers)
        if (ids.join() !== events.map(({ id }) => id).join())
          complaints.push(`a reader of ${limit} saw ${ids.length} events of ${events.length}, or in another order`);
      const expected = events.filter(({ position }) => position > first);
      for (const one of endpoints) complaints.push(...faultsOf(one, expected));
      complaints.push(...(await missingEvents(world)));
      const repeats = endpoints.map(({ name, accepted }) => `${name} ${accepted.length - expected.length}`).join(', ');
      console.log(`webhooks: ${expected.length} events to ${endpoints.length} endpoints; repeats: ${repeats}`);
      await Promise.all(endpoints.map(({ receiver }) => receiver.stop()));
      return complaints;
    },
  };
}

async function endpoint(name: string, answer: () => number | Promise<number> = () => 200): Promise<Endpoint> {
  const receiver = await startWebhookReceiver();
  const accepted: Received[] = [];
  receiver.answer = async (one) => {
    const status = await answer();
    if (status === 200) accepted.push(one);
    return status;
  };
  return { name, receiver, accepted };
}

/** Pages through the feed until `signal` aborts, as an integrator does. */
async function read(company: Company, reader: Reader, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const after = reader.ids.at(-1);
    const page: Body = await get(
      company,
      `/v1/events?limit=${reader.limit}${after === undefined ? '' : `&after=${after}`}`,
    );
    reader.ids.push(...page.data.map(({ id }: { id: string }) => id));
    if (!page.hasMore) await wait(READ_EVERY_MS, undefined, { signal }).catch(() => undefined); // aborted: the loop ends
  }
}

/** Whether every change has its event and every event is delivered. Planned retries are moved to now. */
function isDrained(world: World): Promise<boolean> {
  return withClient(world.ownerUrl, async (client) => {
    await client.query(
      `update webhook_delivery set next_attempt_at = now() where status = 'PENDING' and next_attempt_at > now()`,
    );
    await client.query(
      "update webhook_endpoint set awake_until = null where exists (select from webhook_delivery d where d.endpoint_id = id and d.status = 'PENDING')",
    );
    const { rows } = await client.query(
      `select (select count(*) from event_fact)::integer as facts,
         (select count(*) from webhook_delivery where status <> 'DELIVERED')::integer as pending,
         (select count(*) from webhook_endpoint w where cursor_position <
            (select max(position) from event e where e.company_id = w.company_id))::integer as behind`,
    );
    return rows[0].facts + rows[0].pending + rows[0].behind === 0;
  }).catch(() => false);
}

type FeedRow = { readonly id: string; readonly position: number; readonly objectId: string };

/** The whole feed of the company with endpoints. */
function feedOf(world: World): Promise<FeedRow[]> {
  return withClient(world.ownerUrl, async (client) => {
    const { rows } = await client.query(
      `select 'evt_' || id as id, position::integer as position, object_id::text as "objectId" from event
       where company_id in (select company_id from webhook_endpoint) order by position`,
    );
    return rows;
  });
}

/** Every step, deposit and user has exactly one event for each change, and no fact was set aside. */
function missingEvents(world: World): Promise<string[]> {
  return withClient(world.ownerUrl, async (client) => {
    const { rows } = await client.query(
      `select 'steps of escrows' as what, (select count(*) from escrow_event)::integer as changes,
         (select count(*) from event where object_kind = 'escrow')::integer as events
       union all select 'deposits', (select count(*) from ledger_transaction where type = 'DEPOSIT')::integer,
         (select count(*) from event where type = 'deposit.received')::integer
       union all select 'users', (select count(*) from app_user)::integer,
         (select count(*) from event where type = 'user.created')::integer
       union all select 'changes set aside', (select count(*) from event_set_aside)::integer, 0`,
    );
    return rows
      .filter(({ changes, events }) => changes !== events)
      .map(({ what, changes, events }) => `${changes} ${what}, but ${events} events`);
  });
}

function faultsOf({ name, accepted }: Endpoint, expected: readonly FeedRow[]): string[] {
  const faults: string[] = [];
  const bodies = new Map<string, string>();
  const lastOf = new Map<string, number>();
  for (const { id, rawBody, body } of accepted) {
    const before = bodies.get(id);
    if (before !== undefined) {
      if (before !== rawBody) faults.push(`${name} got ${id} twice, with other contents`);
      continue;
    }
    bodies.set(id, rawBody);
    if (body.id !== id) faults.push(`${name} got ${body.id} under the id ${id}`);
    if ((lastOf.get(body.object.id) ?? 0) > body.position)
      faults.push(`${name} got ${body.type} of ${body.object.id} after a later event`);
    lastOf.set(body.object.id, body.position);
  }
  const missing = expected.filter(({ id }) => !bodies.has(id));
  if (missing.length > 0) faults.push(`${name} misses ${missing.length} events, the first at ${missing[0]?.position}`);
  return faults;
}
