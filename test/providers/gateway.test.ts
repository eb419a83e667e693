import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOppwa, type ResultGroup, resultGroup } from '../../src/providers/gateway/oppwa.ts';
import type { CardGateway } from '../../src/providers/gateway/port.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const KEY = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const ID = 'B1C7F43A2F91F6B0E8EAF35F6CC9D1F5.uat01-vm-tx01';
const INTEGRITY = `sha384-${'A'.repeat(64)}`;

describe('result codes', () => {
  test.each<[ResultGroup, string[]]>([
    ['open', ['000.200.100']],
    [
      'success',
      [
        '000.000.000',
        '000.000.100',
        '000.100.110',
        '000.100.112',
        '000.300.000',
        '000.600.000',
        '000.400.110',
        '000.400.120',
      ],
    ],
    ['review', ['000.400.000', '000.400.010', '000.400.020', '000.400.040', '000.400.090', '000.400.100']],
    ['pending', ['000.200.000', '000.200.001', '000.200.101']],
    ['delayed', ['800.400.500', '800.400.501', '100.400.500']],
    ['uncertain', ['900.100.100', '900.100.300', '900.200.100', '900.300.600', '900.400.100', '000.400.030']],
    ['chargeback', ['000.100.200', '000.100.201', '000.100.299']],
    ['throttled', ['800.120.100']],
    ['gone', ['200.300.404']],
    [
      'declined',
      [
        '000.400.101', // 3-D Secure failed: the code resembles a success
        '000.400.102',
        '000.400.108',
        '100.380.401',
        '100.396.101', // cancelled by the buyer
        '100.400.000',
        '800.100.151',
        '800.100.153',
        '800.120.101',
        '800.400.200',
        '600.200.500',
        '999.999.999',
      ],
    ],
  ])('are %s: %j', (group, codes) => {
    expect(codes.map((code) => [code, resultGroup(code)])).toEqual(codes.map((code) => [code, group]));
  });
});

describe('the card gateway', () => {
  let server: ScriptedServer;
  let gateway: CardGateway;
  beforeAll(async () => {
    server = await startScriptedServer();
    const settings = { host: server.url, entityId: 'entity-1', accessToken: 'token-1', webhookKey: KEY };
    gateway = createOppwa(settings, undefined, { backoffMs: 5 });
  });
  afterAll(() => server.stop());
  beforeEach(() => server.answer(json(200, {})));

  const created = { id: ID, integrity: INTEGRITY, result: { code: '000.200.100' }, timestamp: '', ndc: ID };
  const order = { merchantReference: 'a1B2c3D4e5F6g7H8', amountCents: 9200n, currency: 'USD' } as const;

  test('opens a checkout in its own format and returns the script for the browser', async () => {
    server.answer(json(200, created));
    expect(await gateway.createCheckout(order)).toEqual({
      checkoutId: ID,
      integrity: INTEGRITY,
      scriptUrl: `${server.url}/v1/paymentWidgets.js?checkoutId=${ID}`,
    });
    expect(server.requests).toHaveLength(1);
    const [{ method, url, headers, body } = { headers: {}, body: '' }] = server.requests;
    expect([method, url]).toEqual(['POST', '/v1/checkouts']);
    expect(headers).toMatchObject({
      authorization: 'Bearer token-1',
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      entityId: 'entity-1',
      amount: '92.00',
      currency: 'USD',
      paymentType: 'DB',
      integrity: 'true',
      merchantTransactionId: 'a1B2c3D4e5F6g7H8',
    });
  });

  test.each<[bigint, string]>([
    [1n, '0.01'],
    [99n, '0.99'],
    [100n, '1.00'],
    [105n, '1.05'],
    [9_007_199_254_740_993n, '90071992547409.93'], // not exact as a float
  ])('writes and reads %d cents as %s, to the cent', async (amountCents, amount) => {
    server.answer(json(200, created));
    await gateway.createCheckout({ ...order, amountCents });
    expect(new URLSearchParams(server.requests[0]?.body).get('amount')).toBe(amount);
    server.answer(json(200, paid({ amount })));
    expect(await gateway.checkoutStatus(ID)).toMatchObject({ amountCents });
  });

  test('maps ZIG to the ISO 4217 code in both directions', async () => {
    server.answer(json(200, created));
    await gateway.createCheckout({ ...order, currency: 'ZIG' });
    expect(new URLSearchParams(server.requests[0]?.body).get('currency')).toBe('ZWG');
    server.answer(json(200, paid({ currency: 'ZWG' })));
    expect(await gateway.checkoutStatus(ID)).toMatchObject({ currency: 'ZIG' });
  });

  test.each<[string, number, unknown]>([
    ['a refusal', 400, { result: { code: '200.300.404' } }],
    ['another result', 200, { ...created, result: { code: '800.100.151' } }],
    ['an id that leads elsewhere', 200, { ...created, id: '../../../../../../../../evil/aaaaaaaaaaaaaaaa' }],
    ['an id with a query', 200, { ...created, id: `${'A'.repeat(32)}?x=1` }],
    ['no hash of its script', 200, { ...created, integrity: undefined }],
    ['a hash that closes the attribute', 200, { ...created, integrity: 'sha384-AAAA" onload="x' }],
    ['nothing', 200, null],
  ])('opens no checkout for an answer with %s', async (_, status, body) => {
    server.answer(json(status, body));
    await expect(gateway.createCheckout(order)).rejects.toMatchObject({ name: 'ProviderError' });
  });

  describe('reports on a payment', () => {
    const PAYMENT = '8a829449515d198b01517d5601df5584';
    const linked = (id: string, paymentType: string, timestamp: string, fields: object = {}) => ({
      ...{ id, paymentType, referencedId: PAYMENT, amount: '92.00', currency: 'USD', timestamp },
      result: { code: paymentType === 'CB' ? '000.100.200' : '000.000.000' },
      ...fields,
    });
    const report = (...records: unknown[]) => json(200, { result: { code: '000.000.100' }, records });

    test('list chargebacks, refunds and reversed chargebacks, oldest first, and nothing else', async () => {
      server.answer(
        report(
          { id: PAYMENT, paymentType: 'DB', result: { code: '000.000.000' }, amount: '92.00', currency: 'USD' },
          linked('won', 'CR', '2026-01-03 10:00:00+0000'),
          linked('lost', 'CB', '2026-01-02 10:00:00+0000'),
          linked('part', 'RF', '2026-01-04 10:00:00+0000', { amount: '1.50', currency: 'ZWG' }),
          linked('refused', 'RF', '2026-01-04 11:00:00+0000', { result: { code: '800.100.151' } }),
          linked('of another', 'CB', '2026-01-04 12:00:00+0000', { referencedId: 'other' }),
          linked('an authorisation', 'PA', '2026-01-04 13:00:00+0000'),
          { id: 'broken' },
        ),
      );
      expect(await gateway.paymentChanges(PAYMENT)).toEqual([
        { changeId: 'lost', change: 'charged_back', amountCents: 9_200n, currency: 'USD' },
        { changeId: 'won', change: 'chargeback_reversed', amountCents: 9_200n, currency: 'USD' },
        { changeId: 'part', change: 'refunded', amountCents: 150n, currency: 'ZIG' },
      ]);
      expect(server.requests[0]?.url).toBe(`/v3/query/${PAYMENT}?entityId=entity-1&includeLinkedTransactions=true`);
    });

    const payment = {
      id: PAYMENT,
      paymentType: 'DB',
      result: { code: '000.000.000' },
      amount: '92.00',
      currency: 'USD',
    };

    test('list the reversal of a payment as its refund, also without an amount of its own', async () => {
      const { amount: _, currency: __, ...withoutAmount } = linked('undone', 'RV', '2026-01-02 10:00:00+0000');
      server.answer(report(payment, withoutAmount));
      expect(await gateway.paymentChanges(PAYMENT)).toEqual([
        { changeId: 'undone', change: 'refunded', amountCents: 9_200n, currency: 'USD' },
      ]);
    });

    test('list a reversed chargeback that refers to the chargeback, and no reversal of a refund', async () => {
      server.answer(
        report(
          linked('won', 'CR', '2026-01-03 10:00:00+0000', { referencedId: 'lost' }),
          linked('undone', 'RV', '2026-01-04 10:00:00+0000', { referencedId: 'given' }),
          linked('lost', 'CB', '2026-01-02 10:00:00+0000'),
          linked('given', 'RF', '2026-01-02 11:00:00+0000'),
          payment,
        ),
      );
      const changes = await gateway.paymentChanges(PAYMENT);
      expect(changes.map(({ changeId, change }) => [changeId, change])).toEqual([
        ['lost', 'charged_back'],
        ['given', 'refunded'],
        ['won', 'chargeback_reversed'],
      ]);
    });

    test('of a payment without linked transactions are empty, as a list or as the payment alone', async () => {
      for (const answer of [report(payment), json(200, payment)]) {
        server.answer(answer);
        expect(await gateway.paymentChanges(PAYMENT)).toEqual([]);
      }
    });

    test('of a payment that the gateway does not know are empty', async () => {
      server.answer(json(404, { result: { code: '700.400.580' } }));
      expect(await gateway.paymentChanges(PAYMENT)).toEqual([]);
    });

    test('that are refused or malformed count as no answer', async () => {
      for (const answer of [json(401, { result: { code: '800.900.300' } }), json(200, null), json(503, {})]) {
        server.answer(answer);
        await expect(gateway.paymentChanges(PAYMENT)).rejects.toMatchObject({ name: 'ProviderError' });
      }
    });

    test('are not requested for an id of another form', async () => {
      expect(await gateway.paymentChanges('../../checkouts')).toEqual([]);
      expect(server.requests).toEqual([]);
    });

    test.each(['CB', 'CR', 'RF', 'RV'])(
      'are announced by a %s notification, which names no checkout',
      (paymentType) => {
        const payload = { id: 'A'.repeat(32), ndc: ID, paymentType, referencedId: PAYMENT };
        const notification = { headers: new Headers(), body: JSON.stringify({ type: 'PAYMENT', payload }) };
        expect(gateway.changedPaymentOf(notification)).toBe(PAYMENT);
        expect(gateway.checkoutReportOf(notification)).toBeUndefined();
      },
    );

    test.each([
      ['the payment itself', { id: PAYMENT, paymentType: 'DB', referencedId: PAYMENT }],
      ['no payment', { id: 'x', paymentType: 'CB' }],
      ['a path', { id: 'x', paymentType: 'CB', referencedId: '../../../../../../etc' }],
    ])('are not announced by a notification about %s', (_, payload) => {
      const notification = { headers: new Headers(), body: JSON.stringify({ type: 'PAYMENT', payload }) };
      expect(gateway.changedPaymentOf(notification)).toBeUndefined();
    });
  });

  test.each(['short', 'seventeen-chars-x', 'has spaces', 'a'.repeat(17), ''])(
    'refuses the merchant reference %j',
    async (merchantReference) => {
      await expect(gateway.createCheckout({ ...order, merchantReference })).rejects.toThrow('alphanumerics');
      expect(server.requests).toEqual([]);
    },
  );

  const paid = (fields: object = {}) => ({
    id: '8a829449515d198b01517d5601df5584',
    paymentType: 'DB',
    amount: '92.00',
    currency: 'USD',
    merchantTransactionId: 'a1B2c3D4e5F6g7H8',
    result: { code: '000.100.110', description: 'fine' },
    ndc: ID,
    ...fields,
  });
  const result = (code: string, fields: object = {}) => paid({ result: { code }, ...fields });
  const success = {
    kind: 'succeeded',
    paymentId: '8a829449515d198b01517d5601df5584',
    amountCents: 9200n,
    currency: 'USD',
    merchantReference: 'a1B2c3D4e5F6g7H8',
  };

  describe('a refund', () => {
    const refund = { paymentId: success.paymentId, amountCents: 9200n, currency: 'USD', isRepetition: false } as const;

    test('names the payment and its full amount', async () => {
      server.answer(json(200, result('000.100.110')));
      expect(await gateway.refund(refund)).toBe('refunded');
      const [sent] = server.requests;
      expect(sent).toMatchObject({ method: 'POST', url: `/v1/payments/${success.paymentId}` });
      expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
        entityId: 'entity-1',
        amount: '92.00',
        currency: 'USD',
        paymentType: 'RF',
      });
    });

    test.each([
      ['a decline', 200, '800.100.151', false, 'refused'],
      ['refunded already, asked for the first time', 400, '700.400.200', false, 'refused'],
      ['refunded already, asked again after a lost answer', 400, '700.400.200', true, 'refunded'],
      ['a decline, asked again', 200, '800.100.151', true, 'refused'],
    ])('%s', async (_, status, code, isRepetition, expected) => {
      server.answer(json(status, result(code)));
      expect(await gateway.refund({ ...refund, isRepetition })).toBe(expected);
    });

    test.each([
      ['an outage', 503, '', 'unknown'],
      ['a refund that is not decided', 200, '000.200.000', 'unknown'],
      ['too many questions', 400, '800.120.100', 'unreachable'],
    ])('%s is neither refunded nor refused, and sent once', async (_, status, code, outcome) => {
      server.answer(json(status, result(code)));
      await expect(gateway.refund(refund)).rejects.toMatchObject({ name: 'ProviderError', outcome });
      expect(server.requests).toHaveLength(1);
    });
  });

  test.each<[string, number, unknown, object]>([
    ['paid', 200, paid(), success],
    ['paid, with a review to come', 200, result('000.400.010'), success],
    ['pending', 200, result('000.200.000'), { kind: 'pending', resultCode: '000.200.000' }],
    ['delayed', 200, result('800.400.500'), { kind: 'pending', resultCode: '800.400.500' }],
    ['uncertain', 200, result('900.100.300'), { kind: 'pending', resultCode: '900.100.300' }],
    ['declined', 200, result('800.100.151'), { kind: 'declined', resultCode: '800.100.151' }],
    ['charged back', 200, result('000.100.201'), { kind: 'declined', resultCode: '000.100.201' }],
    ['a form nobody has sent', 200, { result: { code: '000.200.000' }, ndc: ID }, { kind: 'open' }],
    ['only created', 200, { result: { code: '000.200.100' } }, { kind: 'open' }],
    ['forgotten', 400, { result: { code: '200.300.404' } }, { kind: 'gone' }],
    ['never known', 404, {}, { kind: 'gone' }],
  ])('a checkout that is %s', async (_, status, body, expected) => {
    server.answer(json(status, body));
    expect(await gateway.checkoutStatus(ID)).toEqual(expected);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /v1/checkouts/${ID}/payment?entityId=entity-1`,
    ]);
  });

  test.each<[string, number, unknown]>([
    ['asked too often', 200, { result: { code: '800.120.100' } }],
    ['asked too often, by status', 429, { result: { code: '800.120.100' } }],
    ['our credential refused', 401, { result: { code: '800.900.300' } }],
    ['our question refused', 400, { result: { code: '200.300.999' } }],
    ['paid without an amount', 200, paid({ amount: undefined })],
    ['paid in an amount of no money', 200, paid({ amount: '9.2e1' })],
    ['paid in a currency we do not keep', 200, paid({ currency: 'EUR' })],
    ['paid for nobody', 200, paid({ merchantTransactionId: undefined })],
    ['a result that is none', 200, { result: { code: 'fine' } }],
    ['garbage', 200, []],
  ])('%s gives no result of the payment', async (_, status, body) => {
    server.answer(json(status, body));
    await expect(gateway.checkoutStatus(ID)).rejects.toMatchObject({ name: 'ProviderError', outcome: 'unreachable' });
  });

  test('finds the checkout in the widget’s resource path', () => {
    expect(gateway.checkoutIdOf(`/v1/checkouts/${ID}/payment`)).toBe(ID);
  });

  const A = 'A'.repeat(32);
  test.each([
    '',
    ID,
    `/v1/checkouts/${A}/payment/`,
    `/v1/checkouts/${A}/payment?entityId=1`,
    `/v1/checkouts/${A}/payment#`,
    `/v1/checkouts/${A}/payment\n`,
    `\n/v1/checkouts/${A}/payment`,
    ` /v1/checkouts/${A}/payment`,
    `//evil.example/v1/checkouts/${A}/payment`,
    `@evil.example/v1/checkouts/${A}/payment`,
    `.evil.example/v1/checkouts/${A}/payment`,
    `https://evil.example/v1/checkouts/${A}/payment`,
    `/v1/checkouts/../../${A}/payment`,
    `/v1/checkouts/${A}/../payment`,
    `/v1/checkouts/${A}%2F..%2Fregistrations/payment`,
    `/v1/checkouts/${A}\\..\\/payment`,
    `/v1/checkouts/${'A'.repeat(31)}/payment`,
    `/v1/checkouts/${'A'.repeat(49)}/payment`,
    `/v1/checkouts/${A}é/payment`,
    `/v1/checkouts/${A}/registration`,
    `/v1/payments/${A}/payment`,
    `/V1/checkouts/${A}/payment`,
    `/v1/checkouts/${A}\u0000/payment`,
    'javascript:alert(1)',
  ])('refuses %j as a resource path, and sends no request', async (path) => {
    expect(gateway.checkoutIdOf(path)).toBeUndefined();
    expect(server.requests).toEqual([]);
  });

  test.each(['..', '../registrations', `${A}/../../x`, `${A}?x=`, '', 'A'.repeat(49), `${A}\r\nx: y`])(
    'sends no request about a checkout called %j',
    async (id) => {
      expect(await gateway.checkoutStatus(id)).toEqual({ kind: 'gone' });
      expect(server.requests).toEqual([]);
    },
  );
});
