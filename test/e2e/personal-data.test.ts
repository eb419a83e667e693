import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../src/observability/log.ts';
import { withClient } from '../../src/sandbox/stack/postgres.ts';
import { sql } from '../support/api.ts';
import { documentForm, pdf } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { found, textOf } from '../support/search.ts';
import { servers } from '../support/servers.ts';
import { type Answer, newCompany, startService, type TestCompany, type TestService } from '../support/service.ts';

/**
 * Runs escrows with names and words that are easy to recognise, and then searches for them everywhere except
 * in their intended place: in Temporal, in the log, in refusals, and, for national ids and account numbers, in the database.
 */

/** Must not be found in clear anywhere. */
const SECRET = {
  buyerIdNumber: '63-7391846Q58',
  linkedIdNumber: '63-5582917W34',
  sellerIdNumber: '29-4471629K07',
  checkoutIdNumber: '75-9920384T61',
  accountNumber: '10048837261955',
  payoutAccountNumber: '40071955263388',
  withdrawalAccountNumber: '70093318254416',
} as const;

/** May be found in the database only. */
const PERSONAL = {
  buyerNumber: '+263771648203',
  sellerNumber: '+263783920174',
  checkoutNumber: '+263719385046',
  buyerFirstName: 'Zvikomborero',
  buyerLastName: 'Chinamhora',
  sellerFirstName: 'Nyaradzai',
  email: 'zvikomborero.chinamhora@test.example',
  customReference: 'CHINAMHORA-FARM',
  metadata: 'guardian of Tafadzwa',
  accountName: 'Chinamhora and Daughters',
  item: 'Grandmother’s wedding necklace',
  itemDescription: 'engraved to Mavis 1961',
  milestone: 'Surgery deposit',
  deliveryNote: 'left with the neighbour at 14 Baobab',
  receiptNote: 'clasp is bent, see Dr Mutasa',
  negotiationNote: 'because of my divorce',
  adjustReason: 'hospital bill of my son',
  disputeReason: 'he threatened me on Tuesday',
  evidence: 'recording of the phone call',
  evidenceUrl: 'https://files.example/mutasa-xray.pdf',
  cancelReason: 'a death in the family',
  orderReference: 'order-for-mavis-1961',
  invoiceNumber: 'INV-MAVIS-7',
  document: 'Passport of Zvikomborero',
  documentName: 'chinamhora-passport.pdf',
} as const;

const ALL = { ...SECRET, ...PERSONAL };

let service: TestService;
let company: TestCompany;
const logged: string[] = [];
const refusals: Answer[] = [];
/** Codes and keys that the scenario created. */
const made: string[] = [];

beforeAll(async () => {
  service = await startService({ log: createLog('debug', { write: (line) => void logged.push(line) }) });
  company = await newCompany(service);
  await liveThroughADay();
}, 120_000);
afterAll(() => service.stop());

async function done(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`it was refused: ${JSON.stringify(body)}`);
  return body;
}

async function refusedBy(answer: Promise<Answer>): Promise<void> {
  const refusal = await answer;
  expect(refusal.status).toBeGreaterThanOrEqual(400);
  refusals.push(refusal);
}

async function liveThroughADay(): Promise<void> {
  const { buyer, seller } = await registerPeople();
  await tradeToTheEnd(buyer, seller);
  await tradeInMilestones(buyer, seller);
  await quarrel(buyer, seller);
  await payOverLinks(buyer, seller);
  await withdraw(seller);
  await beRefused(buyer, seller);
}

type Party = { readonly id: string; readonly ledgerId: string; readonly account: string };

async function registerPeople(): Promise<{ buyer: Party; seller: Party }> {
  await done(company.post('/v1/identity/financial-institutions/seed'));
  const [bank] = (await company.get('/v1/identity/financial-institutions')).body;
  const partyOf = (body: Answer['body']): Party => ({
    id: body.id,
    ledgerId: body.ledgerId,
    account: body.accounts[0].id,
  });
  const buyer = partyOf(
    await done(
      company.post('/v1/identity/users', {
        mobileNumber: PERSONAL.buyerNumber,
        idNumber: SECRET.buyerIdNumber,
        firstName: PERSONAL.buyerFirstName,
        lastName: PERSONAL.buyerLastName,
        email: PERSONAL.email,
        metadata: { note: PERSONAL.metadata },
        bankAccount: {
          institutionId: bank.id,
          accountNumber: SECRET.accountNumber,
          accountName: PERSONAL.accountName,
        },
      }),
    ),
  );
  const seller = partyOf(
    await done(
      company.post('/v1/identity/users', {
        mobileNumber: PERSONAL.sellerNumber,
        idNumber: SECRET.sellerIdNumber,
        firstName: PERSONAL.sellerFirstName,
      }),
    ),
  );
  const form = documentForm(pdf(PERSONAL.document), PERSONAL.documentName);
  await done(company.request('POST', `/v1/identity/users/${buyer.id}/document`, { form }));
  const linked = { idNumber: SECRET.linkedIdNumber, customReference: PERSONAL.customReference };
  await done(company.post(`/v1/identity/users/${buyer.id}/link-id`, linked));
  const bankDetails = {
    bank_name: 'CBZ Bank',
    branch_code: '6101',
    account_number: SECRET.payoutAccountNumber,
    account_name: PERSONAL.accountName,
  };
  await done(company.request('PATCH', `/v1/ledger/${seller.ledgerId}/bank-details`, { body: bankDetails }));
  const money = { amount: 1_000_000, currency: 'USD' };
  await done(company.post('/v1/payments/deposit', { ...money, userReference: PERSONAL.customReference }));
  return { buyer, seller };
}

const items = [{ name: PERSONAL.item, description: PERSONAL.itemDescription, quantity: 1, pricePerUnit: 25_000 }];

async function begin(buyer: Party, seller: Party, fields: Record<string, unknown> = {}) {
  const { id } = await done(
    company.post('/v1/escrow/initiate', {
      buyerId: buyer.id,
      sellerId: seller.id,
      buyerAccountId: buyer.account,
      items,
      externalReference: `${PERSONAL.orderReference} ${randomUUID()}`,
      externalInvoiceNumber: PERSONAL.invoiceNumber,
      ...fields,
    }),
  );
  const path = `/v1/escrow/${id}`;
  return { path, escrow: (await company.get(path)).body };
}

async function tradeToTheEnd(buyer: Party, seller: Party): Promise<void> {
  const { path, escrow } = await begin(buyer, seller);
  const counted = [{ itemId: escrow.items[0].id, quantity: 1, price_per_item: 25_000 }];
  await done(company.post(`${path}/delivery-note`, { items: counted, notes: PERSONAL.deliveryNote }));
  await done(company.post(`${path}/goods-received`, { items: counted, notes: PERSONAL.receiptNote }));
  await done(company.post(`${path}/release`));
}

async function tradeInMilestones(buyer: Party, seller: Party): Promise<void> {
  const milestones = [
    { title: PERSONAL.milestone, description: PERSONAL.itemDescription, percentage: 50 },
    { title: 'Rest', percentage: 50 },
  ];
  const { path, escrow } = await begin(buyer, seller, { milestones });
  const adjustment = { actor: 'BUYER', proposedSellerPayoutCents: 1_000, reason: PERSONAL.adjustReason };
  await done(company.post(`${path}/milestones/${escrow.milestones[0].id}/adjust`, adjustment));
  await done(company.post(`${path}/cancel`, { actor: 'SELLER', reason: PERSONAL.cancelReason }));
}

async function quarrel(buyer: Party, seller: Party): Promise<void> {
  const { path } = await begin(buyer, seller);
  const newSplitPlan = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 10_000 };
  await done(company.post(`${path}/negotiate`, { actor: 'BUYER', newSplitPlan, notes: PERSONAL.negotiationNote }));
  await done(company.post(`${path}/dispute`, { actor: 'BUYER', reason: PERSONAL.disputeReason }));
  const evidence = { actor: 'SELLER', note: PERSONAL.evidence, documentUrl: PERSONAL.evidenceUrl };
  await done(company.post(`${path}/dispute/evidence`, evidence));
  await done(company.post(`${path}/admin-resolve`, { newSplitPlan, adminId: company.owner.id }));
}

async function payOverLinks(buyer: Party, seller: Party): Promise<void> {
  const offer = async (): Promise<string> => {
    const link = { buyerId: buyer.id, sellerId: seller.id, amount: 25_000, currency: 'USD', items };
    const reference = { externalReference: `${PERSONAL.orderReference} ${randomUUID()}` };
    return (await done(company.post('/v1/payments/generate-escrow-payment-link', { ...link, ...reference }))).hash;
  };
  const say = (path: string, body: unknown) => service.request('POST', `/v1/payments/${path}`, { body });
  const fromBalance = await offer();
  await done(say('request-checkout-otp', { messagingNumber: PERSONAL.buyerNumber }));
  const otp = await service.sandbox.codeFor(PERSONAL.buyerNumber);
  made.push(otp);
  const proof = { messagingNumber: PERSONAL.buyerNumber, otp };
  await done(say('accept-payment', { paymentSlug: fromBalance, ...proof }));
  await done(say('accept-payment', { paymentSlug: await offer(), phoneNumber: PERSONAL.buyerNumber }));
  const byCard = await offer();
  const { checkoutId } = await done(say('eft-pay/initiate', { paymentSlug: byCard }));
  await service.sandbox.settle(checkoutId, 'success');
  await eventually(async () => (await company.get(`/v1/payments/link-details/${byCard}`)).body.status === 'ACCEPTED');
  await done(
    say('register-checkout-user', {
      mobileNumber: PERSONAL.checkoutNumber,
      idNumber: SECRET.checkoutIdNumber,
      firstName: PERSONAL.sellerFirstName,
      paymentSlug: await offer(),
    }),
  );
}

async function withdraw(seller: Party): Promise<void> {
  const { id } = await done(
    company.post('/v1/treasury/withdraw', {
      accountId: seller.account,
      amount: 5_000,
      externalReference: `${PERSONAL.orderReference} ${randomUUID()}`,
      bank_name: 'CBZ Bank',
      branch_code: '6101',
      account_number: SECRET.withdrawalAccountNumber,
      account_name: PERSONAL.accountName,
    }),
  );
  const path = `/v1/treasury/withdrawals/${id}`;
  await eventually(async () => (await company.get(path)).body.status === 'COMPLETED');
}

/** The answer to an invalid request never repeats the request's content. */
async function beRefused(buyer: Party, seller: Party): Promise<void> {
  const person = { mobileNumber: PERSONAL.buyerNumber, idNumber: SECRET.buyerIdNumber, email: PERSONAL.email };
  const user = (fields: Record<string, unknown>) => company.post('/v1/identity/users', { ...person, ...fields });
  await refusedBy(user({}));
  await refusedBy(user({ mobileNumber: `${PERSONAL.buyerNumber} ${PERSONAL.buyerLastName}` }));
  await refusedBy(user({ idNumber: [SECRET.buyerIdNumber] }));
  await refusedBy(user({ idNumber: `${SECRET.buyerIdNumber}\u0007` }));
  await refusedBy(user({ idNumber: SECRET.buyerIdNumber.repeat(30) }));
  await refusedBy(user({ mobileNumber: '+263770000009', customReference: PERSONAL.customReference }));
  await refusedBy(user({ email: `${PERSONAL.buyerLastName}@` }));
  await refusedBy(user({ bankAccount: { institutionId: randomUUID(), accountNumber: SECRET.accountNumber } }));
  await refusedBy(user({ bankAccount: { institutionId: SECRET.accountNumber, accountNumber: SECRET.accountNumber } }));
  await refusedBy(
    company.request('POST', '/v1/identity/users', {
      headers: { 'content-type': 'application/json' },
      rawBody: `{"idNumber":"${SECRET.buyerIdNumber}","firstName":${PERSONAL.buyerFirstName}`,
    }),
  );
  await refusedBy(company.get(`/v1/identity/users/${encodeURIComponent(SECRET.buyerIdNumber)}`));
  await refusedBy(company.get(`/v1/identity/${encodeURIComponent(PERSONAL.buyerFirstName)}`));
  const form = documentForm(Buffer.from(PERSONAL.document), PERSONAL.documentName);
  await refusedBy(company.request('POST', `/v1/identity/users/${buyer.id}/document`, { form }));
  const { path } = await begin(buyer, seller);
  await refusedBy(company.post(`${path}/cancel`, { actor: PERSONAL.buyerFirstName, reason: PERSONAL.cancelReason }));
  await refusedBy(company.post(`${path}/delivery-note`, { items: [], notes: PERSONAL.deliveryNote }));
  await done(company.post(`${path}/cancel`, { actor: 'BUYER', reason: PERSONAL.cancelReason }));
  await refusedBy(company.post(`${path}/dispute`, { actor: 'BUYER', reason: PERSONAL.disputeReason }));
}

describe('personal data', () => {
  test('is in no workflow: not in a history, a memo, a search attribute, an id, a description or an answer to a query', async () => {
    const query = `TaskQueue = '${service.taskQueue}'`;
    const entities = await sql(
      service,
      `select 'escrow/esc_' || id as id from escrow union all select 'payment-link/pay_' || id from payment_link
       union all select 'withdrawal/txn_' || id from withdrawal`,
    );
    const executions = await eventually(async () => {
      const listed: { readonly workflowId: string; readonly runId: string }[] = [];
      for await (const execution of service.temporal.workflow.list({ query })) listed.push(execution);
      return entities.every(({ id }) => listed.some(({ workflowId }) => workflowId === id)) && listed;
    });
    expect(entities.length).toBeGreaterThanOrEqual(10);
    const isEntity = (workflowId: string) => entities.some(({ id }) => id === workflowId);
    let text = '';
    for (const { workflowId, runId } of executions) {
      const handle = service.temporal.workflow.getHandle(workflowId, runId);
      const history = await handle.fetchHistory();
      const shown = isEntity(workflowId) ? ['__temporal_workflow_metadata', 'state', 'timeline'] : [];
      const answers = await Promise.all(shown.map((name) => handle.query(name)));
      const told = [history, (await handle.describe()).raw, answers].map((part) => textOf(part)).join('\n');
      expect({ workflowId, found: found(told, ALL) }).toEqual({ workflowId, found: [] });
      text += told;
    }
    // Expected values are found, so the search does read payloads, memos and attributes.
    for (const word of ['sellerPayoutCents', 'RESOLVED', 'EscrowCompany', '**COMPLETED**', 'FUNDS_RELEASED 247.50 USD'])
      expect({ word, isThere: text.includes(word) }).toEqual({ word, isThere: true });
  });

  test('is in no event: no national id, account number, phone number, one-time password or key', async () => {
    const webhook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
    const { id, secret } = await done(company.post('/v1/webhooks', webhook));
    await done(company.request('PATCH', `/v1/webhooks/${id}`, { body: { status: 'DISABLED' } }));
    const events: Answer['body'][] = [];
    await eventually(async () => {
      const { body } = await company.get(
        `/v1/events?limit=100${events.length > 0 ? `&after=${events.at(-1).id}` : ''}`,
      );
      events.push(...body.data);
      return events.some(({ type }) => type === 'webhook_endpoint.disabled');
    });
    // They include every kind of object, so the search covers them all.
    expect([...new Set(events.map(({ object }) => object.kind))].toSorted()).toEqual(
      expect.arrayContaining([
        'api_key',
        'deposit',
        'escrow',
        'payment_link',
        'user',
        'webhook_endpoint',
        'withdrawal',
      ]),
    );
    const { buyerNumber, sellerNumber, checkoutNumber } = PERSONAL;
    const numbers = [buyerNumber, sellerNumber, checkoutNumber].map((number) => number.slice('+263'.length));
    const text = JSON.stringify(events.map(({ data }) => data));
    const secrets = [...Object.values(SECRET), ...numbers, company.apiKey, secret, secret.slice('whsec_'.length)];
    expect(secrets.filter((value) => text.includes(value))).toEqual([]);
    // A code is a short number, which ids may contain by chance, so only the code as a separate word counts.
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter((code) => new RegExp(`(?<![0-9a-f-])${code}(?![0-9a-f-])`).test(text))).toEqual([]);
  });

  test('is in no line of the log', () => {
    const text = logged.join('');
    expect(text).toContain('/v1/escrow/:id/release');
    expect(logged.length).toBeGreaterThan(40);
    expect(found(text, ALL)).toEqual([]);
  });

  test("is in no line of PostgreSQL's log, statements that fail included", async () => {
    const values = { ...SECRET, ...PERSONAL };
    const literals = Object.values(values)
      .map((value) => `'${value.replaceAll("'", "''")}'`)
      .join(', ');
    await withClient(service.database.apiUrl, async (client) => {
      await client.query('begin');
      await client.query("select set_config('app.company_id', $1, true)", [company.id.slice('cmp_'.length)]);
      // A literal, a bound value, a row that breaks a constraint, and a role's password.
      for (const [statement, bound] of [
        [`select 1 / 0 where 'x' in (${literals})`, []],
        ['select 1 / length($1) - length($1), 1 / 0 where $1 <> $2', [PERSONAL.buyerNumber, SECRET.buyerIdNumber]],
        [
          `insert into app_user (id, company_id, mobile_number, id_number) select gen_random_uuid(), company_id, mobile_number, id_number
           from app_user where mobile_number = $1`,
          [PERSONAL.buyerNumber],
        ],
        [`alter role escrow_owner password '${SECRET.accountNumber}'`, []],
      ] as const) {
        await client.query('savepoint before');
        await expect(client.query(statement, [...bound])).rejects.toThrow();
        await client.query('rollback to savepoint before');
      }
    });
    const text = readFileSync(servers().postgresLogFile, 'utf8');
    expect(text).toContain('ERROR:  division by zero');
    expect(text).toContain(
      'ERROR:  duplicate key value violates unique constraint "app_user_company_id_mobile_number_key"',
    );
    expect(found(text, values)).toEqual([]);
    expect(text).not.toMatch(/ (DETAIL|STATEMENT|QUERY): /);
  });

  test('of people and accounts is in no event', async () => {
    const events: unknown[] = [];
    for (let path: string | undefined = '/v1/events?limit=100'; path !== undefined; ) {
      const { body, headers } = await company.get(path);
      events.push(...body.data);
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.slice(service.url.length);
    }
    expect(events.length).toBeGreaterThan(30);
    const text = JSON.stringify(events);
    const { buyerNumber, sellerNumber, checkoutNumber } = PERSONAL;
    expect(found(text, { ...SECRET, buyerNumber, sellerNumber, checkoutNumber })).toEqual([]);
    const hashes = await sql(service, 'select hash from payment_link');
    for (const { hash } of hashes) expect(text).not.toContain(hash);
    expect(found(text, { item: PERSONAL.item })).toEqual(['item']); // the search works
  });

  test('is in no refusal', () => {
    expect(refusals.length).toBeGreaterThan(15);
    for (const { body } of refusals)
      expect({ body, found: found(JSON.stringify(body), ALL) }).toMatchObject({ found: [] });
  });

  test('of the kinds that are encrypted is in no table', async () => {
    const tables = await sql(
      service,
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm')`,
    );
    const everything: string[] = [];
    for (const { name } of tables) {
      const rows = await sql(service, `select t::text as text from ${String(name)} t`);
      const text = rows.map((row) => String(row.text)).join('\n');
      everything.push(text);
      expect({ table: name, found: found(text, SECRET) }).toEqual({ table: name, found: [] });
    }
    // Unencrypted values are found, so the search works.
    expect(found(everything.join('\n'), PERSONAL)).toEqual(
      expect.arrayContaining(['buyerNumber', 'buyerFirstName', 'deliveryNote', 'disputeReason', 'item', 'document']),
    );
  });

  test('is returned in full to permitted readers', async () => {
    const { body: users } = await company.get('/v1/identity/users');
    const numbers = await Promise.all(
      users.map(async ({ id }: { id: string }) => (await company.get(`/v1/identity/users/${id}`)).body.idNumber),
    );
    expect(numbers.toSorted()).toEqual(
      [SECRET.linkedIdNumber, SECRET.sellerIdNumber, SECRET.checkoutIdNumber].toSorted(),
    );
  });
});
