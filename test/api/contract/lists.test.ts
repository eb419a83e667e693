import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { logIn, newAdministrator, newKey, refused } from '../../support/api.ts';
import { writeBankFile } from '../../support/bank-writer.ts';
import { beginEscrow } from '../../support/escrows.ts';
import { ownService } from '../../support/own-service.ts';
import { done, newCompany, newUser, type TestCompany, type TestService } from '../../support/service.ts';

/** Rules for all lists. The service's OpenAPI description tells which operations are lists. */

let service: TestService;
let company: TestCompany;
/** A feed is read from a position, so it has no total. */
type Kind = 'array' | 'page' | 'feed' | 'openItems';
const DEFAULT_LIMITS: Readonly<Record<Kind, number>> = { array: 1_000, page: 20, feed: 20, openItems: 10_000 };
const MOST: Readonly<Record<Kind, number>> = { array: 1_000, page: 100, feed: 100, openItems: 10_000 };
let lists: { path: string; kind: Kind; hasCursor: boolean; hasOffset: boolean }[];

type Parameter = { name: string; schema: { maximum?: number; default?: number } };

beforeAll(async () => {
  service = await ownService(); // the platform's lists would hold the companies of all files of a shared one
  company = await newCompany(service);
  for (let made = 0; made < 4; made++) await newUser(company);
  const { body } = await service.request('GET', '/openapi.json');
  lists = Object.entries<Record<string, { parameters?: Parameter[] }>>(body.paths).flatMap(([path, { get }]) => {
    const limit = get?.parameters?.find(({ name }) => name === 'limit');
    if (limit === undefined) return [];
    const takes = (parameter: string) => get?.parameters?.some(({ name }) => name === parameter) === true;
    const most = limit.schema.maximum;
    const kind = takes('after') ? 'feed' : most === 1_000 ? 'array' : most === 10_000 ? 'openItems' : 'page';
    expect([path, kind, limit.schema.default]).toEqual([path, kind, DEFAULT_LIMITS[kind]]);
    return [{ path, kind, hasCursor: takes('cursor'), hasOffset: takes('offset') }];
  });
});
afterAll(() => service.stop());

const ARRAYS = [
  '/v1/core/companies/admins',
  '/v1/core/companies/api-keys',
  '/v1/identity/users',
  '/v1/ledger/company/accounts',
  '/v1/ledger/escrow/history',
  '/v1/ledger/{ledgerId}/transactions',
  '/v1/escrow/active',
  '/v1/webhooks',
];
const PAGES = [
  '/v1/core/audit-log',
  '/v1/escrow',
  '/v1/identity/admin/users',
  '/v1/payments/links',
  '/v1/treasury/captures',
  '/v1/treasury/withdrawals',
];

const nextOf = (headers: Headers) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
/** The same company's client, for an address that a list returned. */
const follow = (address: string) => {
  expect(address).toMatch(new RegExp(`^${service.url}/v1/`));
  return company.get(address.slice(service.url.length));
};
const ledgerOf = async () => (await company.get('/v1/ledger/company/accounts?limit=1')).body[0].ledgerId;
const webhookOf = async () =>
  (await company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] })).body.id;
const statementOf = async () => {
  const file = writeBankFile({ day: '2026-01-31', opening: '0.00', lines: [{ amount: '1.00', sign: 'CRDT' }] });
  const headers = { 'content-type': 'application/xml' };
  return (await done(company.request('POST', '/v1/treasury/bank/statements', { headers, rawBody: file }))).body.id;
};

describe('every list', () => {
  test('is in the table of this test', () => {
    expect(lists.filter(({ kind }) => kind === 'array').map(({ path }) => path)).toEqual(
      expect.arrayContaining(ARRAYS),
    );
    expect(lists.filter(({ kind }) => kind === 'page').map(({ path }) => path)).toEqual(expect.arrayContaining(PAGES));
    expect(lists.length).toBeGreaterThanOrEqual(ARRAYS.length + PAGES.length);
  });

  test('accepts its maximum limit, refuses one more, and returns its total and its page unless it is a feed', async () => {
    const [ledgerId, webhookId, statementId] = [await ledgerOf(), await webhookOf(), await statementOf()];
    const { id: escrowId } = await beginEscrow(company);
    for (const { path, kind, hasOffset } of lists) {
      const id = path.includes('/statements/') ? statementId : path.includes('/escrow/') ? escrowId : webhookId;
      const address = path.replace('{ledgerId}', ledgerId).replace('{id}', id);
      const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
      const most = MOST[kind];
      const answer = await service.request('GET', `${address}?limit=${most}`, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      const total = answer.headers.get('x-total-count');
      expect([path, total]).toEqual([path, kind === 'feed' ? null : expect.stringMatching(/^\d+$/)]);
      // The platform's work includes that of other tests' companies.
      const next = Number(total) > most ? expect.stringContaining('rel="next"') : null;
      expect([path, answer.headers.get('link')]).toEqual([path, next]);
      if (hasOffset && answer.body.data !== undefined)
        expect([path, answer.body]).toMatchObject([path, { total: expect.any(Number), limit: most, offset: 0 }]);
      expect([path, await service.request('GET', `${address}?limit=${most + 1}`, { headers })]).toMatchObject([
        path,
        refused(400, 'validation_failed'),
      ]);
    }
  });
});

describe('Link rel="next"', () => {
  beforeAll(async () => {
    for (let made = 0; made < 3; made++) {
      await newAdministrator(service, company, 'manager');
      await newKey(await logIn(service, company.id, company.owner));
      await company.post('/v1/treasury/bank/capture', { amount: 1, currency: 'USD', reference: `receipt ${made}` });
      await company.post('/v1/payments/deposit', { amount: 1, currency: 'USD' });
    }
  });
  test.each([
    ['/v1/identity/users', 4],
    ['/v1/core/companies/admins', 4],
    ['/v1/core/companies/api-keys', 4],
    ['/v1/ledger/company/accounts', 12],
    ['/v1/treasury/captures', 3],
    ['/v1/core/audit-log', 12],
    ['/v1/ledger/{ledgerId}/transactions', 6],
  ])('leads through all pages of %s, and is absent on the last', async (template, least) => {
    const path = template.replace('{ledgerId}', await ledgerOf());
    const all = rowsOf((await company.get(`${path}?limit=100`)).body);
    expect(all.length).toBeGreaterThanOrEqual(least);
    const seen: string[] = [];
    let answer = await company.get(`${path}?limit=2`);
    for (let page = 1; ; page++) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-total-count')).toBe(String(all.length));
      seen.push(...rowsOf(answer.body));
      const next = nextOf(answer.headers);
      expect(next === undefined).toBe(page === Math.ceil(all.length / 2));
      if (next === undefined) break;
      answer = await follow(next);
    }
    expect(seen).toEqual(all);
  });

  test.each(['createdAt', '-createdAt'])('the transactions of a ledger in the order %s', async (sort) => {
    const path = `/v1/ledger/${await ledgerOf()}/transactions?sort=${sort}`;
    const all = rowsOf((await company.get(path)).body);
    const newestFirst = rowsOf((await company.get(path.replace(/\?.*/, ''))).body);
    expect(all).toEqual(sort === 'createdAt' ? newestFirst.toReversed() : newestFirst);
    const seen: string[] = [];
    for (let next: string | undefined = `${service.url}${path}&limit=2`; next !== undefined; ) {
      const answer = await follow(next);
      seen.push(...rowsOf(answer.body));
      next = nextOf(answer.headers);
    }
    expect(seen).toEqual(all);
  });

  test('maxTotal ends the counting of rows, and leaves the pages and the totals that are kept', async () => {
    const first = await company.get('/v1/core/audit-log?limit=2&maxTotal=3');
    expect(first.body).toMatchObject({ total: 3, data: [{}, {}] });
    expect((await follow(nextOf(first.headers) ?? '')).body).toMatchObject({ total: 3, data: [{}, {}] });
    const users = await company.get('/v1/identity/users?maxTotal=1');
    expect(users.headers.get('x-total-count')).toBe(String(users.body.length));
    expect(await company.get('/v1/core/audit-log?maxTotal=0')).toMatchObject(refused(400, 'validation_failed'));
  });

  test('a page that is exactly full and the last has none', async () => {
    const total = Number((await company.get('/v1/identity/users')).headers.get('x-total-count'));
    expect((await company.get(`/v1/identity/users?limit=${total}`)).headers.get('link')).toBeNull();
  });

  test('keeps the filters and the order of the first page', async () => {
    const first = await company.get('/v1/treasury/captures?limit=1&matchedTo=SUSPENSE&sort=createdAt');
    const next = nextOf(first.headers) ?? '';
    expect(new URL(next).searchParams.get('matchedTo')).toBe('SUSPENSE');
    expect((await follow(next)).body.data[0].reference).toBe('receipt 1');
  });

  test('pages neither repeat nor skip existing rows while new rows are added in front', async () => {
    const mine = await newCompany(service);
    for (let made = 0; made < 4; made++) await newUser(mine);
    const before = rowsOf((await mine.get('/v1/identity/users')).body);
    const first = await mine.get('/v1/identity/users?limit=2');
    await newUser(mine);
    const second = await mine.get((nextOf(first.headers) ?? '').slice(service.url.length));
    expect([...rowsOf(first.body), ...rowsOf(second.body)]).toEqual(before);
  });

  test('the list with page numbers links the next page', async () => {
    const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
    const first = await service.request('GET', '/v1/identity/admin/users?limit=3', { headers });
    expect(nextOf(first.headers)).toBe(`${service.url}/v1/identity/admin/users?limit=3&page=2`);
    const second = await service.request('GET', '/v1/identity/admin/users?limit=3&page=2', { headers });
    expect(nextOf(second.headers)).toBeUndefined();
  });
});

describe('cursors, orders and windows', () => {
  const USERS = '/v1/identity/users';
  const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const nobody = '01900000-0000-7000-8000-000000000000';

  test.each([
    ['text', 'abc'],
    ['another order', cursor('createdAt', '2026-01-01 00:00:00', nobody)],
    ['no time', cursor('-createdAt', "2026-01-01' or 1=1", nobody)],
    ['a time that no calendar has', cursor('-createdAt', '2026-13-41 00:00:00', nobody)],
    ['a day that its month does not have', cursor('-createdAt', '2026-02-30 00:00:00', nobody)],
    ['an hour that no day has', cursor('-createdAt', '2026-02-03 24:00:00', nobody)],
    ['the year 0', cursor('-createdAt', '0000-01-01 00:00:00', nobody)],
    ['the id of another kind of list', cursor('-createdAt', '2026-01-01 00:00:00', '17')],
    ['no id', cursor('-createdAt', '2026-01-01 00:00:00', 'x')],
    ['numbers', cursor(1, 2, 3)],
    ['an object', Buffer.from('{}').toString('base64url')],
  ])('a cursor that is %s: validation_failed', async (_what, value) => {
    expect(await company.get(`${USERS}?cursor=${value}`)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('a cursor together with an offset: validation_failed', async () => {
    const next = nextOf((await company.get(`${USERS}?limit=1`)).headers) ?? '';
    const { search } = new URL(next);
    expect(await company.get(`${USERS}${search}&offset=1`)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('sort turns the order around; an order that the list does not have: validation_failed', async () => {
    const down = rowsOf((await company.get(USERS)).body);
    expect(rowsOf((await company.get(`${USERS}?sort=createdAt`)).body)).toEqual(down.toReversed());
    const refusal = await company.get(`${USERS}?sort=name`);
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.detail).toBe('sort must be one of -createdAt, createdAt, -updatedAt, updatedAt');
  });

  test('createdFrom, createdTo and updatedSince bound the list', async () => {
    const [newest] = (await company.get(USERS)).body;
    const found = async (query: string) => rowsOf((await company.get(`${USERS}?${query}`)).body);
    const at = encodeURIComponent(newest.createdAt);
    expect(await found('createdFrom=2099-01-01')).toEqual([]);
    expect(await found('createdTo=2000-01-01')).toEqual([]);
    expect(await found('updatedSince=2099-01-01')).toEqual([]);
    expect(await found(`createdFrom=${at}&createdTo=${at}`)).toEqual([newest.id]);
    expect(await found(`updatedSince=${at}`)).toContain(newest.id);
    expect(await company.get(`${USERS}?createdFrom=2026-02-02&createdTo=2026-02-01`)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });

  test('several values of a filter are separated by commas; an unknown one among them: validation_failed', async () => {
    const total = async (query: string) => (await company.get(`/v1/treasury/captures?${query}`)).body.total;
    expect(await total('matchedTo=SUSPENSE,USER')).toBe(await total(''));
    expect(await total('matchedTo=USER,TRANSIT_DEPOSIT')).toBe(0);
    const refusal = await company.get('/v1/escrow?status=ACTIVE,OPEN');
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.detail).toMatch(/^status must be one of PENDING, ACTIVE, .*, or several separated by commas$/);
  });
});

function rowsOf(body: { id: string }[] | { data: { id: string }[] }): string[] {
  return (Array.isArray(body) ? body : body.data).map(({ id }) => id);
}
