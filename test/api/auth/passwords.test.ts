import { expect, test } from '@jest/globals';
import { hashPassword } from '../../../src/api/auth/passwords.ts';

test('a password is hashed by argon2id with the work that OWASP recommends', async () => {
  expect(await hashPassword('a-good-password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
