import { randomUUID } from 'node:crypto';
import { EXAMPLES } from '../../../src/api/openapi/examples.ts';
import { operationIdOf } from '../../../src/api/openapi/operation-names.ts';
import { newAdministrator, newKey, type TestAdministrator } from '../../support/api.ts';
import { writeBankFile } from '../../support/bank-writer.ts';
import { documentForm, pdf, png } from '../../support/documents.ts';
import { eventually } from '../../support/eventually.ts';
import { logoForm } from '../../support/logos.ts';
import { nextMobileNumber } from '../../support/mobile-numbers.ts';
import { actOnPage } from '../../support/order-pages.ts';
import { newCompany, newUser, type TestCompany, type TestService, type TestUser } from '../../support/service.ts';

/**
 * A company with one resource of each kind, all of them recognizable in any response, and a valid request for each operation. A new
 * operation needs no code here: its request is the recorded example of the description, and the resource in its path is taken from
 * the collection at the start of the path, or created there.
 */

export type World = {
  readonly company: TestCompany;
  readonly manager: TestAdministrator;
  readonly admin: TestAdministrator;
  /** The name of each path id → the company's own value. */
  readonly ids: Readonly<Record<string, string>>;
  /** Names and amounts that no response to another company may contain. */
  readonly secrets: readonly string[];
};

/** `word` is in every name, and `priceCents` is the price of everything. No other world has them. */
export async function newWorld(service: TestService, word: string, priceCents: number): Promise<World> {
  const depositCents = 123 * priceCents;
  const company = await newCompany(service, `Company${word}`);
  const [manager, admin] = [
    await newAdministrator(service, company, 'manager'),
    await newAdministrator(service, company, 'admin'),
  ];
  const webhook = await newWebhook(company);
  const spare = await newAdministrator(service, company, 'manager');
  // Whoever may revoke keys has all of its permissions.
  const key = await newKey(admin, { permissions: ['manage_company'] });
  const person = (name: string) => ({
    firstName: `${name}${word}`,
    lastName: `Family${word}`,
    idNumber: `63-${word}`,
    email: `${name}-${word}@test.example`.toLowerCase(),
  });
  const buyer = await newUser(company, { ...person('Buyer'), customReference: `custom-${word}` });
  const seller = await newUser(company, person('Seller'));
  await company.request('POST', `/v1/identity/users/${buyer.id}/document`, { form: documentForm(pdf(word)) });
  const deposit = await company.post('/v1/payments/deposit', {
    userId: buyer.id,
    amount: depositCents,
    currency: 'USD',
    userReference: `memo-${word}`,
  });
  const order = (fields: object = {}) => ({
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId: buyer.usdAccountId,
    items: [{ name: `Goods${word}`, quantity: 1, pricePerUnit: priceCents }],
    externalReference: `order-${word}-${randomUUID()}`,
    ...fields,
  });
  const disputed = await company.post('/v1/escrow/initiate', order());
  await company.post(`/v1/escrow/${disputed.body.id}/dispute`, { actor: 'BUYER', reason: `Broken${word}` });
  const milestones = [50, 50].map((percentage) => ({ title: `Half${word}`, percentage }));
  const escrow = await company.post('/v1/escrow/initiate', order());
  const staged = await company.post('/v1/escrow/initiate', order({ milestones }));
  const { body: stagedView } = await company.get(`/v1/escrow/${staged.body.id}`);
  const { body: escrowView } = await company.get(`/v1/escrow/${escrow.body.id}`);
  const { request, file } = await requested(service, company, escrowView);
  const milestoneId: string = stagedView.milestones[0].id;
  const negotiation = await company.post(`/v1/escrow/${escrow.body.id}/negotiate`, {
    actor: 'SELLER',
    newSplitPlan: PLAN,
  });
  const adjustment = await company.post(`/v1/escrow/${staged.body.id}/milestones/${milestoneId}/adjust`, {
    actor: 'SELLER',
    proposedSellerPayoutCents: 1_000,
  });
  const link = await company.post('/v1/payments/generate-escrow-payment-link', {
    buyerId: buyer.id,
    amount: priceCents,
    currency: 'USD',
    items: [{ name: `Goods${word}`, quantity: 1, pricePerUnit: priceCents }],
  });
  const { body: links } = await company.get('/v1/payments/links?limit=1');
  const capture = await company.post('/v1/treasury/bank/capture', {
    amount: priceCents,
    currency: 'USD',
    reference: `bank-${word}`,
  });
  const withdrawal = await company.post('/v1/treasury/withdraw', withdrawalOf(buyer.usdAccountId));

  const { body: statement } = await company.request('POST', '/v1/treasury/bank/statements', bankFile());
  const { body: bankStatement } = await company.get(`/v1/treasury/bank/statements/${statement.id}`);
  const { body: sessions } = await service.request('GET', '/v1/auth/sessions', {
    headers: { authorization: `Bearer ${company.owner.token}`, 'x-company-id': company.id },
  });
  const receivable = await chargedBack(company, await newUser(company, person('Debtor')), priceCents);
  const delivery = await eventually(
    async () => (await company.get(`/v1/webhooks/${webhook}/deliveries?limit=1`)).body.data[0],
  );

  const known = {
    company: company.id,
    owner: company.owner.id,
    administrator: spare.id,
    key: key.id,
    user: buyer.id,
    seller: seller.id,
    ledger: buyer.ledgerId,
    account: buyer.usdAccountId,
    transaction: deposit.body.id,
    escrow: escrow.body.id,
    item: escrowView.items[0].id,
    staged: staged.body.id,
    disputed: disputed.body.id,
    milestone: milestoneId,
    negotiation: negotiation.body.negotiationId,
    request,
    file,
    adjustment: adjustment.body.negotiationId,
    hash: link.body.hash,
    link: links.data[0].id,
    capture: capture.body.id,
    withdrawal: withdrawal.body.id,
    statement: statement.id,
    bankEntry: bankStatement.lines[0].id,
    session: sessions[0].id,
    receivable,
    webhook,
    delivery: delivery.id,
  };
  const ids = { ...known, ...(await fromCollections(service, company, known)) };
  for (const [name, id] of Object.entries(ids)) if (typeof id !== 'string') throw new Error(`no ${name} was made`);
  const secrets = [word, `63-${word}`, link.body.hash, String(depositCents), String(priceCents)];
  return { company, manager, admin, ids, secrets };
}

/** The seller asks on the order page to report a delivery, with a photo. */
async function requested(
  service: TestService,
  company: TestCompany,
  escrow: { readonly id: string; readonly items: readonly { readonly id: string }[]; readonly seller: { id: string } },
) {
  const body = { order_pages: { enabled: true, acts: { dispatch: 'ask' } } };
  await company.request('PATCH', '/v1/core/companies/me', { body });
  const { sellerUrl } = (await company.post(`/v1/escrow/${escrow.id}/order-pages`)).body;
  const { mobileNumber } = (await company.get(`/v1/identity/users/${escrow.seller.id}`)).body;
  const pieces = `pieces-${escrow.items[0]?.id.slice('itm_'.length)}`;
  const files = [new Blob([new Uint8Array(await png())])];
  await actOnPage(service, { url: sellerUrl, mobileNumber, act: 'dispatch', fields: { [pieces]: '1' }, files });
  const [request] = (await company.get(`/v1/escrow/${escrow.id}/requests`)).body.data;
  return { request: String(request.id), file: String(request.details.files[0].id) };
}

/** An endpoint whose receiver is down. Returns its id. */
export async function newWebhook(company: TestCompany): Promise<string> {
  const { body } = await company.post('/v1/webhooks', { url: NO_RECEIVER, events: ['*'] });
  return body.id;
}
const NO_RECEIVER = 'http://127.0.0.1:9/hook';

const PLAN = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 1_000 };

/** The receivable that a chargeback of money on a frozen account leaves. */
async function chargedBack(company: TestCompany, debtor: TestUser, amount: number): Promise<string> {
  const { body: deposit } = await company.post('/v1/payments/deposit', { userId: debtor.id, amount, currency: 'USD' });
  await company.request('PATCH', `/v1/ledger/accounts/${debtor.usdAccountId}`, {
    body: { is_frozen: true, reason: 'Suspected' },
  });
  const path = `/v1/payments/transaction/${deposit.id}/reverse`;
  return (await company.post(path, { reason: 'Charged back', isChargeback: true })).body.id;
}

function withdrawalOf(accountId: string | undefined) {
  return {
    accountId,
    amount: 100,
    externalReference: `out-${randomUUID()}`,
    bank_name: 'Bank',
    branch_code: '001',
    account_number: '00112233',
    account_name: 'Account',
  };
}

/** A statement of the bank with one receipt. */
function bankFile(): { readonly form: FormData } {
  const lines = [{ amount: '1.00', sign: 'CRDT', ref: randomUUID(), text: 'Receipt' }] as const;
  const form = new FormData();
  form.append('file', new File([writeBankFile({ day: '2026-01-31', opening: '0.00', lines })], 'statement.xml'));
  return { form };
}

/** The start of a pattern → the kind of its {id}. The first match counts. */
const KIND_OF_ID: readonly (readonly [string, string])[] = [
  ['/v1/core/companies/admins/', 'administrator'],
  ['/v1/core/companies/api-keys/', 'key'],
  ['/v1/core/companies/', 'company'],
  ['/v1/identity/', 'user'],
  ['/v1/payments/transaction/', 'transaction'],
  ['/v1/payments/links/', 'link'],
  ['/v1/ledger/accounts/', 'account'],
  ['/v1/escrow/{id}/milestones/', 'staged'],
  ['/v1/escrow/{id}/dispute', 'disputed'],
  ['/v1/escrow/', 'escrow'],
  ['/v1/webhooks/deliveries/', 'delivery'],
  ['/v1/webhooks/', 'webhook'],
  ['/v1/treasury/captures/', 'capture'],
  ['/v1/treasury/bank/statements/', 'statement'],
  ['/v1/treasury/bank/entries/', 'bankEntry'],
  ['/v1/auth/sessions/', 'session'],
  ['/v1/treasury/receivables/', 'receivable'],
  ['/v1/treasury/withdrawals/', 'withdrawal'],
];

/** The path of an operation with the ids of `ids`. Throws if the kind of an id is unknown. */
export function pathOf(pattern: string, ids: World['ids']): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const kind =
      name === 'id'
        ? (KIND_OF_ID.find(([start]) => pattern.startsWith(start))?.[1] ?? collectionOf(pattern))
        : name === 'negId' && pattern.includes('/milestones/')
          ? 'adjustment'
          : ({ negId: 'negotiation', hash: 'hash' }[name] ?? name.replace(/Id$/, ''));
    const id = kind === undefined ? undefined : ids[kind];
    if (id === undefined) throw new Error(`no id is known for {${name}} of ${pattern}`);
    return id;
  });
}

export type Sent = { readonly body?: unknown; readonly form?: FormData };

/** A valid request for every operation with a body, with the company's own ids. */
export function requestOf(operation: string, ids: World['ids']): Sent {
  const counted = { items: [{ itemId: ids.item, quantity: 1, price_per_item: 1 }] };
  const actor = 'BUYER';
  const bodies: Readonly<Record<string, () => Sent>> = {
    'POST /v1/auth/password': () => ({ body: { currentPassword: 'not-it-at-all', newPassword: 'another-password' } }),
    'PATCH /v1/core/companies/me': () => ({ body: { default_seller_id: ids.seller } }),
    'PUT /v1/core/companies/me/logo': () => ({ form: logoForm(png()) }),
    'PATCH /v1/core/companies/{id}': () => ({ body: { system_fee_basis_points: 100 } }),
    'POST /v1/core/companies/admins': () => ({
      body: { firstName: 'New', lastName: 'One', email: `${randomUUID()}@test.example`, role: 'manager' },
    }),
    'POST /v1/core/companies/api-keys': () => ({ body: { name: 'matrix' } }),
    'POST /v1/core/companies/api-keys/roll': () => ({ body: { name: 'matrix' } }),
    'POST /v1/identity/users': () => ({
      body: { mobileNumber: nextMobileNumber(), idNumber: 'none' },
    }),
    'POST /v1/identity/users/{id}/document': () => ({ form: documentForm(pdf()) }),
    'POST /v1/identity/users/{id}/erase': () => ({ body: { reason: 'No reason' } }),
    'POST /v1/identity/users/{id}/link-id': () => ({ body: { idNumber: 'none' } }),
    'POST /v1/identity/admin/users/{id}/approve': () => ({ body: { approved: true } }),
    'POST /v1/identity/admin/users/{id}/status': () => ({ body: { status: 'CLEAR' } }),
    'POST /v1/payments/deposit': () => ({ body: { userId: ids.user, amount: 1, currency: 'USD' } }),
    'POST /v1/payments/transaction/{id}/reverse': () => ({ body: { reason: 'It bounced' } }),
    'POST /v1/payments/generate-escrow-payment-link': () => ({
      body: { buyerId: ids.user, amount: 1, currency: 'USD', items: [{ name: 'Goods', quantity: 1, pricePerUnit: 1 }] },
    }),
    'PATCH /v1/ledger/accounts/{accountId}': () => ({ body: { is_frozen: false, reason: 'No reason' } }),
    'POST /v1/escrow/initiate': () => ({
      body: {
        buyerId: ids.user,
        sellerId: ids.seller,
        buyerAccountId: ids.account,
        items: [{ name: 'Goods', quantity: 1, pricePerUnit: 1 }],
        externalReference: randomUUID(),
      },
    }),
    'POST /v1/escrow/{id}/delivery-note': () => ({ body: counted }),
    'POST /v1/escrow/{id}/goods-received': () => ({ body: counted }),
    'POST /v1/escrow/{id}/cancel': () => ({ body: { actor: 'SELLER', reason: 'No reason' } }),
    'POST /v1/escrow/{id}/negotiate': () => ({ body: { actor, newSplitPlan: PLAN } }),
    'POST /v1/escrow/{id}/negotiate/{negId}/accept': () => ({ body: { actor } }),
    'POST /v1/escrow/{id}/negotiate/{negId}/reject': () => ({ body: { actor } }),
    'POST /v1/escrow/{id}/milestones/{milestoneId}/adjust': () => ({ body: { actor, proposedSellerPayoutCents: 1 } }),
    'POST /v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/accept': () => ({ body: { actor } }),
    'POST /v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/reject': () => ({ body: { actor } }),
    'POST /v1/escrow/{id}/dispute': () => ({ body: { actor, reason: 'No reason' } }),
    'POST /v1/escrow/{id}/dispute/evidence': () => ({ body: { actor, note: 'A note' } }),
    'POST /v1/escrow/{id}/extend': () => ({ body: { actor, hours: 1 } }),
    'POST /v1/escrow/{id}/admin-resolve': () => ({ body: { newSplitPlan: PLAN, adminId: ids.owner } }),
    'POST /v1/treasury/withdraw': () => ({ body: withdrawalOf(ids.account) }),
    'POST /v1/treasury/withdrawals/{id}/outcome': () => ({ body: { outcome: 'PAID', adminId: ids.owner } }),
    'POST /v1/treasury/bank/capture': () => ({ body: { amount: 1, currency: 'USD', reference: 'matrix' } }),
    'POST /v1/treasury/bank/statements': bankFile,
    'POST /v1/treasury/captures/{id}/assign': () => ({ body: { userId: ids.user } }),
    'POST /v1/treasury/receivables/{id}/settle': () => ({ body: { source: 'BALANCE', reason: 'No reason' } }),
    'POST /v1/treasury/intercompany/{companyId}/settle': () => ({ body: { currency: 'USD', reference: randomUUID() } }),
    'POST /v1/webhooks': () => ({ body: { url: NO_RECEIVER, events: ['*'] } }),
    'PATCH /v1/webhooks/{id}': () => ({ body: { description: 'matrix' } }),
    'POST /v1/webhooks/{id}/rotate-secret': () => ({ body: { graceSeconds: 0 } }),
    'POST /v1/webhooks/{id}/replay': () => ({ body: { from: '2026-01-01T00:00:00Z' } }),
  };
  return (bodies[operation] ?? (() => exampleOf(operation, ids)))();
}

/** The recorded request of an operation, with the company's own ids in it. */
function exampleOf(operation: string, ids: World['ids']): Sent {
  const [example] = Object.values(EXAMPLES[operationIdOf(operation)] ?? {});
  if (example?.request === undefined) return {};
  const body = JSON.stringify(example.request).replace(/"([a-z]+)_[0-9a-f-]{36}"/g, (whole, prefix: string) => {
    const id = ids[KIND_OF_PREFIX[prefix] ?? ''];
    return id === undefined ? whole : JSON.stringify(id);
  });
  return { body: JSON.parse(body) };
}

const KIND_OF_PREFIX: Readonly<Record<string, string>> = {
  cmp: 'company',
  adm: 'administrator',
  key: 'key',
  usr: 'user',
  acc: 'account',
  ldg: 'ledger',
  txn: 'transaction',
  esc: 'escrow',
  itm: 'item',
  pay: 'link',
};

/** `/v1/things` for `/v1/things/{id}/parts`. */
function collectionOf(pattern: string): string {
  return pattern.slice(0, pattern.indexOf('/{id}'));
}

/** Collection → the id of one of its resources, for the paths that KIND_OF_ID does not know. */
async function fromCollections(service: TestService, company: TestCompany, ids: World['ids']) {
  const { body } = await service.request('GET', '/openapi.json');
  const collections = Object.keys(body.paths)
    .filter((path) => path.includes('/{id}') && KIND_OF_ID.every(([start]) => !path.startsWith(start)))
    .map(collectionOf);
  const found: Record<string, string> = {};
  for (const collection of new Set(collections)) found[collection] = await idFrom(collection);
  return found;

  async function idFrom(collection: string): Promise<string> {
    const made = 'post' in (body.paths[collection] ?? {}) ? await make(collection) : undefined;
    return (
      made ??
      (await eventually(async () => {
        const { body: list } = await company.get(`${collection}?limit=1`);
        return (list.data ?? list)[0]?.id;
      }))
    );
  }
  async function make(collection: string): Promise<string> {
    const { status, body: answer } = await company.request('POST', collection, {
      ...requestOf(`POST ${collection}`, ids),
      headers: { 'x-idempotency-key': randomUUID() },
    });
    if (typeof answer.id !== 'string') throw new Error(`POST ${collection} made nothing: ${status} ${answer.code}`);
    return answer.id;
  }
}
