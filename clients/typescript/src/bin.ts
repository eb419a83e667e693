#!/usr/bin/env node
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EscrowClient } from './client.ts';
import type { components } from './description.ts';
import { EscrowError } from './errors.ts';

/** `npx escrow-payments-client`: the events of a company, on the command line. */

const USAGE = `escrow-payments-client COMMAND [options]

  events                        prints the events of the company, one JSON object a line
  listen --forward-to ADDRESS   sends new events to an address of this machine, signed like webhooks
  trigger TYPE                  makes a sample order up to the event of this type, with users of its own

  --types TYPE,TYPE   only these types
  --secret whsec_…    signs the requests of listen, or ESCROW_WEBHOOK_SECRET; a new one if it is left out
  --url, --company, --api-key   or ESCROW_URL, ESCROW_COMPANY_ID, ESCROW_API_KEY`;

const POLL_MS = 1_000;
const FORWARD_TIMEOUT_MS = 10_000;
type Event = components['schemas']['Event'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'forward-to': { type: 'string' },
    types: { type: 'string' },
    secret: { type: 'string', default: process.env.ESCROW_WEBHOOK_SECRET },
    url: { type: 'string', default: process.env.ESCROW_URL },
    company: { type: 'string', default: process.env.ESCROW_COMPANY_ID },
    'api-key': { type: 'string', default: process.env.ESCROW_API_KEY },
  },
});
const { url: baseUrl, company: companyId, 'api-key': apiKey, 'forward-to': forwardTo, types } = values;
const [command, type] = positionals;

function misused(complaint: string): never {
  console.error(`${complaint}\n\n${USAGE}`);
  process.exit(2);
}

if (command === undefined) misused('No command is given.');
if (baseUrl === undefined || companyId === undefined || apiKey === undefined)
  misused('--url, --company and --api-key are needed, or their variables.');
const escrow = new EscrowClient({ baseUrl, companyId, apiKey });
const query = types === undefined ? {} : { type: types };

async function printEvents(): Promise<void> {
  for await (const event of escrow.list('/v1/events', { query })) console.log(JSON.stringify(event));
}

async function listen(to: string): Promise<void> {
  const secret = values.secret ?? `whsec_${randomBytes(24).toString('base64')}`;
  let from: { readonly after: string } | { readonly createdFrom: string } = { createdFrom: new Date().toISOString() };
  console.log(`Listening to ${baseUrl} for ${companyId}. Signed with ${secret}`);
  for (;;) {
    for await (const event of escrow.list('/v1/events', { query: { ...query, ...from } })) {
      from = { after: event.id };
      console.log(`${event.createdAt}  ${event.type}  ${event.id}  → ${await forward(event, to, secret)}`);
    }
    await pause(POLL_MS);
  }
}

async function forward({ createdAt: timestamp, ...event }: Event, to: string, secret: string): Promise<string> {
  const body = JSON.stringify({ ...event, timestamp });
  const sentAt = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${event.id}.${sentAt}.${body}`).digest('base64');
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': sentAt,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return `no answer (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The sample order, as the steps after which each type of event is there. */
async function trigger(wanted: string): Promise<void> {
  const newUser = () =>
    escrow.post('/v1/identity/users', {
      body: {
        mobileNumber: `+26377${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`,
        idNumber: randomUUID(),
      },
    });
  const [buyer, seller] = [await newUser(), await newUser()];
  const items = [{ name: 'Sample', quantity: 1, pricePerUnit: 1_000 }];
  const parties = { buyerId: buyer.id, sellerId: seller.id };
  const paid = { amount: 1_000, currency: 'USD' } as const;
  const begin = async () => {
    await escrow.post('/v1/payments/deposit', { body: { userId: buyer.id, ...paid } });
    const buyerAccountId = buyer.accounts.find(({ currency }) => currency === 'USD')?.id ?? '';
    const body = { ...parties, buyerAccountId, items, externalReference: `sample-${randomUUID()}` };
    const { id, items: ordered } = await escrow.post('/v1/escrow/initiate', { body });
    const counted = ordered.map((item) => ({ itemId: item.id, quantity: 1, price_per_item: item.pricePerUnit }));
    return { path: { id }, counted };
  };
  const deliver = async () => {
    const { path, counted } = await begin();
    await escrow.post('/v1/escrow/{id}/delivery-note', { path, body: { items: counted } });
    return { path, counted };
  };
  const receive = async () => {
    const { path, counted } = await deliver();
    await escrow.post('/v1/escrow/{id}/goods-received', { path, body: { items: counted } });
    return path;
  };
  const samples: Readonly<Record<string, () => Promise<unknown>>> = {
    'user.created': async () => undefined,
    'deposit.received': begin,
    'payment_link.created': () =>
      escrow.post('/v1/payments/generate-escrow-payment-link', { body: { ...parties, ...paid, items } }),
    'escrow.funded': begin,
    'escrow.delivery_noted': deliver,
    'escrow.goods_received': receive,
    'escrow.released': async () => escrow.post('/v1/escrow/{id}/release', { path: await receive() }),
    'escrow.disputed': async () => {
      const { path } = await deliver();
      await escrow.post('/v1/escrow/{id}/dispute', { path, body: { actor: 'BUYER', reason: 'A sample' } });
    },
    'escrow.cancelled': async () => {
      const { path } = await begin();
      await escrow.post('/v1/escrow/{id}/cancel', { path, body: { actor: 'SELLER', reason: 'A sample' } });
    },
  };
  const sample = samples[wanted];
  if (sample === undefined) misused(`trigger knows ${Object.keys(samples).join(', ')}.`);
  await sample();
  console.log(`Done: see ${wanted} in the events.`);
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  events: printEvents,
  listen: () => (forwardTo === undefined ? misused('--forward-to is missing.') : listen(forwardTo)),
  trigger: () => (type === undefined ? misused('trigger needs a type of event.') : trigger(type)),
};
const chosen = commands[command];
if (chosen === undefined) misused(`Unknown command: ${command}.`);
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(0));
try {
  await chosen();
} catch (error) {
  if (!(error instanceof EscrowError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
