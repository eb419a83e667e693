import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, newAdministrator, nobody, refused, sql } from '../../../support/api.ts';
import { newCompany, newParties, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let other: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  [company, other] = [await newCompany(service), await newCompany(service)];
});
afterAll(() => service.stop());

const patch = (path: string, body: unknown, by: Pick<TestCompany, 'request'> = company) =>
  by.request('PATCH', path, { body });

describe('PATCH /v1/ledger/accounts/{id}', () => {
  const freeze = (account: string, is_frozen = true) =>
    patch(`/v1/ledger/accounts/${account}`, { is_frozen, reason: 'Under review' });

  test('a frozen account takes no new debits, but receives money and pays existing holds', async () => {
    const { buyer, seller, escrow } = await newParties(company);
    const before = await company.post('/v1/escrow/initiate', escrow());
    expect(await freeze(buyer.usdAccountId)).toMatchObject({
      status: 200,
      body: { id: buyer.usdAccountId, is_frozen: true, balance: '100000', held_balance: '25000' },
    });

    expect(await company.post('/v1/escrow/initiate', escrow())).toMatchObject(refused(422, 'account_frozen'));
    const deposit = { userId: buyer.id, amount: 500, currency: 'USD' };
    expect(await company.post('/v1/payments/deposit', deposit)).toMatchObject({ status: 201 });
    expect(await company.post(`/v1/escrow/${before.body.id}/release`)).toMatchObject({
      status: 200,
      body: { sellerPayout: '24750' },
    });
    const { body: account } = await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`);
    expect(account).toMatchObject({ balance: '75500', held_balance: '0', is_frozen: true });
    expect((await company.get(`/v1/ledger/accounts/${seller.usdAccountId}`)).body).toMatchObject({ is_frozen: false });

    expect(await freeze(buyer.usdAccountId, false)).toMatchObject({ status: 200, body: { is_frozen: false } });
    expect(await company.post('/v1/escrow/initiate', escrow())).toMatchObject({ status: 201 });
  });

  test('a contra account cannot be frozen, so a chargeback can always be booked', async () => {
    const { buyer } = await newParties(company);
    const deposit = { userId: buyer.id, amount: 500, currency: 'USD' };
    const { body: first } = await company.post('/v1/payments/deposit', deposit);
    await company.post(`/v1/payments/transaction/${first.id}/reverse`, { reason: 'Card stolen', isChargeback: true });
    const { body: accounts } = await company.get('/v1/ledger/company/accounts?limit=100');
    const contra = accounts.filter(({ type }: { type: string }) => ['BANK', 'TRANSIT', 'RECEIVABLE'].includes(type));
    expect(contra.length).toBeGreaterThanOrEqual(2);
    for (const { id } of contra) {
      expect(await freeze(id)).toMatchObject(refused(422, 'account_not_freezable'));
      expect(await freeze(id, false)).toMatchObject({ status: 200, body: { is_frozen: false } });
    }
    const frozen = sql(service, 'update account set is_frozen = true where id = $1', [bare(contra[0].id)]);
    await expect(frozen).rejects.toThrow('account_contra_side_not_frozen');
  });

  test('records each change with reason and caller', async () => {
    const { buyer } = await newParties(company);
    await freeze(buyer.usdAccountId);
    const owner = await newAdministrator(service, company, 'admin');
    await patch(`/v1/ledger/accounts/${buyer.usdAccountId}`, { is_frozen: false, reason: 'Cleared' }, owner);
    const rows = await sql(
      service,
      'select is_frozen, reason, actor_kind, actor_id from account_freeze where account_id = $1 order by created_at',
      [bare(buyer.usdAccountId)],
    );
    expect(rows).toEqual([
      { is_frozen: true, reason: 'Under review', actor_kind: 'api_key', actor_id: expect.any(String) },
      { is_frozen: false, reason: 'Cleared', actor_kind: 'administrator', actor_id: bare(owner.id) },
    ]);
    await expect(sql(service, 'delete from account_freeze')).rejects.toThrow('never changed or deleted');
  });

  test.each([
    ['no reason', { is_frozen: true }, 'reason'],
    ['an empty reason', { is_frozen: true, reason: ' ' }, 'reason'],
    ['no word on freezing', { reason: 'because' }, 'is_frozen'],
    ['a word that is not a boolean', { is_frozen: 'yes', reason: 'because' }, 'is_frozen'],
  ])('%s: validation_failed', async (_what, body, path) => {
    const refusal = await patch(`/v1/ledger/accounts/${nobody('acc')}`, body);
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.errors).toMatchObject([{ path }]);
  });

  test('a manager may not, nor another company; unknown is 404', async () => {
    const { buyer } = await newParties(company);
    const path = `/v1/ledger/accounts/${buyer.usdAccountId}`;
    const body = { is_frozen: true, reason: 'because' };
    const manager = await newAdministrator(service, company, 'manager');
    expect(await patch(path, body, manager)).toMatchObject(refused(403, 'forbidden'));
    expect(await patch(path, body, other)).toMatchObject(refused(404, 'not_found'));
    expect(await patch(`/v1/ledger/accounts/${nobody('acc')}`, body)).toMatchObject(refused(404, 'not_found'));
    expect((await company.get(path)).body).toMatchObject({ is_frozen: false });
    expect(
      await sql(service, 'select 1 from account_freeze where account_id = $1', [bare(buyer.usdAccountId)]),
    ).toEqual([]);
  });
});

describe('PATCH /v1/ledger/{ledgerId}/bank-details', () => {
  const details = { bank_name: 'CBZ', branch_code: '6101', account_number: '01234567890', account_name: 'Ana Moyo' };

  test('sets and replaces them, and returns the new values', async () => {
    const { buyer } = await newParties(company);
    const path = `/v1/ledger/${buyer.ledgerId}/bank-details`;
    expect(await patch(path, details)).toMatchObject({
      status: 200,
      body: { ledgerId: buyer.ledgerId, ...details, updated_at: expect.stringMatching(/Z$/) },
    });
    expect(await patch(path, { ...details, bank_name: 'Stanbic' })).toMatchObject({ body: { bank_name: 'Stanbic' } });
  });

  test('the account number is stored encrypted', async () => {
    const { buyer } = await newParties(company);
    await patch(`/v1/ledger/${buyer.ledgerId}/bank-details`, details);
    const [row] = await sql(service, 'select * from bank_details where ledger_id = $1', [bare(buyer.ledgerId)]);
    expect(row).toMatchObject({ bank_name: 'CBZ', branch_code: '6101', account_name: 'Ana Moyo' });
    expect(JSON.stringify(row)).not.toContain(details.account_number);
  });

  test.each(Object.keys(details))('without %s: validation_failed', async (field) => {
    const refusal = await patch(`/v1/ledger/${nobody('ldg')}/bank-details`, { ...details, [field]: undefined });
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.errors).toMatchObject([{ path: field }]);
  });

  test('a manager may not, nor another company; unknown is 404', async () => {
    const { buyer } = await newParties(company);
    const path = `/v1/ledger/${buyer.ledgerId}/bank-details`;
    const manager = await newAdministrator(service, company, 'manager');
    expect(await patch(path, details, manager)).toMatchObject(refused(403, 'forbidden'));
    expect(await patch(path, details, other)).toMatchObject(refused(404, 'not_found'));
    expect(await patch(`/v1/ledger/${nobody('ldg')}/bank-details`, details)).toMatchObject(refused(404, 'not_found'));
  });
});
