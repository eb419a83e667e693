import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedInfo, readEmbeddedInfo } from '../../src/roles/embedded-info.ts';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

/**
 * `npm run pictures`: takes the README's two pictures from a running `npm start`: the checkout of a payment link, and the workflow
 * of an escrow in Temporal's UI.
 */

const DIRECTORY = new URL('../../docs/pictures/', import.meta.url).pathname;
const CHECKOUT = { width: 760, height: 640 };
const UI = { width: 1280, height: 900 };

const info = readEmbeddedInfo(process.env.DATA_DIR ?? '.data');
if (info === undefined) throw new Error('Start the service first: npm start');
mkdirSync(DIRECTORY, { recursive: true });
const browser = await startBrowser();
try {
  await picture('checkout', await offerLink(info), CHECKOUT, 'form');
  await picture('temporal', await workflowOf(info), UI, 'text=Summary');
} finally {
  await browser.close();
}

async function picture(name: string, url: string, viewport: { width: number; height: number }, shown: string) {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator(shown).first().waitFor();
  await page.screenshot({ path: join(DIRECTORY, `${name}.png`) });
  console.log(join(DIRECTORY, `${name}.png`));
}

async function offerLink({ demo, checkoutUrl, ...service }: EmbeddedInfo): Promise<string> {
  const { hash } = await call({ demo, ...service }, '/v1/payments/generate-escrow-payment-link', {
    buyerId: demo.buyerId,
    sellerId: demo.sellerId,
    amount: 25_000,
    currency: 'USD',
    items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
    externalReference: `order-${randomUUID()}`,
  });
  return `${checkoutUrl}/${hash}`;
}

/** An escrow whose goods were sent and received, and that waits for its release. */
async function workflowOf(service: EmbeddedInfo): Promise<string> {
  const { demo, temporalUiUrl } = service;
  const deposit = await call(service, '/v1/payments/deposit', {
    userId: demo.buyerId,
    amount: 100_000,
    currency: 'USD',
  });
  const { id } = await call(service, '/v1/escrow/initiate', {
    buyerId: demo.buyerId,
    sellerId: demo.sellerId,
    buyerAccountId: deposit.accountId,
    externalReference: `order-${randomUUID()}`,
    items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
    autoReleaseHours: 48,
  });
  const { items } = await call(service, `/v1/escrow/${id}`);
  const counted = items.map((item: { id: string }) => ({ itemId: item.id, quantity: 2, price_per_item: 12_500 }));
  await call(service, `/v1/escrow/${id}/delivery-note`, { items: counted });
  await eventually(async () => (await call(service, `/v1/escrow/${id}`)).status === 'DELIVERY_NOTED');
  return `${temporalUiUrl}/namespaces/default/workflows/${encodeURIComponent(`escrow/${id}`)}`;
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
