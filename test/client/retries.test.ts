import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ConnectionError, EscrowClient, EscrowError } from '../../clients/typescript/src/index.ts';

/** When the client sends a request again, how long it waits, and what its errors say. No service takes part. */

const README = readFileSync(new URL('../../clients/typescript/README.md', import.meta.url), 'utf8');
const ORIGIN = 'https://escrow.example';

type Answer = (request: Request) => Response | Promise<Response>;

/** A client whose requests get one answer, and which records its requests and its waits. */
function clientOf(answer: Answer, options: Partial<ConstructorParameters<typeof EscrowClient>[0]> = {}) {
  const requests: Request[] = [];
  const waitsMs: number[] = [];
  const client = new EscrowClient({
    baseUrl: ORIGIN,
    fetch: async (request) => {
      requests.push(request);
      return answer(request);
    },
    wait: async (delayMs) => {
      waitsMs.push(delayMs);
    },
    ...options,
  });
  return { client, requests, waitsMs };
}
const refusal = (status: number, code: string, headers = {}) =>
  new Response(JSON.stringify({ code, detail: code }), { status, headers });
const lost: Answer = () => {
  throw new TypeError('fetch failed');
};
const hung: Answer = (request) =>
  new Promise((_resolve, reject) => {
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
  });
const me = '/v1/core/companies/me';
const body = { userId: 'usr_1', amount: 1_000, currency: 'USD' } as const;
const thrownBy = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error);

describe('the waits', () => {
  test('last 15 to 20 seconds in all, as the README says, and never more than 4 seconds each', async () => {
    for (let time = 0; time < 100; time++) {
      const { client, requests, waitsMs } = clientOf(lost);
      await expect(client.get(me)).rejects.toThrow(ConnectionError);
      expect(requests).toHaveLength(8);
      expect(waitsMs).toHaveLength(7);
      const totalMs = waitsMs.reduce((sum, one) => sum + one, 0);
      expect(totalMs).toBeGreaterThanOrEqual(15_000);
      expect(totalMs).toBeLessThanOrEqual(20_000);
      expect(Math.max(...waitsMs)).toBeLessThanOrEqual(4_000);
    }
    expect(README).toContain('7 times within 15 to 20 seconds');
  });

  test('are at least as long as Retry-After says, in seconds or as a date', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    const after = ['6', date];
    const { client, waitsMs } = clientOf(() => {
      const seconds = after.shift();
      return seconds === undefined ? Response.json({}) : refusal(503, 'x', { 'retry-after': seconds });
    });
    await client.get(me);
    expect(waitsMs[0]).toBe(6_000);
    expect(waitsMs[1]).toBeGreaterThan(20_000);
  });

  test('that the service asks for are at most 60 seconds in all: a longer one is left to the caller', async () => {
    const { client, waitsMs } = clientOf(() => refusal(429, 'too_many_requests', { 'retry-after': '25' }));
    await expect(client.get(me)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 25 });
    expect(waitsMs).toEqual([25_000, 25_000]);
  });
});

describe('a 429', () => {
  test.each([
    ['too_many_requests', 8],
    ['otp_locked', 1],
  ])('%s: sent %p times', async (code, times) => {
    const { client, requests } = clientOf(() => refusal(429, code));
    await expect(client.get(me)).rejects.toMatchObject({ code });
    expect(requests).toHaveLength(times);
  });

  test('of a proxy, without a code, is repeated', async () => {
    const { client, requests } = clientOf(() => new Response('rate limit exceeded', { status: 429 }));
    await expect(client.get(me)).rejects.toMatchObject({ code: 'unexpected_answer', status: 429 });
    expect(requests).toHaveLength(8);
  });
});

describe('ConnectionError', () => {
  test('after the retries of a keyed request has the code and the key, and says what to do', async () => {
    const { client, requests } = clientOf(lost);
    const error = await thrownBy(client.post('/v1/payments/deposit', { body }));
    const key = requests[0]?.headers.get('x-idempotency-key');
    expect(key).toEqual(expect.any(String));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'connection_failed',
      idempotencyKey: key,
      message: `the connection to ${ORIGIN} failed; the request may have been carried out: repeat it with the idempotency key ${key}`,
    });
  });

  test.each([
    ['no answer within timeoutMs', hung],
    [
      'a time limit of Node',
      () => {
        throw new TypeError('fetch failed', { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } });
      },
    ],
  ] satisfies [string, Answer][])('tells a timeout: %s', async (_what, answer) => {
    const { client } = clientOf(answer, { timeoutMs: 5, maxRetries: 1 });
    expect(await thrownBy(client.post('/v1/payments/deposit', { body, idempotencyKey: 'order-1' }))).toMatchObject({
      code: 'timeout',
      idempotencyKey: 'order-1',
      message: `the service at ${ORIGIN} did not answer in time; the request may have been carried out: repeat it with the idempotency key order-1`,
    });
  });

  test('of a request that changes nothing has no key and no advice', async () => {
    const error = await thrownBy(clientOf(lost).client.get(me));
    expect(error).toMatchObject({ message: `the connection to ${ORIGIN} failed`, idempotencyKey: undefined });
  });

  test('of a change without a key says to look first, after one try', async () => {
    const { client, requests } = clientOf(lost);
    const body = { bank_name: 'CBZ', branch_code: '6101', account_number: '01234567890123', account_name: 'T. Moyo' };
    const path = { ledgerId: 'ldg_01900000-0000-7000-8000-000000000001' };
    await expect(client.patch('/v1/ledger/{ledgerId}/bank-details', { path, body })).rejects.toThrow(
      'the request may have been carried out: read what it changes before you repeat it',
    );
    expect(requests).toHaveLength(1);
  });

  test('an answer that breaks off counts as lost, and is requested again', async () => {
    const whole = [false, true];
    const { client, requests } = clientOf(() => {
      if (whole.shift()) return Response.json({ id: 'cmp_1' });
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"id":'));
            controller.error(new TypeError('terminated'));
          },
        }),
      );
    });
    expect(await client.get(me)).toEqual({ id: 'cmp_1' });
    expect(requests).toHaveLength(2);
  });
});

test.each(['PUT', 'DELETE'])('%s is repeated: it sets a state', async (method) => {
  const { client, requests } = clientOf(lost);
  const logo = '/v1/core/companies/me/logo';
  const sending = method === 'PUT' ? client.put(logo, { body: new FormData() }) : client.delete(logo);
  await expect(sending).rejects.toThrow(ConnectionError);
  expect(requests.map((request) => request.method)).toEqual(Array.from({ length: 8 }, () => method));
});

describe('an answer that is not one of the service', () => {
  test.each([
    ['a proxy', new Response('<h1>503</h1>', { status: 503, headers: { 'content-type': 'text/html' } })],
    ['another server', Response.json({ detail: 'Not Found', code: 404 }, { status: 404 })],
  ])('%s: the code unexpected_answer, the address, and the key of the request', async (_who, answer) => {
    const { client } = clientOf(() => answer, { maxRetries: 0 });
    const error = await thrownBy(client.post('/v1/payments/deposit', { body, idempotencyKey: 'order-1' }));
    expect(error).toBeInstanceOf(EscrowError.of('unexpected_answer'));
    expect(error).toMatchObject({
      status: answer.status,
      idempotencyKey: 'order-1',
      message: expect.stringMatching(
        /^the answer to POST \/v1\/payments\/deposit is \d{3} .* not one of the service: check baseUrl \(https:\/\/escrow.example\)$/,
      ),
    });
  });

  test('a page of HTML: the message names baseUrl, not download', async () => {
    const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    await expect(clientOf(page).client.get(me)).rejects.toMatchObject({
      code: 'unexpected_answer',
      status: 200,
      message: `the answer to GET ${me} is 200 text/html, not one of the service: check baseUrl (${ORIGIN})`,
    });
  });

  test('the code is documented', () => {
    expect(README).toContain('`unexpected_answer`');
  });
});

test('a refusal has the idempotency key of its request', async () => {
  const { client, requests } = clientOf(() => refusal(503, 'dependency_unavailable'), { maxRetries: 1 });
  const error = await thrownBy(client.post('/v1/payments/deposit', { body }));
  expect(error).toMatchObject({ idempotencyKey: requests[0]?.headers.get('x-idempotency-key') });
  expect(new Set(requests.map(({ headers }) => headers.get('x-idempotency-key'))).size).toBe(1);
});
