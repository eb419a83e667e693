import { once } from 'node:events';
import { Agent, type ClientRequest, request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { readBody, readCallback } from '../../../src/api/bodies/body-limits.ts';
import { readJson } from '../../../src/api/bodies/json-bodies.ts';
import type { ApiEnv } from '../../../src/api/context.ts';
import {
  BODY_LIMITS,
  DOWNLOAD_LIMITS,
  MAX_BANK_FILE_BYTES,
  MAX_DOCUMENT_BYTES,
  RATE_LIMITS,
  SHORT,
  WAIT_LIMITS,
} from '../../../src/api/limits.ts';
import { documentForm } from '../../support/documents.ts';
import { eventually } from '../../support/eventually.ts';
import { type OwnService, ownService, serviceMetrics } from '../../support/own-service.ts';
import { newCompany, newUser } from '../../support/service.ts';
import { beginDownload, beginUpload } from '../../support/slow-upload.ts';

describe('a large body without a Content-Length', () => {
  const CHUNK = new Uint8Array(64 * 1_024);
  const app = new Hono()
    .onError((error, c) => c.text(error.message, 413))
    .post('/', async (c) => c.text(String((await readBody(c, 'bankFile')).length)));

  /** `sent.bytes`: how much was read so far. */
  function send(bytes: number) {
    const sent = { bytes: 0 };
    const body = new ReadableStream({
      pull(controller) {
        if (sent.bytes >= bytes) return controller.close();
        sent.bytes += CHUNK.length;
        controller.enqueue(CHUNK);
      },
    });
    const headers = { 'transfer-encoding': 'chunked' };
    const answer = Promise.resolve(app.request('/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit));
    return { sent, answer };
  }

  test('is read at the pace of all, so a small one does not wait for it', async () => {
    const large = send(MAX_BANK_FILE_BYTES);
    const small = await send(CHUNK.length).answer;
    expect(await small.text()).toBe(String(CHUNK.length));
    expect(large.sent.bytes).toBeLessThan(MAX_BANK_FILE_BYTES / 2);
    expect(await (await large.answer).text()).toBe(String(MAX_BANK_FILE_BYTES));
  });

  test('is read no further than its limit', async () => {
    const { sent, answer } = send(2 * MAX_BANK_FILE_BYTES);
    expect((await answer).status).toBe(413);
    expect(sent.bytes).toBeLessThan(BODY_LIMITS.bankFile.maxBytes + 4 * CHUNK.length);
  });
});

test('the memory of a body is free as soon as it is read, without a garbage collection', async () => {
  const app = new Hono<ApiEnv>()
    .post('/file', async (c) => c.text(String((await readBody(c, 'bankFile')).length)))
    .post('/json', async (c) => c.json((await readJson(c, false)) as object)) // the one that is sent
    .post('/callback', async (c) => c.text(String(await readCallback(c, 3))));
  const send = async (path: string, texts: readonly string[]) => {
    const chunks = texts.map((text) => new TextEncoder().encode(text));
    const incoming = Object.assign(Readable.from(chunks), { headers: { 'transfer-encoding': 'chunked' } });
    const answer = await (await app.request(path, { method: 'POST' }, { incoming })).text();
    return { answer, isFree: chunks.map(({ buffer }) => buffer.detached) };
  };
  expect(await send('/file', ['a'.repeat(65_536), 'b'])).toEqual({ answer: '65537', isFree: [true, true] });
  expect(await send('/json', ['{"a":', '1}'])).toEqual({ answer: '{"a":1}', isFree: [true, true] });
  expect(await send('/callback', ['a', 'bc'])).toEqual({ answer: 'abc', isFree: [true, true] });
  expect(await send('/callback', ['ab', 'cd', 'e'])).toEqual({ answer: 'undefined', isFree: [true, true, true] });
});

/** The longest wait of a test that expects a refusal; long enough for the turn that a request gets on a busy machine. */
const TURN_MS = 2_000;

describe('clients that send slowly', () => {
  let service: OwnService;
  beforeAll(async () => {
    // A shared one has no such limits.
    service = await ownService({
      ...{ withWorker: false, rateLimits: RATE_LIMITS },
      waits: { ...WAIT_LIMITS, turnMs: TURN_MS },
    });
  });
  afterAll(() => service?.stop());

  const { companyRequestsAtOnce, companyLargeUploadsAtOnce, companyLongRequestsAtOnce } = RATE_LIMITS;
  const [json, form] = ['application/json', 'multipart/form-data; boundary=b'];
  const [deposit, logo, user, statement] = [
    '/v1/payments/deposit',
    '/v1/core/companies/me/logo',
    '/v1/identity/users',
    '/v1/treasury/bank/statements',
  ];
  test.each([
    ['POST', deposit, json, { 'content-length': 100 }, companyRequestsAtOnce],
    ['POST', deposit, json, { 'transfer-encoding': 'chunked' }, companyRequestsAtOnce],
    ['PUT', logo, form, { 'content-length': 100 }, companyRequestsAtOnce],
    ['POST', user, form, { 'content-length': MAX_DOCUMENT_BYTES }, companyLargeUploadsAtOnce],
    ['POST', user, form, { 'transfer-encoding': 'chunked' }, companyLargeUploadsAtOnce],
    ['POST', statement, form, { 'content-length': MAX_BANK_FILE_BYTES }, companyLongRequestsAtOnce],
  ])('do not hold up other requests of their company: %s %s %s %j', async (method, path, type, length, places) => {
    const company = await newCompany(service);
    const slow: ClientRequest[] = [];
    try {
      for (let count = 0; count < places; count += 1) {
        const headers = {
          ...{ 'x-api-key': company.apiKey, 'x-company-id': company.id, 'x-idempotency-key': `slow-${count}` },
          ...{ 'content-type': type, ...length },
        };
        slow.push(await beginUpload(`${service.url}${path}`, { method, headers }));
      }
      expect(await company.get('/v1/core/companies/me')).toMatchObject({ status: 200 });
      if (type !== form) return;
      // A further upload of their size waits for one of theirs, and is told when to try again.
      const isLarge = path !== logo;
      const upload = (bytes: number) => {
        const fields = new FormData();
        fields.append('wrong', new Blob([new Uint8Array(bytes)]));
        return company.request(method, path, { form: fields });
      };
      const bytes = isLarge ? SHORT.bytes : 0;
      const refused = await upload(bytes);
      expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
        ...[429, 'too_many_requests', '1'],
      ]);
      expect(refused.body.detail).toBe('other files of the company are being received');
      const invalid = { status: 400, body: { code: 'validation_failed' } };
      if (isLarge) expect(await upload(0)).toMatchObject(invalid);
      slow[0]?.destroy();
      expect(await upload(bytes)).toMatchObject(invalid);
    } finally {
      for (const sending of slow) sending.destroy();
    }
  });

  test('take no memory for the rest of their files, in chunks or not', async () => {
    const company = await newCompany(service);
    const slow: ClientRequest[] = [];
    const before = process.memoryUsage().arrayBuffers;
    try {
      for (let count = 0; count < RATE_LIMITS.companyRequestsAtOnce; count += 1) {
        const headers = {
          ...{ 'x-api-key': company.apiKey, 'x-company-id': company.id, 'x-idempotency-key': `slow-file-${count}` },
          'content-type': 'application/xml',
          ...(count % 2 === 0 ? { 'content-length': MAX_BANK_FILE_BYTES } : { 'transfer-encoding': 'chunked' }),
        };
        const sending = await beginUpload(`${service.url}/v1/treasury/bank/statements`, { headers });
        slow.push(sending);
        sending.write('<');
      }
      expect(await company.get('/v1/core/companies/me')).toMatchObject({ status: 200 });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MAX_BANK_FILE_BYTES);
    } finally {
      for (const sending of slow) sending.destroy();
    }
  });

  test('and have no credential are refused before their body is read, also where it comes in chunks', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sending = request(`${service.url}/v1/escrow/initiate`, { method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.write('{'); // and never ends
    const [answer] = await once(sending, 'response', {
      signal: AbortSignal.timeout(BODY_LIMITS.order.sendWithinMs / 2),
    });
    expect(answer.statusCode).toBe(401);
    sending.destroy();
  });

  test('hold as many documents of their company as it may send at once, and nothing else of it', async () => {
    const company = await newCompany(service);
    const path = `/v1/identity/users/${(await newUser(company)).id}/document`;
    const long = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(10_000_000, ' '), Buffer.from('\n%%EOF\n')]);
    expect(await company.request('POST', path, { form: documentForm(long) })).toMatchObject({ status: 200 });
    const credential = { 'x-api-key': company.apiKey, 'x-company-id': company.id };
    const ask = async () => {
      const answer = await fetch(`${service.url}${path}`, { headers: credential });
      return { answer, bytes: (await answer.arrayBuffer()).byteLength };
    };
    const unread: ClientRequest[] = [];
    try {
      for (let count = 0; count < DOWNLOAD_LIMITS.ofCompany; count += 1)
        unread.push(await beginDownload(`${service.url}${path}`, credential));
      const waiting = ask();
      expect(await company.get('/v1/core/companies/me')).toMatchObject({ status: 200 });
      const { answer } = await waiting;
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
      const next = ask();
      unread[0]?.destroy();
      expect(await next).toMatchObject({ answer: { status: 200 }, bytes: long.length });
      expect(await ask()).toMatchObject({ answer: { status: 200 } });
    } finally {
      for (const asking of unread) asking.destroy();
    }
  });

  test.each([
    ['/v1/payments/deposit', json],
    ['/v1/identity/users', form],
    ['/orders/unknown/act', 'application/x-www-form-urlencoded'],
    ['/console/login', 'application/x-www-form-urlencoded'],
  ])('and go away are no failure of the service: %s', async (path, type) => {
    const company = await newCompany(service);
    const { httpResponses } = await serviceMetrics();
    const counts = async () => {
      const { values } = await httpResponses.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.class, value]));
    };
    const before = await counts();
    const headers = {
      ...{ 'x-api-key': company.apiKey, 'x-company-id': company.id, 'x-idempotency-key': 'gone' },
      ...{ 'content-type': type, 'content-length': 100, origin: service.url },
    };
    const sending = await beginUpload(`${service.url}${path}`, { headers });
    sending.destroy();
    const after = await eventually(async () => {
      const now = await counts();
      return now['4xx'] + now['5xx'] > before['4xx'] + before['5xx'] && now;
    });
    expect([after['4xx'] - before['4xx'], after['5xx'] - before['5xx']]).toEqual([1, 0]);
  });

  test('a body that is too large is refused before its end, and its connection stays usable', async () => {
    const company = await newCompany(service);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const credential = { 'x-api-key': company.apiKey, 'x-company-id': company.id };
    const rest = Buffer.alloc(8 * 1_048_576, ' ');
    const lengths = [
      { 'transfer-encoding': 'chunked' },
      { 'content-length': BODY_LIMITS.json.maxBytes + 1 + rest.length },
    ];
    try {
      for (const length of lengths) {
        const headers = { ...credential, ...length, 'x-idempotency-key': 'large', 'content-type': 'application/json' };
        const sending = request(`${service.url}/v1/payments/deposit`, { method: 'POST', headers, agent });
        sending.write(' '.repeat(BODY_LIMITS.json.maxBytes + 1));
        const [refused] = await once(sending, 'response');
        expect(refused.statusCode).toBe(413);
        const connection = sending.socket;
        sending.end(rest);
        await once(refused.resume(), 'close');
        const next = request(`${service.url}/v1/core/companies/me`, { headers: credential, agent }).end();
        const [answer] = await once(next, 'response');
        expect([answer.statusCode, next.socket === connection]).toEqual([200, true]);
        await once(answer.resume(), 'close');
      }
    } finally {
      agent.destroy();
    }
  });
});
