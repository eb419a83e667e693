import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { EscrowClient } from './client.ts';
import { ConnectionError, EscrowError } from './errors.ts';
import { reasonOf, type StreamedEvent, StreamRefused, streamEvents } from './event-stream.ts';
import { checked } from './options.ts';
import { keysOf } from './webhooks.ts';

/** The commands of `npx escrow-payments-client`: the events of a company. */

const USAGE = `escrow-payments-client COMMAND [options]

  events                        prints the events of the company, one JSON object a line
  listen --forward-to ADDRESS   sends new events to an address of this machine, signed like webhooks
  trigger TYPE                  makes a sample order up to the event of this type, with users of its own; not in production

  --types TYPE,TYPE   only these types
  --secret whsec_…    signs the requests of listen, or ESCROW_WEBHOOK_SECRET; a new one if it is left out
  --url, --company, --api-key   or ESCROW_URL, ESCROW_COMPANY_ID, ESCROW_API_KEY`;

const FORWARD_TIMEOUT_MS = 10_000;
const PRODUCTION_KEY = /^esc_l_/;

/** The command cannot be carried out as it was typed. */
class Misused extends Error {
  override readonly name = 'Misused';
}

type Options = ReturnType<typeof optionsOf>;

function optionsOf(args: readonly string[]) {
  const { ESCROW_URL, ESCROW_COMPANY_ID, ESCROW_API_KEY, ESCROW_WEBHOOK_SECRET } = process.env;
  const text = (value?: string) => ({ type: 'string', ...(value === undefined ? {} : { default: value }) }) as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'forward-to': text(),
      types: text(),
      secret: text(ESCROW_WEBHOOK_SECRET),
      url: text(ESCROW_URL),
      company: text(ESCROW_COMPANY_ID),
      'api-key': text(ESCROW_API_KEY),
    },
  });
  const { url: baseUrl, company: companyId, 'api-key': apiKey, 'forward-to': forwardTo, types, secret } = values;
  if (baseUrl === undefined || companyId === undefined || apiKey === undefined)
    throw new Misused('--url, --company and --api-key are needed, or their variables.');
  const service = { baseUrl, companyId, apiKey };
  return { service, client: new EscrowClient(service), positionals, forwardTo, types, secret };
}

async function printEvents({ client, types }: Options): Promise<void> {
  const query = types === undefined ? {} : { type: types };
  for await (const event of client.list('/v1/events', { query })) console.log(JSON.stringify(event));
}

async function listen({ service, forwardTo, types, secret: given }: Options): Promise<void> {
  if (forwardTo === undefined || !URL.canParse(forwardTo))
    throw new Misused('--forward-to must be an address such as http://localhost:4000/hook.');
  const secret = given ?? `whsec_${randomBytes(24).toString('base64')}`;
  const [key = Buffer.of()] = keysOf(secret);
  const { baseUrl, headers } = checked(service);
  const events = streamEvents({
    url: `${baseUrl}/v1/events/stream${types === undefined ? '' : `?type=${encodeURIComponent(types)}`}`,
    headers,
    signal: new AbortController().signal, // the process is ended by a signal of the system
    onOpen: () => console.log(`Listening to ${baseUrl} for ${service.companyId}. Signed with ${secret}`),
    onLost: (why) => console.log(`The stream is closed: ${why}. Reconnecting.`),
  });
  for await (const event of events)
    console.log(`${event.createdAt}  ${event.type}  ${event.id}  → ${await forward(event, forwardTo, key)}`);
}

async function forward({ createdAt: timestamp, ...event }: StreamedEvent, to: string, key: Buffer): Promise<string> {
  const body = JSON.stringify({ ...event, timestamp });
  const sentAt = String(Math.floor(Date.now() / 1_000));
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
    return `no answer: ${reasonOf(error)}`;
  }
}

/** The sample order, as the steps after which each type of event is there. */
async function trigger({ service, client, positionals: [, wanted] }: Options): Promise<void> {
  if (PRODUCTION_KEY.test(service.apiKey))
    throw new Misused('trigger records a deposit that nobody paid, so it takes no key of production.');
  const newUser = () =>
    client.post('/v1/identity/users', {
      body: {
        mobileNumber: `+26377${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`,
        idNumber: randomUUID(),
      },
    });
  const items = [{ name: 'Sample', quantity: 1, pricePerUnit: 1_000 }];
  const paid = { amount: 1_000, currency: 'USD' } as const;
  const meet = async () => {
    const [buyer, seller] = [await newUser(), await newUser()];
    return { buyer, parties: { buyerId: buyer.id, sellerId: seller.id } };
  };
  const begin = async () => {
    const { buyer, parties } = await meet();
    await client.post('/v1/payments/deposit', { body: { userId: buyer.id, ...paid } });
    const buyerAccountId = buyer.accounts.find(({ currency }) => currency === 'USD')?.id ?? '';
    const body = { ...parties, buyerAccountId, items, externalReference: `sample-${randomUUID()}` };
    const { id, items: ordered } = await client.post('/v1/escrow/initiate', { body });
    const counted = ordered.map((item) => ({ itemId: item.id, quantity: 1, price_per_item: item.pricePerUnit }));
    return { path: { id }, counted };
  };
  const deliver = async () => {
    const { path, counted } = await begin();
    await client.post('/v1/escrow/{id}/delivery-note', { path, body: { items: counted } });
    return { path, counted };
  };
  const receive = async () => {
    const { path, counted } = await deliver();
    await client.post('/v1/escrow/{id}/goods-received', { path, body: { items: counted } });
    return path;
  };
  const samples: Readonly<Record<string, () => Promise<unknown>>> = {
    'user.created': meet,
    'deposit.received': begin,
    'payment_link.created': async () => {
      const { parties } = await meet();
      await client.post('/v1/payments/generate-escrow-payment-link', { body: { ...parties, ...paid, items } });
    },
    'escrow.funded': begin,
    'escrow.delivery_noted': deliver,
    'escrow.goods_received': receive,
    'escrow.released': async () => client.post('/v1/escrow/{id}/release', { path: await receive() }),
    'escrow.disputed': async () => {
      const { path } = await deliver();
      await client.post('/v1/escrow/{id}/dispute', { path, body: { actor: 'BUYER', reason: 'A sample' } });
    },
    'escrow.cancelled': async () => {
      const { path } = await begin();
      await client.post('/v1/escrow/{id}/cancel', { path, body: { actor: 'SELLER', reason: 'A sample' } });
    },
  };
  if (wanted === undefined || !Object.hasOwn(samples, wanted))
    throw new Misused(`trigger knows ${Object.keys(samples).join(', ')}.`);
  await samples[wanted]?.();
  console.log(`Done: see ${wanted} in the events.`);
}

const COMMANDS: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  events: printEvents,
  listen,
  trigger,
};

/** Carries out a command. Wrong use ends the process with 2, and a service that refuses or is not there with 1. */
export async function main(args: readonly string[]): Promise<void> {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(0));
  process.stdout.on('error', () => process.exit(0)); // whoever read the output has left
  try {
    const options = optionsOf(args);
    const [name = ''] = options.positionals;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new Misused(name === '' ? 'No command is given.' : `Unknown command: ${name}.`);
    await command(options);
  } catch (error) {
    if (error instanceof EscrowError || error instanceof ConnectionError)
      return fail(1, `${error.code}: ${error.message}`);
    if (error instanceof StreamRefused) return fail(1, error.message);
    if (error instanceof Misused || error instanceof TypeError) return fail(2, `${error.message}\n\n${USAGE}`);
    throw error;
  }
}

function fail(code: number, message: string): void {
  console.error(message);
  process.exitCode = code;
}
