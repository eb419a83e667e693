import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { type EncryptedText, FieldCipher, parseFieldKey } from '../../../src/db/core/field-cipher.ts';
import { newFieldKey } from '../../support/keys.ts';

const ID_NUMBER = 'app_user.id_number';
const row = uuidv7();
const [old, current] = [newFieldKey('2025'), newFieldKey('2026')];
const cipher = new FieldCipher([current, old]);

/** The value with one bit of byte `at` flipped. */
function tampered(value: EncryptedText, at: number): EncryptedText {
  const [id, encoded = ''] = value.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return `${id}.${bytes.toString('base64url')}` as EncryptedText; // a forgery
}

describe('FieldCipher', () => {
  test.each([['63-1234567A00'], [''], ['Ω 漢字 \u{1f600}'], ['x'.repeat(10_000)]])(
    'decrypts what it encrypted: %.20s',
    (text) => {
      expect(cipher.decrypt(ID_NUMBER, row, cipher.encrypt(ID_NUMBER, row, text))).toBe(text);
    },
  );

  test('encrypts equal texts differently, and names its key', () => {
    const values = Array.from({ length: 100 }, () => cipher.encrypt(ID_NUMBER, row, '63-1234567A00'));
    expect(new Set(values).size).toBe(100);
    for (const value of values) expect(value).toMatch(/^2026\.[A-Za-z0-9_-]{55}$/);
  });

  test('decrypts values of an older key and refuses values of an unknown key', () => {
    const before = new FieldCipher([old]).encrypt(ID_NUMBER, row, 'x');
    expect(cipher.decrypt(ID_NUMBER, row, before)).toBe('x');
    expect(() => new FieldCipher([current]).decrypt(ID_NUMBER, row, before)).toThrow(
      'the key "2025", which is not configured',
    );
  });

  test.each([
    ['the nonce', 0],
    ['the text', 12],
    ['the tag', -1],
  ])('refuses a value of which %s was changed', (_what, at) => {
    const value = cipher.encrypt(ID_NUMBER, row, '63-1234567A00');
    expect(() => cipher.decrypt(ID_NUMBER, row, tampered(value, at))).toThrow();
  });

  test('refuses a value that was moved to another row or column, or cut short', () => {
    const value = cipher.encrypt(ID_NUMBER, row, '63-1234567A00');
    expect(() => cipher.decrypt(ID_NUMBER, uuidv7(), value)).toThrow();
    expect(() => cipher.decrypt('bank_details.account_number', row, value)).toThrow();
    for (const part of [value.slice(0, 20), '2026.', '2026', ''])
      expect(() => cipher.decrypt(ID_NUMBER, row, part as EncryptedText)).toThrow();
  });

  test('refuses a value of which a bound one was changed', () => {
    const bound = ['CBZ', '6101', 'T. Moyo'];
    const value = cipher.encrypt('bank_details.account_number', row, '0123', bound);
    expect(cipher.decrypt('bank_details.account_number', row, value, bound)).toBe('0123');
    for (const changed of [['CBZ', '6101', 'X'], ['CBZ6', '101', 'T. Moyo'], ['6101', 'CBZ', 'T. Moyo'], []])
      expect(() => cipher.decrypt('bank_details.account_number', row, value, changed)).toThrow();
  });

  test('errors do not contain the value', () => {
    expect.assertions(1);
    const value = cipher.encrypt(ID_NUMBER, row, '63-1234567A00');
    try {
      cipher.decrypt(ID_NUMBER, uuidv7(), value);
    } catch (error) {
      expect(String(error)).not.toContain(value.slice(5, 25));
    }
  });
});

describe('parseFieldKey', () => {
  const key = randomBytes(32).toString('base64');
  test('takes an id and 32 random bytes', () => {
    expect(parseFieldKey(`2026-01:${key}`)).toEqual({ id: '2026-01', key: Buffer.from(key, 'base64') });
  });
  test.each([
    ['no id', `:${key}`],
    ['no key', '2026-01:'],
    ['an id that would not be found again', `2026.01:${key}`],
    ['16 bytes', `a:${randomBytes(16).toString('base64')}`],
    ['33 bytes', `a:${randomBytes(33).toString('base64')}`],
    ['zeros', `a:${Buffer.alloc(32).toString('base64')}`],
    ['one letter', `a:${Buffer.alloc(32, 'a').toString('base64')}`],
    ['hex', `a:${randomBytes(32).toString('hex')}`],
  ])('refuses %s', (_what, text) => {
    expect(parseFieldKey(text)).toBeUndefined();
  });
});
