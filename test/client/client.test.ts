import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConnectionError, EscrowClient, EscrowError } from '../../clients/typescript/src/index.ts';
import { png } from '../support/documents.ts';
import { logoForm } from '../support/logos.ts';
import { newCompany, newParties, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let parties: Awaited<ReturnType<typeof newParties>>;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  parties = await newParties(company);
});
afterAll(() => service.stop());

type Options = Partial<ConstructorParameters<typeof EscrowClient>[0]>;
const newClient = (options: Options = {}) =>
  new EscrowClient({
    baseUrl: service.url,
    companyId: company.id,
    apiKey: company.apiKey,
    wait: () => Promise.resolve(),
    ...options,
  });

const deposit = () => ({ userId: parties.buyer.id, amount: 100, currency: 'USD' as const });
const balance = async () => {
  const { balance: cents } = await newClient().get('/v1/ledger/accounts/{accountId}', {
    path: { accountId: parties.buyer.usdAccountId },
  });
  return Number(cents);
};

/** A connection that loses or replaces answers, and records the idempotency keys of requests. */
function connection(instead: readonly (Response | 'lost')[]) {
  const keys: (string | null)[] = [];
  const fetch = async (request: Request) => {
    const next = instead[keys.length];
    keys.push(request.headers.get('x-idempotency-key'));
    if (next !== undefined && next !== 'lost') return next;
    const response = await globalThis.fetch(request);
    if (next === 'lost') throw new TypeError('fetch failed');
    return response;
  };
  return { keys, fetch };
}
const busy = (status: number, retryAfter: string, code = 'too_many_requests') =>
  new Response(JSON.stringify({ code }), { status, headers: { 'retry-after': retryAfter } });

describe('a repeated request', () => {
  test('keeps its idempotency key and happens once, although its answer was lost twice', async () => {
    const { keys, fetch } = connection(['lost', 'lost']);
    const before = await balance();
    await newClient({ fetch }).post('/v1/payments/deposit', { body: deposit() });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(await balance()).toBe(before + 100);
  });

  test('has a fresh key unless the caller gives one', async () => {
    const { keys, fetch } = connection([]);
    const sender = newClient({ fetch });
    await sender.post('/v1/payments/deposit', { body: deposit() });
    await sender.post('/v1/payments/deposit', { body: deposit() });
    await sender.post('/v1/payments/deposit', { body: deposit(), idempotencyKey: 'order-1' });
    expect(new Set(keys).size).toBe(3);
    expect(keys.at(-1)).toBe('order-1');
  });

  test('happens once after ConnectionError too, if it has the key of the error', async () => {
    const { keys, fetch } = connection(['lost']);
    const before = await balance();
    const sender = newClient({ fetch, maxRetries: 0 });
    const error = await sender.post('/v1/payments/deposit', { body: deposit() }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ConnectionError)) throw error;
    expect(error).toMatchObject({ code: 'connection_failed', idempotencyKey: keys[0] });
    expect(error.message).toContain(
      `the request may have been carried out: repeat it with the idempotency key ${keys[0]}`,
    );
    await sender.post('/v1/payments/deposit', { body: deposit(), idempotencyKey: error.idempotencyKey });
    expect(await balance()).toBe(before + 100);
  });

  test('retries while the first request with its key is in progress', async () => {
    const { keys, fetch } = connection([busy(409, '0', 'idempotency_in_progress')]);
    await newClient({ fetch }).post('/v1/payments/deposit', { body: deposit() });
    expect(keys).toHaveLength(2);
  });

  test('is not sent if it has no key and may have happened', async () => {
    const { keys, fetch } = connection(['lost']);
    const user = { path: { id: parties.buyer.id }, body: { idNumber: '63-1234567A00' } };
    await expect(newClient({ fetch }).post('/v1/identity/users/{id}/link-id', user)).rejects.toThrow(ConnectionError);
    expect(keys).toEqual([null]);
  });

  test('ends with the last answer after the configured number of retries', async () => {
    const { keys, fetch } = connection([
      busy(503, '0', 'dependency_unavailable'),
      busy(503, '0', 'dependency_unavailable'),
    ]);
    const asked = newClient({ fetch, maxRetries: 1 }).get('/v1/core/companies/me');
    await expect(asked).rejects.toMatchObject({ code: 'dependency_unavailable', status: 503, retryAfterSeconds: 0 });
    expect(keys).toHaveLength(2);
  });

  test('ends at once when the caller aborts', async () => {
    const abort = new AbortController();
    const { fetch } = connection([busy(503, '30'), busy(503, '30')]);
    const asked = newClient({ fetch, wait: undefined }).get('/v1/core/companies/me', { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('a refusal', () => {
  test('is an error of the class of its code', async () => {
    const escrow = newClient();
    const refused = escrow.post('/v1/escrow/initiate', {
      body: {
        buyerId: parties.buyer.id,
        sellerId: parties.seller.id,
        buyerAccountId: parties.buyer.usdAccountId,
        items: [{ name: 'Gold', quantity: 1, pricePerUnit: 90_000_000 }],
        externalReference: 'too-dear',
      },
    });
    await expect(refused).rejects.toBeInstanceOf(EscrowError.of('insufficient_funds'));
    await expect(refused).rejects.not.toBeInstanceOf(EscrowError.of('not_found'));
    await expect(refused).rejects.toBeInstanceOf(EscrowError);
    await expect(refused).rejects.toMatchObject({
      code: 'insufficient_funds',
      status: 422,
      requestId: expect.any(String),
    });
    const error = await refused.catch((thrown: unknown) => thrown);
    if (!(error instanceof EscrowError.of('insufficient_funds'))) throw error;
    const missingCents = BigInt(error.details?.requested ?? 0) - BigInt(error.details?.available ?? 0);
    expect([error.details?.requested, error.details?.currency]).toEqual(['90000000', 'USD']);
    expect(missingCents).toBeGreaterThan(0n);
  });

  test('with a code that the client does not know has a class too', async () => {
    const { fetch } = connection([busy(418, '0', 'made_of_tea')]);
    await expect(newClient({ fetch }).get('/v1/core/companies/me')).rejects.toMatchObject({
      name: 'EscrowError',
      code: 'made_of_tea',
      constructor: EscrowError.of('made_of_tea'),
    });
  });

  test('names unknown fields, unless the client is not strict', async () => {
    const body = { ...deposit(), ammount: 5 };
    const refused = newClient().post('/v1/payments/deposit', { body });
    await expect(refused).rejects.toBeInstanceOf(EscrowError.of('validation_failed'));
    await expect(refused).rejects.toMatchObject({
      errors: [{ path: 'ammount', message: expect.stringMatching('amount') }],
    });
    expect(await newClient({ isStrict: false }).post('/v1/payments/deposit', { body })).toMatchObject({
      amount: '100',
    });
  });
});

describe('a list', () => {
  test('of every shape is read page by page to its end', async () => {
    const escrow = newClient();
    const { ledgerId } = parties.buyer;
    const query = { limit: 1 };
    const rows = {
      '/v1/identity/users': escrow.list('/v1/identity/users', { query }),
      '/v1/core/companies/admins': escrow.list('/v1/core/companies/admins', { query }),
      '/v1/core/companies/api-keys': escrow.list('/v1/core/companies/api-keys', { query }),
      '/v1/core/audit-log': escrow.list('/v1/core/audit-log', {
        query: { ...query, operation: 'POST /v1/identity/users' },
      }),
      '/v1/ledger/company/accounts': escrow.list('/v1/ledger/company/accounts', { query }),
      [`/v1/ledger/${ledgerId}/transactions`]: escrow.list('/v1/ledger/{ledgerId}/transactions', {
        path: { ledgerId },
        query,
      }),
      '/v1/escrow': escrow.list('/v1/escrow', { query }),
      '/v1/payments/links': escrow.list('/v1/payments/links', { query }),
      '/v1/treasury/withdrawals': escrow.list('/v1/treasury/withdrawals', { query }),
      '/v1/treasury/captures': escrow.list('/v1/treasury/captures', { query }),
    };
    for (const [path, list] of Object.entries(rows)) {
      const filter = path.endsWith('audit-log') ? '&operation=POST%20/v1/identity/users' : '';
      const { headers } = await company.get(`${path}?limit=1${filter}`);
      const found: unknown[] = [];
      for await (const row of list) found.push(row);
      expect([path, found.length]).toEqual([path, Number(headers.get('x-total-count'))]);
    }
  });

  test('requests the next page only when the caller reaches it', async () => {
    const { keys, fetch } = connection([]);
    for await (const { id } of newClient({ fetch }).list('/v1/ledger/company/accounts', { query: { limit: 1 } })) {
      expect(id).toMatch(/^acc_/);
      break;
    }
    expect(keys).toHaveLength(1);
  });
});

test('a file is downloaded unchanged', async () => {
  const response = await newClient().download('/v1/ledger/accounts/{accountId}/statement', {
    path: { accountId: parties.buyer.usdAccountId },
    query: { format: 'csv' },
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
  expect((await response.text()).split('\n').length).toBeGreaterThan(1);
});

describe('put and delete', () => {
  const owner = () => newClient().as({ companyId: company.id, accessToken: company.owner.token });

  test('a removed endpoint is gone, also if the first answer was lost', async () => {
    const make = () => owner().post('/v1/webhooks', { body: { url: 'http://127.0.0.1:9/hook', events: ['*'] } });
    const [one, other] = [await make(), await make()];
    expect(await owner().delete('/v1/webhooks/{id}', { path: { id: one.id } })).toEqual({ success: true });
    const { keys, fetch } = connection(['lost']);
    const unlucky = newClient({ apiKey: undefined, accessToken: company.owner.token, fetch });
    const removal = unlucky.delete('/v1/webhooks/{id}', { path: { id: other.id } });
    expect(await removal).toEqual({ success: true });
    expect(keys).toHaveLength(2);
    const gone = owner().get('/v1/webhooks/{id}', { path: { id: other.id } });
    await expect(gone).rejects.toBeInstanceOf(EscrowError.of('not_found'));
  });

  test('a logo is stored although the first answer was lost, and removed', async () => {
    const { keys, fetch } = connection(['lost']);
    const body = logoForm(png());
    const unlucky = newClient({ apiKey: undefined, accessToken: company.owner.token, fetch });
    expect((await unlucky.put('/v1/core/companies/me/logo', { body })).logo_url).toEqual(expect.any(String));
    expect(keys).toHaveLength(2);
    expect((await owner().delete('/v1/core/companies/me/logo')).logo_url).toBeNull();
  });
});

test('an API key is refused in a browser', () => {
  Object.assign(globalThis, { document: {} });
  try {
    expect(() => newClient()).toThrow('browser');
    expect(new EscrowClient({ baseUrl: service.url })).toBeInstanceOf(EscrowClient);
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
});

test.each(['/', '/v1', '/v1/'])('the address may end with %p', async (end) => {
  const { id } = await newClient({ baseUrl: `${service.url}${end}` }).get('/v1/core/companies/me');
  expect(id).toBe(company.id);
});

describe('a mistake in a program', () => {
  test.each(['', 'localhost:3000', 'ftp://escrow.example'])('the address %p: TypeError at construction', (baseUrl) => {
    expect(() => newClient({ baseUrl })).toThrow(/^baseUrl must be an address such as https:\/\/escrow\.example/);
  });

  test.each(['', '.', '..'])('the id %p in the path: TypeError with its name, and no request', async (id) => {
    const { keys, fetch } = connection([]);
    const reading = newClient({ fetch }).get('/v1/escrow/{id}', { path: { id } });
    await expect(reading).rejects.toThrow(new TypeError('path.id of /v1/escrow/{id} is empty or dots'));
    expect(keys).toEqual([]);
  });

  test('a file that is read with get: the error names download', async () => {
    const path = { accountId: parties.buyer.usdAccountId };
    const reading = newClient().get('/v1/ledger/accounts/{accountId}/statement', { path, query: { format: 'csv' } });
    await expect(reading).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringMatching(/ is 200 text\/csv, not one of the service: use download for a file$/),
    });
  });

  test('a service that is not there: ConnectionError with its address', async () => {
    const client = newClient({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
    const reading = client.get('/v1/core/companies/me');
    await expect(reading).rejects.toThrow(/^the connection to http:\/\/127\.0\.0\.1:1 failed$/);
    await expect(reading).rejects.toBeInstanceOf(ConnectionError);
  });

  test('an API key where only a session is accepted: the refusal says so', async () => {
    const making = newClient().post('/v1/core/companies/api-keys', { body: { name: 'second' } });
    await expect(making).rejects.toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('it takes no API key'),
    });
  });
});
