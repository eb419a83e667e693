import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RATE_LIMITS, SHORT } from '../../../src/api/limits.ts';
import { createLimiter } from '../../../src/api/middleware/rate-limit.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { bare, logIn, newKey } from '../../support/api.ts';
import { bmp, documentForm } from '../../support/documents.ts';
import { eventually } from '../../support/eventually.ts';
import { ownService } from '../../support/own-service.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** The peer of every request is 127.0.0.1, which the test service trusts as a proxy, so each test can choose its address. */
const from = (address: string) => ({ 'x-forwarded-for': address });

const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

describe('limits', () => {
  let service: TestService;
  let company: TestCompany;
  beforeAll(async () => {
    service = await ownService({
      withWorker: false,
      rateLimits: {
        requestsPerMinute: 40,
        companyRequestsPerMinute: 60,
        publicRequestsPerMinute: 10,
      },
    });
    company = await newCompany(service);
  });
  afterAll(() => service.stop());

  const institutions = (address: string) =>
    service.request('GET', '/v1/identity/financial-institutions', { headers: from(address) });

  test('an address over the limit without a credential gets Retry-After, and others are not affected', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => institutions('203.0.113.1')));
    expect(statusesOf(answers)).toEqual([...Array(10).fill(200), ...Array(5).fill(429)]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'too_many_requests', status: 429 });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
    expect(await institutions('203.0.113.2')).toMatchObject({ status: 200 });
  });

  test('every answer says how many requests are left, and in which window', async () => {
    const limitsOf = ({ headers }: { headers: Headers }) => [headers.get('ratelimit'), headers.get('ratelimit-policy')];
    expect(limitsOf(await institutions('203.0.113.77'))).toEqual([
      expect.stringMatching(/^"address";r=9;t=\d+$/),
      '"address";q=10;w=60',
    ]);
    const mine = await newCompany(service);
    expect(limitsOf(await mine.get('/v1/core/companies/me'))).toEqual([
      expect.stringMatching(/^"credential";r=39;t=\d+$/),
      '"credential";q=40;w=60',
    ]);
  });

  test('an address is taken only from a trusted proxy, and only its nearest untrusted hop', async () => {
    const forged = () => institutions('198.51.100.99, 203.0.113.3');
    const answers = await Promise.all(Array.from({ length: 11 }, forged));
    expect(statusesOf(answers)).toEqual([...Array(10).fill(200), 429]);
    expect(await institutions('198.51.100.99')).toMatchObject({ status: 200 });
  });

  test('a key over its limit is refused, and another key is not', async () => {
    const other = await newCompany(service);
    const answers = await Promise.all(Array.from({ length: 45 }, () => company.get('/v1/core/companies/me')));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect(await other.get('/v1/core/companies/me')).toMatchObject({ status: 200 });
  });

  test('the keys of a company share its budget', async () => {
    const many = await newCompany(service);
    const owner = await logIn(service, many.id, many.owner);
    const keys = [await newKey(owner), await newKey(owner)];
    const ask = (key: string) =>
      service.request('GET', '/v1/core/companies/me', { headers: { 'x-api-key': key, 'x-company-id': many.id } });
    const answers = await Promise.all(keys.flatMap(({ key }) => Array.from({ length: 35 }, () => ask(key))));
    const refusals = answers.filter(({ status }) => status === 429);
    expect(refusals.length).toBeGreaterThanOrEqual(10);
    expect(refusals[0]?.headers.get('ratelimit')).toMatch(/^"company";r=0;t=\d+$/);
  });

  test('a company runs a limited number of requests at once, and waits for itself alone', async () => {
    const limiter = createLimiter({ ...RATE_LIMITS, companyRequestsAtOnce: 2 });
    const [busy, quiet] = [randomUUID() as CompanyId, randomUUID() as CompanyId];
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    };
    const all = Promise.all(Array.from({ length: 6 }, () => limiter.takeTurn(busy, work)));
    await eventually(async () => running === 2);
    let isServed = false;
    await limiter.takeTurn(quiet, async () => {
      isServed = true;
    });
    expect(isServed).toBe(true);
    for (let ended = 0; ended < 6; ended += 1) {
      await eventually(async () => ends.length > 0);
      ends.shift()?.();
    }
    await all;
    expect(most).toBe(2);
  });

  test('keys that do not work are counted against the address', async () => {
    const guess = () =>
      service.request('GET', '/v1/core/companies/me', {
        headers: { ...from('203.0.113.4'), 'x-api-key': 'esc_t_nobody', 'x-company-id': company.id },
      });
    const answers = await Promise.all(Array.from({ length: 12 }, guess));
    expect(statusesOf(answers)).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('five wrong passwords lock an e-mail for one address, even with the right password', async () => {
    const login = (password: string, address: string) =>
      service.request('POST', '/v1/auth/login', {
        headers: from(address),
        body: { email: company.owner.email, password },
      });
    for (let round = 0; round < 5; round++)
      expect(await login('wrong password', '203.0.113.5')).toMatchObject({ status: 401 });
    expect(await login(company.owner.password, '203.0.113.5')).toMatchObject({ status: 429 });
    expect(await login(company.owner.password, '203.0.113.6')).toMatchObject({ status: 200 });
  });
});

describe('long requests', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await sharedService();
  });

  test('of a company take turns, and short ones and those of other companies pass them', async () => {
    const [busy, other] = [await newCompany(service), await newCompany(service)];
    const user = await newUser(busy);
    await withClient(service.database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('select 1 from app_user where id = $1 for update', [bare(user.id)]);
      const ended: string[] = [];
      const note = (what: string) => (answer: { readonly status: number }) => {
        ended.push(what);
        return answer;
      };
      const form = documentForm(bmp(SHORT.bytes + 1));
      const file = busy.request('POST', `/v1/identity/users/${user.id}/document`, { form }).then(note('file'));
      await eventually(async () => {
        const { rows } = await client.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`);
        return rows.length > 0;
      });
      const list = busy.get('/v1/identity/users').then(note('list'));
      expect(await other.get('/v1/identity/users')).toMatchObject({ status: 200 });
      expect(await busy.get('/v1/core/companies/me')).toMatchObject({ status: 200 });
      const report = busy.get('/v1/treasury/receivables?format=csv').then(note('report'));
      expect(await busy.get('/v1/treasury/receivables')).toMatchObject({ status: 200 });
      expect(await busy.get(`/v1/identity/users?limit=${SHORT.rows}`)).toMatchObject({ status: 200 });
      expect(ended).toEqual([]);
      await client.query('rollback');
      expect(statusesOf(await Promise.all([file, list, report]))).toEqual([200, 200, 200]);
      expect(ended).toEqual(['file', 'list', 'report']);
    });
  });

  test('whose turn does not come in time are refused', async () => {
    const limiter = createLimiter(RATE_LIMITS);
    const companyId = randomUUID() as CompanyId;
    const held = Promise.withResolvers<void>();
    const first = limiter.takeLongTurn(companyId, () => held.promise);
    const refused = limiter.takeLongTurn(companyId, async () => undefined, 10);
    await expect(refused).rejects.toMatchObject({ code: 'too_many_requests' });
    held.resolve();
    await first;
  });
});

test('large files of all companies together have a limited number of places in memory, and wait for one', async () => {
  const limiter = createLimiter({ ...RATE_LIMITS, largeUploadsAtOnce: 2, largeUploadsReserved: 0 });
  const held = Promise.withResolvers<void>();
  const isHeld = () => held.promise;
  const isTaken = async () => 'taken';
  const first = limiter.takeUploadTurn('first', 'document', isHeld);
  const second = limiter.takeUploadTurn('second', 'bankFile', isHeld);
  for (const size of ['document', 'bankFile'] as const)
    await expect(limiter.takeUploadTurn('third', size, isTaken, { withinMs: 10 })).rejects.toMatchObject({
      code: 'dependency_unavailable',
      message: 'too many large files are being received',
    });
  expect(await limiter.takeUploadTurn('third', 'short', isTaken)).toBe('taken');
  const waiting = limiter.takeUploadTurn('third', 'document', isTaken);
  held.resolve();
  expect(await waiting).toBe('taken');
  await Promise.all([first, second]);
});

test('a handful of companies that send large files slowly, wherever they can, leave a place to others', async () => {
  const limiter = createLimiter(RATE_LIMITS);
  const held = Promise.withResolvers<void>();
  let holding = 0;
  const hold = () => {
    holding += 1;
    return held.promise;
  };
  const slow = Array.from({ length: 8 }, (_, at) => `slow ${at}`).flatMap((owner) =>
    ['api', 'orders', 'console'].flatMap((entrance) =>
      Array.from({ length: RATE_LIMITS.companyLargeUploadsAtOnce }, () =>
        limiter.takeUploadTurn(`${entrance}/${owner}`, 'document', hold, { owner, withinMs: 60_000 }),
      ),
    ),
  );
  const send = (owner: string) =>
    limiter.takeUploadTurn(`api/${owner}`, 'document', async () => 'sent', { owner, withinMs: 10 });
  expect(await Promise.all([send('other'), send('another')])).toEqual(['sent', 'sent']);
  expect(holding).toBe(RATE_LIMITS.largeUploadsAtOnce - 1);
  held.resolve();
  await Promise.all(slow);
  expect(holding).toBe(slow.length);
});

describe('the audit log', () => {
  let service: TestService;
  let company: TestCompany;
  beforeAll(async () => {
    service = await sharedService();
    company = await newCompany(service);
  });
  afterAll(() => service.stop());

  test('records actor, operation, address and resource, also of refused requests', async () => {
    const user = await newUser(company);
    const removed = await company.request('POST', `/v1/core/companies/admins/${company.owner.id}/remove`, {
      headers: { ...from('203.0.113.7'), 'x-request-id': 'request-of-a-test' },
    });
    expect(removed.status).toBe(403);
    const { body } = await company.get('/v1/core/audit-log?limit=2');
    expect(body.data).toMatchObject([
      {
        operation: 'POST /v1/core/companies/admins/{id}/remove',
        resource: company.owner.id,
        status: 403,
        ip: '203.0.113.7',
        requestId: 'request-of-a-test',
        actor: { kind: 'api_key', role: 'OWNER' },
      },
      { operation: 'POST /v1/identity/users', resource: user.id, status: 201 },
    ]);
    expect(body.total).toBeGreaterThanOrEqual(3);
    const mine = await company.get(
      `/v1/core/audit-log?actorId=${body.data[0].actor.id}&operation=${encodeURIComponent('POST /v1/identity/users')}`,
    );
    expect(mine.body.total).toBe(1);
  });

  test('contains no reads, and nothing that another company can see', async () => {
    const other = await newCompany(service);
    const before = (await other.get('/v1/core/audit-log')).body.total;
    await other.get('/v1/identity/users');
    const { body } = await other.get('/v1/core/audit-log');
    expect(body.total).toBe(before);
    expect(JSON.stringify(body)).not.toContain(company.owner.id);
  });
});
