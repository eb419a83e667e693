import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../support/eventually.ts';
import { codeFor, letExpire, offerLink, type TestLink } from '../support/links.ts';
import { logoForm } from '../support/logos.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../support/service.ts';

/** Every state that a buyer can see, and how to reach it, for the tests of each page and for the screenshots. */

export type Scene = {
  readonly name: string;
  /** Brings a link into the state, and returns the path of its page. */
  readonly arrange: (shop: Shop) => Promise<string>;
  /** The buyer's actions on that page before the screenshot. */
  readonly act?: (page: Page) => Promise<void>;
  /** The page's heading in English. It is checked, so that a scene cannot show another page unnoticed. */
  readonly heading: RegExp;
};

export type Shop = {
  readonly service: TestService;
  readonly company: TestCompany;
  offer(fields?: Record<string, unknown>, of?: TestCompany): Promise<TestLink>;
  /** A company with a logo, a colour, a support address and terms. */
  branded(): Promise<TestCompany>;
  /** A company with order pages, a seller of its own and an automatic release. */
  withOrderPages(): Promise<TestCompany>;
  /** The number of the party whose order page has this path. */
  readonly numbers: Map<string, string>;
  /** Posts a form as a browser does, and returns the address of the redirect. */
  submit(link: TestLink, form: string, fields?: Record<string, string>): Promise<string>;
};

export async function openShop(service: TestService): Promise<Shop> {
  const company = await newCompany(service, 'Harvest Market');
  const seller = await newUser(company, { firstName: 'Sam', lastName: 'Sellerson' });
  let branded: Promise<TestCompany> | undefined;
  let withOrderPages: Promise<TestCompany> | undefined;
  return {
    service,
    company,
    numbers: new Map(),
    branded: () => {
      branded ??= brandedCompany(service);
      return branded;
    },
    withOrderPages: () => {
      withOrderPages ??= companyWithOrderPages(service);
      return withOrderPages;
    },
    offer: (fields = {}, of = company) =>
      offerLink(service, of, {
        ...(of === company ? { sellerId: seller.id } : {}),
        amount: 125_000,
        items: [
          { name: 'Maize, 50 kg', description: 'White, grade A, delivered', quantity: 20, pricePerUnit: 5_500 },
          { name: 'Delivery', quantity: 1, pricePerUnit: 15_000 },
        ],
        ...fields,
      }),
    submit: async (link, form, fields = {}) => {
      const from = `${service.url}${link.path}/${form}`;
      const answer = await fetch(from, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
      if (answer.status !== 303) throw new Error(`${form} answered ${answer.status}`);
      const { pathname, search } = new URL(answer.headers.get('location') ?? '', from);
      return `${pathname}${search}`;
    },
  };
}

/** A disc with a triangle on it, drawn as pixels. */
async function drawLogo(): Promise<Buffer> {
  const [width, height] = [320, 96];
  const pixels = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isDisc = (x - 48) ** 2 + (y - 48) ** 2 < 44 ** 2;
      const isPeak = y > 20 && y < 64 && Math.abs(x - 48) < (y - 20) * 0.6;
      const isBar = x > 112 && ((y > 26 && y < 44 && x < 310) || (y > 56 && y < 70 && x < 250));
      const color = isPeak ? [255, 255, 255] : [122, 62, 0];
      if (isDisc || isBar) pixels.set([...color, 255], (y * width + x) * 4);
    }
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

async function brandedCompany(service: TestService): Promise<TestCompany> {
  const company = await newCompany(service, 'Kopje Farm');
  const stored = await company.request('PUT', '/v1/core/companies/me/logo', { form: logoForm(await drawLogo()) });
  const settings = {
    brand_color: '#7a3e00',
    support_email: 'help@kopje.example',
    terms_url: 'https://kopje.example/terms',
    checkout_hosts: ['kopje.example'],
  };
  const changed = await company.request('PATCH', '/v1/core/companies/me', { body: settings });
  if (stored.status !== 200 || changed.status !== 200) throw new Error('the company cannot be branded');
  return company;
}

async function companyWithOrderPages(service: TestService): Promise<TestCompany> {
  const company = await newCompany(service, 'Harvest Market');
  const seller = await newUser(company, { firstName: 'Sam', lastName: 'Sellerson' });
  const body = {
    order_pages: { enabled: true, acts: { payout: 'direct', payout_details: 'ask' } },
    auto_release_hours: 72,
    default_seller_id: seller.id,
    time_zone: 'Africa/Harare',
    support_email: 'help@harvest.example',
  };
  const changed = await company.request('PATCH', '/v1/core/companies/me', { body });
  if (changed.status !== 200) throw new Error('the company cannot have order pages');
  return company;
}

async function declined(shop: Shop): Promise<string> {
  const link = await shop.offer();
  const { body } = await link.say('eft-pay/initiate');
  await shop.service.sandbox.settle(body.checkoutId, 'declined');
  await eventually(async () => (await link.verify(body.checkoutId)).body.status === 'DECLINED');
  return link.path;
}

async function paid(shop: Shop, company = shop.company, fields: Record<string, unknown> = {}): Promise<string> {
  return pay(shop, await shop.offer(fields, company), company);
}

async function pay(shop: Shop, link: TestLink, company: TestCompany): Promise<string> {
  await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 200_000, currency: 'USD' });
  return shop.submit(link, 'balance', { otp: await codeFor(shop.service, link) });
}

type Step = readonly [operation: string, body: (order: { items: object[]; adminId: string }) => object];

/** A paid order, after these operations on its escrow. */
function paidThen(name: string, ...steps: readonly Step[]): Scene {
  return {
    name: `paid-${name}`,
    heading: /You paid/,
    arrange: async (shop) => {
      const { company } = shop;
      const link = await shop.offer();
      const path = await pay(shop, link, company);
      const escrow = `/v1/escrow/${link.escrowId}`;
      await takeSteps(company, escrow, steps);
      return path;
    },
  };
}

/** The order page of a party, after these operations on its escrow, with one of its acts open. Null: nobody has paid. */
function orderScene(
  name: string,
  party: 'buyerUrl' | 'sellerUrl',
  act: string | null,
  steps: readonly Step[] | null,
  fields: Record<string, unknown> = {},
): Scene {
  return {
    name: `order-${name}`,
    heading: party === 'buyerUrl' ? /You are the buyer/ : /You are the seller/,
    arrange: async (shop) => {
      const company = await shop.withOrderPages();
      const seller = await newUser(company, { firstName: 'Sam', lastName: 'Sellerson' });
      const link = await shop.offer({ ...fields, sellerId: seller.id }, company);
      if (steps !== null) await pay(shop, link, company);
      const escrow = `/v1/escrow/${link.escrowId}`;
      await takeSteps(company, escrow, steps ?? []);
      const { pathname } = new URL((await company.post(`${escrow}/order-pages`)).body[party]);
      const path = act === null ? pathname : `${pathname}?act=${act}`;
      shop.numbers.set(path, party === 'buyerUrl' ? link.buyer.mobileNumber : seller.mobileNumber);
      return path;
    },
  };
}

async function takeSteps(company: TestCompany, escrow: string, steps: readonly Step[]): Promise<void> {
  const { items } = (await company.get(escrow)).body;
  const pieces = items.map(
    ({ id, quantity, pricePerUnit }: { id: string; quantity: number; pricePerUnit: number }) => ({
      itemId: id,
      quantity,
      price_per_item: pricePerUnit,
    }),
  );
  const [admin] = (await company.get('/v1/core/companies/admins')).body;
  for (const [operation, body] of steps) {
    const { openNegotiation } = (await company.get(escrow)).body;
    const path = `${escrow}/${operation.replace('{proposal}', openNegotiation?.id)}`;
    const answer = await company.post(path, body({ items: pieces, adminId: admin.id }));
    if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}`);
  }
}

const OFFERED: Step = [
  'negotiate',
  () => ({
    actor: 'SELLER',
    newSplitPlan: { system_fee_cents: 1_250, service_fee_cents: 0, seller_payout_cents: 80_000 },
  }),
];

const NOTED: Step = ['delivery-note', ({ items }) => ({ items })];
const DISPUTED: Step = ['dispute', () => ({ actor: 'BUYER', reason: 'Half of it is wet' })];
const PARTLY_NOTED: Step = ['delivery-note', ({ items }) => ({ items: items.slice(0, 1) })];
const PARTLY_RECEIVED: Step = ['goods-received', ({ items }) => ({ items: items.slice(0, 1) })];
const RECEIVED: Step = ['goods-received', ({ items }) => ({ items })];
const RELEASED: Step = ['release', () => ({})];
const CANCELLED: Step = ['cancel', () => ({ actor: 'SELLER', reason: 'Sold out' })];
const FINAL_SPLIT = { system_fee_cents: 1_250, service_fee_cents: 0, seller_payout_cents: 80_000 };

const DECIDED: Step = ['admin-resolve', ({ adminId }) => ({ adminId, newSplitPlan: FINAL_SPLIT })];
const OFFERED_BY_BUYER: Step = ['negotiate', () => ({ actor: 'BUYER', newSplitPlan: FINAL_SPLIT })];

const AGREED: Step = ['negotiate/{proposal}/accept', () => ({ actor: 'SELLER' })];
const SPLIT = [NOTED, OFFERED_BY_BUYER, AGREED];
const ASKED_BACK: Step = [
  'negotiate',
  () => ({ actor: 'BUYER', newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 0 } }),
];
const CANCELLATION = [NOTED, ASKED_BACK, AGREED];

const MILESTONES = [
  { title: 'Foundation', percentage: 40 },
  { title: 'Walls', percentage: 60 },
];

const RETURNS = { successUrl: 'https://kopje.example/orders/77', cancelUrl: 'https://kopje.example/basket' };

export const SCENES: readonly Scene[] = [
  { name: 'open', heading: /You are paying/, arrange: async (shop) => (await shop.offer()).path },
  {
    name: 'branded',
    heading: /You are paying/,
    arrange: async (shop) =>
      (await shop.offer({ ...RETURNS, amount: 120_000, feePayer: 'BUYER' }, await shop.branded())).path,
  },
  { name: 'declined', heading: /You are paying/, arrange: declined },
  { name: 'code', heading: /You are paying/, arrange: async (shop) => shop.submit(await shop.offer(), 'code') },
  {
    name: 'code-wrong',
    heading: /You are paying/,
    arrange: async (shop) => {
      const link = await shop.offer();
      await codeFor(shop.service, link);
      return shop.submit(link, 'balance', { otp: '00000x' });
    },
  },
  {
    name: 'mobile-mistyped',
    heading: /You are paying/,
    arrange: async (shop) => (await shop.offer()).path,
    act: async (page) => {
      // The browser's own validation would not send a number this short.
      const send = "const field = document.querySelector('#phone'); field.value = '12'; field.form.submit();";
      await Promise.all([page.waitForEvent('load'), page.evaluate(send)]);
    },
  },
  { name: 'card', heading: /You are paying/, arrange: async (shop) => shop.submit(await shop.offer(), 'card') },
  {
    name: 'processing-mobile',
    heading: /You are paying/,
    arrange: async (shop) => {
      const link = await shop.offer();
      await shop.service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
      return shop.submit(link, 'mobile', { phone: link.buyer.mobileNumber });
    },
  },
  {
    name: 'processing-card',
    heading: /You are paying/,
    arrange: async (shop) => {
      const link = await shop.offer();
      const { body } = await link.say('eft-pay/initiate');
      await shop.service.sandbox.settle(body.checkoutId, 'pending');
      await link.verify(body.checkoutId);
      await eventually(async () => (await link.details()).status === 'PROCESSING');
      return link.path;
    },
  },
  {
    name: 'checking',
    heading: /You are paying/,
    arrange: async (shop) => {
      const link = await shop.offer();
      const { body } = await link.say('eft-pay/initiate');
      return `${link.path}/return?id=${body.checkoutId}&resourcePath=/v1/checkouts/${body.checkoutId}/payment`;
    },
  },
  {
    name: 'lapsed',
    heading: /You are paying/,
    arrange: async (shop) => {
      const company = await newCompany(shop.service, 'Harvest Market'); // its clock is moved
      const link = await shop.offer({}, company);
      await shop.service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
      const path = await shop.submit(link, 'mobile', { phone: link.buyer.mobileNumber });
      await company.post('/v1/sandbox/clock', { advanceHours: 1 });
      await eventually(async () => (await link.details()).status === 'PENDING');
      return path;
    },
  },
  { name: 'paid', heading: /You paid/, arrange: paid },
  paidThen('sent', NOTED),
  paidThen('received', PARTLY_RECEIVED),
  paidThen('disputed', NOTED, DISPUTED),
  paidThen('released', NOTED, RELEASED),
  paidThen('returned', CANCELLED),
  paidThen('resolved', DISPUTED, DECIDED),
  paidThen('split', ...SPLIT),
  paidThen('refunded', ...CANCELLATION, RELEASED),
  {
    name: 'branded-paid',
    heading: /You paid/,
    arrange: async (shop) =>
      paid(shop, await shop.branded(), { ...RETURNS, externalReference: `order-77-${randomBytes(3).toString('hex')}` }),
  },
  orderScene('buyer-unpaid', 'buyerUrl', null, null),
  orderScene('buyer-held', 'buyerUrl', 'ask_cancel', []),
  orderScene('buyer-milestones', 'buyerUrl', 'confirm_receipt', [], { milestones: MILESTONES }),
  orderScene('buyer-partly-sent', 'buyerUrl', 'extend', [PARTLY_NOTED]),
  orderScene('buyer-sent', 'buyerUrl', 'confirm_receipt', [NOTED]),
  orderScene('buyer-partly-received', 'buyerUrl', 'confirm_receipt', [NOTED, PARTLY_RECEIVED]),
  orderScene('buyer-received', 'buyerUrl', 'dispute', [NOTED, RECEIVED]),
  orderScene('buyer-offered', 'buyerUrl', 'answer', [NOTED, DISPUTED, OFFERED]),
  orderScene('buyer-disputed', 'buyerUrl', 'propose', [NOTED, DISPUTED]),
  orderScene('buyer-resolved', 'buyerUrl', null, [DISPUTED, DECIDED]),
  orderScene('buyer-returned', 'buyerUrl', null, [CANCELLED]),
  orderScene('buyer-released', 'buyerUrl', null, [NOTED, RELEASED]),
  orderScene('buyer-split', 'buyerUrl', 'dispute', SPLIT),
  orderScene('buyer-divided', 'buyerUrl', null, [...SPLIT, RELEASED]),
  orderScene('buyer-cancelling', 'buyerUrl', null, CANCELLATION),
  orderScene('buyer-refunded', 'buyerUrl', null, [...CANCELLATION, RELEASED]),
  orderScene('buyer-settled', 'buyerUrl', null, [NOTED, DISPUTED, OFFERED_BY_BUYER, AGREED]),
  orderScene('seller-split', 'sellerUrl', 'dispute', SPLIT),
  orderScene('seller-divided', 'sellerUrl', 'payout_details', [...SPLIT, RELEASED]),
  orderScene('seller-cancelling', 'sellerUrl', null, CANCELLATION),
  orderScene('seller-refunded', 'sellerUrl', null, [...CANCELLATION, RELEASED]),
  orderScene('seller-settled', 'sellerUrl', null, [NOTED, DISPUTED, OFFERED_BY_BUYER, AGREED]),
  orderScene('seller-unpaid', 'sellerUrl', null, null),
  orderScene('seller-held', 'sellerUrl', 'dispatch', []),
  orderScene('seller-partly-sent', 'sellerUrl', 'dispatch', [PARTLY_NOTED]),
  orderScene('seller-sent', 'sellerUrl', 'propose', [NOTED]),
  orderScene('seller-partly-received', 'sellerUrl', 'dispatch', [NOTED, PARTLY_RECEIVED]),
  orderScene('seller-received', 'sellerUrl', null, [NOTED, RECEIVED]),
  orderScene('seller-offered', 'sellerUrl', 'answer', [OFFERED_BY_BUYER]),
  orderScene('seller-disputed', 'sellerUrl', 'evidence', [NOTED, DISPUTED]),
  orderScene('seller-resolved', 'sellerUrl', null, [DISPUTED, DECIDED]),
  orderScene('seller-returned', 'sellerUrl', null, [CANCELLED]),
  orderScene('seller-released', 'sellerUrl', 'payout_details', [NOTED, RELEASED]),
  {
    name: 'expired',
    heading: /has expired/,
    arrange: async (shop) => {
      const link = await shop.offer();
      await letExpire(link);
      return link.path;
    },
  },
  {
    name: 'rejected',
    heading: /You cancelled/,
    arrange: async (shop) => shop.submit(await shop.offer(), 'reject'),
  },
  {
    name: 'cancelled',
    heading: /was cancelled/,
    arrange: async (shop) => {
      const company = await shop.branded();
      const link = await shop.offer(RETURNS, company);
      await company.post(`/v1/escrow/${link.escrowId}/cancel`, { actor: 'SELLER', reason: 'Sold out' });
      return link.path;
    },
  },
  {
    name: 'not-found',
    heading: /cannot find/,
    arrange: async () => `/checkout/${randomBytes(24).toString('base64url')}`,
  },
  {
    name: 'provider-down',
    heading: /You are paying/,
    arrange: async (shop) => {
      const link = await shop.offer();
      await shop.service.sandbox.outage('gateway', 30);
      try {
        return await shop.submit(link, 'card');
      } finally {
        await shop.service.sandbox.outage('gateway', 0);
      }
    },
  },
];
