import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { FieldCipher } from '../../../../src/db/core/field-cipher.ts';
import { connect } from '../../../../src/db/core/orm.ts';
import { auditWithin } from '../../../../src/db/ledger/verify.ts';
import { rotateKeys } from '../../../../src/db/operations/rotate-keys.ts';
import { bare } from '../../../support/api.ts';
import { documentForm, pdf } from '../../../support/documents.ts';
import { offerLink } from '../../../support/links.ts';
import { type OwnService, ownService } from '../../../support/own-service.ts';
import { done, newCompany, newParties, newUser } from '../../../support/service.ts';
import { asked, BANK, ended } from '../../../support/treasury.ts';

/**
 * What the owner of the database changes in rows that decide where money goes or who may act. Each change is made twice: with the
 * triggers of the tables, which may refuse it, and without them. Each is rolled back after its audit.
 */
const FIRST = { id: 'first', key: randomBytes(32) };
let service: OwnService;
let owner: MikroORM;
let superuser: MikroORM;
/** What the statements below name as `$name`. */
let ids: Readonly<Record<string, string>>;
/** The record of a change that is not rolled back: every later audit names it. */
let namedForGood = '';

beforeAll(async () => {
  service = await ownService({ fieldKey: FIRST });
  const open = (databaseUrl: string) => connect({ databaseUrl, poolMax: 1, applicationName: 'test' });
  [owner, superuser] = await Promise.all([open(service.database.ownerUrl), open(service.database.superuserUrl)]);
  ids = await live();
});
afterAll(async () => {
  await Promise.all([owner.close(), superuser.close()]);
  await service.stop();
});

async function live(): Promise<Readonly<Record<string, string>>> {
  const company = await newCompany(service);
  const asPlatform = { headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id } };
  const platform = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    done(service.request(method, path, { headers: { ...asPlatform.headers, ...headers }, body }));
  const patch = (path: string, body: unknown) => done(company.request('PATCH', path, { body }));
  await done(company.post('/v1/treasury/seed-configs'));
  const { buyer, seller, escrow } = await newParties(company, 100_000, {
    seller: { customReference: `ref ${randomUUID()}` },
  });
  const order = (await done(company.post('/v1/escrow/initiate', escrow({ orderPages: false })))).body;
  const link = await offerLink(service, company);
  const bank = `/v1/ledger/${seller.ledgerId}/bank-details`;
  await patch(bank, { ...BANK, bank_name: 'First bank' });
  await patch(bank, BANK);
  await patch(`/v1/ledger/${buyer.ledgerId}/bank-details`, BANK);
  const payouts = [];
  for (const amount of [1, 2, 3]) {
    const { body } = await done(company.post('/v1/treasury/withdraw', asked(buyer.usdAccountId, amount)));
    await ended(company, body.id);
    payouts.push(bare(body.id));
  }
  const frozen = await newUser(company);
  await platform('PATCH', `/v1/ledger/accounts/${frozen.usdAccountId}`, { is_frozen: true, reason: 'A court order' });
  await platform('POST', `/v1/identity/admin/users/${frozen.id}/status`, {
    status: 'BLACKLISTED',
    reason: 'Sanctions',
  });
  await company.request('POST', `/v1/identity/users/${seller.id}/document`, { form: documentForm(pdf()) });
  await platform(
    'PATCH',
    `/v1/core/companies/${company.id}`,
    { payout_limits: { USD: 5_000 } },
    {
      'x-company-id': service.platform.companyId,
    },
  );
  await patch('/v1/core/companies/me', {
    ...{ service_fee_basis_points: 150, default_seller_id: seller.id, checkout_hosts: ['shop.example'] },
    settlement_references: { card: 'CARDS', mobile: 'MOBILE' },
    order_pages: { enabled: true },
  });
  const manager = await done(
    company.request('POST', '/v1/core/companies/admins', {
      headers: { authorization: `Bearer ${company.owner.token}` },
      body: { firstName: 'Max', lastName: 'Manager', email: `${randomUUID()}@test.example`, role: 'manager' },
    }),
  );
  await done(company.post(`/v1/escrow/${order.id}/order-pages`));
  const capture = async (reference: string) =>
    (await done(company.post('/v1/treasury/bank/capture', { amount: 700, currency: 'USD', reference }))).body;
  const suspense = await capture('nobody knows');
  const matched = await capture(randomUUID());
  await done(company.post(`/v1/treasury/captures/${matched.id}/assign`, { userId: buyer.id }));
  const webhook = await done(company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] }));
  return {
    ...{
      company: company.id,
      buyer: buyer.id,
      seller: seller.id,
      frozen: frozen.id,
      order: order.id,
      link: link.linkId,
    },
    ...{ buyerAccount: buyer.usdAccountId, sellerAccount: seller.usdAccountId, frozenAccount: frozen.usdAccountId },
    ...{
      sellerLedger: seller.ledgerId,
      buyerLedger: buyer.ledgerId,
      payout: payouts[0] ?? '',
      otherPayout: payouts[1] ?? '',
      thirdPayout: payouts[2] ?? '',
      suspense: suspense.id,
    },
    ...{ matched: matched.id, manager: manager.body.id, webhook: webhook.body.id },
  };
}

/** Each: the statement, and what the audit names. */
const NAMED: Readonly<Record<string, readonly [statement: string, record: string]>> = {
  'the reference of a capture': [
    `update bank_capture set reference = 'other' where id = '$suspense'`,
    'row_changed bank_capture/$suspense/reference',
  ],
  'the user of a matched capture': [
    `update bank_capture set matched_id = '$seller' where id = '$matched'`,
    'row_changed bank_capture/$matched/matched_id',
  ],
  "suspense money, marked as a user's": [
    `update bank_capture set matched_kind = 'USER' where id = '$suspense'`,
    'row_changed bank_capture/$suspense/matched_kind',
  ],
  'the account of a capture': [
    `update bank_capture set account_id = '$buyerAccount' where id = '$suspense'`,
    'row_changed bank_capture/$suspense/account_id',
  ],
  'the destinations of two payouts, swapped': [
    `update payout_destination d set account_number = o.account_number from payout_destination o
     where d.id in ('$payout', '$otherPayout') and o.id in ('$payout', '$otherPayout') and o.id <> d.id`,
    'row_changed payout_destination/$payout/account_number',
  ],
  'the bank of a payout': [
    `update payout_destination set bank_name = 'Other' where id = '$payout'`,
    'row_changed payout_destination/$payout/bank_name',
  ],
  'the branch of a payout': [
    `update payout_destination set branch_code = '9' where id = '$payout'`,
    'row_changed payout_destination/$payout/branch_code',
  ],
  'the account name of a payout': [
    `update payout_destination set account_name = 'Other' where id = '$payout'`,
    'row_changed payout_destination/$payout/account_name',
  ],
  'the attempts of a payout': [
    `update payout_destination set attempts = 0 where id = '$payout'`,
    'row_changed payout_destination/$payout/attempts',
  ],
  'the destination of a payout, deleted': [
    `delete from payout_destination where id = '$thirdPayout'`,
    'row_deleted payout_destination/$thirdPayout',
  ],
  'the reference of a payout': [
    `update withdrawal set external_reference = 'other' where id = '$payout'`,
    'row_changed withdrawal/$payout/external_reference',
  ],
  'the name of default bank details': [
    `update bank_details set account_name = 'Other' where ledger_id = '$sellerLedger'`,
    'row_changed bank_details/*/account_name',
  ],
  'the bank of default bank details': [
    `update bank_details set bank_name = 'Other' where ledger_id = '$sellerLedger'`,
    'row_changed bank_details/*/bank_name',
  ],
  'the branch of default bank details': [
    `update bank_details set branch_code = '9' where ledger_id = '$sellerLedger'`,
    'row_changed bank_details/*/branch_code',
  ],
  'the time at which default bank details take effect': [
    `update bank_details set effective_at = now() + interval '9 days' where ledger_id = '$sellerLedger'`,
    'row_changed bank_details/*/effective_at',
  ],
  'default bank details, deleted': [
    `delete from bank_details where ledger_id = '$buyerLedger'`,
    'row_deleted bank_details/*',
  ],
  'default bank details, added': [
    `insert into bank_details (id, company_id, ledger_id, bank_name, branch_code, account_number, masked_number, account_name,
       actor_kind, actor_id, changed_at, effective_at)
     select gen_random_uuid(), company_id, ledger_id, bank_name, branch_code, account_number, masked_number, 'Other', actor_kind,
       actor_id, now(), now() from bank_details where ledger_id = '$sellerLedger' limit 1`,
    'row_inserted bank_details/*',
  ],
  'the holder of an account': [
    `update account set ledger_id = gen_random_uuid() where id = '$frozenAccount'`,
    'row_changed account/$frozenAccount/ledger_id',
  ],
  'a freeze, cleared': [
    `update account set is_frozen = false where id = '$frozenAccount'`,
    'row_changed account/$frozenAccount/is_frozen',
  ],
  'an account, frozen': [
    `update account set is_frozen = true where id = '$buyerAccount'`,
    'row_changed account/$buyerAccount/is_frozen',
  ],
  'who froze an account': [
    `update account_freeze set actor_role = 'OWNER' where account_id = '$frozenAccount'`,
    'row_changed account_freeze/*/actor_role',
  ],
  'an unfreezing, added': [
    `insert into account_freeze (id, company_id, account_id, is_frozen, reason, actor_kind, actor_id, actor_role)
     select gen_random_uuid(), company_id, account_id, false, reason, actor_kind, actor_id, actor_role from account_freeze
     where account_id = '$frozenAccount'`,
    'row_inserted account_freeze/*',
  ],
  'a blacklisting, cleared': [
    `update app_user set identity_status = 'CLEAR' where id = '$frozen'`,
    'row_changed app_user/$frozen/identity_status',
  ],
  'the mark of a blacklisted person, deleted': [
    `delete from blacklist_mark where by_user = '$frozen'`,
    'row_deleted blacklist_mark/ID_NUMBER/*/*',
  ],
  'a person, approved': [
    `update app_user set kyc_level = 2 where id = '$buyer'`,
    'row_changed app_user/$buyer/kyc_level',
  ],
  'the number that receives codes': [
    `update app_user set mobile_number = '+263770000000' where id = '$buyer'`,
    'row_changed app_user/$buyer/mobile_number',
  ],
  'the reference that deposits carry': [
    `update app_user set custom_reference = 'mine' where id = '$buyer'`,
    'row_changed app_user/$buyer/custom_reference',
  ],
  'the name of a payee': [
    `update app_user set first_name = 'Other' where id = '$seller'`,
    'row_changed app_user/$seller/first_name',
  ],
  'the document of a person': [`update document set sha256 = sha256('other')`, 'row_changed document/*/sha256'],
  'a past fee rate': [
    `update fee_config set basis_points = 7 where company_id = '$company' and kind = 'SYSTEM_FEE' and currency = 'USD'`,
    'row_changed fee_config/$company/SYSTEM_FEE/USD/*/basis_points',
  ],
  'a fee rate, added': [
    `insert into fee_config (company_id, kind, currency, basis_points, effective_from) values ('$company', 'SYSTEM_FEE', 'USD', 0, now())`,
    'row_inserted fee_config/$company/SYSTEM_FEE/USD/*',
  ],
  "the company's fee": [
    `update company set service_fee_basis_points = 1 where id = '$company'`,
    'row_changed company/$company/service_fee_basis_points',
  ],
  'a payout limit': [
    `update payout_limit set amount_cents = 900000 where company_id = '$company'`,
    'row_changed payout_limit/$company/USD/amount_cents',
  ],
  'the default seller': [
    `update company set default_seller_id = '$buyer' where id = '$company'`,
    'row_changed company/$company/default_seller_id',
  ],
  'the hosts of the checkout': [
    `update company set checkout_hosts = '{evil.example}' where id = '$company'`,
    'row_changed company/$company/checkout_hosts',
  ],
  'the references of settlements': [
    `update company set settlement_card_reference = 'other' where id = '$company'`,
    'row_changed company/$company/settlement_card_reference',
  ],
  'the acts of order pages': [
    `update company set order_pages = '{}' where id = '$company'`,
    'row_changed company/$company/order_pages',
  ],
  'the need of a second factor': [
    `update company set require_mfa = true where id = '$company'`,
    'row_changed company/$company/require_mfa',
  ],
  'the token of an order page': [
    `update order_page set buyer_hash = encode(sha256('x'), 'hex') where id = '$order'`,
    'row_changed order_page/$order/buyer_hash',
  ],
  'a request on an order page, added': [
    `insert into order_request (id, company_id, escrow_id, act, party, details, command_id, created_at, lapses_at)
     select gen_random_uuid(), company_id, id, 'release', 'BUYER', '{}', gen_random_uuid(), now(), now() from escrow
     where id = '$order'`,
    'row_inserted order_request/*',
  ],
  'the external reference of an escrow': [
    `update escrow set external_reference = 'other' where id = '$order'`,
    'row_changed escrow/$order/external_reference',
  ],
  'where a link leads the buyer': [
    `update payment_link set success_url = 'https://evil.example/' where id = '$link'`,
    'row_changed payment_link/$link/success_url',
  ],
  'the hash of a link': [
    `update payment_link set hash = 'other' where id = '$link'`,
    'row_changed payment_link/$link/hash',
  ],
  "an administrator's role": [
    `update administrator set role = 'OWNER' where id = '$manager'`,
    'row_changed administrator/$manager/role',
  ],
  "an administrator's password": [
    `update administrator set password_hash = 'other', token_version = token_version + 1 where id = '$manager'`,
    'row_changed administrator/$manager/password_hash',
  ],
  "an administrator's second factor": [
    `update administrator set factor_version = factor_version + 1, recovery_hashes = '{x}' where id = '$manager'`,
    'row_changed administrator/$manager/recovery_hashes',
  ],
  'an administrator, added': [
    `insert into administrator (id, company_id, first_name, last_name, email, password_hash, role, proof)
     select gen_random_uuid(), company_id, 'A', 'B', 'other@test.example', password_hash, 'OWNER', proof from administrator
     where id = '$manager'`,
    'row_inserted administrator/*',
  ],
  'the permissions of a key': [
    `update api_key set permissions = '{read}' where company_id = '$company'`,
    'row_changed api_key/*/permissions',
  ],
  "a webhook's address": [
    `update webhook_endpoint set url = 'https://evil.example/' where id = '$webhook'`,
    'row_changed webhook_endpoint/$webhook/url',
  ],
  'a line of the audit log': [
    `update audit_log set actor_role = 'OWNER', status = 200 where id = (select min(id) from audit_log where company_id = '$company')`,
    'record_changed audit_log/*',
  ],
  'a line of the audit log, deleted': [
    `delete from audit_log where id = (
       select id from audit_log where company_id = '$company' order by id offset 1 limit 1)`,
    'record_deleted audit_log/*',
  ],
  'a line of the audit log, added': [
    `insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, status, request_id)
     values ('$company', 'administrator', '$manager', 'OWNER', 'POST /v1/treasury/withdraw', 201, 'x')`,
    'record_inserted audit_log/*',
  ],
  'what a line says about bank details': [
    `update audit_log set changes = null where company_id = '$company' and changes is not null`,
    'row_changed audit_log/*/changes',
  ],
  'a commitment, added': [
    `insert into commitment (company_id, record, changes)
     select company_id, record, '{"amount_cents": [null, "x"]}' from commitment where record like 'payout_limit/%'`,
    'record_inserted commitment/*',
  ],
  'the key of a row': [
    `update commitment_key set key = sha256('x') where record = 'app_user/$seller'`,
    'row_changed app_user/$seller/mobile_number',
  ],
};

/** What an audit does not name, as statements between semicolons. SECURITY.md lists it in these words. */
const UNNAMED: Readonly<Record<string, string>> = {
  'sessions, refresh tokens and one-time passwords': `update session set last_used_at = now() - interval '1 day'`,
  'texts that people wrote: names of items, notes, reasons': `update command_text set content = content || '{"notes": "x"}'`,
  "users' e-mail addresses, metadata, and references that they gave up": `update app_user set email = 'other@test.example', metadata = '{"a": 1}'`,
  'the list of banks': `update financial_institution set name = 'Other'`,
  'the feed of events, what webhooks get, and who is told of orders and new bank details': `update event set data = '{}';
    update webhook_endpoint set events = '{escrow.created}'; update bank_details set number_to_tell = null;
    update order_message set number_hash = null`,
  'answers that are stored under idempotency keys': `update idempotency set response_body = '{}'`,
  'the logos of companies': `delete from company_logo`,
  'registrations at a checkout that no company has used, and the assignment of disputes': `
    update checkout_registration set mobile_number = '+263770000009'; delete from dispute_assignment`,
  'the phone of a mobile-money prompt, and when providers were asked': `
    update payment_attempt set phone = '+263770000009' where phone is not null; update payment_attempt set asked_at = '{}'`,
  // test/e2e/tampered-copies.test.ts shows that they decide nothing.
  'copies that are checked on use: the directory, scripts of card forms': `
    update directory set id = gen_random_uuid(); update payment_attempt set script_url = 'https://other.example/form.js'`,
};

const fill = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => bare(ids[name] ?? `no ${name}`));

/**
 * What the audit names after all of these statements, as its kind and record, and the statements that the triggers refused. All of
 * it is rolled back.
 */
async function audited(orm: MikroORM, isWithTriggers: boolean, statements: readonly string[]) {
  const em = orm.em.fork();
  await em.begin();
  try {
    if (!isWithTriggers) await em.execute('set local session_replication_role = replica');
    const refused: string[] = [];
    for (const statement of statements) {
      await em.execute('savepoint before');
      try {
        await em.execute(fill(statement));
      } catch (error) {
        if (!isWithTriggers) throw error;
        await em.execute('rollback to savepoint before');
        refused.push(statement);
      }
    }
    const { mismatches } = await auditWithin(em, null);
    const others = mismatches.filter(({ record }) => record !== namedForGood);
    return { refused, named: others.map(({ kind, record }) => `${kind} ${record}`) };
  } finally {
    await em.rollback();
  }
}

const tamperings = Object.entries(NAMED);

test('an audit names nothing after the lives of these rows', async () => {
  expect(await audited(owner, true, [])).toEqual({ refused: [], named: [] });
});

describe('an audit names every change by the owner', () => {
  test.each([
    ['with the triggers of the tables, or they refuse it', true],
    ['without triggers', false],
  ])('%s', async (_, isWithTriggers) => {
    const statements = tamperings.map(([, [statement]]) => statement);
    const { refused, named } = await audited(isWithTriggers ? owner : superuser, isWithTriggers, statements);
    const unnamed = tamperings.filter(([, [statement, record]]) => {
      const pattern = new RegExp(`^${fill(record).replaceAll('*', '[^/]+')}$`);
      return !refused.includes(statement) && !named.some((one) => pattern.test(one));
    });
    expect(unnamed.map(([name]) => name)).toEqual([]);
    expect(refused.length).toBeLessThan(tamperings.length / 2);
  });
});

describe('an audit does not name', () => {
  test('changes of what decides nothing, or is short-lived', async () => {
    const statements = Object.values(UNNAMED).flatMap((text) => text.split(';'));
    expect(await audited(superuser, false, statements)).toEqual({ refused: [], named: [] });
  });

  test('what SECURITY.md lists, and nothing else is listed there', () => {
    const page = readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8');
    const [, list = ''] = /An audit does not name changes of:\n\n((?:- .*\n)+)/.exec(page) ?? [];
    const listed = [...list.matchAll(/^- (.*)$/gm)].map(([, item]) => item);
    expect(listed).toEqual([...Object.keys(UNNAMED), 'functions, triggers and rights of the database itself']);
  });
});

test('a change between two acts of the service stays named', async () => {
  const company = await newCompany(service);
  const set = (basisPoints: number) =>
    done(company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: basisPoints } }));
  await set(100);
  namedForGood = `company/${bare(company.id)}/service_fee_basis_points`;
  await owner.em.fork().execute('update company set service_fee_basis_points = 900 where id = ?', [bare(company.id)]);
  await set(200);
  const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
  expect(body.mismatches).toMatchObject([{ kind: 'row_changed', record: namedForGood }]);
});

/** The keys of the rows that are about the person. */
async function keysOf(userId: string): Promise<string[]> {
  const rows = await superuser.em.fork().execute<{ key: string }[]>(
    `select encode(k.key, 'hex') as key from commitment_key k where k.record = 'app_user/' || ?::text
       or k.record in (select 'ledger/' || l.id from ledger l where l.user_id = ?::uuid)
       or k.record in (select 'bank_details/' || b.id from bank_details b join ledger l on l.id = b.ledger_id where l.user_id = ?::uuid)`,
    [userId, userId, userId],
  );
  return rows.map(({ key }) => key);
}

test('an audit names nothing after a person was erased, and keys were rotated', async () => {
  const company = await newCompany(service);
  const user = await newUser(company, { firstName: 'Nyasha', customReference: `ref ${randomUUID()}` });
  const details = { body: BANK };
  await done(company.request('PATCH', `/v1/ledger/${user.ledgerId}/bank-details`, details));
  const before = await keysOf(bare(user.id));
  expect(before).toHaveLength(3);
  await done(company.post(`/v1/identity/users/${user.id}/erase`, { reason: 'the person asked' }));
  const after = await keysOf(bare(user.id));
  expect(after).toHaveLength(2); // bank details are deleted with their key
  expect(after.filter((key) => before.includes(key))).toEqual([]);
  const asService = { databaseUrl: service.database.ownerUrl, poolMax: 2, applicationName: 'test', isForService: true };
  const rotating = await connect(asService);
  const second = { id: 'second', key: randomBytes(32) };
  await rotateKeys(rotating, new FieldCipher([second, FIRST])).finally(() => rotating.close());
  const { mismatches } = await owner.em
    .fork()
    .transactional((em) => auditWithin(em, null, { cipher: new FieldCipher([second]) }));
  expect(mismatches.filter(({ record }) => record !== namedForGood)).toEqual([]);
});
