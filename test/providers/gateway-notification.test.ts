import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createOppwa, decryptNotification } from '../../src/providers/gateway/oppwa.ts';

const KEY = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const ID = 'B1C7F43A2F91F6B0E8EAF35F6CC9D1F5.uat01-vm-tx01';

describe('notifications of the card gateway', () => {
  const gateway = createOppwa({ host: 'http://127.0.0.1:9', entityId: 'e', accessToken: 't', webhookKey: KEY });

  function encrypted(text: string, key = KEY) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('hex');
    return {
      body,
      headers: {
        'X-Initialization-Vector': nonce.toString('hex'),
        'X-Authentication-Tag': cipher.getAuthTag().toString('hex'),
      },
    };
  }
  const idIn = (body: string, headers: Record<string, string> = {}) => reportIn(body, headers)?.checkoutId;
  const reportIn = (body: string, headers: Record<string, string> = {}) =>
    gateway.checkoutReportOf({ headers: new Headers(headers), body });
  const payment = JSON.stringify({
    type: 'PAYMENT',
    payload: { id: ID, amount: '92.00', result: { code: '000.000.000' } },
  });

  test('are read as plain text, encrypted or wrapped, in either letter case', () => {
    const { body, headers } = encrypted(payment);
    expect([
      idIn(payment),
      idIn(JSON.stringify({ id: ID })),
      idIn(JSON.stringify({ payload: { id: ID } })),
      idIn(body, headers),
      idIn(`${body.toUpperCase()}\n`, headers),
      idIn(JSON.stringify({ encryptedBody: body }), headers),
    ]).toEqual(Array(6).fill(ID));
  });

  test('are not parsed where a stranger sent more than any has', () => {
    expect(idIn(JSON.stringify({ id: ID, padding: 'x'.repeat(9_000) }))).toBeUndefined();
    const { body, headers } = encrypted(JSON.stringify({ payload: { id: ID, padding: 'x'.repeat(9_000) } }));
    expect(idIn(body, headers)).toBe(ID);
  });

  test('are decrypted as in the published example of the format', () => {
    const headers = {
      'X-Initialization-Vector': '000000000000000000000000',
      'X-Authentication-Tag': 'CE573FB7A41AB78E743180DC83FF09BD',
    };
    const hex = '0A3471C72D9BE49A8520F79C66BBD9A12FF9';
    expect(decryptNotification(hex, new Headers(headers), '000102030405060708090a0b0c0d0e0f'.repeat(2))).toBe(
      '{"type":"PAYMENT"}',
    );
  });

  test('name the checkout before the payment and skip invalid ids', () => {
    const other = `${'B'.repeat(32)}.uat01`;
    expect(idIn(JSON.stringify({ id: ID, payload: { id: other } }))).toBe(ID);
    expect(idIn(JSON.stringify({ payload: { id: '8a829449515d198b01517d5601df5584', ndc: ID } }))).toBe(ID);
    expect(
      idIn(JSON.stringify({ payload: { id: ID, ndc: '8a8294174b7ecb28014b9699220015ca_66b12f658442479c' } })),
    ).toBe(ID);
    expect(idIn(JSON.stringify({ id: 7, payload: { id: ID } }))).toBe(ID);
    expect(idIn(JSON.stringify({ id: '../..', payload: null }))).toBeUndefined();
  });

  test.each([
    ['000.200.000', undefined],
    ['800.400.500', undefined],
    ['900.100.300', undefined],
    ['000.100.110', ID],
    ['800.100.151', ID],
    ['no code', ID],
  ])('with the result %s name %s: an undecided payment changes nothing', (code, expected) => {
    expect(idIn(JSON.stringify({ type: 'PAYMENT', payload: { id: ID, result: { code } } }))).toBe(expected);
    expect(idIn(JSON.stringify({ type: 'PAYMENT', payload: { ndc: ID, result: { code } } }))).toBe(expected);
  });

  test.each([
    ['000.100.110', '92.00', 'success', 'other'],
    ['000.400.000', '92.00', 'success', 'other'], // paid, for manual review
    ['800.100.151', '92.00', 'other', 'other'],
    ['000.200.000', '92.00', 'pending', undefined],
    ['000.200.000', undefined, undefined, undefined], // the form was not submitted
    ['800.400.500', '92.00', 'pending', undefined],
    ['900.100.300', '92.00', 'pending', undefined],
  ])('with the result %s and the amount %s report %s if encrypted, else %s', (code, amount, signed, unsigned) => {
    const text = JSON.stringify({ type: 'PAYMENT', payload: { ndc: ID, amount, result: { code } } });
    const { body, headers } = encrypted(text);
    expect(reportIn(body, headers)?.report).toBe(signed);
    expect(reportIn(text)?.report).toBe(unsigned);
  });

  const good = encrypted(payment);
  test.each<[string, string, Record<string, string>]>([
    ['nothing', '', {}],
    ['garbage', 'garbage', {}],
    ['null', 'null', {}],
    ['a number', '42', {}],
    ['deep nesting', '['.repeat(50_000), {}],
    ['a body of megabytes', `{"id":"${ID}","x":"${'x'.repeat(1_100_000)}"}`, {}],
    ['no headers', good.body, {}],
    ['no tag', good.body, { ...good.headers, 'X-Authentication-Tag': '' }],
    [
      'a short tag',
      good.body,
      { ...good.headers, 'X-Authentication-Tag': good.headers['X-Authentication-Tag'].slice(0, 8) },
    ],
    ['another tag', good.body, { ...good.headers, 'X-Authentication-Tag': '00'.repeat(16) }],
    ['another nonce', good.body, { ...good.headers, 'X-Initialization-Vector': '00'.repeat(12) }],
    ['a nonce that is not hexadecimal', good.body, { ...good.headers, 'X-Initialization-Vector': 'zz' }],
    ['a changed byte', good.body.replace(/^../, (byte) => (byte === '00' ? '01' : '00')), good.headers],
    ['half a digit', good.body.slice(1), good.headers],
    ...(['another key', 'invalid JSON inside'] as const).map((name): [string, string, Record<string, string>] => {
      const { body, headers } = name === 'another key' ? encrypted(payment, 'ff'.repeat(32)) : encrypted('hello');
      return [name, body, headers];
    }),
  ])('name no checkout with %s, and never throw', (_, body, headers) => {
    expect(idIn(body, headers)).toBeUndefined();
  });
});
