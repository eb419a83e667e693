import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { counted } from '../support/counted.ts';
import { png } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { type Answer, idNumberOf, type TestService, untilAnswered } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/**
 * A client that knows only the 67 operations of the published interface and their fields. It lives through a marketplace's year. Each
 * answer has the fields that the interface names, and nothing is refused that a reader of it would not expect.
 */

/**
 * An operation, what it needs (P: nothing, K: an API key, J: a bearer token), the fields that may be sent (in the query of a GET, or with
 * `?`), and those that are answered (`[]`: each row of the answer has them).
 */
const INTERFACE = new Map(
  `
logIn | POST /v1/auth/login | P | email password | accessToken refreshToken userId
refresh | POST /v1/auth/refresh | P | refreshToken userId |
register | POST /v1/core/companies | P | name admin | id
health | GET /health | P |  |
challenge | GET /v1/messaging/webhook | P | hub.mode hub.verify_token hub.challenge |
message | POST /v1/messaging/webhook | P | object entry |
deposit | POST /v1/payments/deposit | K | userId amount currency externalReference userReference isTransit | id type amount currency status createdAt
makeLink | POST /v1/payments/generate-escrow-payment-link | K | buyerId sellerId amount currency items externalReference userReference splitPlan | hash url expiresAt escrowId
linkDetails | GET /v1/payments/link-details/:hash | P |  | hash status amount currency buyer items
requestCode | POST /v1/payments/request-checkout-otp | P | messagingNumber | sent expiresIn
registerBuyer | POST /v1/payments/register-checkout-user | P | mobileNumber idNumber firstName lastName | userId status
accept | POST /v1/payments/accept-payment | P | paymentSlug phoneNumber messagingNumber otp | status escrowId transactionId
reject | POST /v1/payments/reject-payment | P | paymentSlug | status
openCard | POST /v1/payments/eft-pay/initiate | P | paymentSlug | checkoutId
verifyCard | POST /v1/payments/eft-pay/verify | P | resourcePath | status transactionId
gatewayWebhook | POST /v1/payments/eft-pay/webhook | P | id | status
transaction | GET /v1/payments/transaction/:id | K |  | id type amount currency status metadata createdAt
userAccounts | GET /v1/ledger/user/:userId/accounts | K |  | [] id ledgerId type currency balance is_frozen created_at updated_at
companyAccounts | GET /v1/ledger/company/accounts | K |  | [] id
account | GET /v1/ledger/accounts/:accountId | K |  | id type currency balance ledger
overview | GET /v1/ledger/overview/:ledgerId | K |  |
transactions | GET /v1/ledger/:ledgerId/transactions | K |  |
statement | GET /v1/ledger/accounts/:accountId/statement | K | startDate endDate |
history | GET /v1/ledger/escrow/history | K | startDate endDate | [] id status type amount company_revenue system_revenue total_amount created_at buyer seller
bankDetails | PATCH /v1/ledger/:ledgerId/bank-details | K | bank_name branch_code account_number account_name |
systemStats | GET /v1/ledger/stats/system | K |  |
cashflow | GET /v1/ledger/stats/cashflow | K |  |
verifyLedgers | GET /v1/ledger/verify-ledger-integrity | K |  |
users | GET /v1/identity/users | K |  | [] id mobileNumber firstName lastName kycLevel identityStatus createdAt
user | GET /v1/identity/users/:id | K |  | id mobileNumber idNumber firstName lastName email kycLevel identityStatus documentUrl metadata
createUser | POST /v1/identity/users | K | mobileNumber idNumber firstName lastName email metadata bankAccount customReference document | id mobileNumber kycLevel identityStatus createdAt
uploadDocument | POST /v1/identity/users/:id/document | K | document | documentUrl updatedAt
userLedger | GET /v1/identity/users/:id/ledger | K |  | ledgerId userId accounts
linkId | POST /v1/identity/users/:id/link-id | K | idNumber customReference | userId kycLevel idLinked
institutions | GET /v1/identity/financial-institutions | P |  | [] id name code branchCodes
seedInstitutions | POST /v1/identity/financial-institutions/seed | K |  | seeded skipped
adminUsers | GET /v1/identity/admin/users | K | page limit search status | data total page limit
approve | POST /v1/identity/admin/users/:id/approve | K | approved | userId kycLevel approved
setStatus | POST /v1/identity/admin/users/:id/status | K | status | userId identityStatus
escrows | GET /v1/escrow | K | status buyerId sellerId startDate endDate limit offset | data total
activeEscrows | GET /v1/escrow/active | K |  | [] id
escrow | GET /v1/escrow/:id | K |  | id status externalReference totalAmount currency splitPlan milestones items
timeline | GET /v1/escrow/:id/timeline | K |  | [] event actor at
initiate | POST /v1/escrow/initiate | K | buyerId sellerId buyerAccountId sellerAccountId items externalReference externalInvoiceNumber splitPlan feePayer milestones | id status totalAmount currency createdAt
deliveryNote | POST /v1/escrow/:id/delivery-note | K | items notes | status updatedAt
goodsReceived | POST /v1/escrow/:id/goods-received | K | items notes | status updatedAt
release | POST /v1/escrow/:id/release | K | ?milestoneId | status sellerPayout systemFee serviceFee transactionId
negotiate | POST /v1/escrow/:id/negotiate | K | newSplitPlan actor notes | negotiationId status
acceptSplit | POST /v1/escrow/:id/negotiate/:negId/accept | K | actor | negotiationId status
rejectSplit | POST /v1/escrow/:id/negotiate/:negId/reject | K | actor | negotiationId status
adjust | POST /v1/escrow/:id/milestones/:milestoneId/adjust | K | actor proposedSellerPayoutCents reason | negotiationId status
acceptPayout | POST /v1/escrow/:id/milestones/:milestoneId/negotiate/:negId/accept | K | actor | negotiationId status
rejectPayout | POST /v1/escrow/:id/milestones/:milestoneId/negotiate/:negId/reject | K | actor | negotiationId status
dispute | POST /v1/escrow/:id/dispute | K | actor reason | status disputeId
cancel | POST /v1/escrow/:id/cancel | K | actor reason | status refundTransactionId
resolve | POST /v1/escrow/:id/admin-resolve | K | newSplitPlan adminId | status finalSplit
company | GET /v1/core/companies/me | K |  | id name slug system_fee_basis_points created_at
administrators | GET /v1/core/companies/admins | K |  | [] id firstName lastName email role created_at
addAdministrator | POST /v1/core/companies/admins | K | firstName lastName email role password |
removeAdministrator | POST /v1/core/companies/admins/:id/remove | K |  |
makeKey | POST /v1/core/companies/api-keys | J | name | id name key key_prefix is_active created_at
keys | GET /v1/core/companies/api-keys | K |  | [] id name key_prefix is_active created_at
revokeKey | POST /v1/core/companies/api-keys/:id/revoke | K |  | success
rollKey | POST /v1/core/companies/api-keys/roll | K | name | id key_prefix secret_key message
withdraw | POST /v1/treasury/withdraw | K | accountId amount externalReference bank_name branch_code account_number account_name | id status amount reference created_at
capture | POST /v1/treasury/bank/capture | K | amount currency reference |
seedConfigs | POST /v1/treasury/seed-configs | K |  | message
`
    .trim()
    .split('\n')
    .map((row) => {
      const [name = '', operation = '', needs = '', sent = '', answered = ''] = row.split(/ ?\| ?/);
      const [method = '', path = ''] = operation.split(' ');
      const isQuery = method === 'GET' || sent.startsWith('?');
      return [
        name,
        { method, path, needs, isQuery, sent: wordsOf(sent.replace('?', '')), answered: wordsOf(answered) },
      ];
    }),
);

function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter(Boolean);
}

/** The operations whose idempotency key is required or recommended. */
const KEYED = new Set(['deposit', 'makeLink', 'release', 'withdraw', 'capture', 'initiate']);

type Sent = {
  readonly path?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Sends the fields as multipart/form-data. */
  readonly isForm?: boolean;
  /** null: the header is left out. */
  readonly key?: string | null;
  readonly as?: Credentials;
};
type Credentials = { readonly companyId?: string; readonly apiKey?: string; readonly token?: string };

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const calls: string[] = [];
let refusals = 0;
let standing: Credentials = {};

function operationOf(name: string) {
  const operation = INTERFACE.get(name);
  if (operation === undefined) throw new Error(`the interface has no operation ${name}`);
  return operation;
}

function headersOf(name: string, { as = standing, key }: Sent, fresh: string): Record<string, string> {
  const headers: Record<string, string> = {};
  if (KEYED.has(name) && key !== null) headers['x-idempotency-key'] = key ?? fresh;
  if (operationOf(name).needs === 'P') return headers;
  if (as.companyId !== undefined) headers['x-company-id'] = as.companyId;
  if (as.token !== undefined) headers.authorization = `Bearer ${as.token}`;
  if (as.apiKey !== undefined) headers['x-api-key'] = as.apiKey;
  return headers;
}

/** Sends exactly what the interface names. A 503 of a busy machine is repeated. */
function send(name: string, sent: Sent): Promise<Answer> {
  const { method, path: template, isQuery, sent: allowed } = operationOf(name);
  const fields = sent.fields ?? {};
  expect([name, Object.keys(fields).filter((field) => !allowed.includes(field))]).toEqual([name, []]);
  const path = template.replaceAll(/:(\w+)/g, (_all, parameter: string) => sent.path?.[parameter] ?? '');
  const query = new URLSearchParams(isQuery ? (fields as Record<string, string>) : {}).toString(); // only texts are queried
  calls.push(name);
  return untilAnswered((fresh) =>
    service.request(method, query === '' ? path : `${path}?${query}`, {
      headers: headersOf(name, sent, fresh),
      ...(isQuery || Object.keys(fields).length === 0 ? {} : sent.isForm ? { form: formOf(fields) } : { body: fields }),
    }),
  );
}

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value instanceof File) form.append(name, value);
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form;
}

/** A call that works: its answer has the fields of the interface. */
async function call(name: string, sent: Sent = {}): Promise<Answer['body']> {
  const { status, body } = await send(name, sent);
  if (status >= 300) throw new Error(`${name}: ${JSON.stringify(body)}`);
  const [isList, ...rest] = operationOf(name).answered;
  const [rows, answered] = isList === '[]' ? [body as unknown[], rest] : [[body], operationOf(name).answered];
  for (const row of rows)
    expect([name, answered.filter((field) => !Object.hasOwn(Object(row), field))]).toEqual([name, []]);
  return body;
}

/** Calls whose answers only have to be there. */
async function callAll(...all: readonly (readonly [name: string, sent?: Sent])[]): Promise<void> {
  for (const [name, sent] of all) await call(name, sent);
}

/** A call that a reader of the interface knows to be refused. */
async function refuse(wanted: string, name: string, sent: Sent): Promise<Answer['body']> {
  const { status, body } = await send(name, sent);
  expect(`${name} ${status} ${body.code}`).toBe(`${name} ${wanted}`);
  refusals += 1;
  return body;
}

const maize = [{ name: 'Maize, 50 kg', description: 'White', quantity: 2, pricePerUnit: 12_500 }];
const plan = (system: number, seller: number) => ({
  system_fee_cents: system,
  service_fee_cents: 0,
  seller_payout_cents: seller,
});

test('a client of the interface alone lives through a marketplace, and is refused only what the interface says', async () => {
  // Two companies, their administrators and keys.
  await call('health');
  const owner = { email: `owner-${randomUUID()}@interface.example`, password: 'a long passphrase' };
  const admin = { firstName: 'Olive', lastName: 'Owner' };
  const company = await call('register', { fields: { name: 'Interface Market', admin: { ...admin, ...owner } } });
  const stranger = { email: `owner-${randomUUID()}@interface.example`, password: 'a long passphrase' };
  const other = await call('register', { fields: { name: 'Other Market', admin: { ...admin, ...stranger } } });
  const login = await call('logIn', { fields: owner });
  await call('refresh', { fields: { refreshToken: login.refreshToken, userId: login.userId } });
  const bearer = { companyId: company.id, token: (await call('logIn', { fields: owner })).accessToken };
  const { key } = await call('makeKey', { as: bearer, fields: { name: 'shop server' } });
  standing = { companyId: company.id, apiKey: key };
  await callAll(['company', { as: bearer }], ['company']);
  await refuse('401 unauthenticated', 'company', { as: { companyId: company.id } });
  await refuse('403 company_mismatch', 'company', { as: { companyId: other.id, apiKey: key } });
  await refuse('401 unauthenticated', 'makeKey', { fields: { name: 'by a key' } }); // it needs a bearer token
  const spare = await call('makeKey', { as: bearer, fields: { name: 'spare' } });
  const rolled = await call('rollKey', {
    as: { companyId: company.id, apiKey: spare.key },
    fields: { name: 'rolled' },
  });
  await call('revokeKey', { path: { id: rolled.id } });
  await refuse('401 unauthenticated', 'company', { as: { companyId: company.id, apiKey: rolled.secret_key } });
  expect((await call('keys')).map((one: { is_active: boolean }) => one.is_active)).toContain(false);
  const address = () => `staff-${randomUUID()}@interface.example`;
  const manager = { firstName: 'Mia', lastName: 'Manager', email: address(), role: 'manager' };
  const added = await call('addAdministrator', { fields: manager });
  await call('addAdministrator', {
    fields: { firstName: 'Ada', lastName: 'Admin', email: address(), role: 'admin', password: 'a long passphrase' },
  });
  const first = await call('logIn', { fields: { email: manager.email, password: added.temporaryPassword } });
  const managed = { companyId: company.id, token: first.accessToken };
  const reads = wordsOf('company escrows activeEscrows users administrators keys companyAccounts history');
  await callAll(...reads.map((name) => [name, { as: managed }] as const));
  const mustChange = await refuse('403 password_change_required', 'makeKey', { as: managed, fields: { name: 'mine' } });
  expect(mustChange.detail).toContain('POST /v1/auth/password');
  const administrators: { id: string; role: string }[] = await call('administrators');
  const ownerId = administrators.find(({ role }) => role === 'OWNER')?.id ?? '';
  await refuse('403 owner_protected', 'removeAdministrator', { path: { id: ownerId } });
  await callAll(['removeAdministrator', { path: { id: added.id } }], ['seedConfigs'], ['seedInstitutions']);
  const [institution] = await call('institutions');

  // People.
  const person = () => {
    const mobileNumber = nextMobileNumber();
    return { mobileNumber, idNumber: idNumberOf(mobileNumber) };
  };
  const buyer = await call('createUser', {
    fields: { ...person(), firstName: 'Bea', lastName: 'Buyer', metadata: { vip: 1 } },
  });
  const seller = await call('createUser', {
    isForm: true,
    fields: {
      ...person(),
      firstName: 'Sam',
      email: 'sam@interface.example',
      metadata: { stall: '7' },
      bankAccount: { institutionId: institution.id, accountNumber: '01234567890123', accountName: 'Sam Seller' },
      customReference: `seller-${randomUUID()}`,
      document: new File([new Uint8Array(png())], 'id.png', { type: 'image/png' }),
    },
  });
  const third = await call('createUser', { fields: person() });
  const document = new File([new Uint8Array(png())], 'id.png', { type: 'image/png' });
  const platform = { companyId: company.id, apiKey: service.platform.apiKey };
  await refuse('403 forbidden', 'adminUsers', { fields: { page: '1' } }); // it needs SUPER_ADMIN
  await callAll(
    ['uploadDocument', { path: { id: buyer.id }, isForm: true, fields: { document } }],
    ['linkId', { path: { id: third.id }, fields: { idNumber: idNumberOf(nextMobileNumber()) } }],
    ['users'],
    ['user', { path: { id: buyer.id } }],
    ['user', { path: { id: buyer.id.slice('usr_'.length) } }], // documented path parameters are UUIDs
    ['adminUsers', { as: platform, fields: { page: '1', limit: '10', status: 'PENDING' } }],
    ['adminUsers', { as: platform, fields: { search: buyer.mobileNumber } }],
    ['approve', { as: platform, path: { id: buyer.id }, fields: { approved: true } }],
    ['approve', { as: platform, path: { id: seller.id } }],
    ['setStatus', { as: platform, path: { id: third.id }, fields: { status: 'BLACKLISTED' } }],
    ['setStatus', { as: platform, path: { id: third.id }, fields: { status: 'CLEAR' } }],
    ['userAccounts', { path: { userId: buyer.id } }],
  );
  const ledgerOf = async (id: string) => {
    const { ledgerId, accounts } = await call('userLedger', { path: { id } });
    const usd = accounts.find((one: { currency: string }) => one.currency === 'USD');
    return { ledgerId, accountId: String(usd.id) };
  };
  const bought = await ledgerOf(buyer.id);
  const sold = await ledgerOf(seller.id);

  // Money comes in.
  const money = { userId: buyer.id, amount: 400_000, currency: 'USD' };
  const paidIn = await call('deposit', { fields: money, key: 'deposit-1' });
  expect((await call('deposit', { fields: money, key: 'deposit-1' })).id).toBe(paidIn.id);
  const transit = `bank-${randomUUID()}`;
  await callAll(
    ['deposit', { fields: { amount: 10_000, currency: 'ZIG', userReference: 'float' } }],
    ['deposit', { fields: { ...money, amount: 5_000, externalReference: transit, isTransit: true } }],
    ['capture', { fields: { amount: 5_000, currency: 'USD', reference: transit } }],
    ['transaction', { path: { id: paidIn.id } }],
  );
  await refuse('400 missing_header', 'deposit', { fields: money, key: null });

  // Payment links: balance, card, mobile money, refusal.
  const order = { buyerId: buyer.id, sellerId: seller.id, amount: 25_000, currency: 'USD', items: maize };
  const offer = (fields = {}) => call('makeLink', { fields: { ...order, ...fields } });
  await refuse('422 split_mismatch', 'makeLink', { fields: { ...order, splitPlan: plan(100, 1) } });
  const fromBalance = await offer({ splitPlan: plan(250, 24_750), externalReference: `link-${randomUUID()}` });
  expect((await call('linkDetails', { path: { hash: fromBalance.hash } })).status).toBe('PENDING');
  await call('requestCode', { fields: { messagingNumber: buyer.mobileNumber } });
  const otp = await service.sandbox.codeFor(buyer.mobileNumber);
  const byCode = { paymentSlug: fromBalance.hash, messagingNumber: buyer.mobileNumber };
  await refuse('422 otp_invalid', 'accept', { fields: { ...byCode, otp: otp === '000000' ? '000001' : '000000' } });
  expect((await call('accept', { fields: { ...byCode, otp } })).status).toBe('ACCEPTED');
  const byCard = await offer();
  const { checkoutId } = await call('openCard', { fields: { paymentSlug: byCard.hash } });
  await service.sandbox.settle(checkoutId, 'success');
  await call('gatewayWebhook', { fields: { id: checkoutId } });
  await eventually(async () => {
    const card = await call('verifyCard', { fields: { resourcePath: `/v1/checkouts/${checkoutId}/payment` } });
    return card.status === 'ACCEPTED' ? true : undefined;
  });
  const byPhone = await offer({ userReference: 'season' });
  expect(
    (await call('accept', { fields: { paymentSlug: byPhone.hash, phoneNumber: buyer.mobileNumber } })).status,
  ).toBe('ACCEPTED');
  const unwanted = await offer();
  expect((await call('reject', { fields: { paymentSlug: unwanted.hash } })).status).toBe('REJECTED');
  expect((await call('linkDetails', { path: { hash: unwanted.hash } })).status).toBe('REJECTED');
  expect((await call('registerBuyer', { fields: { ...person(), firstName: 'New' } })).status).toBe('REGISTERED');
  for (const { escrowId } of [byCard, byPhone]) await call('release', { path: { id: escrowId } });
  await call('timeline', { path: { id: fromBalance.escrowId } });

  // Escrows: delivery, milestones, negotiation, dispute, cancellation.
  const begin = async (fields = {}) => {
    const begun = await call('initiate', {
      fields: {
        buyerId: buyer.id,
        sellerId: seller.id,
        buyerAccountId: bought.accountId,
        items: maize,
        externalReference: `order-${randomUUID()}`,
        ...fields,
      },
    });
    return { path: { id: String(begun.id) } };
  };
  const dear = { items: [{ name: 'Farm', quantity: 1, pricePerUnit: 90_000_000 }], externalReference: 'farm' };
  const poor = { buyerId: buyer.id, sellerId: seller.id, buyerAccountId: bought.accountId, ...dear };
  await refuse('422 insufficient_funds', 'initiate', { fields: poor });
  const delivered = await begin({ externalInvoiceNumber: 'INV-1', sellerAccountId: sold.accountId, feePayer: 'BUYER' });
  const read = await call('escrow', delivered);
  const sent = read.items.map(({ id }: { id: string }) => ({ itemId: id, quantity: 2, price_per_item: 12_500 }));
  await callAll(
    ['deliveryNote', { ...delivered, fields: { items: sent, notes: 'By truck' } }],
    ['goodsReceived', { ...delivered, fields: { items: sent } }],
    ['activeEscrows'],
    ['release', delivered],
    ['timeline', delivered],
  );
  const work = await begin({
    milestones: [
      { title: 'Drilling', description: '40 m', percentage: 40 },
      { title: 'Pump', percentage: 60 },
    ],
  });
  const [drilling, pump] = (await call('escrow', work)).milestones.map(({ id }: { id: string }) => ({
    ...work.path,
    milestoneId: id,
  }));
  for (const [end, cents] of [
    ['rejectPayout', 9_000],
    ['acceptPayout', 9_500],
  ] as const) {
    const proposed = { actor: 'BUYER', proposedSellerPayoutCents: cents, reason: 'Less deep' };
    const { negotiationId } = await call('adjust', { path: drilling, fields: proposed });
    await call(end, { path: { ...drilling, negId: negotiationId }, fields: { actor: 'SELLER' } });
  }
  for (const { milestoneId } of [drilling, pump]) await call('release', { path: work.path, fields: { milestoneId } });
  const haggled = await begin({ splitPlan: plan(250, 24_750) });
  const propose = () =>
    call('negotiate', { ...haggled, fields: { newSplitPlan: plan(250, 20_000), actor: 'SELLER', notes: 'Wet' } });
  const answer = async (end: 'acceptSplit' | 'rejectSplit') => {
    const { negotiationId } = await propose();
    const path = { ...haggled.path, negId: negotiationId };
    if (end === 'acceptSplit') await refuse('403 own_proposal', end, { path, fields: { actor: 'SELLER' } });
    await call(end, { path, fields: { actor: 'BUYER' } });
  };
  await answer('rejectSplit');
  await answer('acceptSplit');
  expect((await call('release', haggled)).sellerPayout).toBe('20000');
  const disputed = await begin();
  await call('dispute', { ...disputed, fields: { actor: 'BUYER', reason: 'Nothing arrived' } });
  const frozen = await refuse('409 wrong_state', 'cancel', {
    ...disputed,
    fields: { actor: 'BUYER', reason: 'Back!' },
  });
  for (const way of [/evidence/, /agree on a split/, /administrator/]) expect(frozen.detail).toMatch(way);
  await call('resolve', { ...disputed, fields: { newSplitPlan: plan(0, 12_500), adminId: ownerId } });
  const dropped = await begin();
  expect((await call('cancel', { ...dropped, fields: { actor: 'SELLER', reason: 'Out of stock' } })).status).toBe(
    'CANCELLED',
  );

  // Money goes out, and the books.
  const bank = {
    bank_name: 'CBZ Bank',
    branch_code: '6101',
    account_number: '01234567890123',
    account_name: 'Sam Seller',
  };
  await call('bankDetails', { path: { ledgerId: sold.ledgerId }, fields: bank });
  const payout = { accountId: sold.accountId, amount: 10_000, externalReference: `payout-${randomUUID()}`, ...bank };
  const paidOut = await call('withdraw', { fields: payout, key: 'payout-1' });
  expect((await call('withdraw', { fields: payout, key: 'payout-1' })).id).toBe(paidOut.id);
  const today = new Date().toISOString().slice(0, 10);
  const ofSeller = { path: { accountId: sold.accountId } };
  await callAll(
    ['escrows', { fields: { status: 'COMPLETED', buyerId: buyer.id, sellerId: seller.id, limit: '5', offset: '0' } }],
    ['escrows', { fields: { startDate: today, endDate: today } }],
    ['account', ofSeller],
    ['statement', ofSeller],
    ['statement', { ...ofSeller, fields: { startDate: today, endDate: today } }],
    ['overview', { path: { ledgerId: sold.ledgerId } }],
    ['overview', { path: { ledgerId: bought.ledgerId } }],
    ['transactions', { path: { ledgerId: sold.ledgerId } }],
    ['userAccounts', { path: { userId: seller.id } }],
    ['companyAccounts'],
    ['history', { fields: { startDate: today } }],
    ['systemStats'],
    ['cashflow'],
  );
  expect((await call('verifyLedgers')).ok).toBe(true);

  // The messaging platform.
  const { verifyToken, appSecret } = service.sandbox.settings.messaging;
  await call('challenge', {
    fields: { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '1158201444' },
  });
  const incoming = { object: 'whatsapp_business_account', entry: [] };
  const signature = `sha256=${createHmac('sha256', appSecret).update(JSON.stringify(incoming)).digest('hex')}`;
  calls.push('message');
  const heard = await service.request('POST', '/v1/messaging/webhook', {
    body: incoming,
    headers: { 'x-hub-signature-256': signature },
  });
  expect(heard).toMatchObject({ status: 200, body: { status: 'OK' } });

  expect(INTERFACE.size).toBe(67);
  expect(new Set(calls)).toEqual(new Set(INTERFACE.keys()));
  expect(refusals).toBe(13);
  expect(calls.length).toBeGreaterThanOrEqual(127); // the card is asked about until it is paid
  counted(`the interface's own client: ${calls.length} calls of 67 operations, 13 refused as a reader expects`);
}, 240_000);
