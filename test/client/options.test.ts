import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { EscrowClient } from '../../clients/typescript/src/index.ts';

const baseUrl = 'https://escrow.example';
type Options = ConstructorParameters<typeof EscrowClient>[0];
const OPTIONS = {
  baseUrl: '`baseUrl`',
  companyId: '`companyId`',
  apiKey: '`apiKey` or `accessToken`',
  accessToken: '`apiKey` or `accessToken`',
  isStrict: '`isStrict`',
  maxRetries: '`maxRetries`',
  timeoutMs: '`timeoutMs`',
  fetch: '`fetch`',
  wait: '`wait`',
} as const satisfies Record<keyof Options, string>;

/** Options as a program without a compiler may give them. */
const make = (options: object) => new EscrowClient(Object.assign({ baseUrl }, options));

describe('the client refuses at construction', () => {
  test.each([
    ['maxRetries', Number.NaN, RangeError, 'maxRetries must be a whole number from 0 to 100, and is NaN'],
    ['maxRetries', Number.POSITIVE_INFINITY, RangeError, 'maxRetries must be a whole number from 0 to 100'],
    ['maxRetries', -1, RangeError, 'maxRetries must be a whole number from 0 to 100, and is -1'],
    ['maxRetries', 1.5, RangeError, 'maxRetries must be a whole number from 0 to 100, and is 1.5'],
    ['maxRetries', '3', TypeError, 'maxRetries must be a whole number from 0 to 100, and is 3'],
    ['timeoutMs', Number.NaN, RangeError, 'timeoutMs must be a whole number from 1 to 2147483647, and is NaN'],
    ['timeoutMs', 0, RangeError, 'timeoutMs must be a whole number from 1 to 2147483647, and is 0'],
    ['timeoutMs', -1, RangeError, 'timeoutMs must be a whole number from 1 to 2147483647, and is -1'],
    ['timeoutMs', Number.POSITIVE_INFINITY, RangeError, 'timeoutMs must be a whole number from 1 to 2147483647'],
    ['timeoutMs', 2 ** 31, RangeError, 'timeoutMs must be a whole number from 1 to 2147483647'],
    ['timeoutMs', null, TypeError, 'timeoutMs must be a whole number from 1 to 2147483647, and is null'],
    ['apiKey', 'ключ', TypeError, 'apiKey must be a string of 1 to 8192 visible ASCII characters'],
    ['apiKey', '', TypeError, 'apiKey must be a string of 1 to 8192 visible ASCII characters'],
    ['apiKey', 'key\n', TypeError, 'apiKey must be a string of 1 to 8192 visible ASCII characters'],
    ['accessToken', 'Bearer abc', TypeError, 'accessToken must be a string of 1 to 8192 visible ASCII characters'],
    ['companyId', 'société', TypeError, 'companyId must be a string of 1 to 8192 visible ASCII characters'],
    ['companyId', 7, TypeError, 'companyId must be a string of 1 to 8192 visible ASCII characters'],
    ['isStrict', 'no', TypeError, 'isStrict must be a boolean, and is no'],
    ['fetch', null, TypeError, 'fetch must be a function, and is null'],
    ['wait', 5, TypeError, 'wait must be a function, and is 5'],
  ])('%s: %p', (name, value, kind, message) => {
    expect(() => make({ [name]: value })).toThrow(kind);
    expect(() => make({ [name]: value })).toThrow(message);
  });

  test('an API key together with an access token, also in as', () => {
    const both = { apiKey: 'key', accessToken: 'token' };
    const refusal = new TypeError('apiKey and accessToken are two credentials: give one of them');
    expect(() => make(both)).toThrow(refusal);
    expect(() => make({ apiKey: 'key' }).as(both)).toThrow(refusal);
    expect(make({ apiKey: 'key' }).as({ accessToken: 'token' })).toBeInstanceOf(EscrowClient);
  });

  test.each(['https://user@escrow.example', 'https://escrow.example/?v=1', 'https://escrow.example/#top'])(
    'the address %p',
    (address) => {
      const refusal = new TypeError('baseUrl must have no credentials, no query and no fragment');
      expect(() => make({ baseUrl: address })).toThrow(refusal);
    },
  );

  test('no secret is part of the message', () => {
    expect(() => make({ apiKey: 'geheim-é' })).toThrow(expect.not.stringContaining('geheim'));
  });
});

test.each(Object.values(OPTIONS))('the README lists %s', (option) => {
  const readme = readFileSync(new URL('../../clients/typescript/README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\n| ${option} |`);
});

test('options that are undefined have their defaults', () => {
  const unset = { companyId: undefined, apiKey: undefined, maxRetries: undefined, timeoutMs: undefined };
  expect(make({ ...unset, fetch: undefined, isStrict: undefined, wait: undefined })).toBeInstanceOf(EscrowClient);
});

test.each(['ключ', '', 'k'.repeat(256)])(
  'the idempotency key %p is refused before a request',
  async (idempotencyKey) => {
    let requests = 0;
    const fetch = async () => {
      requests++;
      return new Response('{}');
    };
    const sending = make({ fetch }).post('/v1/payments/deposit', {
      body: { userId: 'usr_1', amount: 100, currency: 'USD' },
      idempotencyKey,
    });
    await expect(sending).rejects.toThrow(
      new TypeError('idempotencyKey must be a string of 1 to 255 visible ASCII characters'),
    );
    expect(requests).toBe(0);
  },
);
