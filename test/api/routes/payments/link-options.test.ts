import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { bare, refused, sql } from '../../../support/api.ts';
import { gif, png } from '../../../support/documents.ts';
import { eventually } from '../../../support/eventually.ts';
import { codeFor, offerLink, type TestLink } from '../../../support/links.ts';
import { logoForm } from '../../../support/logos.ts';
import { done, newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

const ME = '/v1/core/companies/me';
const LOGO = `${ME}/logo`;
const HOUR_MS = 3_600_000;

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Harvest Market');
  await company.request('PATCH', ME, {
    body: {
      checkout_hosts: ['Shop.example.com'],
      support_email: 'help@example.com',
      terms_url: 'https://example.com/terms',
      brand_color: '#7A3E00',
    },
  });
});
afterAll(() => service.stop());

const create = async (fields: Record<string, unknown>) => {
  const buyer = await newUser(company);
  return company.post('/v1/payments/generate-escrow-payment-link', {
    buyerId: buyer.id,
    amount: 25_000,
    currency: 'USD',
    items: [{ name: 'Maize', quantity: 2, pricePerUnit: 12_500 }],
    ...fields,
  });
};
const pageOf = async (link: TestLink | string, headers: Record<string, string> = {}) => {
  const path = typeof link === 'string' ? link : link.path;
  return (await (await fetch(`${service.url}${path}`, { headers })).text()).replace(/[\u00a0\u202f]/g, ' ');
};
async function payFromBalance(link: TestLink) {
  await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 200_000, currency: 'USD' });
  const otp = await codeFor(service, link);
  const paid = await link.say('accept-payment', { messagingNumber: link.buyer.mobileNumber, otp });
  expect(paid).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
  return paid.body;
}

describe('a payment link', () => {
  test('has an id, and its options reach the escrow that it funds', async () => {
    const link = await offerLink(service, company, {
      expiresInHours: 720,
      feePayer: 'BUYER',
      milestones: [
        { title: 'Half', percentage: 50 },
        { title: 'The rest', percentage: 50 },
      ],
      successUrl: 'https://shop.example.com/paid?order=1',
      cancelUrl: 'https://shop.example.com/basket',
      locale: 'fr',
    });
    const read = await link.read();
    expect(read).toMatchObject({
      id: `pay_${link.linkId}`,
      successUrl: 'https://shop.example.com/paid?order=1',
      cancelUrl: 'https://shop.example.com/basket',
      locale: 'fr',
      amount: '25250', // the fee of one percent is the buyer's
    });
    const lifetimeMs = Date.parse(read.expiresAt) - Date.parse(read.createdAt);
    expect(Math.abs(lifetimeMs - 720 * HOUR_MS)).toBeLessThan(60_000);
    expect(await link.escrow()).toMatchObject({
      totalAmount: '25000',
      feePayer: 'BUYER',
      milestones: [{ title: 'Half' }, { title: 'The rest' }],
    });
    await payFromBalance(link);
    expect(await link.escrow()).toMatchObject({ status: 'ACTIVE', heldAmount: '25250' });
  });

  test('returns its id and what the buyer pays, and accepts its own delay of the automatic release', async () => {
    const said = { externalReference: 'order-5', userReference: 'For your room' };
    const { status, body } = await create({ autoReleaseHours: 5, ...said });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: expect.stringMatching(/^pay_/), amount: 25_000, ...said });
    expect((await company.get(`/v1/payments/links/${body.id}`)).body).toMatchObject({ hash: body.hash, ...said });
    const details = await company.get(`/v1/payments/link-details/${body.hash}`);
    expect(details.body).toMatchObject({ userReference: said.userReference });
    const [row] = await sql(
      service,
      "select state -> 'terms' ->> 'autoReleaseHours' as hours from escrow where id = $1",
      [bare(body.escrowId)],
    );
    expect(row?.hours).toBe('5');
  });

  test.each([
    [{ expiresInHours: 0 }, 400, 'validation_failed'],
    [{ expiresInHours: 721 }, 400, 'validation_failed'],
    [{ locale: 'sn' }, 400, 'validation_failed'],
    [{ autoReleaseHours: 1, milestones: [{ title: 'All', percentage: 100 }] }, 400, 'validation_failed'],
    [{ milestones: [{ title: 'Half', percentage: 50 }] }, 422, 'milestones_must_total_100'],
    [{ amount: 9_007_199_254_740_991, feePayer: 'BUYER' }, 422, 'amount_too_large'],
    [{ feePayer: 'NOBODY' }, 400, 'validation_failed'],
    [{ successUrl: 'not a url' }, 400, 'validation_failed'],
    [{ successUrl: 'https://evil.example/' }, 422, 'return_host_not_listed'],
    [{ successUrl: 'https://shop.example.com.evil.example/' }, 422, 'return_host_not_listed'],
    [{ cancelUrl: 'http://shop.example.com/' }, 422, 'return_host_not_listed'],
    [{ cancelUrl: 'https://me:password@shop.example.com/' }, 422, 'return_host_not_listed'],
    [{ cancelUrl: 'javascript:alert(1)' }, 422, 'return_host_not_listed'],
  ])('with %j: %i %s', async (fields, status, code) => {
    expect(await create(fields)).toMatchObject(refused(status, code));
  });

  test.each(['https://SHOP.example.com:8443/x', 'http://localhost:3000/paid', 'http://127.0.0.1/'])(
    'may lead back to %s',
    async (successUrl) => {
      expect((await create({ successUrl })).status).toBe(201);
    },
  );
});

describe('a way back', () => {
  test.each([
    ['https:shop.example.com', 'https://shop.example.com/'],
    ['https://shop.example.com\\@evil.example/', 'https://shop.example.com/@evil.example/'],
    ['https://shop\u3002example\u3002com/', 'https://shop.example.com/'],
  ])('that was sent as %s leads to %s for every reader', async (successUrl, canonical) => {
    const link = await offerLink(service, company, { successUrl, cancelUrl: successUrl });
    expect(await link.read()).toMatchObject({ successUrl: canonical, cancelUrl: canonical });
    expect(await pageOf(link)).toContain(`href="${canonical}"`);
  });
});

describe('the page of a link', () => {
  test('shows an adjustment where the items do not sum to the amount, and fees that the buyer pays', async () => {
    const link = await offerLink(service, company, { amount: 24_000, feePayer: 'BUYER' });
    const html = await pageOf(link);
    expect(html).toMatch(/Adjustment<\/span><span class="item-total">-USD 10\.00/);
    expect(html).toMatch(/Fees<\/span><span class="item-total">USD 2\.40/);
    expect(html).toMatch(/To pay<\/span><span class="item-total">USD 242\.40/);
    expect(await pageOf(await offerLink(service, company))).not.toMatch(/Adjustment|Fees/);
  });

  test('is in the language of the link, else of the browser, and says that it is a test', async () => {
    const fixed = await offerLink(service, company, { locale: 'pt' });
    expect(await pageOf(fixed, { 'accept-language': 'fr' })).toContain('Como quer pagar?');
    const open = await offerLink(service, company);
    const french = await pageOf(open, { 'accept-language': 'fr-CH, en;q=0.5' });
    expect(french).toContain('<html lang="fr" data-zone="UTC">');
    expect(french).toContain('Comment souhaitez-vous payer');
    expect(french).toContain('250,00 USD');
    expect(french).toContain('Mode test');
    expect(await pageOf('/checkout/unknown', { 'accept-language': 'fr' })).toContain('Ce paiement est introuvable');
  });

  test('links back to the shop, before and after the payment', async () => {
    const link = await offerLink(service, company, {
      successUrl: 'https://shop.example.com/paid',
      cancelUrl: 'https://shop.example.com/basket',
    });
    const open = await pageOf(link);
    expect(open).toContain('href="https://shop.example.com/basket"');
    expect(open).not.toContain('https://shop.example.com/paid');
    await payFromBalance(link);
    const paid = await pageOf(link);
    expect(paid).toContain('href="https://shop.example.com/paid"');
    expect(paid).not.toContain('https://shop.example.com/basket');
    const refusing = await offerLink(service, company, { cancelUrl: 'http://localhost:3000/' });
    await done(refusing.say('reject-payment'));
    expect(await pageOf(refusing)).toContain('href="http://localhost:3000/"');
  });

  test('shows a link that the company cancelled as cancelled, not as declined', async () => {
    const link = await offerLink(service, company);
    await company.post(`/v1/escrow/${link.escrowId}/cancel`, { actor: 'SELLER', reason: 'Sold out' });
    const html = await pageOf(link);
    expect(html).toContain('<h1>This order was cancelled</h1>');
    expect(html).not.toContain('was declined');
  });

  test('carries the colour, support address and terms of the company', async () => {
    const html = await pageOf(await offerLink(service, company));
    expect(html).toContain('mailto:help@example.com');
    expect(html).toContain('href="https://example.com/terms"');
    const [sheet = ''] = html.match(/assets\/brand-[^"]+/) ?? [];
    const css = await (await fetch(`${service.url}/checkout/${sheet}`)).text();
    expect(css).toContain('#7a3e00');
    expect((await fetch(`${service.url}/checkout/assets/brand-zzzzzz.css`)).status).toBe(404);
  });
});

describe('the receipt', () => {
  test('says what was paid, when, how and for what, in the language of the page', async () => {
    const link = await offerLink(service, company, { externalReference: 'order-77', amount: 24_000, locale: 'fr' });
    const address = `${service.url}${link.path}/receipt`;
    expect((await fetch(address)).status).toBe(404);
    const { transactionId } = await payFromBalance(link);
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${transactionId}.pdf"`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
    const { text } = await extractText(pdf, { mergePages: true });
    for (const part of [
      'Reçu',
      'Harvest Market',
      transactionId,
      'order-77',
      'Solde',
      'Maize',
      'Ajustement',
      'MODE TEST',
    ])
      expect(text).toContain(part);
    expect(text.replace(/\s/g, ' ')).toContain('240,00 USD');
    expect(text).not.toMatch(/Buyerson/);
    const html = await pageOf(link);
    for (const part of ['order-77', transactionId, 'Solde', `${link.hash}/receipt`]) expect(html).toContain(part);
  });

  test('of a cancelled order says that the money is back', async () => {
    const link = await offerLink(service, company);
    await payFromBalance(link);
    await company.post(`/v1/escrow/${link.escrowId}/cancel`, { actor: 'SELLER', reason: 'Sold out' });
    const answer = await fetch(`${service.url}${link.path}/receipt`);
    const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
    const text = (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, ' ');
    expect(text).toContain('This order was cancelled');
    expect(text).toMatch(/USD 250\.00 went back to your balance/);
    expect(text).not.toContain('held');
  });
});

test('the receipt has the letters of goods and orders in Chinese, Japanese, Korean and Thai', async () => {
  const names = ['玉米 50 公斤', 'とうもろこし 50 kg', '옥수수 50kg, Łódź', 'ข้าวโพด 50 กก.'];
  const link = await offerLink(service, company, {
    externalReference: '訂單-77',
    items: names.map((name) => ({ name, quantity: 1, pricePerUnit: 8_000 })),
  });
  await payFromBalance(link);
  const answer = await fetch(`${service.url}${link.path}/receipt`);
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  const { text } = await extractText(pdf, { mergePages: true });
  for (const name of [...names, '訂單-77']) expect(text.replace(/\s+/g, '')).toContain(name.replace(/\s+/g, ''));
});

describe('the company', () => {
  test.each([
    [{ brand_color: '#ffcc00' }, 422, 'contrast_too_low'],
    [{ brand_color: 'red' }, 400, 'validation_failed'],
    [{ terms_url: 'http://example.com' }, 400, 'validation_failed'],
    [{ terms_url: 'https://bank.example@evil.example/' }, 400, 'validation_failed'],
    [{ support_email: 'nobody' }, 400, 'validation_failed'],
    [{ checkout_hosts: ['https://shop.example.com'] }, 400, 'validation_failed'],
    [{ checkout_hosts: ['localhost'] }, 400, 'validation_failed'],
    [{ checkout_hosts: Array.from({ length: 21 }, (_, at) => `s${at}.example.com`) }, 400, 'validation_failed'],
  ])('cannot set %j: %i %s', async (body, status, code) => {
    expect(await company.request('PATCH', ME, { body })).toMatchObject(refused(status, code));
  });

  test('has a public logo, which is re-encoded, and is 404 after its removal', async () => {
    const own = await newCompany(service, 'Logo Market');
    const drawn = sharp({ create: { width: 900, height: 300, channels: 4, background: '#7a3e00' } });
    const upload = await drawn
      .withExif({ IFD0: { Copyright: 'a secret' } })
      .webp()
      .toBuffer();
    const stored = await own.request('PUT', LOGO, { form: logoForm(upload) });
    expect(stored.status).toBe(200);
    const { logo_url: url } = stored.body;
    const image = await fetch(url);
    expect(image.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await image.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 480, height: 160 });
    expect(bytes.includes('a secret')).toBe(false);
    const link = await offerLink(service, own);
    expect(await pageOf(link)).toMatch(
      /<img class="logo" src="assets\/logo-[0-9a-f]{64}\.png" alt="Logo Market[^"]*">/,
    );
    await own.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 200_000, currency: 'USD' });
    await link.say('accept-payment', {
      messagingNumber: link.buyer.mobileNumber,
      otp: await codeFor(service, link),
    });
    expect((await fetch(`${service.url}${link.path}/receipt`)).status).toBe(200);

    expect((await own.request('PUT', LOGO, { form: logoForm(png()) })).body.logo_url).not.toBe(url);
    expect((await own.request('DELETE', LOGO)).body.logo_url).toBeNull();
    expect((await fetch(url)).status).toBe(404);
    expect(await pageOf(link)).not.toContain('<img');
  });

  test.each([
    ['a GIF', () => gif(), 415, 'unsupported_media_type'],
    ['no image', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'unsupported_media_type'],
    ['half a PNG', () => png().subarray(0, 40), 415, 'unsupported_media_type'],
    ['nothing', () => Buffer.alloc(0), 400, 'validation_failed'],
    ['more than 1 MiB', () => Buffer.concat([png(), Buffer.alloc(1_048_576)]), 413, 'payload_too_large'],
    ['much more', () => Buffer.alloc(3_000_000), 413, 'payload_too_large'],
  ])('cannot upload %s as its logo', async (_, content, status, code) => {
    // The service closes the connection when it has answered. A client that still sends may get an error instead of the answer.
    const upload = () => company.request('PUT', LOGO, { form: logoForm(content()) }).catch(() => undefined);
    expect(await eventually(upload)).toMatchObject(refused(status, code));
  });
});

describe('a prompted phone', () => {
  test('is shown by its last digits, and after ten minutes another way can be chosen', async () => {
    const own = await newCompany(service);
    const link = await offerLink(service, own);
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
    const form = new URLSearchParams({ phone: link.buyer.mobileNumber });
    await fetch(`${service.url}${link.path}/mobile`, { method: 'POST', body: form });
    // A busy machine may answer the form before the phone is prompted.
    const html = await eventually(async () => {
      const shown = await pageOf(link);
      return shown.includes(`ending in ${link.buyer.mobileNumber.slice(-3)} for`) && shown;
    });
    expect(html.replaceAll(link.hash, '')).not.toContain(link.buyer.mobileNumber.slice(-6));

    expect((await own.post('/v1/sandbox/clock', { advanceHours: 1 })).status).toBe(200);
    await eventually(async () => (await link.details()).status === 'PENDING');
    expect(await pageOf(link)).toContain('was not approved in time');
    const charges = (await service.sandbox.control('GET', '/mobile-money')).body;
    expect(charges.find(({ phone }: { phone: string }) => phone === link.buyer.mobileNumber)).toMatchObject({
      status: 'DECLINED',
      isReversed: true,
    });
    expect((await link.say('eft-pay/initiate')).status).toBe(200);
  });
});
