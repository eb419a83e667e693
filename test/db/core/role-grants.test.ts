import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { hashSecret } from '../../../src/api/auth/api-keys.ts';
import { connect } from '../../../src/db/core/orm.ts';
import { CredentialProof } from '../../../src/db/identity/credential-proof.ts';
import { MIGRATIONS_FOLDER, sqlFilesIn } from '../../../src/db/migrations/index.ts';
import { createRequestStore } from '../../../src/db/requests/request-store.ts';
import { bare, logIn, newKey, sql } from '../../support/api.ts';
import { FIELD_KEY } from '../../support/keys.ts';
import { newCompany, newUser, PLATFORM, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** What each database role may do with companies, administrators, sessions, keys and users, statement by statement. */

const REFUSED = '42501';
const CONSTRAINT = '23000';

let service: TestService;
let company: TestCompany;
let ids: Record<'company' | 'platform' | 'owner' | 'superAdmin' | 'user' | 'key', string>;
const clients: Partial<Record<Role, pg.Client>> = {};
type Role = 'escrow_api' | 'escrow_worker';

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  const user = await newUser(company);
  const key = await newKey(await logIn(service, company.id, company.owner));
  const superAdmin = await logIn(service, service.platform.companyId, PLATFORM);
  ids = {
    company: bare(company.id),
    platform: bare(service.platform.companyId),
    owner: bare(company.owner.id),
    superAdmin: bare(superAdmin.id),
    user: bare(user.id),
    key: bare(key.id),
  };
  clients.escrow_api = new pg.Client(service.database.apiUrl);
  clients.escrow_worker = new pg.Client(service.database.workerUrl);
  await Promise.all(Object.values(clients).map((client) => client.connect()));
});
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.end()));
  await service.stop();
});

/** The result of a statement of the role: '' or the SQLSTATE. It is rolled back. `:name` is one of `ids`. */
async function attempt(role: Role, statement: string, companyId: 'company' | 'platform' = 'company'): Promise<string> {
  const client = clients[role];
  if (client === undefined) throw new Error('not connected');
  const text = statement
    .replace(/:(\w+)\b/g, (whole, name: string) => (name in ids ? `'${ids[name as keyof typeof ids]}'` : whole)) // checked
    .replace(/:new\b/g, `'${randomUUID()}'`);
  await client.query('begin');
  try {
    await client.query(`select set_config('app.company_id', $1, true)`, [ids[companyId]]);
    await client.query(text);
    return '';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    await client.query('rollback');
  }
}

const NEW_ADMINISTRATOR = (role: string, companyId = ':company') =>
  `insert into administrator (id, company_id, first_name, last_name, email, password_hash, proof, role, created_at)
   values (:new, ${companyId}, 'A', 'B', gen_random_uuid()::text, 'x', 'x.x', '${role}', now())`;
const NEW_KEY = (role: string, companyId = ':company', createdBy = ':owner') =>
  `insert into api_key (id, company_id, name, key_hash, key_prefix, proof, role, is_active, created_by, created_at)
   values (:new, ${companyId}, 'k', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'abcdefgh', 'x.x', '${role}', true, ${createdBy}, now())`;

/** Statement → the results for escrow_api and escrow_worker. */
const TABLE: readonly (readonly [statement: string, api: string, worker: string])[] = [
  ["update company set name = 'New' where id = :company", '', REFUSED],
  ['update company set is_platform = true where id = :company', REFUSED, REFUSED],
  ["update company set slug = 'other' where id = :company", REFUSED, REFUSED],
  ["insert into company (id, name, slug, is_platform) values (:new, 'Mine', 'mine', true)", REFUSED, REFUSED],
  ['delete from company where id = :company', REFUSED, REFUSED],
  [NEW_ADMINISTRATOR('ADMIN'), '', REFUSED],
  [NEW_ADMINISTRATOR('SUPER_ADMIN'), REFUSED, REFUSED],
  ["update administrator set role = 'SUPER_ADMIN' where id = :owner", REFUSED, REFUSED],
  ['update administrator set company_id = :platform where id = :owner', REFUSED, REFUSED],
  ["update administrator set email = 'x@test.example' where id = :owner", REFUSED, REFUSED],
  ["update administrator set password_hash = 'x', token_version = token_version + 1 where id = :owner", '', REFUSED],
  ["update administrator set password_hash = 'x' where id = :owner", REFUSED, REFUSED],
  ['update administrator set must_change_password = true where id = :owner', REFUSED, REFUSED],
  ['update administrator set token_version = token_version - 1 where id = :owner', REFUSED, REFUSED],
  ['update administrator set removed_at = now() where id = :owner', '', REFUSED],
  ['delete from administrator where id = :owner', REFUSED, REFUSED],
  ['select role from administrator where id = :owner', '', ''],
  ['select password_hash from administrator where id = :owner', '', REFUSED],
  ['update administrator set totp_enabled = false, totp_secret = null where id = :owner', '', REFUSED],
  ['update administrator set factor_version = factor_version - 1 where id = :owner', REFUSED, REFUSED],
  ["update administrator set recovery_hashes = array['x'] where id = :owner", REFUSED, REFUSED],
  ["update administrator set totp_secret = 'k.' || repeat('x', 40) where id = :owner", REFUSED, REFUSED],
  ['select * from session', '', REFUSED],
  ['update session set ended_at = now()', '', REFUSED],
  ['update session set administrator_id = :owner', REFUSED, REFUSED],
  ['delete from session', REFUSED, REFUSED],
  ['select * from refresh_token', '', REFUSED],
  ['update refresh_token set used_at = now()', '', REFUSED],
  ["update refresh_token set expires_at = now() + interval '1 year'", REFUSED, REFUSED],
  ['update refresh_token set administrator_id = :owner', REFUSED, REFUSED],
  ['delete from refresh_token', REFUSED, REFUSED],
  [NEW_KEY('ADMIN'), '', REFUSED],
  [NEW_KEY('SUPER_ADMIN'), REFUSED, REFUSED],
  ["update api_key set role = 'SUPER_ADMIN' where id = :key", REFUSED, REFUSED],
  ['update api_key set company_id = :platform where id = :key', REFUSED, REFUSED],
  ["update api_key set key_hash = 'x' where id = :key", REFUSED, REFUSED],
  ['update api_key set is_active = false where id = :key', '', REFUSED],
  ['select key_hash from api_key', '', REFUSED],
  ['delete from api_key', REFUSED, REFUSED],
  ['update app_user set kyc_level = 2 where id = :user', '', REFUSED],
  ['update app_user set company_id = :platform where id = :user', REFUSED, REFUSED],
  ['update app_user set bank_account = bank_account where id = :user', '', REFUSED],
  ['update payout_destination set account_number = account_number', REFUSED, REFUSED],
  ["update app_user set mobile_number = '+263770000000' where id = :user", REFUSED, REFUSED],
  ['delete from app_user', REFUSED, REFUSED],
  ['update account set is_frozen = false', '', REFUSED],
  ['update account set is_frozen = true where not may_go_negative', CONSTRAINT, REFUSED],
  ["update payment_attempt set payment_id = 'x'", REFUSED, ''],
  ["update payment_attempt set checkout_id = 'x'", REFUSED, REFUSED],
  ["update payment_attempt set phone = '+263770000000'", REFUSED, REFUSED],
  ["update idempotency set response_body = '{}'", REFUSED, REFUSED],
  ['delete from idempotency', REFUSED, REFUSED],
  ["update command_text set content = '{}'", REFUSED, REFUSED],
  ['update payout_limit set amount_cents = 1', '', REFUSED],
  ['update webhook_endpoint set secret = secret', '', REFUSED],
  ['select * from one_time_password', REFUSED, REFUSED],
  ['select * from login_try', REFUSED, REFUSED],
  ['select mobile_number from checkout_registration', REFUSED, REFUSED],
  ["update audit_log set actor_role = 'OWNER'", REFUSED, REFUSED],
  ['delete from audit_log', REFUSED, REFUSED],
  ["select * from auth_administrator(null, 'x@test.example', null)", '', REFUSED],
  ["select * from auth_api_keys(array['00'])", '', REFUSED],
  ["select * from auth_api_key_by_prefix('abcdefgh')", '', REFUSED],
  ["select * from auth_refresh_token('\\x00')", '', REFUSED],
  ['select * from registered_user(:new)', '', REFUSED],
  ["select login_succeeded('\\x00', '\\x00')", '', REFUSED],
  ["select audit_writes('[]')", '', REFUSED],
  ["select add_currency('XXX', '999', 2)", REFUSED, REFUSED],
  ['create table mine (id integer)', REFUSED, REFUSED],
  ['alter table administrator disable trigger all', REFUSED, REFUSED],
  ['alter table administrator no force row level security', REFUSED, REFUSED],
  ['drop trigger administrator_super_admin on administrator', REFUSED, REFUSED],
  ['grant select on one_time_password to escrow_api', REFUSED, REFUSED],
];

test.each(TABLE)('%s: %j for escrow_api, %j for escrow_worker', async (statement, api, worker) => {
  expect([await attempt('escrow_api', statement), await attempt('escrow_worker', statement)]).toEqual([api, worker]);
});

describe('functions', () => {
  /** The roles that may execute each function, according to the migration that grants functions, and to later ones. */
  function documented(): Map<string, string[]> {
    const statements = sqlFilesIn(MIGRATIONS_FOLDER)
      .filter(({ name }) => name >= '390')
      .map(({ sql: text }) => text)
      .join('\n');
    const roles = new Map<string, string[]>();
    for (const [, functions = '', to = ''] of statements.matchAll(
      /^grant execute on function ([\s\S]*?)\s+to ([^;]*);/gm,
    ))
      for (const name of functions.split(/,\s+/))
        roles.set(name, [...new Set([...(roles.get(name) ?? []), ...to.split(', ')])]); // a replaced function is granted again
    return roles;
  }

  test('can be executed by the roles of 390-function-grants.sql and later migrations, and by no other role', async () => {
    const rows = await sql(
      service,
      `select p.proname as name, r.role from pg_proc p
       cross join unnest(array['escrow_api', 'escrow_worker', 'public']) as r (role)
       where p.pronamespace = 'public'::regnamespace and has_function_privilege(r.role, p.oid, 'execute')
       order by p.proname, r.role`,
    );
    const granted = new Map<string, string[]>();
    for (const { name, role } of rows) granted.set(String(name), [...(granted.get(String(name)) ?? []), String(role)]);
    expect(Object.fromEntries(granted)).toEqual(Object.fromEntries(documented()));
  });
});

describe('a connection of the API that names the platform as its company', () => {
  test.each([
    ['adds no super administrator', NEW_ADMINISTRATOR('SUPER_ADMIN', ':platform')],
    ['makes no super administrator of one that is there', "update administrator set role = 'SUPER_ADMIN'"],
    ["makes no super administrator's key for nobody", NEW_KEY('SUPER_ADMIN', ':platform', 'null')],
    [
      "makes no super administrator's key for an owner of another company",
      NEW_KEY('SUPER_ADMIN', ':platform', ':owner'),
    ],
  ])('%s', async (_, statement) => {
    expect(await attempt('escrow_api', statement, 'platform')).toBe(REFUSED);
  });

  test('makes the key of a super administrator, as the operation does', async () => {
    const statement = NEW_KEY('SUPER_ADMIN', ':platform', ':superAdmin');
    expect(await attempt('escrow_api', statement, 'platform')).toBe('');
  });
});

test('not even the owner of the database makes a super administrator outside of the platform', async () => {
  await expect(
    sql(service, "update administrator set role = 'SUPER_ADMIN' where id = $1", [ids.owner]),
  ).rejects.toMatchObject({ code: REFUSED });
});

test('the guard rejects a SUPER_ADMIN outside of the platform, even if a row says so', async () => {
  const other = await newCompany(service);
  const { owner } = other;
  await sql(service, 'alter table administrator disable trigger user');
  await sql(service, 'alter table api_key disable trigger user');
  await sql(service, "update administrator set role = 'SUPER_ADMIN' where company_id = $1", [bare(other.id)]);
  await sql(service, "update api_key set role = 'SUPER_ADMIN' where company_id = $1", [bare(other.id)]);
  await sql(service, 'alter table administrator enable trigger user');
  await sql(service, 'alter table api_key enable trigger user');
  const headers = { 'x-company-id': company.id };
  const credentials: Record<string, string>[] = [
    { authorization: `Bearer ${owner.token}` },
    { 'x-api-key': other.apiKey },
  ];
  for (const credential of credentials)
    for (const companyId of [company.id, other.id])
      expect(
        await service.request('GET', '/v1/core/companies/me', {
          headers: { ...headers, ...credential, 'x-company-id': companyId },
        }),
      ).toMatchObject({ status: 401 });
  const login = await service.request('POST', '/v1/auth/login', { body: owner });
  expect(login.status).toBe(401);
  const orm = await connect({ databaseUrl: service.database.apiUrl, poolMax: 1, applicationName: 'test' });
  expect(
    await createRequestStore(orm, new CredentialProof([FIELD_KEY])).findApiKey(hashSecret(other.apiKey)),
  ).toBeNull();
  await orm.close();
});
