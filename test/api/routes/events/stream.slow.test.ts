import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CHECKED_FOR_MS, STREAM_LIMITS } from '../../../../src/api/limits.ts';
import { withClient } from '../../../../src/sandbox/stack/postgres-client.ts';
import { logIn, newAdministrator, newKey, nobody, refused } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { type OwnService, ownService } from '../../../support/own-service.ts';
import { newCompany, newUser, type TestCompany } from '../../../support/service.ts';

let service: OwnService;
beforeAll(async () => {
  service = await ownService();
});
afterAll(() => service.stop());

type Message = { readonly id: string; readonly event: string; readonly data: string };

/** An open stream and its messages. */
async function openStream(
  company: TestCompany,
  {
    query = '',
    headers = {},
    credential = { 'x-api-key': company.apiKey },
  }: { query?: string; headers?: object; credential?: object } = {},
) {
  const closing = new AbortController();
  const response = await fetch(`${service.url}/v1/events/stream${query}`, {
    headers: { 'x-company-id': company.id, ...credential, ...headers },
    signal: closing.signal,
  });
  const messages: Message[] = [];
  let heartbeats = 0;
  let isOpen = true;
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      heartbeats += parts.filter((one) => one.startsWith(':')).length;
      for (const part of parts.filter((one) => !one.startsWith(':'))) {
        const fields = part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2));
        messages.push(Object.fromEntries(fields));
      }
    }
  })()
    .catch(() => undefined) // closed by the test
    .finally(() => {
      isOpen = false;
    });
  return {
    response,
    messages,
    heartbeats: () => heartbeats,
    isOpen: () => isOpen,
    close: async () => {
      closing.abort();
      await reading;
    },
  };
}

/** More events of a company than the buffers of a connection hold: so many, after this one. */
async function manyEvents(of: OwnService, company: TestCompany, copies = 40) {
  await newUser(company);
  const [first] = await eventually(async () => {
    const { body } = await company.get('/v1/events?type=user.created');
    return body.data.length === 1 && body.data;
  });
  await withClient(of.database.superuserUrl, (client) =>
    client.query(
      `insert into event (position, id, company_id, type, object_kind, object_id, created_at, source, data)
       select position + n, gen_random_uuid(), company_id, type, object_kind, object_id, created_at, source,
         data || jsonb_build_object('copy', n, 'filler', repeat('x', 300000))
       from event, generate_series(1, $2::int) n where company_id = $1 and type = 'user.created'`,
      [company.id.replace(/^cmp_/, ''), copies],
    ),
  );
  return { copies, after: first.id as string };
}

/** A stream whose client reads nothing. */
function openUnread({ url }: OwnService, companyId: string, key: string, after: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined); // the server may cut it off
  socket.pause();
  socket.write(
    `GET /v1/events/stream?type=user.created&after=${after} HTTP/1.1\r\nHost: ${hostname}\r\n` +
      `x-api-key: ${key}\r\nx-company-id: ${companyId}\r\n\r\n`,
  );
  return socket;
}

describe('GET /v1/events/stream', () => {
  test('sends new events in the form of the feed, only to the company of the stream', async () => {
    const [ours, theirs] = [await newCompany(service), await newCompany(service)];
    const [stream, foreign] = [await openStream(ours), await openStream(theirs, { query: '?type=user.created' })];
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const users = [await newUser(ours), await newUser(ours)];
    const created = () => stream.messages.filter(({ event }) => event === 'user.created');
    await eventually(() => created().length === 2);
    const sent = created().map(({ data }) => JSON.parse(data));
    expect(sent.map(({ object }) => object.id)).toEqual(users.map(({ id }) => id));
    expect(await ours.get(`/v1/events/${created()[0]?.id}`)).toMatchObject({ body: sent[0] });
    await newUser(theirs);
    await eventually(() => foreign.messages.length === 1);
    expect(created().length).toBe(2);
    await Promise.all([stream.close(), foreign.close()]);
  });

  test('resumes after the last event that the client received', async () => {
    const company = await newCompany(service);
    const users = [];
    for (let made = 0; made < 5; made += 1) users.push((await newUser(company)).id);
    const events = await eventually(async () => {
      const { body } = await company.get('/v1/events?type=user.created');
      return body.data.length === 5 && body.data;
    });
    const stream = await openStream(company, {
      query: '?type=user.created',
      headers: { 'last-event-id': events[1].id },
    });
    users.push((await newUser(company)).id);
    await eventually(() => stream.messages.length === 4);
    expect(stream.messages.map(({ data }) => JSON.parse(data).object.id)).toEqual(users.slice(2));
    await stream.close();
  });

  test('is woken by the database, even after its connection was lost', async () => {
    const company = await newCompany(service);
    const stream = await openStream(company);
    await newUser(company);
    await eventually(() => stream.messages.some(({ event }) => event === 'user.created'));
    // The event may have been found before the listener had connected.
    await eventually(() =>
      withClient(service.database.superuserUrl, async (client) => {
        const ended = await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'escrow-api-listener' and datname = current_database()`,
        );
        return ended.rowCount === 1;
      }),
    );
    // Each heartbeat reads the feed too. A message that came before the next heartbeat is there because of the database.
    await eventually(async () => {
      const before = stream.heartbeats();
      const user = await newUser(company);
      await eventually(() => stream.messages.some(({ data }) => JSON.parse(data).object.id === user.id));
      return stream.heartbeats() === before;
    });
    await stream.close();
  });

  test('is limited to ten open streams per company; closing one admits another', async () => {
    const company = await newCompany(service);
    const streams = [];
    for (let open = 0; open < STREAM_LIMITS.streamsPerCompany; open += 1) streams.push(await openStream(company));
    const one = await company.get('/v1/events/stream');
    expect(one).toMatchObject(refused(429, 'too_many_requests'));
    await streams[0]?.close();
    await eventually(async () => (await company.get('/v1/events/stream')).status === 200);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test("ends for a removed administrator and for a revoked key, before the next event's message", async () => {
    const company = await newCompany(service);
    const removed = await newAdministrator(service, company, 'manager');
    const { id, key } = await newKey(await logIn(service, company.id, company.owner));
    const [byToken, byKey, valid] = [
      await openStream(company, { credential: { authorization: `Bearer ${removed.token}` } }),
      await openStream(company, { credential: { 'x-api-key': key } }),
      await openStream(company),
    ];
    await company.post(`/v1/core/companies/admins/${removed.id}/remove`);
    await company.post(`/v1/core/companies/api-keys/${id}/revoke`);
    const user = await newUser(company);
    const hasUser = ({ messages }: typeof valid) => messages.some(({ data }) => data.includes(user.id));
    await eventually(() => hasUser(valid) && !byToken.isOpen() && !byKey.isOpen());
    expect([byToken, byKey].map(hasUser)).toEqual([false, false]);
    expect(valid.isOpen()).toBe(true);
    await valid.close();
  });

  test('is not opened by HEAD, which reads no message', async () => {
    const company = await newCompany(service);
    const heads = [];
    for (let sent = 0; sent <= STREAM_LIMITS.streamsPerCompany; sent += 1)
      heads.push(
        await fetch(`${service.url}/v1/events/stream`, {
          method: 'HEAD',
          headers: { 'x-api-key': company.apiKey, 'x-company-id': company.id },
        }),
      );
    expect(new Set(heads.map(({ status }) => status))).toEqual(new Set([200]));
    const stream = await openStream(company);
    expect(stream.response.status).toBe(200);
    await stream.close();
  });

  test('ends for who has no second factor once the company requires one', async () => {
    const company = await newCompany(service);
    const { token } = await newAdministrator(service, company, 'manager');
    const [byToken, byKey] = [
      await openStream(company, { credential: { authorization: `Bearer ${token}` } }),
      await openStream(company),
    ];
    expect((await company.request('PATCH', '/v1/core/companies/me', { body: { require_mfa: true } })).status).toBe(200);
    const user = await newUser(company);
    const hasUser = ({ messages }: typeof byKey) => messages.some(({ data }) => data.includes(user.id));
    await eventually(() => hasUser(byKey) && !byToken.isOpen());
    expect(hasUser(byToken)).toBe(false);
    await byKey.close();
  });

  test('sends a slow reader nothing more once its key is revoked, though its page of events was read before', async () => {
    const company = await newCompany(service);
    const { copies, after } = await manyEvents(service, company);
    const { id, key } = await newKey(await logIn(service, company.id, company.owner));
    const socket = openUnread(service, company.id, key, after);
    const openedAt = performance.now();
    await eventually(() => performance.now() - openedAt > 2 * CHECKED_FOR_MS);
    await company.post(`/v1/core/companies/api-keys/${id}/revoke`);
    let text = '';
    for await (const chunk of socket) {
      text += chunk;
      if (text.endsWith('\r\n0\r\n\r\n')) break; // the end of the answer; the connection stays open
    }
    expect(text.startsWith('HTTP/1.1 200')).toBe(true);
    const sent = text.split('event: user.created').length - 1;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(copies);
  });

  test('of a reader that reads nothing ends at its age too, and frees its place', async () => {
    const own = await ownService({ streamLifetimeMs: 12_000 });
    const company = await newCompany(own);
    const { after } = await manyEvents(own, company);
    const statusOfAnother = async () => {
      const closing = new AbortController();
      const headers = { 'x-api-key': company.apiKey, 'x-company-id': company.id };
      const { status } = await fetch(`${own.url}/v1/events/stream`, { headers, signal: closing.signal });
      closing.abort();
      return status;
    };
    const openAnother = () => openUnread(own, company.id, company.apiKey, after);
    const unread = Array.from({ length: STREAM_LIMITS.streamsPerCompany }, openAnother);
    try {
      await eventually(async () => {
        if ((await statusOfAnother()) === 429) return true;
        unread.push(openAnother()); // this request may have taken the last place
        return false;
      });
      await eventually(async () => (await statusOfAnother()) === 200, STREAM_LIMITS.closeWithinMs + 30_000);
    } finally {
      for (const socket of unread) socket.destroy();
      await own.stop();
    }
  });

  test('is refused after an event that does not exist', async () => {
    const company = await newCompany(service);
    const headers = { 'last-event-id': nobody('evt') };
    expect(await company.request('GET', '/v1/events/stream', { headers })).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });

  test('ends when the API stops, so that the client reconnects to another process', async () => {
    const company = await newCompany(service);
    const stream = await openStream(company);
    await service.stopApi();
    await eventually(() => !stream.isOpen());
    await service.startApi();
  });
});
