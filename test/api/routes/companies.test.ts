import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, logIn, newAdministrator, newPerson, nobody, refused, sql } from '../../support/api.ts';
import { enrol } from '../../support/authenticator.ts';
import { ownService } from '../../support/own-service.ts';
import {
  companyClient,
  done,
  newCompany,
  PLATFORM,
  type TestCompany,
  type TestService,
} from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const register = (body: unknown) => service.request('POST', '/v1/core/companies', { body });
const asked = (fields: Record<string, unknown> = {}) => ({ name: 'Harare Traders', admin: newPerson(), ...fields });

describe('POST /v1/core/companies', () => {
  test('makes a company with its owner, who can log in at once', async () => {
    const admin = newPerson();
    const { status, body } = await register({ name: '  Harare Traders  ', admin });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^cmp_[0-9a-f-]{36}$/),
      name: 'Harare Traders',
      slug: expect.stringMatching(/^harare-traders/),
      system_fee_basis_points: 100,
      service_fee_basis_points: 0,
      auto_release_hours: null,
      default_phone_region: 'ZW',
      default_seller_id: null,
      checkout_hosts: [],
      brand_color: null,
      logo_url: null,
      support_email: null,
      terms_url: null,
      address: null,
      tax_number: null,
      registration_number: null,
      time_zone: 'UTC',
      require_mfa: false,
      settlement_fee_basis_points: 0,
      settlement_references: { card: null, mobile: null },
      order_pages: {
        enabled: false,
        messages: true,
        ask_hours: 48,
        acts: {
          answer: 'direct',
          ask_cancel: 'direct',
          confirm_receipt: 'direct',
          dispatch: 'direct',
          dispute: 'direct',
          evidence: 'direct',
          extend: 'direct',
          payout: 'off',
          payout_details: 'off',
          propose: 'direct',
          release: 'off',
        },
      },
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      admin: {
        id: expect.stringMatching(/^adm_/),
        firstName: admin.firstName,
        lastName: admin.lastName,
        email: admin.email,
        role: 'OWNER',
        created_at: expect.any(String),
      },
    });
    const session = await service.request('POST', '/v1/auth/login', { body: admin });
    expect(session).toMatchObject({ status: 200, body: { companyId: body.id, role: 'OWNER' } });
  });

  test('makes the slug from the name, and a second company of that name gets another', async () => {
    const name = `Été & Söhne ${randomUUID().replace(/\d/g, 'x').slice(0, 8)}`;
    const [first, second] = [await register(asked({ name })), await register(asked({ name }))];
    expect(first.body.slug).toBe(`ete-sohne-${name.slice(-8)}`);
    expect(second.status).toBe(201);
    expect(second.body.slug).toMatch(new RegExp(`^${first.body.slug}-[0-9a-z]+$`));
  });

  test('a name without a letter that slugs allow still gets a slug', async () => {
    expect(await register(asked({ name: '市場' }))).toMatchObject({
      status: 201,
      body: { slug: expect.stringMatching(/^company/), name: '市場' },
    });
  });

  test('a requested slug is used, and can be used only once', async () => {
    const slug = `slug-${randomUUID().slice(0, 8)}`;
    expect(await register(asked({ slug }))).toMatchObject({ status: 201, body: { slug } });
    expect(await register(asked({ slug }))).toMatchObject(refused(409, 'already_exists'));
  });

  test('an e-mail belongs to one administrator on the whole platform, in any case of letters', async () => {
    const email = company.owner.email.toUpperCase();
    const refusal = await register(asked({ admin: { ...newPerson(), email } }));
    expect(refusal).toMatchObject(refused(409, 'already_exists'));
  });

  test('a refused registration stores nothing, and its slug stays free', async () => {
    const slug = `slug-${randomUUID().slice(0, 8)}`;
    await register(asked({ slug, admin: { ...newPerson(), email: company.owner.email } }));
    expect(await register(asked({ slug }))).toMatchObject({ status: 201 });
  });

  test.each([
    'Visit bank.example now',
    'https://bank',
    'WWW.bank',
    'Your bank。example',
    'Your bank\u2024example',
    'Your bank.\u200bexample',
    'Your \u202ebank',
    'Call 077\u200b1234567',
    'Call 077/123/4567',
    'Call ٠٧٧١٢٣٤٥٦٧',
    'Call 077 123 4567',
    '+263-77-123-45-67',
  ])('a name that leads people elsewhere, %p: validation_failed', async (name) => {
    expect(await register(asked({ name }))).toMatchObject(refused(400, 'validation_failed'));
    expect(await company.request('PATCH', '/v1/core/companies/me', { body: { name } })).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });

  test.each(['St. John Hardware', 'J.P. Moyo & Sons', '24/7 Farms Ltd.', 'Section 12 - 345'])(
    '%p is a name',
    async (name) => {
      expect(await register(asked({ name }))).toMatchObject({ status: 201, body: { name } });
    },
  );

  test('unknown fields are ignored: a company cannot set its own fee or role', async () => {
    const { body, status } = await register(
      asked({ system_fee_basis_points: 0, isPlatform: true, admin: { ...newPerson(), role: 'SUPER_ADMIN' } }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ system_fee_basis_points: 100, admin: { role: 'OWNER' } });
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '   ' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['control characters', { name: 'a\u0007b' }, 'name'],
    ['half a surrogate pair', { name: 'a\ud800b' }, 'name'],
    ['a number for a name', { name: 5 }, 'name'],
    ['a slug in capitals', { slug: 'Capital' }, 'slug'],
    ['a slug with two dashes', { slug: 'a--b' }, 'slug'],
    ['a slug of 61 characters', { slug: 'a'.repeat(61) }, 'slug'],
    ['no admin', { admin: undefined }, 'admin'],
    ['an e-mail that is none', { admin: { ...newPerson(), email: 'nobody' } }, 'admin.email'],
    [
      'a common password with a blank after it',
      { admin: { ...newPerson(), password: 'password123 ' } },
      'admin.password',
    ],
    [
      'a common password with a blank before it',
      { admin: { ...newPerson(), password: ' password123' } },
      'admin.password',
    ],
    [
      'a good password with a blank after it',
      { admin: { ...newPerson(), password: 'a-good-one-42 ' } },
      'admin.password',
    ],
    [
      'a common password in wide letters',
      { admin: { ...newPerson(), password: '\uff50assword123' } },
      'admin.password',
    ],
    [
      'a common password with an invisible character',
      { admin: { ...newPerson(), password: 'pass\u200bword123' } },
      'admin.password',
    ],
    [
      'a password of invisible characters',
      { admin: { ...newPerson(), password: '\u200b'.repeat(12) } },
      'admin.password',
    ],
    ['a password of blank patterns', { admin: { ...newPerson(), password: '\u2800'.repeat(12) } }, 'admin.password'],
    ['a password of Hangul fillers', { admin: { ...newPerson(), password: '\u3164'.repeat(12) } }, 'admin.password'],
    [
      'the e-mail address as the password',
      { admin: { ...newPerson(), email: 'Amina.Odhiambo@test.example', password: 'amina.odhiambo@test.example' } },
      'admin.password',
    ],
    [
      'the first part of the e-mail address and a number as the password',
      { admin: { ...newPerson(), email: 'amina.odhiambo@test.example', password: 'Amina.Odhiambo2026' } },
      'admin.password',
    ],
    ['a short password', { admin: { ...newPerson(), password: '9 letters' } }, 'admin.password'],
  ])('%s: validation_failed, and says which field', async (_what, fields, path) => {
    const refusal = await register(asked(fields));
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.errors).toEqual([{ path, message: expect.any(String) }]);
  });

  test('a name of 255 characters is not too long', async () => {
    expect(await register(asked({ name: 'x'.repeat(255) }))).toMatchObject({ status: 201 });
  });
});

describe('GET /v1/core/companies/me', () => {
  test('answers the profile of the company in x-company-id, to key and bearer alike', async () => {
    const byKey = await company.get('/v1/core/companies/me');
    expect(byKey).toMatchObject({
      status: 200,
      body: { id: company.id, system_fee_basis_points: 100, service_fee_basis_points: 0, default_seller_id: null },
    });
    const manager = await newAdministrator(service, company, 'manager');
    const byToken = await manager.request('GET', '/v1/core/companies/me');
    expect(byToken).toMatchObject({ status: 200, body: byKey.body });
  });

  test.each([
    ['bare', (id: string) => bare(id)],
    ['in capitals', (id: string) => `cmp_${bare(id).toUpperCase()}`],
  ])('x-company-id may be %s', async (_form, form) => {
    const answer = await company.request('GET', '/v1/core/companies/me', {
      headers: { 'x-company-id': form(company.id) },
    });
    expect(answer).toMatchObject({ status: 200, body: { id: company.id } });
  });

  test("another company's id is 403, whether that company exists or not", async () => {
    const other = await newCompany(service);
    for (const id of [other.id, nobody('cmp'), 'nonsense', company.id.replace('cmp_', 'usr_')])
      expect(await company.request('GET', '/v1/core/companies/me', { headers: { 'x-company-id': id } })).toMatchObject(
        refused(403, 'company_mismatch'),
      );
  });

  test('a super administrator may name any company; an unknown one is 404', async () => {
    const asPlatform = (id: string) =>
      service.request('GET', '/v1/core/companies/me', {
        headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': id },
      });
    expect(await asPlatform(company.id)).toMatchObject({ status: 200, body: { id: company.id } });
    expect(await asPlatform(nobody('cmp'))).toMatchObject(refused(404, 'not_found'));
  });
});

test('the platform sees a company whose name looks like that of an older one, until it has another name', async () => {
  const name = `Harare Foods ${randomUUID().slice(0, 6)}`;
  const named = async (of: TestCompany, to: string) =>
    done(of.request('PATCH', '/v1/core/companies/me', { body: { name: to } }));
  const [older, younger] = [await newCompany(service), await newCompany(service)];
  const concerns = async () => {
    const platform = { ...older, id: service.platform.companyId, apiKey: service.platform.apiKey };
    const { body } = await companyClient(service, platform).get('/v1/platform/state');
    return body.concerns.filter(({ kind }: { kind: string }) => kind === 'LOOK_ALIKE_NAME');
  };
  await named(older, name);
  await named(younger, name.replaceAll('a', 'а').toUpperCase());
  expect(await concerns()).toContainEqual(expect.objectContaining({ companyId: younger.id, objectId: younger.id }));
  expect(await concerns()).not.toContainEqual(expect.objectContaining({ companyId: older.id }));
  await named(younger, `${name} and more`);
  expect(await concerns()).not.toContainEqual(expect.objectContaining({ companyId: younger.id }));
});

test('while registration is closed, only a platform administrator with a fresh code adds companies', async () => {
  const closed = await ownService({ withWorker: false, settings: { isRegistrationOpen: false } });
  try {
    const path = '/v1/core/companies';
    const { apiKey, companyId } = closed.platform;
    const headers = { 'x-api-key': apiKey, 'x-company-id': companyId };
    expect(await closed.request('POST', path, { body: asked() })).toMatchObject(refused(401, 'unauthenticated'));
    expect(await closed.request('POST', path, { body: asked(), headers })).toMatchObject({ status: 401 });

    const platform = await logIn(closed, companyId, PLATFORM);
    const app = await enrol(platform);
    expect(await platform.request('POST', path, { body: asked() })).toMatchObject(refused(403, 'mfa_required'));
    const factor = { 'x-mfa-code': app.code() };
    const { status, body } = await platform.request('POST', path, { body: asked(), headers: factor });
    expect({ status, body }).toMatchObject({ status: 201, body: { admin: { role: 'OWNER' } } });
    const lines = await sql(
      closed,
      `select company_id, actor_id from audit_log where operation = 'POST /v1/core/companies' and status = 201`,
    );
    const actor = { actor_id: bare(platform.id) };
    expect(lines).toHaveLength(2);
    for (const id of [companyId, body.id]) expect(lines).toContainEqual({ company_id: bare(id), ...actor });

    const second = newPerson();
    const other = await platform.request('POST', path, { body: asked({ admin: second }), headers: factor });
    const owner = await logIn(closed, other.body.id, second);
    expect(await owner.request('POST', path, { body: asked() })).toMatchObject(refused(403, 'forbidden'));
  } finally {
    await closed.stop();
  }
});
