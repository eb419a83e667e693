import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedInfo, readEmbeddedInfo } from '../../src/roles/embedded-info.ts';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

/**
 * `npm run pictures`: takes the pictures of the documents from a running `npm start`: an escrow and a dispute in the console, and
 * the checkout of a payment link.
 */

const DIRECTORY = new URL('../../docs/pictures/', import.meta.url).pathname;
const CHECKOUT = { width: 760, height: 640 };
const CONSOLE = { width: 1280, height: 860 };

const info = readEmbeddedInfo(process.env.DATA_DIR ?? '.data');
if (info === undefined) throw new Error('Start the service first: npm start');
mkdirSync(DIRECTORY, { recursive: true });
const browser = await startBrowser();
const context = await browser.newContext({ reducedMotion: 'reduce' });
try {
  const escrow = await newEscrow(info);
  const disputed = await newEscrow(info);
  await call(info, `/v1/escrow/${escrow}/negotiate`, {
    actor: 'SELLER',
    newSplitPlan: { seller_payout_cents: 22_000, system_fee_cents: 200, service_fee_cents: 0 },
    notes: 'One bag was short.',
  });
  await call(info, `/v1/escrow/${disputed}/dispute`, {
    actor: 'BUYER',
    reason: 'Half of the bags were wet when they arrived.',
  });
  await logIn(info);
  await picture('escrow', `${info.apiUrl}/console/escrows/${escrow}`, CONSOLE, 'h1');
  await picture('dispute', `${info.apiUrl}/console/disputes/${disputed}`, CONSOLE, 'h1');
  await picture('checkout', await offerLink(info), CHECKOUT, 'form');
} finally {
  await browser.close();
}

async function picture(name: string, url: string, viewport: { width: number; height: number }, shown: string) {
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator(shown).first().waitFor();
  await page.screenshot({ path: join(DIRECTORY, `${name}.png`) });
  console.log(join(DIRECTORY, `${name}.png`));
}

async function logIn({ apiUrl, demo }: EmbeddedInfo): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${apiUrl}/console`);
  await page.locator('[name=email]').fill(demo.ownerEmail);
  await page.locator('[name=password]').fill(demo.ownerPassword);
  await page.locator('[name=password]').press('Enter');
  await page.locator('nav').first().waitFor();
}

async function offerLink({ demo, checkoutUrl, ...service }: EmbeddedInfo): Promise<string> {
  const { hash } = await call({ demo, ...service }, '/v1/payments/generate-escrow-payment-link', {
    buyerId: demo.buyerId,
    sellerId: demo.sellerId,
    amount: 25_000,
    currency: 'USD',
    items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
    externalReference: `order-${randomInt(1_000, 10_000)}`,
  });
  return `${checkoutUrl}/${hash}`;
}

/** An escrow whose goods were sent. */
async function newEscrow(service: EmbeddedInfo): Promise<string> {
  const { demo } = service;
  const deposit = await call(service, '/v1/payments/deposit', {
    userId: demo.buyerId,
    amount: 100_000,
    currency: 'USD',
  });
  const { id } = await call(service, '/v1/escrow/initiate', {
    buyerId: demo.buyerId,
    sellerId: demo.sellerId,
    buyerAccountId: deposit.accountId,
    externalReference: `order-${randomInt(1_000, 10_000)}`,
    items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
    autoReleaseHours: 48,
  });
  const { items } = await call(service, `/v1/escrow/${id}`);
  const counted = items.map((item: { id: string }) => ({ itemId: item.id, quantity: 2, price_per_item: 12_500 }));
  await call(service, `/v1/escrow/${id}/delivery-note`, { items: counted });
  await eventually(async () => (await call(service, `/v1/escrow/${id}`)).status === 'DELIVERY_NOTED');
  return id;
}

// biome-ignore lint/suspicious/noExplicitAny: a picture reads the fields that it names
async function call(service: Pick<EmbeddedInfo, 'apiUrl' | 'demo'>, path: string, body?: object): Promise<any> {
  const response = await fetch(`${service.apiUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': service.demo.apiKey,
      'x-company-id': service.demo.companyId,
      'x-idempotency-key': randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
