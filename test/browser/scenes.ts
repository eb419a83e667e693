import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { codeFor, letExpire, offerLink, type TestLink } from '../support/links.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../support/service.ts';

/** Every state a buyer can meet, and how to get there: for the tests that look at each, and for the screenshots. */

export type Scene = {
  readonly name: string;
  /** Brings a link into the state; where that is to be seen. */
  readonly arrange: (shop: Shop) => Promise<string>;
  /** The buyer's actions on that page before the screenshot. */
  readonly act?: (page: Page) => Promise<void>;
  /** The page's heading, so that a scene never shows another one unnoticed. */
  readonly heading: RegExp;
};

export type Shop = {
  readonly service: TestService;
  readonly company: TestCompany;
  offer(fields?: Record<string, unknown>): Promise<TestLink>;
  /** Posts a form as a browser would; the address it is sent on to. */
  submit(link: TestLink, form: string, fields?: Record<string, string>): Promise<string>;
};

export async function openShop(service: TestService): Promise<Shop> {
  const company = await newCompany(service, 'Harvest Market');
  const seller = await newUser(company, { firstName: 'Sam', lastName: 'Sellerson' });
  return {
    service,
    company,
    offer: (fields = {}) =>
      offerLink(service, company, {
        sellerId: seller.id,
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

async function declined(shop: Shop): Promise<string> {
  const link = await shop.offer();
  const { body } = await link.say('eft-pay/initiate');
  await shop.service.sandbox.settle(body.checkoutId, 'declined');
  await eventually(async () => (await link.verify(body.checkoutId)).body.status === 'DECLINED');
  return link.path;
}

async function paid(shop: Shop): Promise<string> {
  const link = await shop.offer();
  await shop.company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 200_000, currency: 'USD' });
  return shop.submit(link, 'balance', { otp: await codeFor(shop.service, link) });
}

export const SCENES: readonly Scene[] = [
  { name: 'open', heading: /You are paying/, arrange: async (shop) => (await shop.offer()).path },
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
      // The browser would not send a number this short without being told.
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
  { name: 'paid', heading: /You paid/, arrange: paid },
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
    heading: /was declined/,
    arrange: async (shop) => shop.submit(await shop.offer(), 'reject'),
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
