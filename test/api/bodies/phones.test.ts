import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { logIn, newAdministrator, refused } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { offerLink } from '../../support/links.ts';
import { ownService } from '../../support/own-service.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const ME = '/v1/core/companies/me';
const USERS = '/v1/identity/users';
let ending = 1_000_000;
const fresh = () => `77${++ending}`;
const register = (of: TestCompany, mobileNumber: string) => of.post(USERS, { mobileNumber, idNumber: '63-1' });
const settings = async (of: TestCompany, body: object) => {
  const owner = await logIn(service, of.id, of.owner);
  return owner.request('PATCH', ME, { body });
};

describe('the region of a company', () => {
  test('is the platform’s until the company sets one; null resets it', async () => {
    const mine = await newCompany(service);
    expect((await mine.get(ME)).body.default_phone_region).toBe('ZW');
    expect((await settings(mine, { default_phone_region: 'za' })).body.default_phone_region).toBe('ZA');
    expect((await mine.get(ME)).body.default_phone_region).toBe('ZA');
    expect((await register(mine, '082 123 4567')).body.mobileNumber).toBe('+27821234567');
    expect((await settings(mine, { name: 'Renamed' })).body.default_phone_region).toBe('ZA');
    expect((await settings(mine, { default_phone_region: null })).body.default_phone_region).toBe('ZW');
  });

  test.each(['Z', 'XX', 'ZWE', 5, ''])('%p is not a region: validation_failed', async (default_phone_region) => {
    expect(await settings(company, { default_phone_region })).toMatchObject(refused(400, 'validation_failed'));
  });

  test('cannot be changed by a MANAGER', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    expect(await manager.request('PATCH', ME, { body: { default_phone_region: 'ZA' } })).toMatchObject(
      refused(403, 'forbidden'),
    );
  });

  test('of the platform comes from the configuration', async () => {
    const elsewhere = await ownService({ withWorker: false, settings: { defaultPhoneRegion: 'GB' } });
    try {
      const mine = await newCompany(elsewhere);
      expect((await mine.get(ME)).body.default_phone_region).toBe('GB');
      expect((await register(mine, '07400 123456')).body.mobileNumber).toBe('+447400123456');
    } finally {
      await elsewhere.stop();
    }
  });
});

describe('a user’s mobileNumber', () => {
  test.each([
    ['as people write it', (digits: string) => `0${digits}`],
    ['with the country code and no plus', (digits: string) => `263${digits}`],
    ['with spaces and dashes', (digits: string) => `+263 ${digits.slice(0, 2)}-${digits.slice(2)}`],
    ['with brackets', (digits: string) => `(0${digits.slice(0, 2)}) ${digits.slice(2)}`],
  ])('%s is stored and answered as E.164', async (_how, write) => {
    const digits = fresh();
    const { status, body } = await register(company, write(digits));
    expect([status, body.mobileNumber]).toEqual([201, `+263${digits}`]);
    expect((await company.get(`${USERS}/${body.id}`)).body.mobileNumber).toBe(`+263${digits}`);
    expect(await register(company, `+263${digits}`)).toMatchObject(refused(409, 'already_exists'));
  });

  test.each(['', 'hello', '12', '+1234567', '0771'])('%p is not a number: validation_failed', async (typed) => {
    const refusal = await register(company, typed);
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.errors).toMatchObject([{ path: 'mobileNumber' }]);
  });

  test('in any notation finds its user in the list', async () => {
    const digits = fresh();
    const { body } = await register(company, `0${digits}`);
    for (const typed of [`0${digits}`, `263${digits}`, `+263${digits}`])
      expect((await company.get(`${USERS}?mobileNumber=${encodeURIComponent(typed)}`)).body).toMatchObject([
        { id: body.id },
      ]);
    expect((await company.get(`${USERS}?mobileNumber=0${fresh()}`)).body).toEqual([]);
    expect(await company.get(`${USERS}?mobileNumber=hello`)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('at the checkout', () => {
  test('the buyer gets a code and pays with a number in national notation', async () => {
    const link = await offerLink(service, company);
    const { mobileNumber, id } = link.buyer;
    const typed = `0${mobileNumber.slice('+263'.length)}`;
    await company.post('/v1/payments/deposit', { userId: id, amount: 25_000, currency: 'USD' });
    expect(await link.say('request-checkout-otp', { messagingNumber: typed })).toMatchObject({ status: 200 });
    const otp = await service.sandbox.codeFor(mobileNumber);
    const messagingNumber = typed.replace(/^0/, '263');
    expect(await link.say('accept-payment', { messagingNumber, otp })).toMatchObject({
      status: 200,
      body: { status: 'ACCEPTED' },
    });
  });

  test('a charge reads a national number in the company’s region', async () => {
    const link = await offerLink(service, company);
    const digits = fresh();
    await service.sandbox.mobileMoney(`+263${digits}`, 'decline');
    const { status, body } = await link.say('accept-payment', { phoneNumber: `0${digits}` });
    expect([status, body.status]).toEqual([200, expect.stringMatching(/^(DECLINED|PROCESSING)$/)]); // an operator may be slow
    await eventually(async () => (await link.read()).attempts[0]?.status === 'declined');
    expect(await link.say('accept-payment', { phoneNumber: 'hello' })).toMatchObject(refused(400, 'validation_failed'));
  });

  test('on the page an invalid number stays in its field with an error and appears in no address', async () => {
    const link = await offerLink(service, company);
    const answer = await fetch(`${service.url}${link.path}/mobile`, {
      method: 'POST',
      body: new URLSearchParams({ phone: '0771 "x"' }),
      redirect: 'manual',
    });
    const page = await answer.text();
    expect([answer.status, answer.headers.get('location')]).toEqual([422, null]);
    expect(page).toContain('value="0771 &quot;x&quot;"');
    expect(page).toContain('aria-invalid="true"');
    // The page is one level deeper than the link's own page, and its forms lead to the same addresses.
    expect(page).toContain(`action="../${link.hash}/mobile"`);
    expect(page).toContain(`action="../${link.hash}/card"`);
    expect(page).toContain('href="../assets/');
  });

  test.each([
    ['request-checkout-otp', 'messagingNumber', {}],
    ['register-checkout-user', 'mobileNumber', { idNumber: '63-1' }],
  ])('%s with an invalid %s: validation_failed', async (path, field, others) => {
    const body = { ...others, [field]: 'hello' };
    const refusal = await service.request('POST', `/v1/payments/${path}`, { body });
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.errors).toMatchObject([{ path: field }]);
  });
});
