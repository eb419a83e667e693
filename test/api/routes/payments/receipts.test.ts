import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused } from '../../../support/api.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

/** One receipt is credited once, whether a capture or a deposit reports it first, or both at once. */

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const AMOUNT = 10_000;

async function newReceipt() {
  const reference = `R-${randomUUID()}`;
  const user = await newUser(company, { customReference: reference });
  return {
    reference,
    user,
    capture: (amount = AMOUNT) => company.post('/v1/treasury/bank/capture', { amount, currency: 'USD', reference }),
    deposit: (fields: Record<string, unknown>) =>
      company.post('/v1/payments/deposit', { amount: AMOUNT, currency: 'USD', ...fields }),
    balance: async () => {
      const { body } = await company.get(`/v1/ledger/accounts/${user.usdAccountId}`);
      return [body.balance, body.held_balance];
    },
  };
}

/** The ways in which a deposit can name a receipt. */
const NAMINGS = [
  ['externalReference', (reference: string) => ({ externalReference: reference })],
  ['userReference', (reference: string) => ({ userReference: reference })],
  [
    'userReference, with another externalReference',
    (reference: string) => ({ userReference: reference, externalReference: `other-${reference}` }),
  ],
] as const;

describe.each(NAMINGS)('a receipt that a deposit names as its %s', (_, naming) => {
  test('deposit, then capture: the capture waits in SUSPENSE and names the deposit', async () => {
    const receipt = await newReceipt();
    const { body: deposit } = await receipt.deposit(naming(receipt.reference));
    expect(await receipt.capture()).toMatchObject({
      status: 201,
      body: { matchedTo: { kind: 'SUSPENSE' }, possibleDuplicateOf: deposit.id },
    });
    expect(await receipt.balance()).toEqual(['10000', '0']);
  });

  test('capture, then deposit: the deposit is refused and names the capture', async () => {
    const receipt = await newReceipt();
    const { body: capture } = await receipt.capture();
    expect(capture.matchedTo.kind).toBe('USER');
    for (const isTransit of [false, true]) {
      const { status, body } = await receipt.deposit({ ...naming(receipt.reference), isTransit });
      expect({ status, body }).toMatchObject(refused(409, 'duplicate_reference'));
      expect(body.duplicateOf).toBe(capture.id);
    }
    expect(await receipt.balance()).toEqual(['10000', '0']);
  });

  test('deposit in transit, then capture: the capture settles it', async () => {
    const receipt = await newReceipt();
    const { body: deposit } = await receipt.deposit({ ...naming(receipt.reference), isTransit: true });
    expect(await receipt.balance()).toEqual(['10000', '10000']);
    expect(await receipt.capture()).toMatchObject({
      body: { matchedTo: { kind: 'TRANSIT_DEPOSIT', id: deposit.id }, possibleDuplicateOf: null },
    });
    expect(await receipt.balance()).toEqual(['10000', '0']);
  });

  test.each([false, true])('both at once, eight times, in transit: %s', async (isTransit) => {
    const race = async () => {
      const receipt = await newReceipt();
      const [deposit, capture] = await Promise.all([
        receipt.deposit({ ...naming(receipt.reference), isTransit }),
        receipt.capture(),
      ]);
      expect(capture.status).toBe(201);
      expect([201, 409]).toContain(deposit.status);
      expect(await receipt.balance()).toEqual(['10000', '0']);
    };
    for (let round = 0; round < 8; round += 4) await Promise.all([race(), race(), race(), race()]);
  });

  test('another amount is a separate receipt', async () => {
    const receipt = await newReceipt();
    await receipt.deposit(naming(receipt.reference));
    expect((await receipt.capture(AMOUNT + 1)).body.matchedTo.kind).toBe('USER');
    expect(await receipt.balance()).toEqual(['20001', '0']);
  });

  test('the receipt of another company is a separate receipt', async () => {
    const receipt = await newReceipt();
    const other = await newCompany(service);
    const body = { amount: AMOUNT, currency: 'USD', reference: receipt.reference };
    await other.post('/v1/treasury/bank/capture', body);
    expect((await receipt.deposit(naming(receipt.reference))).status).toBe(201);
  });

  test('after the first was reversed, the second counts', async () => {
    const [first, second] = [await newReceipt(), await newReceipt()];
    const { body: capture } = await first.capture();
    await company.post(`/v1/payments/transaction/${capture.id}/reverse`, { reason: 'It bounced' });
    expect((await first.deposit(naming(first.reference))).status).toBe(201);

    const { body: deposit } = await second.deposit(naming(second.reference));
    await company.post(`/v1/payments/transaction/${deposit.id}/reverse`, { reason: 'It bounced' });
    expect((await second.capture()).body.matchedTo.kind).toBe('USER');
  });
});

describe('a memo that repeats every month', () => {
  test('each deposit accounts for one capture, and each capture for one deposit', async () => {
    const receipt = await newReceipt();
    const memo = { userReference: receipt.reference };
    for (const total of ['10000', '20000']) {
      expect((await receipt.deposit(memo)).status).toBe(201);
      expect((await receipt.capture()).body.matchedTo.kind).toBe('SUSPENSE');
      expect(await receipt.balance()).toEqual([total, '0']);
    }
    expect((await receipt.capture()).body.matchedTo.kind).toBe('USER');
    expect(await receipt.balance()).toEqual(['30000', '0']);
  });

  test('in transit, each capture settles one deposit', async () => {
    const receipt = await newReceipt();
    const memo = { userReference: receipt.reference, isTransit: true };
    for (const total of ['10000', '20000']) {
      expect((await receipt.deposit(memo)).status).toBe(201);
      expect((await receipt.capture()).body.matchedTo.kind).toBe('TRANSIT_DEPOSIT');
      expect(await receipt.balance()).toEqual([total, '0']);
    }
  });
});

test('captures settle the deposit in transit first, repeat the settled one next, and belong to the user after that', async () => {
  const receipt = await newReceipt();
  const { body: settled } = await receipt.deposit({ externalReference: receipt.reference });
  const { body: transit } = await receipt.deposit({ userReference: receipt.reference, isTransit: true });
  const captured = [await receipt.capture(), await receipt.capture(), await receipt.capture()];
  expect(captured.map(({ body }) => [body.matchedTo.kind, body.possibleDuplicateOf])).toEqual([
    ['TRANSIT_DEPOSIT', null],
    ['SUSPENSE', settled.id],
    ['USER', null],
  ]);
  expect(captured[0]?.body.matchedTo.id).toBe(transit.id);
  expect(await receipt.balance()).toEqual(['30000', '0']);
});

test('a deposit with an external reference in use names the earlier deposit', async () => {
  const receipt = await newReceipt();
  const externalReference = `other-${receipt.reference}`;
  const { body: first } = await receipt.deposit({ externalReference });
  for (const amount of [AMOUNT, AMOUNT + 1]) {
    const { body } = await receipt.deposit({ externalReference, amount });
    expect(body).toMatchObject({ code: 'duplicate_reference', duplicateOf: first.id });
  }
});

test("a user's customReference can be the external reference of several deposits", async () => {
  const receipt = await newReceipt();
  for (const amount of [AMOUNT, AMOUNT])
    expect((await receipt.deposit({ externalReference: receipt.reference, amount })).status).toBe(201);
  expect(await receipt.balance()).toEqual(['20000', '0']);
});
