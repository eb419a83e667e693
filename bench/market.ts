import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId } from '../src/domain/ids.ts';
import type { EmbeddedInfo } from '../src/roles/embedded-info.ts';
import { httpClient } from './http.ts';

/** The demo company as a client of the API: the requests that benchmarks make over HTTP. */

const USERS = 200;
const PRICE_CENTS = 1_000;

// biome-ignore lint/suspicious/noExplicitAny: a benchmark trusts the responses of its own service, and fails if they are malformed
type Body = any;

/** An API, and a company there. */
export type MarketInfo = {
  readonly apiUrl: string;
  readonly demo: Pick<EmbeddedInfo['demo'], 'companyId' | 'apiKey' | 'buyerId' | 'sellerId'>;
};

export type Market = {
  readonly companyId: CompanyId;
  /** POST with a fresh idempotency key. */
  readonly post: (path: string, body?: object) => Promise<Body>;
  readonly makeUsers: () => Promise<string[]>;
  /** A deposit and an escrow that holds it. */
  readonly makeEscrow: () => Promise<MadeEscrow>;
  readonly stop: () => void;
};

export type MadeEscrow = {
  readonly id: string;
  readonly path: string;
  /** The content of delivery notes and receipts: all items. */
  readonly items: object;
};

export function openMarket({ info }: { readonly info: MarketInfo }, connections: number): Market {
  const { demo, apiUrl } = info;
  const headers = { 'x-api-key': demo.apiKey, 'x-company-id': demo.companyId };
  const http = httpClient(connections);
  const post = async (path: string, body: object = {}): Promise<Body> =>
    JSON.parse(
      await http.post(`${apiUrl}${path}`, { ...headers, 'x-idempotency-key': randomUUID() }, JSON.stringify(body)),
    );
  return {
    companyId: demo.companyId.slice(demo.companyId.indexOf('_') + 1) as CompanyId,
    post,
    async makeUsers() {
      const users: string[] = [];
      while (users.length < USERS) {
        const mobileNumber = `+26371${String(users.length).padStart(7, '0')}`;
        users.push((await post('/v1/identity/users', { mobileNumber, idNumber: 'BENCH' })).id);
      }
      return users;
    },
    async makeEscrow() {
      const deposit = { userId: demo.buyerId, amount: PRICE_CENTS, currency: 'USD' };
      const { accountId } = await post('/v1/payments/deposit', deposit);
      const { id } = await post('/v1/escrow/initiate', initiation(info, accountId));
      const path = `/v1/escrow/${id}`;
      const detail = await fetch(`${apiUrl}${path}`, { headers });
      const { items }: { items: { id: string }[] } = JSON.parse(await detail.text());
      return { id, path, items: { items: [{ itemId: items[0]?.id, quantity: 1, price_per_item: PRICE_CENTS }] } };
    },
    stop: () => http.stop(),
  };
}

export function initiation({ demo }: MarketInfo, buyerAccountId: string): object {
  return {
    buyerId: demo.buyerId,
    sellerId: demo.sellerId,
    buyerAccountId,
    externalReference: randomUUID(),
    items: [{ name: 'Bench', quantity: 1, pricePerUnit: PRICE_CENTS }],
  };
}

/** A company with a key, a buyer and a seller. */
export async function registerMarket(apiUrl: string): Promise<MarketInfo['demo']> {
  const call = async (path: string, headers: Record<string, string>, body: object) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-idempotency-key': randomUUID(), ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    const reply: { id: string; accessToken: string; key: string } = JSON.parse(text);
    return reply;
  };
  const owner = { email: `owner-${randomUUID()}@bench.example`, password: randomUUID() };
  const admin = { firstName: 'Olive', lastName: 'Owner', ...owner };
  const { id: companyId } = await call('/v1/core/companies', {}, { name: 'Bench Market', admin });
  const { accessToken } = await call('/v1/auth/login', {}, owner);
  const bearer = { authorization: `Bearer ${accessToken}`, 'x-company-id': companyId };
  const { key: apiKey } = await call('/v1/core/companies/api-keys', bearer, { name: 'bench' });
  const headers = { 'x-api-key': apiKey, 'x-company-id': companyId };
  const makeUser = async (mobileNumber: string) =>
    (await call('/v1/identity/users', headers, { mobileNumber, idNumber: 'BENCH' })).id;
  return { companyId, apiKey, buyerId: await makeUser('+263772000001'), sellerId: await makeUser('+263772000002') };
}

/** The company's accounts in USD. */
export async function usdAccounts(
  orm: MikroORM,
  companyId: CompanyId,
): Promise<{ bank: AccountId; company: AccountId; users: AccountId[] }> {
  const rows = await orm.em
    .fork()
    .execute<{ id: AccountId; type: string }[]>(
      `select id, type from account where company_id = ? and currency = 'USD'`,
      [companyId],
    );
  const first = (type: string) => rows.find((row) => row.type === type)?.id as AccountId; // every company has these accounts
  return {
    bank: first('BANK'),
    company: first('COMPANY'),
    users: rows.filter(({ type }) => type === 'USER').map(({ id }) => id),
  };
}
