import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type EmbeddedInfo, embeddedInfoFile } from '../roles/embedded-info.ts';

/**
 * `npm run demo`: one escrow from registration to payout on the running service, printed step by step. It acts like an
 * integrator, over HTTP only.
 */

const infoFile = embeddedInfoFile(process.env.DATA_DIR ?? '.data');
if (!existsSync(infoFile)) {
  console.error(`There is no ${infoFile}: run "npm start" in another terminal first.`);
  process.exit(1);
}
const info: EmbeddedInfo = JSON.parse(readFileSync(infoFile, 'utf8'));

/** The parts of answers that the demo reads. */
type Reply = {
  readonly id: string;
  readonly status: string;
  readonly code?: string;
  readonly detail?: string;
  readonly accessToken: string;
  readonly key: string;
  readonly sellerPayout: string;
  readonly systemFee: string;
  readonly balance: string;
  readonly held_balance: string;
  readonly ok: boolean;
  readonly checkedTransactions: number;
  readonly secret: string;
  readonly accounts: readonly { readonly id: string; readonly currency: string }[];
  readonly items: readonly { readonly id: string; readonly quantity: number }[];
};

const FEE_BASIS_POINTS = 100n;
const DEPOSIT_CENTS = 100_000;
const ESCROW_CENTS = 25_000;
const EVENT_CHECKS = 100;
const EVENT_CHECK_MS = 100;

let headers: Record<string, string> = {};

async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${info.apiUrl}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const reply: Reply = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${reply.code}: ${reply.detail}`);
  return reply;
}

function step(what: string): void {
  console.log(`\n${what}`);
}

function say(what: string): void {
  console.log(`  ${what}`);
}

const dollars = (cents: string | number) => `${(Number(cents) / 100).toFixed(2)} USD`;

async function sayBalances(accounts: Record<string, string>): Promise<Record<string, string>> {
  const balances: Record<string, string> = {};
  for (const [name, id] of Object.entries(accounts)) {
    const account = await call('GET', `/v1/ledger/accounts/${id}`);
    const held = account.held_balance === '0' ? '' : `, of which ${dollars(account.held_balance)} held`;
    say(`${name.padEnd(7)} ${dollars(account.balance)}${held}`);
    balances[name] = account.balance;
  }
  return balances;
}

function usdAccount(user: Reply): string {
  const account = user.accounts.find(({ currency }) => currency === 'USD');
  if (account === undefined) throw new Error('a user has no USD account');
  return account.id;
}

/** The sandbox is the receiver: it verifies signatures with the secret. */
async function giveSecret(secret: string): Promise<void> {
  const response = await fetch(`${info.sandboxUrl}/_control/webhooks/secrets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  if (!response.ok) throw new Error(`the sandbox answered ${response.status}`);
}

type ReceivedEvent = {
  readonly isVerified: boolean;
  readonly body: { readonly type: string; readonly timestamp: string };
};

/** The deliveries to the endpoint, oldest first, once they include the last event of the demo. */
async function receivedEvents(name: string): Promise<ReceivedEvent[]> {
  for (let left = EVENT_CHECKS; left > 0; left -= 1) {
    const response = await fetch(`${info.sandboxUrl}/_control/webhooks?name=${name}`);
    const received: ReceivedEvent[] = JSON.parse(await response.text());
    if (received.some(({ body }) => body.type === 'escrow.released')) return received.reverse();
    await wait(EVENT_CHECK_MS);
  }
  throw new Error('the events did not arrive');
}

async function demo(): Promise<void> {
  step('1. A company registers, its owner logs in and makes an API key');
  const owner = { email: `owner-${randomUUID()}@demo.example`, password: randomUUID() };
  const company = await call('POST', '/v1/core/companies', {
    name: 'Walkthrough Market',
    admin: { firstName: 'Olive', lastName: 'Owner', ...owner },
  });
  const session = await call('POST', '/v1/auth/login', owner);
  headers = { authorization: `Bearer ${session.accessToken}`, 'x-company-id': company.id };
  const { key } = await call('POST', '/v1/core/companies/api-keys', { name: 'walkthrough' });
  headers = { 'x-api-key': key, 'x-company-id': company.id };
  say(`company ${company.id}`);
  const webhook = await call('POST', '/v1/webhooks', {
    url: `${info.sandboxUrl}/webhooks/${company.id}`,
    events: ['*'],
  });
  await giveSecret(webhook.secret);
  say(`events go to the sandbox, at ${webhook.id}`);

  step('2. A buyer and a seller; 1,000.00 from the buyer are recorded');
  const mobile = () =>
    `+26377${Math.floor(Math.random() * 10_000_000)
      .toString()
      .padStart(7, '0')}`;
  const buyer = await call('POST', '/v1/identity/users', {
    mobileNumber: mobile(),
    idNumber: 'DEMO-0001',
    firstName: 'Bea',
  });
  const seller = await call('POST', '/v1/identity/users', {
    mobileNumber: mobile(),
    idNumber: 'DEMO-0002',
    firstName: 'Sam',
  });
  const accounts = { buyer: usdAccount(buyer), seller: usdAccount(seller) };
  await call('POST', '/v1/payments/deposit', { userId: buyer.id, amount: DEPOSIT_CENTS, currency: 'USD' });
  await sayBalances(accounts);

  step("3. An escrow of 250.00: the buyer's money is held, not moved");
  const escrow = await call('POST', '/v1/escrow/initiate', {
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId: accounts.buyer,
    externalReference: `order-${randomUUID()}`,
    items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: ESCROW_CENTS / 2 }],
  });
  const path = `/v1/escrow/${escrow.id}`;
  say(`escrow ${escrow.id} is ${escrow.status}`);
  if (info.temporalUiUrl !== null)
    say(
      `its workflow: ${info.temporalUiUrl}/namespaces/default/workflows/${encodeURIComponent(`escrow/${escrow.id}`)}`,
    );
  await sayBalances(accounts);

  step('4. The seller sends, the buyer receives');
  const { items } = await call('GET', path);
  const counted = items.map(({ id, quantity }) => ({ itemId: id, quantity, price_per_item: ESCROW_CENTS / 2 }));
  say((await call('POST', `${path}/delivery-note`, { items: counted, notes: 'Sent by truck' })).status);
  say((await call('POST', `${path}/goods-received`, { items: counted })).status);

  step('5. Release: the seller is paid, the platform takes its fee');
  const released = await call('POST', `${path}/release`);
  const expectedFee = (BigInt(ESCROW_CENTS) * FEE_BASIS_POINTS + 5_000n) / 10_000n;
  say(`${released.status}: payout ${dollars(released.sellerPayout)}, system fee ${dollars(released.systemFee)}`);
  const balances = await sayBalances(accounts);

  step('6. The ledger recomputes every balance and hash');
  const integrity = await call('GET', '/v1/ledger/verify-ledger-integrity');
  say(`ok: ${integrity.ok}, ${integrity.checkedTransactions} transactions checked`);

  step('7. Every change was an event, signed and delivered to the webhook endpoint');
  for (const { body, isVerified } of await receivedEvents(company.id))
    say(`${body.timestamp}  ${isVerified ? 'verified' : 'NOT VERIFIED'}  ${body.type}`);

  const isRight =
    integrity.ok &&
    BigInt(released.systemFee) === expectedFee &&
    balances.seller === String(BigInt(ESCROW_CENTS) - expectedFee) &&
    balances.buyer === String(DEPOSIT_CENTS - ESCROW_CENTS);
  if (!isRight) throw new Error('the balances are not what they should be');
  step('Paid to the cent.');
}

try {
  await demo();
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
