import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { counted } from '../support/counted.ts';
import { eventually } from '../support/eventually.ts';
import { switchOn } from '../support/order-pages.ts';
import { newCompany, newUser, type TestCompany, type TestService, untilAnswered } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { textOfPdf } from '../support/statements.ts';
import { together } from '../support/together.ts';

/** Each amount that the pages of an order name, against the ledger: however the order ends, whenever its payment is taken back. */

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Harvest Market');
  await switchOn(company);
  await company.post('/v1/payments/deposit', { amount: 1_000_000, currency: 'USD' });
});
afterAll(() => service.stop());

type Order = Awaited<ReturnType<typeof paidOrder>>;

/** An order of USD 250.00 that was paid by card. */
async function paidOrder({
  buyer,
  isInParts = false,
}: {
  buyer?: { id: string; usdAccountId: string };
  isInParts?: boolean;
}) {
  const [payer, seller] = [buyer ?? (await newUser(company)), await newUser(company)];
  const halves = [1, 2].map((part) => ({ title: `Part ${part}`, percentage: 50 }));
  const { body: link } = await company.post('/v1/payments/generate-escrow-payment-link', {
    ...{ buyerId: payer.id, sellerId: seller.id, amount: 25_000, currency: 'USD', orderPages: true },
    items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
    externalReference: `order-${randomUUID()}`,
    ...(isInParts ? { milestones: halves } : {}),
  });
  const checkout = await untilAnswered((id) =>
    service.request('POST', '/v1/payments/eft-pay/initiate', {
      headers: { 'x-request-id': id },
      body: { paymentSlug: link.hash },
    }),
  );
  const checkoutId = String(checkout.body.checkoutId);
  await service.sandbox.settle(checkoutId, 'success');
  const path = `/v1/escrow/${link.escrowId}`;
  const read = async () => (await company.get(path)).body;
  await eventually(async () => (await read()).status === 'ACTIVE');
  return { link, checkoutId, path, read, buyer: payer, seller };
}

/** What can happen to an order. */
const STEPS = {
  cancel: ({ path }) => ok(company.post(`${path}/cancel`, { actor: 'ADMIN', reason: 'No stock' })),
  dispute: ({ path }) => ok(company.post(`${path}/dispute`, { actor: 'BUYER', reason: 'Wet bags' })),
  'all to the buyer': (order) => decide(order, 0, 0),
  'some to both': (order) => decide(order, 250, 10_000),
  'all to the seller': (order) => decide(order, 250, 24_750),
  release: ({ path }) => ok(company.post(`${path}/release`)),
  'release a part': async ({ path, read }) => {
    const [{ id }] = (await read()).milestones;
    await ok(company.post(`${path}/release?milestoneId=${id}`));
  },
  'agree on nothing for the seller': async ({ path }) => {
    const proposed = await company.post(`${path}/negotiate`, {
      ...{ actor: 'BUYER', newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 0 } },
    });
    await ok(company.post(`${path}/negotiate/${proposed.body.negotiationId}/accept`, { actor: 'SELLER' }));
  },
  'take all back': (order) => change(order, 'CB'),
  'take a part back': (order) => change(order, 'RF', '40.00'),
  'bring it back': (order) => change(order, 'CR'),
  'make it good': (order) => settle(order, 'BALANCE'),
  'bear it': (order) => settle(order, 'WRITE_OFF'),
} satisfies Record<string, (order: Order) => Promise<unknown>>;
type Step = keyof typeof STEPS;

async function ok(answer: Promise<{ readonly status: number; readonly body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
}

const decide = ({ path }: Order, systemFee: number, sellerPayout: number) =>
  ok(
    company.post(`${path}/admin-resolve`, {
      newSplitPlan: { system_fee_cents: systemFee, service_fee_cents: 0, seller_payout_cents: sellerPayout },
      adminId: company.owner.id,
      reason: 'Looked at both sides',
    }),
  );

async function change({ checkoutId, read }: Order, type: 'CB' | 'CR' | 'RF', amount?: string): Promise<void> {
  const before = (await read()).chargedBackAmount;
  await service.sandbox.change(checkoutId, type, amount);
  await eventually(async () => (await read()).chargedBackAmount !== before, 90_000);
}

/** The buyer has money again, of which the debt is paid; or the company bears it. */
async function settle({ link, buyer }: Order, source: 'BALANCE' | 'WRITE_OFF'): Promise<void> {
  if (source === 'BALANCE')
    await ok(company.post('/v1/payments/deposit', { userId: buyer.id, amount: 25_000, currency: 'USD' }));
  for (const { id } of await debtsOf(link.escrowId, 'OPEN'))
    await ok(company.post(`/v1/treasury/receivables/${id}/settle`, { source, reason: 'Agreed' }));
}

type Debt = { readonly id: string; readonly remaining_amount: string };
const debtsOf = async (escrowId: string, status = 'OPEN,SETTLED'): Promise<Debt[]> =>
  (await company.get(`/v1/treasury/receivables?escrowId=${escrowId}&status=${status}`)).body.data;

const TAKEN: readonly (readonly Step[])[] = [['take all back'], ['take a part back']];
const REPAIRED: readonly (readonly Step[])[] = [
  ['take all back', 'make it good'],
  ['take all back', 'bear it'],
  ['take all back', 'bring it back'],
];
const LATER: readonly (readonly Step[])[] = [['take all back'], ['take all back', 'bring it back']];

/** How an order begins and ends. A payment that is taken back lets nothing be released. */
const ENDS: readonly {
  readonly before: readonly Step[];
  readonly end: readonly Step[];
  readonly isReleased?: boolean;
}[] = [
  { before: [], end: [] },
  { before: ['dispute'], end: [] },
  { before: ['release a part'], end: [] },
  { before: [], end: ['cancel'] },
  { before: ['release a part'], end: ['cancel'] },
  { before: ['dispute'], end: ['all to the buyer'] },
  { before: ['dispute'], end: ['some to both'] },
  { before: ['dispute'], end: ['all to the seller'] },
  { before: ['release a part', 'dispute'], end: ['all to the buyer'] },
  { before: [], end: ['release'], isReleased: true },
  { before: ['agree on nothing for the seller'], end: ['release'], isReleased: true },
];

/** Without a payment that is taken back, with one before the end, and with one after it. */
function livesOf({ before, end, isReleased = false }: (typeof ENDS)[number]): readonly (readonly Step[])[] {
  const isEnded = end.length > 0;
  const first = isReleased ? REPAIRED : [...TAKEN, ...REPAIRED];
  return [
    [...before, ...end],
    ...first.map((taken) => [...before, ...taken, ...end]),
    ...(isEnded ? LATER.map((taken) => [...before, ...end, ...taken]) : []),
    ...(isEnded && !isReleased ? [[...before, 'take all back', ...end, 'bring it back'] as const] : []),
  ];
}

const cents = (amount: string | undefined) => BigInt(amount?.replace(/[.,]/g, '') ?? '0');
const plain = (text: string) =>
  text
    .replace(/[\u00a0\u202f\s]+/g, ' ')
    .replace(/[\u2066-\u2069]/g, '')
    .trim();
/** What a page says of the state of its order. */
function standingIn(html: string): string {
  const [, heading, text] = /<h2 id="(?:standing|done)">(.*?)<\/h2>\s*<p>(.*?)<\/p>/s.exec(html) ?? [];
  if (heading === undefined || text === undefined) throw new Error(`no standing in ${html.slice(0, 2_000)}`);
  return plain(`${heading} ${text}`);
}
const amountIn = (said: string, pattern: RegExp) => cents(pattern.exec(said)?.[1]);
const amountsIn = (said: string) => [...said.matchAll(/\d+[.,]\d\d/g)].map(([amount]) => cents(amount)).sort();

async function pageOf(url: string, language = 'en'): Promise<string> {
  const { pathname } = new URL(url);
  const answer = await fetch(`${service.url}${pathname}`, { headers: { 'accept-language': language } });
  return standingIn(await answer.text());
}

async function expectTrue(
  { link, read, buyer, seller }: Order,
  { steps, addedCents = 0n, otherCents: other = 0n }: { steps: string; addedCents?: bigint; otherCents?: bigint },
): Promise<void> {
  const { buyerUrl, sellerUrl } = link.orderPages;
  const [escrow, debts, payer, payee] = [
    await read(),
    await debtsOf(link.escrowId),
    (await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`)).body,
    (await company.get(`/v1/ledger/accounts/${seller.usdAccountId}`)).body,
  ];
  const owedCents = debts.reduce((sum, { remaining_amount }) => sum + BigInt(remaining_amount), 0n);
  const said = await pageOf(buyerUrl);
  const backCents = amountIn(said, /USD ([\d.]+) went back to your balance/);
  const usedCents = amountIn(said, /USD ([\d.]+) of your money with/);
  const takenCents = amountIn(said, /USD ([\d.]+) of your payment was taken back/);
  const settledCents = amountIn(said, /USD ([\d.]+) of what was held settled that/);
  const otherCents = amountIn(said, /USD ([\d.]+) of what was held settled other debts/);
  const isTakenBack = said.startsWith('Your payment was taken back');
  const owed = amountIn(said, /You still owe .*? USD ([\d.]+)/);
  expect({
    steps,
    balance: backCents - usedCents,
    taken: takenCents,
    owed: isTakenBack && owed === 0n ? takenCents : owed,
    refunded: backCents + settledCents + otherCents,
    isReleasable: !isTakenBack,
    other: otherCents,
  }).toEqual({
    steps,
    balance: BigInt(payer.balance) - BigInt(payer.held_balance) - addedCents,
    taken: BigInt(escrow.chargedBackAmount),
    owed: owedCents,
    refunded: BigInt(escrow.refundedAmount),
    isReleasable: owedCents === 0n || !['ACTIVE', 'DISPUTED'].includes(escrow.status),
    other,
  });

  const toSeller = await pageOf(sellerUrl);
  expect({
    steps,
    got: amountIn(toSeller, /You got USD ([\d.]+)/),
    back: amountIn(toSeller, /USD ([\d.]+) went back to the buyer/),
    settled: amountIn(toSeller, /USD ([\d.]+) of what was held settled that/),
  }).toEqual({ steps, got: BigInt(payee.balance), back: backCents + otherCents, settled: settledCents });

  expect(await pageOf(`${service.url}/checkout/${link.hash}`)).toBe(said);
  const receipt = await fetch(`${service.url}${new URL(buyerUrl).pathname}/receipt`, {
    headers: { 'accept-language': 'en' },
  });
  const [, text = ''] = said.match(/^.*?(?=USD|$)(.*)$/) ?? [];
  expect(plain(await textOfPdf(receipt)).replaceAll(' · ', ' ')).toContain(text);
  for (const language of ['fr', 'pt'])
    for (const [url, english] of [
      [buyerUrl, said],
      [sellerUrl, toSeller],
    ] as const)
      expect(amountsIn(await pageOf(url, language))).toEqual(amountsIn(english));
}

test.each(ENDS.map((one) => [[...one.before, ...one.end].join(', ') || 'nothing happens', one] as const))(
  'the pages say of an order what the ledger says, whenever its payment is taken back: %s',
  async (_, one) => {
    const lives = livesOf(one);
    await together(lives, async (steps) => {
      const order = await paidOrder({ isInParts: steps.includes('release a part') });
      for (const step of steps) await STEPS[step](order);
      const addedCents = steps.includes('make it good') ? 25_000n : 0n;
      await expectTrue(order, { steps: steps.join(', '), addedCents });
    });
    counted(`${lives.length} lives of an order, as its pages tell them`);
  },
  300_000,
);

test.each<{ steps: readonly Step[] }>([
  { steps: ['cancel'] },
  { steps: ['dispute', 'all to the buyer'] },
  { steps: ['agree on nothing for the seller', 'release'] },
  { steps: ['release a part', 'agree on nothing for the seller', 'release'] },
])('a refund that settles the debt of another order is told on both: $steps', async ({ steps }) => {
  const owing = await paidOrder({});
  await STEPS.release(owing);
  await STEPS['take a part back'](owing);
  const other = await paidOrder({ buyer: owing.buyer, isInParts: steps.includes('release a part') });
  for (const step of steps) await STEPS[step](other);
  const { buyerUrl } = owing.link.orderPages;
  expect(await pageOf(buyerUrl)).toContain('USD 40.00 of your money with');
  await expectTrue(other, { steps: `another order: ${steps.join(', ')}`, otherCents: 4_000n });
  expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
});
