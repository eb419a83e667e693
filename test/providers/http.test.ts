import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { createHttp, type Effect, HTTP_LIMITS, type ProviderRequest } from '../../src/providers/http.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { anyFreePort } from '../support/ports.ts';
import { json, type Script, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const SECRET = 'a-token-nobody-may-see';
/** Long enough for an answer of the same machine, even if it is busy. */
const PATIENT = { deadlineMs: 30_000, attemptMs: 10_000, attempts: 3, backoffMs: 10, maxResponseBytes: 1_000 };
/** For providers that never answer. All attempts fit before the deadline, even if each ends seconds late. */
const SOON = { ...PATIENT, deadlineMs: 10_000, attemptMs: 100 };
/** The one attempt of a request that is sent once lasts until the deadline. */
const SOON_ONCE = { ...SOON, deadlineMs: 500 };

describe('a request to a provider', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterAll(() => server.stop());

  /** The lines that the clients log: one for each failed attempt. */
  const lines: unknown[] = [];
  beforeEach(() => {
    lines.length = 0;
  });
  const log = { warn: (line: unknown) => lines.push(line) };
  const client = (host = server.url, limits = PATIENT) =>
    createHttp({
      provider: 'bank',
      host,
      headers: { authorization: `Bearer ${SECRET}` },
      limits,
      log: log as never, // the only property that the client reads
    });
  const request = (effect: Effect, fields: Partial<ProviderRequest> = {}): ProviderRequest => ({
    method: effect === 'none' ? 'GET' : 'POST',
    path: ['v1', 'things'],
    effect,
    ...fields,
  });
  /** How an exchange ends: the error or the answer. An attempt that times out may not have reached the server. */
  const endOf = async (effect: Effect, script: Script) => {
    server.answer(script);
    lines.length = 0;
    const soon = effect === 'once' ? SOON_ONCE : SOON;
    const limits = script === silence || script === drip ? soon : PATIENT;
    const end = await client(server.url, limits)
      .exchange(request(effect))
      .catch((error: unknown) => error);
    return { end, failed: lines.length, received: server.requests.length };
  };

  const hangUp: Script = (response) => response.destroy();
  const silence: Script = () => undefined;
  const redirect: Script = (response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end();
  const flood: Script = (response) => response.end(`"${'x'.repeat(5_000)}"`);
  const drip: Script = (response) => {
    response.write('{');
  };
  const noJson: Script = (response) => response.end('<html>');

  type Expected = readonly [outcome: 'unreachable' | 'unknown', attempts: number];
  test.each<[string, Script, Record<Effect, Expected>]>([
    ['a server error', json(500, {}), { none: ['unreachable', 3], repeatable: ['unknown', 3], once: ['unknown', 1] }],
    ['an outage', json(503, {}), { none: ['unreachable', 3], repeatable: ['unknown', 3], once: ['unknown', 1] }],
    ['a broken connection', hangUp, { none: ['unreachable', 3], repeatable: ['unknown', 3], once: ['unknown', 1] }],
    ['silence', silence, { none: ['unreachable', 3], repeatable: ['unknown', 3], once: ['unknown', 1] }],
    ['half an answer', drip, { none: ['unreachable', 3], repeatable: ['unknown', 3], once: ['unknown', 1] }],
    ['a redirect', redirect, { none: ['unreachable', 1], repeatable: ['unknown', 1], once: ['unknown', 1] }],
    ['an answer too long', flood, { none: ['unreachable', 1], repeatable: ['unknown', 1], once: ['unknown', 1] }],
    ['no JSON', noJson, { none: ['unreachable', 1], repeatable: ['unknown', 1], once: ['unknown', 1] }],
    [
      'our credential refused',
      json(401, {}),
      { none: ['unreachable', 1], repeatable: ['unreachable', 1], once: ['unreachable', 1] },
    ],
    [
      'too many requests',
      json(429, {}),
      { none: ['unreachable', 1], repeatable: ['unreachable', 1], once: ['unreachable', 1] },
    ],
  ])(
    '%s is unknown if the request may have taken effect, and unreachable if it certainly has not',
    async (_, script, expected) => {
      for (const effect of ['none', 'repeatable', 'once'] as const) {
        const [outcome, attempts] = expected[effect];
        const { end, failed, received } = await endOf(effect, script);
        expect(end).toBeInstanceOf(ProviderError);
        expect(end).toMatchObject({ provider: 'bank', outcome });
        expect(failed).toBe(attempts);
        expect(received).toBeLessThanOrEqual(attempts);
        expect(String(end)).not.toContain(SECRET);
      }
    },
  );

  test('a connection that was never established is unreachable for every effect, and retried', async () => {
    const nowhere = `http://127.0.0.1:${await anyFreePort()}`;
    for (const effect of ['none', 'repeatable', 'once'] as const)
      await expect(client(nowhere).exchange(request(effect))).rejects.toMatchObject({ outcome: 'unreachable' });
    expect(lines).toHaveLength(9);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  test('a name that does not resolve is unreachable', async () => {
    const once = { ...PATIENT, attempts: 1, deadlineMs: 60_000 }; // a network may drop the questions
    await expect(client('http://provider.invalid', once).exchange(request('once'))).rejects.toMatchObject({
      outcome: 'unreachable',
    });
  });

  test('one attempt that may have arrived makes the outcome unknown, even if later attempts failed', async () => {
    const { end } = await endOf('repeatable', (response, attempt) =>
      (attempt === 1 ? hangUp : json(401, {}))(response, attempt),
    );
    expect(end).toMatchObject({ outcome: 'unknown' });
  });

  test('an answer after a failure is the answer', async () => {
    const { end, received } = await endOf('repeatable', (response, attempt) =>
      json(attempt < 3 ? 502 : 201, { fine: true })(response, attempt),
    );
    expect([end, received]).toEqual([{ status: 201, body: { fine: true } }, 3]);
  });

  test('a refusal of the request itself is an answer', async () => {
    for (const status of [400, 404, 409, 422])
      expect((await endOf('once', json(status, { why: 1 }))).end).toEqual({ status, body: { why: 1 } });
  });

  test('every exchange ends by its deadline, with any number of attempts', async () => {
    server.answer(silence);
    const startedAt = performance.now();
    const http = client(server.url, { ...SOON, deadlineMs: 300, attemptMs: 200, attempts: 50 });
    await expect(http.exchange(request('repeatable'))).rejects.toMatchObject({ outcome: 'unknown' });
    expect(performance.now() - startedAt).toBeLessThan(8_000); // 50 attempts of 200 ms would take 10 s
    expect(server.requests.length).toBeLessThanOrEqual(3); // 200 ms, 100 ms, and what a timer rounds off
  });

  test('the time limits increase from provider to command, drain and answer', () => {
    expect(HTTP_LIMITS.deadlineMs).toBeLessThan(WAIT_LIMITS.commandMs);
    expect(WAIT_LIMITS.commandMs).toBeLessThan(WAIT_LIMITS.drainMs);
    expect(WAIT_LIMITS.drainMs).toBeLessThan(WAIT_LIMITS.answerMs);
  });

  test.each([
    '..',
    '.',
    '',
    'a/b',
    'a?b=c',
    'a#b',
    '%2e%2e',
    'a\\b',
    '@evil.example',
    'evil.example:80@',
    'a b',
    'ä',
    'a\r\nb',
  ])('%j never becomes part of a path', async (segment) => {
    server.answer(json(200, {}));
    await expect(client().exchange(request('none', { path: ['v1', segment] }))).rejects.toThrow('invalid path segment');
    expect(server.requests).toEqual([]);
  });

  test('the query is encoded, the host keeps its path, and the secret is in its header alone', async () => {
    server.answer(json(200, {}));
    await client(`${server.url}/sub/`).exchange(request('none', { query: { id: 'a&b=c#d/../' } }));
    const [sent] = server.requests;
    expect(sent).toMatchObject({ url: '/sub/v1/things?id=a%26b%3Dc%23d%2F..%2F' });
    expect(sent?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  test.each<[Effect, string]>([
    ['none', 'unreachable'],
    ['repeatable', 'unknown'],
    ['once', 'unknown'],
  ])('an answer of another shape to a request with effect %s is %s, and is not quoted', (effect, outcome) => {
    const understand = () =>
      client().understand({ effect }, { status: 200, body: { id: SECRET } }, z.object({ id: z.number() }));
    expect(understand).toThrow(expect.objectContaining({ outcome }));
    expect(understand).toThrow(expect.not.objectContaining({ message: expect.stringContaining(SECRET) }));
  });
});
