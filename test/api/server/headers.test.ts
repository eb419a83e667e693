import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { limitSending } from '../../../src/api/bodies/body-limits.ts';
import { BODY_LIMITS, bodyKindOf, maxBodyBytesOf, SERVER_LIMITS } from '../../../src/api/limits.ts';
import { ownService } from '../../support/own-service.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';
import { together } from '../../support/together.ts';

/** The headers for browsers and the limits of requests, for all operations. */

const SHOP = 'https://shop.example';

let service: TestService;
let allowing: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  allowing = await ownService({
    withWorker: false,
    settings: { corsAllowedOrigins: [SHOP, 'https://admin.example:8443'], baseUrl: 'https://escrow.example' },
  });
  company = await newCompany(service);
});
afterAll(async () => {
  await service.stop();
  await allowing.stop();
});

describe('every answer', () => {
  const ANSWERS: readonly (readonly [what: string, method: string, path: string, status: number])[] = [
    ['a result', 'GET', '/v1/core/companies/me', 200],
    ['a refusal', 'GET', '/v1/escrow/malformed', 400],
    ['no such operation', 'GET', '/v1/nothing', 404],
    ['health', 'GET', '/health', 200],
    ['the description', 'GET', '/openapi.json', 200],
    ['the reference', 'GET', '/docs', 200],
    ['a checkout that is not there', 'GET', '/checkout/nothing', 404],
  ];

  test.each(ANSWERS)('forbids sniffing, framing and Referer headers: %s', async (_, method, path, status) => {
    const { status: answered, headers } = await company.request(method, path);
    expect(answered).toBe(status);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test.each(ANSWERS)('names no server and no framework: %s', async (_, method, path) => {
    const { headers } = await company.request(method, path);
    expect([headers.get('server'), headers.get('x-powered-by'), headers.get('via')]).toEqual([null, null, null]);
  });

  test('of the API is not cached, refused or not', async () => {
    for (const path of ['/v1/core/companies/me', '/v1/escrow/malformed', '/v1/nothing'])
      expect((await company.get(path)).headers.get('cache-control')).toBe('no-store');
  });

  test('sends HSTS only if the service is reached by TLS', async () => {
    expect((await service.request('GET', '/health')).headers.get('strict-transport-security')).toBeNull();
    expect((await allowing.request('GET', '/health')).headers.get('strict-transport-security')).toMatch(
      /^max-age=\d{7,}$/,
    );
  });

  test('the reference runs its own scripts and no others', async () => {
    const policy = (await service.request('GET', '/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).not.toMatch(/unsafe-eval|\*|https?:/);
  });
});

describe('CORS', () => {
  const from = (origin: string) => ({ origin });
  const preflight = (to: TestService, origin: string) =>
    to.request('OPTIONS', '/v1/escrow/initiate', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-api-key',
      },
    });

  test('is off by default: no origin gets CORS headers, with or without a preflight', async () => {
    for (const { headers } of [
      await preflight(service, SHOP),
      await service.request('GET', '/v1/identity/financial-institutions', { headers: from(SHOP) }),
    ])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test.each([SHOP, 'https://admin.example:8443'])(
    "allows %s by name, never as a wildcard, and without the browser's credentials",
    async (origin) => {
      for (const { headers } of [
        await preflight(allowing, origin),
        await allowing.request('GET', '/v1/identity/financial-institutions', { headers: from(origin) }),
        await allowing.request('GET', '/v1/escrow', { headers: from(origin) }),
      ]) {
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('vary')).toMatch(/\bOrigin\b/);
      }
    },
  );

  test.each([
    'https://shop.example.evil.example',
    'http://shop.example',
    'https://shop.example:444',
    'https://SHOP.example',
    'https://sub.shop.example',
    'null',
    '*',
  ])('does not allow %s', async (origin) => {
    for (const { headers } of [
      await preflight(allowing, origin),
      await allowing.request('GET', '/v1/identity/financial-institutions', { headers: from(origin) }),
    ])
      expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('allows bearer tokens from pages, but no API keys', async () => {
    const allowed = (await preflight(allowing, SHOP)).headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    expect(allowed).toContain('authorization');
    expect(allowed).not.toContain('x-api-key');
  });

  test('allows pages to send every header that the description names', async () => {
    const { body } = await allowing.request('GET', '/openapi-client.json');
    const named = [...JSON.stringify(body).matchAll(/"name":"([^"]+)","in":"header"|"in":"header","name":"([^"]+)"/g)];
    const names = new Set(named.map(([, first, second]) => String(first ?? second).toLowerCase()));
    // Of servers.
    for (const name of ['x-api-key', 'x-hub-signature-256']) names.delete(name);
    const allowed = (await preflight(allowing, SHOP)).headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    expect(names.size).toBeGreaterThan(3);
    expect([...names].filter((name) => !allowed.split(/,\s*/).includes(name))).toEqual([]);
  });

  test('allows pages to use every method of the API, and to read every header that it describes', async () => {
    const { body } = await allowing.request('GET', '/openapi.json');
    const methods = Object.values<Record<string, unknown>>(body.paths).flatMap((one) => Object.keys(one));
    const answer = await preflight(allowing, SHOP);
    const allowed = answer.headers.get('access-control-allow-methods')?.toLowerCase().split(',') ?? [];
    expect(allowed.map((one) => one.trim())).toEqual(expect.arrayContaining([...new Set(methods)]));

    const { headers } = await allowing.request('GET', '/v1/identity/financial-institutions', { headers: from(SHOP) });
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(',') ?? [];
    // Browsers always let pages read these.
    const safelisted = ['cache-control', 'content-language', 'content-length', 'content-type', 'last-modified'];
    const described = Object.keys(body.components.headers).map((one) => one.toLowerCase());
    expect(described.length).toBeGreaterThan(5);
    const readable = [...exposed.map((one) => one.trim()), ...safelisted];
    expect(described.filter((one) => !readable.includes(one))).toEqual([]);
  });

  test('allows pages to read the version of an escrow, and to send it back', async () => {
    const allowed = (await preflight(allowing, SHOP)).headers.get('access-control-allow-headers')?.toLowerCase();
    expect(allowed).toContain('if-match');
    const read = await allowing.request('GET', '/v1/identity/financial-institutions', { headers: from(SHOP) });
    expect(read.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('etag');
  });

  test('covers the API only: other sites cannot read pages or the description', async () => {
    for (const path of ['/openapi.json', '/docs', '/health'])
      expect(
        (await allowing.request('GET', path, { headers: from(SHOP) })).headers.get('access-control-allow-origin'),
      ).toBeNull();
  });
});

describe('bounds', () => {
  test.concurrent('every operation with a body describes its maximum size, and enforces it', async () => {
    const { body } = await service.request('GET', '/openapi.json');
    const taking = Object.entries<
      Record<string, { requestBody?: object; 'x-callback'?: boolean; 'x-max-body-bytes'?: number }>
    >(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        operation.requestBody === undefined || operation['x-callback'] === true // a callback is answered whatever its size
          ? []
          : [{ name: `${method.toUpperCase()} ${path}`, method, path, operation }],
      ),
    );
    expect(taking.length).toBeGreaterThan(30);
    await together(taking, async ({ name, method, path, operation }) => {
      expect([name, operation['x-max-body-bytes']]).toEqual([name, maxBodyBytesOf(name)]);
      const { maxBytes } = BODY_LIMITS[bodyKindOf(method.toUpperCase(), path, false)];
      const rawBody = JSON.stringify({ padding: 'x'.repeat(maxBytes) });
      const answer = await company.request(method.toUpperCase(), path.replace(/\{\w+\}/g, 'x'), { rawBody });
      expect([name, answer.status, answer.body.code]).toEqual([name, 413, 'payload_too_large']);
    });
  });

  test('headers larger than 16 KiB: 431', async () => {
    const answer = await raw(
      Number(new URL(service.url).port),
      `GET /health HTTP/1.1\r\nHost: x\r\nX-Padding: ${'x'.repeat(SERVER_LIMITS.maxHeaderBytes)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
  });

  test.concurrent('a client that does not read its answer is disconnected', async () => {
    const requestTimeoutMs = 500;
    // An answer that costs the server no work, so that it is sent before the client reads, also on a busy machine.
    const [request, requests] = ['GET /docs/scalar.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n', 45];
    const asked = requests * statSync('src/api/reference/scalar/standalone.js.br').size;
    expect(asked).toBeGreaterThan(30_000_000); // more than the kernel keeps for a client
    const impatient = await ownService({ withWorker: false, requestTimeoutMs });
    const socket = connect(Number(new URL(impatient.url).port), '127.0.0.1').pause();
    socket.on('error', () => undefined); // reset
    socket.write(request.repeat(requests));
    setTimeout(() => socket.resume(), 12 * requestTimeoutMs);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.bytesRead).toBeGreaterThan(0);
    expect(socket.bytesRead).toBeLessThan(asked - 10_000_000);
    await impatient.stop();
  });

  test('a client that exceeds the time limit for a body gets 408, whether or not the body is read', async () => {
    const app = new Hono()
      .use(limitSending({ ...BODY_LIMITS, json: { sendWithinMs: 150 } }))
      .post('/reads', async (c) => c.text(await c.req.text()))
      .post('/v1/identity/users', async (c) => c.text(String((await c.req.text()).length)));
    app.onError((_, c) => c.body(null, 408)); // reading from a client that has disconnected
    const server = createAdaptorServer({ fetch: app.fetch });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const begin = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n12345`;
    try {
      expect(await raw(port, begin('/reads', 'application/json'))).toMatch(/^HTTP\/1.1 408 /);
      const rest = { after: 400, text: '67890' };
      const form = await raw(port, begin('/v1/identity/users', 'multipart/form-data; boundary=a'), rest);
      expect(form).toMatch(/^HTTP\/1.1 200 .*10$/s);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

/** The server's response to these bytes, until it closes the connection or has answered 200. */
function raw(port: number, request: string, rest?: { readonly after: number; readonly text: string }): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (data) => {
      heard += String(data);
      if (heard.startsWith('HTTP/1.1 200')) socket.end();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(heard));
    socket.write(request);
    if (rest !== undefined) setTimeout(() => socket.write(rest.text), rest.after);
  });
}
