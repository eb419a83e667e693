import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMobileMoney } from '../../src/providers/mobile-money/http.ts';
import type { MobileMoney } from '../../src/providers/mobile-money/port.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

describe('mobile money', () => {
  let server: ScriptedServer;
  let mobileMoney: MobileMoney;
  beforeAll(async () => {
    server = await startScriptedServer();
    mobileMoney = createMobileMoney({ host: server.url, apiKey: 'key-1' }, undefined, { backoffMs: 5 });
  });
  afterAll(() => server.stop());

  const order = { reference: 'charge-1', phone: '+263771234567', amountCents: 12_345n, currency: 'ZIG' } as const;

  test('asks for money to the cent, in the ISO currency, under our reference', async () => {
    server.answer(json(201, { reference: 'charge-1', status: 'PENDING' }));
    expect(await mobileMoney.charge(order)).toBe('pending');
    const [sent] = server.requests;
    expect(sent).toMatchObject({ method: 'POST', url: '/v1/charges', headers: { authorization: 'Bearer key-1' } });
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      reference: 'charge-1',
      phone: '+263771234567',
      amount: '123.45',
      currency: 'ZWG',
    });
  });

  test('repeats a request with the same reference if its answer was lost', async () => {
    server.answer((response, attempt) =>
      attempt === 1 ? response.destroy() : json(200, { reference: 'charge-1', status: 'APPROVED' })(response, attempt),
    );
    expect(await mobileMoney.charge(order)).toBe('approved');
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1);
    expect(server.requests).toHaveLength(2);
  });

  test.each<[string, number, unknown, string]>([
    ['declined', 200, { reference: 'charge-1', status: 'DECLINED' }, 'declined'],
    ['pending', 200, { reference: 'charge-1', status: 'PENDING' }, 'pending'],
    ['never heard of', 404, { error: 'unknown' }, 'unknown'],
  ])('a charge may be %s', async (_, status, body, expected) => {
    server.answer(json(status, body));
    expect(await mobileMoney.status('charge-1')).toBe(expected);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/charges/charge-1' });
  });

  test.each<[string, number, unknown, string]>([
    ['refunded', 200, { reference: 'charge-1', status: 'REVERSED' }, 'refunded'],
    ['refused', 200, { reference: 'charge-1', status: 'REFUSED' }, 'refused'],
    ['refused where the operator never heard of the charge', 404, { error: 'unknown' }, 'refused'],
  ])('a reversal is %s', async (_, status, body, expected) => {
    server.answer(json(status, body));
    expect(await mobileMoney.reverse('charge-1')).toBe(expected);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/charges/charge-1/reversal' });
  });

  test.each<[string, number, unknown, string, string]>([
    ['an outage', 503, {}, 'unknown', 'unreachable'],
    ['a refused charge', 409, {}, 'unreachable', 'unreachable'],
    ['a status nobody knows', 200, { reference: 'charge-1', status: 'MAYBE' }, 'unknown', 'unreachable'],
  ])('%s does not count as declined', async (_, status, body, ofCharge, ofStatus) => {
    server.answer(json(status, body));
    await expect(mobileMoney.charge(order)).rejects.toMatchObject({ name: 'ProviderError', outcome: ofCharge });
    await expect(mobileMoney.status('charge-1')).rejects.toMatchObject({ outcome: ofStatus });
  });

  test.each(['../admin', 'a/b', 'a?b', '', 'a'.repeat(65)])('sends no request about %j', async (reference) => {
    server.answer(json(200, {}));
    expect(await mobileMoney.status(reference)).toBe('unknown');
    await expect(mobileMoney.charge({ ...order, reference })).rejects.toThrow('reference');
    expect(server.requests).toEqual([]);
  });
});
