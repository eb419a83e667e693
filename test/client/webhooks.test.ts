import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { verifyWebhook, WebhookVerificationError } from '../../clients/typescript/src/webhooks.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();
const NOW = new Date('2026-01-31T09:30:00.000Z');
const PAYLOAD = '{"type":"escrow.completed","data":{"amount":"25000"}}';

function sign(
  payload: string,
  { secret = SECRET, id = 'msg_1', at = NOW }: { secret?: string; id?: string; at?: Date } = {},
) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

describe('verifyWebhook', () => {
  test('accepts the example of the Standard Webhooks specification', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const now = new Date(1_614_265_330_000);
    expect(verifyWebhook({ payload: '{"test": 2432232314}', headers, secret, now })).toEqual({ test: 2432232314 });
  });

  test('returns the body of a genuine notification, as text or as bytes, with either kind of headers', () => {
    const headers = sign(PAYLOAD);
    const event = JSON.parse(PAYLOAD);
    expect(verifyWebhook({ payload: PAYLOAD, headers, secret: SECRET, now: NOW })).toEqual(event);
    expect(
      verifyWebhook({ payload: Buffer.from(PAYLOAD), headers: new Headers(headers), secret: SECRET, now: NOW }),
    ).toEqual(event);
  });

  test('accepts one of several signatures, and one of several secrets', () => {
    const next = newSecret();
    const [old, fresh] = [sign(PAYLOAD), sign(PAYLOAD, { secret: next })];
    const both = { ...old, 'webhook-signature': `v1a,abc ${fresh['webhook-signature']} ${old['webhook-signature']}` };
    expect(verifyWebhook({ payload: PAYLOAD, headers: both, secret: SECRET, now: NOW })).toBeDefined();
    expect(verifyWebhook({ payload: PAYLOAD, headers: fresh, secret: [SECRET, next], now: NOW })).toBeDefined();
  });

  const headers = sign(PAYLOAD);
  test.each([
    ['another body', { payload: `${PAYLOAD} ` }],
    ['another secret', { secret: newSecret() }],
    ['another id', { headers: { ...headers, 'webhook-id': 'msg_2' } }],
    [
      'another time',
      { headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) } },
    ],
    [
      'a shorter signature',
      { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, 20) } },
    ],
    ['an unknown kind of signature', { headers: { ...headers, 'webhook-signature': 'v2,abc' } }],
    ['no signature', { headers: { ...headers, 'webhook-signature': undefined } }],
    ['a time that is none', { headers: { ...headers, 'webhook-timestamp': 'now' } }],
    ['an old notification', { now: later(301) }],
    ['a notification from the future', { now: later(-301) }],
  ])('refuses %s', (_what, change) => {
    const genuine = { payload: PAYLOAD, headers, secret: SECRET, now: NOW };
    expect(() => verifyWebhook({ ...genuine, ...change })).toThrow(WebhookVerificationError);
  });

  test('accepts a notification that is five minutes old, or older where the caller says so', () => {
    expect(verifyWebhook({ payload: PAYLOAD, headers, secret: SECRET, now: later(300) })).toBeDefined();
    const patient = { toleranceSeconds: 3_600, now: later(3_000) };
    expect(verifyWebhook({ payload: PAYLOAD, headers, secret: SECRET, ...patient })).toBeDefined();
  });

  test.each([
    ['in capitals', (name: string) => name.toUpperCase()],
    ['in title case', (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())],
  ])('finds headers whose names are %s', (_how, write) => {
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [write(name), value]));
    expect(verifyWebhook({ payload: PAYLOAD, headers: named, secret: SECRET, now: NOW })).toBeDefined();
  });

  test('takes the headers of another implementation, and values in arrays', () => {
    const genuine = { payload: PAYLOAD, secret: SECRET, now: NOW };
    const values = new Map(Object.entries(headers));
    expect(verifyWebhook({ ...genuine, headers: { get: (name: string) => values.get(name) ?? null } })).toBeDefined();
    const arrays = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    expect(verifyWebhook({ ...genuine, headers: arrays })).toBeDefined();
  });

  const SECRET_RULE = 'secret must be whsec_ followed by base64, or an array with at least one such string';
  const PAYLOAD_RULE = 'payload must be the body as it arrived, a string or bytes: in Express, use express.raw()';
  const HEADERS_RULE = 'headers must be the headers of the request, a Headers or an object';
  test.each([
    ['a secret without prefix', { secret: 'plain' }, SECRET_RULE],
    ['no secret', { secret: undefined }, SECRET_RULE],
    ['an empty secret', { secret: '' }, SECRET_RULE],
    ['no secret in a list', { secret: [] }, SECRET_RULE],
    ['a list with an unset secret', { secret: [SECRET, undefined] }, SECRET_RULE],
    ['a parsed body', { payload: JSON.parse(PAYLOAD) }, PAYLOAD_RULE],
    ['no body', { payload: undefined }, PAYLOAD_RULE],
    ['no headers', { headers: undefined }, HEADERS_RULE],
    ['headers that are null', { headers: null }, HEADERS_RULE],
    [
      'a tolerance that is not a number',
      { toleranceSeconds: Number.NaN },
      'toleranceSeconds must be a number of at least 0',
    ],
  ])('says what is wrong with %s', (_what, change, message) => {
    const genuine = { payload: PAYLOAD, headers, secret: SECRET, now: NOW };
    expect(() => verifyWebhook(Object.assign({ ...genuine }, change))).toThrow(message);
    expect(() => verifyWebhook(Object.assign({ ...genuine }, change))).not.toThrow(WebhookVerificationError);
  });
});

test('the compiler narrows its result by the type of the event', () => {
  const body = {
    id: 'evt_1',
    type: 'deposit.received',
    data: { amount: '700', accountId: 'acc_1' },
  };
  const payload = JSON.stringify(body);
  const event = verifyWebhook({ payload, headers: sign(payload), secret: SECRET, now: NOW });
  const told = (() => {
    switch (event.type) {
      case 'deposit.received':
        return `${event.data.amount} to ${event.data.accountId}`;
      case 'escrow.released':
        return event.data.heldAmount;
      // @ts-expect-error there is no such type
      case 'escrow.exploded':
        return '';
      default:
        return event.data;
    }
  })();
  expect(told).toBe('700 to acc_1');
});
