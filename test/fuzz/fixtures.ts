import { randomUUID } from 'node:crypto';
import type { EmbeddedInfo } from '../../src/roles/embedded-info.ts';

/** Unused resources, so that generated requests get past "not found" to the code behind it. */

/** Real values by kind, mixed into the generated ones. */
export type Fixtures = Readonly<Record<string, readonly string[]>>;

const MAX_TRIES = 5;
const EACH = 6;
/** Every act has fixtures, and a company has at most 50 active keys. */
const KEYS = 2;
const DEPOSIT_CENTS = 50_000_000;

// biome-ignore lint/suspicious/noExplicitAny: a script that trusts the service it has just started
type Body = any;

export async function makeFixtures({ apiUrl, demo }: EmbeddedInfo): Promise<Fixtures> {
  const byKey = { 'x-api-key': demo.apiKey };
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    credential: Record<string, string> = byKey,
  ): Promise<Body> => {
    const request = {
      method,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        'x-company-id': demo.companyId,
        'x-idempotency-key': randomUUID(),
        ...credential,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    let response = await fetch(`${apiUrl}${path}`, request);
    // On a busy machine a command may not be confirmed in time. The same key repeats it.
    for (let tries = 1; response.status === 503 && tries < MAX_TRIES; tries += 1)
      response = await fetch(`${apiUrl}${path}`, request);
    const answer: Body = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const several = async <T>(make: (index: number) => Promise<T>, count = EACH): Promise<T[]> => {
    const made: T[] = [];
    for (let index = 0; index < count; index++) made.push(await make(index));
    return made;
  };
  const ids = (rows: readonly Body[]): string[] => rows.map(({ id }) => id);
  const mobileOf = (index: number) => `+26377${String(Date.now()).slice(-7)}${index}`;
  const user = (index: number) =>
    call('POST', '/v1/identity/users', { mobileNumber: mobileOf(index), idNumber: `63-${index}` });
  const usdOf = (owner: Body): string => owner.accounts.find(({ currency }: Body) => currency === 'USD').id;

  const [buyer, seller] = [await user(7), await user(8)];
  const spares = await several(user);
  const deposits = await several(() =>
    call('POST', '/v1/payments/deposit', { userId: buyer.id, amount: DEPOSIT_CENTS, currency: 'USD' }),
  );
  const order = (fields: object) => ({
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId: usdOf(buyer),
    items: [{ name: 'Maize', quantity: 100, pricePerUnit: 1_000 }],
    externalReference: randomUUID(),
    ...fields,
  });
  const escrows = await several(async () => {
    const { id } = await call('POST', '/v1/escrow/initiate', order({ autoReleaseHours: 100 }));
    return call('GET', `/v1/escrow/${id}`);
  });
  const disputed = await several(async () => {
    const { id } = await call('POST', '/v1/escrow/initiate', order({}));
    await call('POST', `/v1/escrow/${id}/dispute`, { actor: 'BUYER', reason: 'It never came' });
    return id;
  });
  const plan = { system_fee_cents: 1, service_fee_cents: 1, seller_payout_cents: 1_000 };
  const bargain = { actor: 'SELLER', newSplitPlan: plan };
  // One of each, because ids that belong together would rarely be combined by chance.
  const { id: bargained } = await call('POST', '/v1/escrow/initiate', order({}));
  const { negotiationId } = await call('POST', `/v1/escrow/${bargained}/negotiate`, bargain);
  const milestones = [25, 75].map((percentage) => ({ title: 'Part', percentage }));
  const { id: staged } = await call('POST', '/v1/escrow/initiate', order({ milestones }));
  const [milestone, nextMilestone] = ids((await call('GET', `/v1/escrow/${staged}`)).milestones);
  const adjusted = await call('POST', `/v1/escrow/${staged}/milestones/${milestone}/adjust`, {
    actor: 'SELLER',
    proposedSellerPayoutCents: 100,
    reason: 'Half of it came',
  });
  const links = await several(() =>
    call('POST', '/v1/payments/generate-escrow-payment-link', {
      buyerId: buyer.id,
      sellerId: seller.id,
      amount: 1_000,
      currency: 'USD',
      items: [{ name: 'Maize', quantity: 1, pricePerUnit: 1_000 }],
    }),
  );
  const captures = await several(() =>
    call('POST', '/v1/treasury/bank/capture', { amount: 5_000, currency: 'USD', reference: randomUUID() }),
  );
  const withdrawals = await several(() =>
    call('POST', '/v1/treasury/withdraw', {
      accountId: usdOf(buyer),
      amount: 100,
      externalReference: randomUUID(),
      bank_name: 'Bank',
      branch_code: '001',
      account_number: '00112233',
      account_name: 'Account',
    }),
  );
  const debtor = await user(9);
  await call('PATCH', `/v1/ledger/accounts/${usdOf(debtor)}`, { is_frozen: true, reason: 'Suspected' });
  const receivables = await several(async () => {
    const { id } = await call('POST', '/v1/payments/deposit', { userId: debtor.id, amount: 500, currency: 'USD' });
    const chargeback = { reason: 'Charged back', isChargeback: true };
    return call('POST', `/v1/payments/transaction/${id}/reverse`, chargeback);
  });
  const administrators = await several((index) =>
    call('POST', '/v1/core/companies/admins', {
      firstName: 'Spare',
      lastName: 'One',
      email: `spare-${index}-${randomUUID()}@fuzz.example`,
      role: 'manager',
    }),
  );
  const { accessToken, userId } = await call('POST', '/v1/auth/login', {
    email: demo.ownerEmail,
    password: demo.ownerPassword,
  });
  const keys = await several(
    () => call('POST', '/v1/core/companies/api-keys', { name: 'spare' }, { authorization: `Bearer ${accessToken}` }),
    KEYS,
  );
  await call('POST', '/v1/identity/financial-institutions/seed');
  const banks = await call('GET', '/v1/identity/financial-institutions');

  return {
    company: [demo.companyId],
    user: [buyer.id, seller.id],
    spareUser: ids(spares),
    account: [usdOf(buyer), usdOf(seller)],
    spareAccount: spares.map(usdOf),
    ledger: [buyer.ledgerId, seller.ledgerId],
    transaction: ids([...deposits, ...captures]),
    capture: ids(captures),
    receivable: ids(receivables),
    withdrawal: ids(withdrawals),
    escrow: ids(escrows),
    item: escrows.flatMap(({ items }) => ids(items)),
    disputed,
    bargained: [bargained],
    negotiation: [negotiationId],
    staged: [staged],
    milestone: [milestone ?? ''],
    nextMilestone: [nextMilestone ?? ''],
    milestoneNegotiation: [adjusted.negotiationId],
    hash: links.map(({ hash }) => hash),
    administrator: ids(administrators),
    owner: [userId],
    key: ids(keys),
    institution: ids(banks).slice(0, EACH),
  };
}
