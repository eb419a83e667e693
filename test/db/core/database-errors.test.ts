import { describe, expect, test } from '@jest/globals';
import { isOutage, isSilence } from '../../../src/db/core/database-errors.ts';

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

describe('isOutage', () => {
  test.each(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])(
    '%s of a connection is one',
    (code) => {
      expect(isOutage(failure(`connect ${code} 192.0.2.1:5432`, { code }))).toBe(true);
      expect(isOutage(new Error('wrapped', { cause: failure('read', { code }) }))).toBe(true);
    },
  );

  test.each(['57P01', '57P03', '53300', '57014', '55P03', '08006'])('SQLSTATE %s is one', (code) => {
    expect(isOutage(failure('from the server', { code, severity: 'FATAL' }))).toBe(true);
  });

  test('a full disk is one, and so is a server that a failover left read-only', () => {
    for (const code of ['53100', '25006'])
      expect(isOutage(failure('from the server', { code, severity: 'ERROR' }))).toBe(true);
  });

  test('a pooler without a server is one; a statement with the wrong number of values is not', () => {
    expect(isOutage(failure('server login failed', { code: '08P01', severity: 'FATAL' }))).toBe(true);
    expect(isOutage(failure('bind message supplies 1 parameters', { code: '08P01', severity: 'ERROR' }))).toBe(false);
  });

  test('a request that its client aborted is not an outage, although the error code is that of a lost connection', () => {
    expect(isOutage(failure('aborted', { code: 'ECONNRESET' }))).toBe(false);
  });

  test.each([failure('unique', { code: '23505' }), new Error('a mistake of ours'), 'text', null])(
    '%s is none',
    (error) => {
      expect(isOutage(error)).toBe(false);
    },
  );
});

describe('isSilence', () => {
  test.each([
    [failure('Connection terminated unexpectedly'), true],
    [failure('timeout exceeded when trying to connect'), true],
    [failure('write EPIPE', { code: 'EPIPE' }), true],
    [failure('canceling statement due to statement timeout', { code: '57014' }), false],
    [failure('canceling statement due to lock timeout', { code: '55P03' }), false],
    [failure('unique', { code: '23505' }), false],
  ])('%s: %j', (error, expected) => {
    expect(isSilence(error)).toBe(expected);
  });
});
