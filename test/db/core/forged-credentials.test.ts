import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { generateApiKey, hashSecret } from '../../../src/api/auth/api-keys.ts';
import { hashPassword } from '../../../src/api/auth/passwords.ts';
import { createTokens } from '../../../src/api/auth/tokens.ts';
import type { AdministratorId } from '../../../src/domain/ids.ts';
import { bare, logIn, newAdministrator, newPerson, sql, type TestAdministrator } from '../../support/api.ts';
import { enrol } from '../../support/authenticator.ts';
import { JWT_SECRET } from '../../support/keys.ts';
import { ownService } from '../../support/own-service.ts';
import {
  done,
  newCompany,
  PLATFORM,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../../support/service.ts';

/**
 * The password of the database role escrow_api is stolen. The attacker can write what the role can write, for any company, and
 * has an account of their own with the service. No row that they write admits them as another person.
 */

const ATTACKERS_PASSWORD = 'the-password-of-the-attacker';
const CREDENTIAL_TABLES = ['directory', 'refresh_token', 'session', 'api_key', 'administrator'];

let service: TestService;
let stolen: pg.Client;
let attackersHash: string;
let own: TestCompany;
let superAdmin: TestAdministrator;
let platformId: string;

beforeAll(async () => {
  service = await ownService({ withWorker: false });
  attackersHash = await hashPassword(ATTACKERS_PASSWORD);
  own = await newCompany(service);
  platformId = service.platform.companyId;
  stolen = new pg.Client(service.database.apiUrl);
  await stolen.connect();
});
afterAll(async () => {
  await stolen.end();
  await service.stop();
});

// Each test starts with the rows that the service wrote.
beforeEach(async () => {
  for (const table of CREDENTIAL_TABLES) {
    await sql(service, `drop table if exists ${table}_before`);
    await sql(service, `create table ${table}_before as select * from ${table}`);
  }
  superAdmin = await logIn(service, platformId, PLATFORM);
});
afterEach(async () => {
  for (const table of CREDENTIAL_TABLES) {
    await sql(service, `alter table ${table} disable trigger user`);
    await sql(service, `delete from ${table}`);
  }
  for (const table of CREDENTIAL_TABLES.toReversed()) {
    await sql(service, `insert into ${table} select * from ${table}_before`);
    await sql(service, `alter table ${table} enable trigger user`);
  }
});

/** Runs a statement as escrow_api with the company set, and commits it. Returns the rows, or throws PostgreSQL's error. */
async function write(companyId: string, statement: string, values: readonly unknown[] = []) {
  await stolen.query('begin');
  try {
    await stolen.query(`select set_config('app.company_id', $1, true)`, [bare(companyId)]);
    const { rows } = await stolen.query(statement, [...values]);
    await stolen.query('commit');
    return rows;
  } catch (error) {
    await stolen.query('rollback');
    throw error;
  }
}

const passwordOf = async (email: string, password: string) =>
  (await service.request('POST', '/v1/auth/login', { body: { email, password } })).status;
const withKey = async (key: string, companyId: string) =>
  (
    await service.request('GET', '/v1/core/companies/me', {
      headers: { 'x-api-key': key, 'x-company-id': companyId },
    })
  ).status;
const refresh = async (refreshToken: string, userId: string) =>
  (await service.request('POST', '/v1/auth/refresh', { body: { refreshToken, userId } })).status;

const REPLACE_PASSWORD = 'update administrator set password_hash = $1, token_version = token_version + 1 where id = $2';
const ADD_KEY = `insert into api_key (id, company_id, name, key_hash, key_prefix, role, is_active, created_by, proof)
  values ($1, $2, 'k', $3, 'abcdefgh', $4, true, $5, $6)`;
const ADD_SESSION = `with added as (
    insert into session (id, company_id, administrator_id) values (gen_random_uuid(), $1, $2) returning id
  ) insert into refresh_token (id, company_id, administrator_id, session_id, token_hash, expires_at)
  select gen_random_uuid(), $1, $2, id, $3, now() + interval '7 days' from added`;

describe('a replaced password', () => {
  test('of a super administrator is refused, and the sessions of the overwritten row end', async () => {
    await write(platformId, REPLACE_PASSWORD, [attackersHash, bare(superAdmin.id)]);
    expect(await passwordOf(PLATFORM.email, ATTACKERS_PASSWORD)).toBe(401);
    expect(await superAdmin.request('GET', '/v1/core/companies/me')).toMatchObject({ status: 401 });
    expect(await refresh(superAdmin.refreshToken, superAdmin.id)).toBe(401);
  });

  test('with the proof of the attacker’s own row is refused', async () => {
    const [{ password_hash, proof }] = await write(own.id, 'select password_hash, proof from administrator');
    await write(platformId, REPLACE_PASSWORD, [password_hash, bare(superAdmin.id)]);
    await write(platformId, 'update administrator set proof = $1', [proof]);
    expect(await passwordOf(PLATFORM.email, own.owner.password)).toBe(401);
  });

  test('of an owner of any company is refused', async () => {
    const other = await newCompany(service);
    await write(other.id, REPLACE_PASSWORD, [attackersHash, bare(other.owner.id)]);
    expect(await passwordOf(other.owner.email, ATTACKERS_PASSWORD)).toBe(401);
  });

  test('cannot be an earlier one: its proof belongs to an earlier token version', async () => {
    const admin = await newAdministrator(service, own, 'admin');
    const [before] = await write(own.id, 'select * from administrator where id = $1', [bare(admin.id)]);
    const changed = await admin.post('/v1/auth/password', {
      currentPassword: admin.password,
      newPassword: 'another-good-password',
    });
    expect(changed.status).toBe(200);
    const restore = 'update administrator set password_hash = $1, proof = $2, token_version = $3 where id = $4';
    const values = (version: number) => [before.password_hash, before.proof, version, bare(admin.id)];
    await expect(write(own.id, restore, values(before.token_version))).rejects.toThrow('earlier state');
    await write(own.id, restore, values(before.token_version + 2));
    expect(await passwordOf(admin.email, admin.password)).toBe(401);
  });

  test('is not signed by an operation of the service on its row', async () => {
    const admin = await newAdministrator(service, own, 'admin');
    const rest = await logIn(service, own.id, admin);
    expect(await refresh(rest.refreshToken, rest.id)).toBe(200);
    await write(own.id, REPLACE_PASSWORD, [attackersHash, bare(admin.id)]);
    await refresh(rest.refreshToken, rest.id); // used twice: raises the token version of a proven row
    await admin.post('/v1/auth/logout');
    await own.post(`/v1/core/companies/admins/${admin.id}/remove`);
    await expect(
      write(own.id, 'update administrator set removed_at = null where id = $1', [bare(admin.id)]),
    ).rejects.toThrow('earlier state');
    expect(await passwordOf(admin.email, ATTACKERS_PASSWORD)).toBe(401);
  });
});

describe('a session added to the table', () => {
  test.each([
    ['with a made-up token', () => 'made-up'],
    ['with a token of the form of ours', () => `${'a'.repeat(43)}.${'b'.repeat(43)}`],
    ['with a token that another secret signed', () => createTokens('x'.repeat(32)).newRefreshToken(superAdminId())],
  ])('%s is refused', async (_, tokenOf) => {
    const token = tokenOf();
    await write(platformId, ADD_SESSION, [bare(platformId), bare(superAdmin.id), hashSecret(token)]);
    expect(await refresh(token, superAdmin.id)).toBe(401);
  });

  test('with a token of the attacker’s own, expired session is refused', async () => {
    const { refreshToken } = await logIn(service, own.id, own.owner);
    await sql(service, 'delete from refresh_token where company_id = $1', [bare(own.id)]); // expired rows are deleted
    await write(platformId, ADD_SESSION, [bare(platformId), bare(superAdmin.id), hashSecret(refreshToken)]);
    expect(await refresh(refreshToken, superAdmin.id)).toBe(401);
  });

  test('works if the service made its token, so the refusals above are about the signature', async () => {
    const token = createTokens(JWT_SECRET).newRefreshToken(superAdminId());
    await write(platformId, ADD_SESSION, [bare(platformId), bare(superAdmin.id), hashSecret(token)]);
    expect(await refresh(token, superAdmin.id)).toBe(200);
  });

  test('that was used or ended is not revived', async () => {
    await refresh(superAdmin.refreshToken, superAdmin.id);
    for (const change of ['used_at = null', "used_at = now() + interval '1 hour'"])
      await expect(write(platformId, `update refresh_token set ${change}`)).rejects.toThrow('earlier state');
    await superAdmin.post('/v1/auth/logout');
    await expect(write(platformId, 'update session set ended_at = null')).rejects.toThrow('earlier state');
  });

  const superAdminId = () => bare(superAdmin.id) as AdministratorId; // the id that the login answered
});

describe('a second factor', () => {
  const REMOVE = `update administrator set totp_enabled = false, totp_secret = null, recovery_hashes = '{}',
    factor_version = factor_version + 1 where id = $1`;
  const enrolled = async () => {
    const admin = await newAdministrator(service, own, 'admin');
    const [before] = await write(own.id, 'select * from administrator where id = $1', [bare(admin.id)]);
    return { admin, before, app: await enrol(admin) };
  };

  test('that was taken away, or whose recovery codes were replaced, admits nobody', async () => {
    for (const change of [REMOVE, REMOVE.replace("'{}'", `array['${'0'.repeat(64)}']`)]) {
      const { admin } = await enrolled();
      await write(own.id, change, [bare(admin.id)]);
      expect(await passwordOf(admin.email, admin.password)).toBe(401);
    }
  });

  test('does not go back to an earlier one, or to none with its proof of then', async () => {
    const { admin, before } = await enrolled();
    const restore = `update administrator set totp_enabled = false, totp_secret = null, recovery_hashes = '{}',
      factor_version = $1, proof = $2 where id = $3`;
    for (const version of [before.factor_version, before.factor_version + 2])
      await expect(write(own.id, restore, [version, before.proof, bare(admin.id)])).rejects.toThrow('earlier state');
    await write(own.id, restore, [before.factor_version + 3, before.proof, bare(admin.id)]);
    expect(await passwordOf(admin.email, admin.password)).toBe(401);
  });

  test('whose used code was made good again stays used', async () => {
    const { admin, app } = await enrolled();
    const again = 'update administrator set totp_used_step = 0 where id = $1';
    await expect(write(own.id, again, [bare(admin.id)])).rejects.toThrow('earlier state');
    const [used = ''] = app.recoveryCodes;
    const login = await service.request('POST', '/v1/auth/login', { body: admin });
    await done(service.request('POST', '/v1/auth/mfa', { body: { mfaToken: login.body.mfaToken, code: used } }));
    const restored = `update administrator set recovery_hashes = recovery_hashes || encode(sha256('x'), 'hex') where id = $1`;
    await expect(write(own.id, restored, [bare(admin.id)])).rejects.toThrow('earlier state');
  });

  test('is not fresh because a session says so', async () => {
    const { admin, app } = await enrolled();
    const make = (code: string) =>
      admin.request('POST', '/v1/core/companies/api-keys', { body: { name: 'k' }, headers: { 'x-mfa-code': code } });
    const code = app.code();
    expect((await make(code)).status).toBe(201);
    await write(own.id, 'update session set factor_at = now() where administrator_id = $1', [bare(admin.id)]);
    expect((await make(code)).status).toBe(403);
  });
});

describe('an API key added to the table', () => {
  test.each(['SUPER_ADMIN', 'ADMIN'])('as %s of the platform is refused', async (role) => {
    const { key, keyHash } = generateApiKey(false);
    const values = [randomUUID(), bare(platformId), keyHash, role, bare(superAdmin.id), 'test.AAAA'];
    await write(platformId, ADD_KEY, values);
    expect(await withKey(key, platformId)).toBe(401);
    expect(await withKey(key, own.id)).toBe(401);
  });

  test('as the owner of another company is refused', async () => {
    const other = await newCompany(service);
    const { key, keyHash } = generateApiKey(false);
    await write(other.id, ADD_KEY, [randomUUID(), bare(other.id), keyHash, 'OWNER', null, 'test.AAAA']);
    expect(await withKey(key, other.id)).toBe(401);
  });

  test('with the proof of the attacker’s own key is refused', async () => {
    const [{ proof }] = await write(own.id, 'select proof from api_key limit 1');
    const { key, keyHash } = generateApiKey(false);
    await write(platformId, ADD_KEY, [
      randomUUID(),
      bare(platformId),
      keyHash,
      'SUPER_ADMIN',
      bare(superAdmin.id),
      proof,
    ]);
    expect(await withKey(key, platformId)).toBe(401);
  });

  test('that was revoked or rolled is not revived', async () => {
    const rolled = await own.post('/v1/core/companies/api-keys/roll', { name: 'next', graceSeconds: 60 });
    expect(rolled.status).toBe(201);
    const longer = "update api_key set active_until = now() + interval '1 year' where active_until is not null";
    await expect(write(own.id, longer)).rejects.toThrow('earlier state');
    await expect(write(own.id, longer.replace(/now.*year'/, 'null'))).rejects.toThrow('earlier state');
    const headers = { 'x-api-key': rolled.body.secret_key, 'x-company-id': own.id };
    const path = `/v1/core/companies/api-keys/${rolled.body.id}/revoke`;
    await done(untilAnswered(() => service.request('POST', path, { headers })));
    for (const change of ['is_active = true', 'revoked_at = null'])
      await expect(write(own.id, `update api_key set ${change} where not is_active`)).rejects.toThrow('earlier state');
  });
});

test.each(['ADMIN', 'OWNER'])('an administrator added to the platform as %s cannot log in', async (role) => {
  const { email } = newPerson();
  await write(
    platformId,
    `insert into administrator (id, company_id, first_name, last_name, email, password_hash, role, proof)
     values (gen_random_uuid(), $1, 'A', 'B', $2, $3, $4, 'test.AAAA')`,
    [bare(platformId), email, attackersHash, role],
  );
  expect(await passwordOf(email, ATTACKERS_PASSWORD)).toBe(401);
});

test('a super administrator changes the password, logs in with it, and logs out', async () => {
  const newPassword = 'another-good-password';
  const changed = await superAdmin.post('/v1/auth/password', { currentPassword: PLATFORM.password, newPassword });
  expect(changed.status).toBe(200);
  expect(await passwordOf(PLATFORM.email, PLATFORM.password)).toBe(401);
  const again = await logIn(service, platformId, { email: PLATFORM.email, password: newPassword });
  expect(await again.post('/v1/auth/logout')).toMatchObject({ status: 200 });
  expect(await again.request('GET', '/v1/core/companies/me')).toMatchObject({ status: 401 });
});

test('credentials with unchanged rows keep working', async () => {
  expect(await passwordOf(PLATFORM.email, PLATFORM.password)).toBe(200);
  expect(await withKey(own.apiKey, own.id)).toBe(200);
  expect(await withKey(service.platform.apiKey, own.id)).toBe(200);
});
