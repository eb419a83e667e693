import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CURRENCY_CODES } from '../../../../src/domain/money.ts';
import { bare, newAdministrator, refused } from '../../../support/api.ts';
import { ownService } from '../../../support/own-service.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const ACCOUNT = {
  id: expect.stringMatching(/^acc_/),
  ledgerId: expect.stringMatching(/^ldg_/),
  type: expect.any(String),
  currency: expect.stringMatching(new RegExp(`^(${CURRENCY_CODES.join('|')})$`)),
  balance: expect.stringMatching(/^-?\d+$/),
  held_balance: expect.stringMatching(/^\d+$/),
  available_balance: expect.stringMatching(/^-?\d+$/),
  is_frozen: false,
  created_at: expect.any(String),
  updated_at: expect.any(String),
};

describe('GET /v1/ledger/company/accounts', () => {
  test('has one account of each type and currency from the first moment, all at zero', async () => {
    const { status, body, headers } = await (await newCompany(service)).get('/v1/ledger/company/accounts');
    expect(status).toBe(200);
    const types = [
      'BANK',
      'CLEARING_CARD',
      'CLEARING_DECLARED',
      'CLEARING_MOBILE',
      'COMPANY',
      'SERVICE_FEE',
      'SUSPENSE',
      'TAX',
      'TRANSIT',
    ];
    expect(body.map((one: { type: string; currency: string }) => `${one.type} ${one.currency}`).sort()).toEqual(
      types.flatMap((type) => [...CURRENCY_CODES].sort().map((currency) => `${type} ${currency}`)),
    );
    expect(headers.get('x-total-count')).toBe(String(types.length * CURRENCY_CODES.length));
    for (const account of body) expect(account).toEqual({ ...ACCOUNT, balance: '0', held_balance: '0' });
    expect(new Set(body.map(({ ledgerId }: { ledgerId: string }) => ledgerId)).size).toBe(1);
  });

  test('the platform also has SYSTEM_FEE', async () => {
    const { body } = await service.request('GET', '/v1/ledger/company/accounts', {
      headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': service.platform.companyId },
    });
    expect(body.filter(({ type }: { type: string }) => type === 'SYSTEM_FEE')).toHaveLength(CURRENCY_CODES.length);
  });

  test('is paged, and never holds a user account', async () => {
    await newUser(company);
    const all = await company.get('/v1/ledger/company/accounts');
    const page = await company.get('/v1/ledger/company/accounts?limit=5&offset=10');
    expect(page.body).toEqual(all.body.slice(10, 15));
    expect(page.headers.get('x-total-count')).toBe(String(all.body.length));
  });

  test.each(['limit=0', 'limit=1001', 'offset=x'])('?%s: validation_failed', async (query) => {
    expect(await company.get(`/v1/ledger/company/accounts?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('GET /v1/ledger/user/{userId}/accounts', () => {
  test('answers one USER account per currency', async () => {
    const user = await newUser(company);
    const { status, body } = await company.get(`/v1/ledger/user/${user.id}/accounts`);
    expect(status).toBe(200);
    expect(body).toEqual([
      { ...ACCOUNT, type: 'USER', currency: 'USD', id: user.usdAccountId, ledgerId: user.ledgerId },
      { ...ACCOUNT, type: 'USER', currency: 'ZIG', ledgerId: user.ledgerId },
    ]);
  });
});

describe('GET /v1/ledger/accounts/{accountId}', () => {
  test('returns its ledger and user, for any form of the id', async () => {
    const user = await newUser(company, { firstName: 'Rudo', lastName: 'Sibanda' });
    const { body } = await company.get(`/v1/ledger/accounts/${user.usdAccountId}`);
    expect(body).toEqual({
      ...ACCOUNT,
      withdrawable_balance: '0',
      last_freeze: null,
      freezes: [],
      type: 'USER',
      ledger: {
        id: user.ledgerId,
        name: 'Rudo Sibanda',
        user: { id: user.id, first_name: 'Rudo', last_name: 'Sibanda' },
      },
    });
    expect((await company.get(`/v1/ledger/accounts/${bare(user.usdAccountId)}`)).body).toEqual(body);
  });

  test("a company's ledger has no user", async () => {
    const [account] = (await company.get('/v1/ledger/company/accounts')).body;
    const { body } = await company.get(`/v1/ledger/accounts/${account.id}`);
    expect(body.ledger).toEqual({ id: account.ledgerId, name: expect.stringContaining('Market'), user: null });
  });
});

describe('GET /v1/ledger/verify-ledger-integrity', () => {
  const verify = (by: Pick<TestCompany, 'request'>) => by.request('GET', '/v1/ledger/verify-ledger-integrity');

  test("audits the company's own books, and finds them right", async () => {
    const mine = await newCompany(service);
    const user = await newUser(mine);
    await mine.post('/v1/payments/deposit', { userId: user.id, amount: 100, currency: 'USD' });
    const { status, body } = await verify(mine);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, checkedAccounts: 20, checkedTransactions: 1, mismatches: [] });
    expect(body.durationMs).toEqual(expect.any(Number));
    expect(body).toHaveProperty('chainHead');
  });

  test('a super administrator audits all companies at once', async () => {
    const own = await ownService({ withWorker: false }); // other files tamper with the books of the shared one
    try {
      await newCompany(own);
      const headers = { 'x-api-key': own.platform.apiKey, 'x-company-id': own.platform.companyId };
      const { body } = await own.request('GET', '/v1/ledger/verify-ledger-integrity', { headers });
      expect(body).toMatchObject({ ok: true, mismatches: [] });
      expect(body.checkedAccounts).toBeGreaterThan(14);
    } finally {
      await own.stop();
    }
  });

  test('is open to a MANAGER', async () => {
    expect(await verify(await newAdministrator(service, company, 'manager'))).toMatchObject({ status: 200 });
  });
});
