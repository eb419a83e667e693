import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../../../src/sandbox/stack/postgres-client.ts';
import { bare, nobody, refused, sql } from '../../../support/api.ts';
import { documentForm, pdf } from '../../../support/documents.ts';
import { eventually } from '../../../support/eventually.ts';
import { nextMobileNumber } from '../../../support/mobile-numbers.ts';
import { actOnPage, switchOn } from '../../../support/order-pages.ts';
import { NOT_PERSONAL, PERSONAL } from '../../../support/personal-columns.ts';
import { found, textOf } from '../../../support/search.ts';
import {
  type Answer,
  done,
  newCompany,
  newUser,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService & WithTemporal;
let company: TestCompany;
/** A receiver of webhooks that answers what it gets. */
let echo: Server;

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service);
  echo = createServer((request, response) => request.pipe(response));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  markedNumber = nextMobileNumber(); // the shared service tells where this file's numbers begin
});
afterAll(async () => {
  await service.stop();
  echo.closeAllConnections();
  echo.close();
});

/** Stands in every field that says something about the person. */
const MARKER = 'Zyxwvuq';
let markedNumber: string;

const erase = (id: string) => company.post(`/v1/identity/users/${id}/erase`, { reason: 'the person asked' });
const deposit = (userId: string, amount: number) =>
  done(company.post('/v1/payments/deposit', { userId, amount, currency: 'USD' }));
const usdOf = async (userId: string): Promise<string> =>
  (await company.request('GET', `/v1/ledger/user/${userId}/accounts`)).body.find(
    ({ currency }: { currency: string }) => currency === 'USD',
  ).id;

/** All events of the company. */
async function everyEvent() {
  const events = [];
  for (let path: string | null = '/v1/events?limit=100'; path !== null; ) {
    const { data, hasMore }: { data: { id: string; type: string }[]; hasMore: boolean } = (await company.get(path))
      .body;
    events.push(...data);
    path = hasMore ? `/v1/events?limit=100&after=${data.at(-1)?.id}` : null;
  }
  return events;
}

/** Rows of all tables that contain the text, as `table: count`. */
async function traces(text: string): Promise<string[]> {
  const tables = await sql(
    service,
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    // Bytes are shown as hexadecimal digits.
    const rows = await sql(
      service,
      `select count(*)::int as n from "${name}" t
       where t::text ilike '%' || $1 || '%' or t::text ilike '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%'`,
      [text],
    );
    if (Number(rows[0]?.n) > 0) found.push(`${name}: ${rows[0]?.n}`);
  }
  return found;
}

/** A person in whose every field and file the marker stands, with an order, a payment, a payout, notes, a dispute, and events of all that. */
async function busyPerson() {
  const words: string[] = [];
  const marked = (field: string) => {
    words.push(`${MARKER} ${field}`);
    return `${MARKER} ${field}`;
  };
  const { port } = echo.address() as AddressInfo; // it listens on TCP
  await done(company.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['*'] }));
  await done(company.post('/v1/identity/financial-institutions/seed'));
  const institutions = (await company.request('GET', '/v1/identity/financial-institutions')).body;
  const user = (
    await done(
      company.post('/v1/identity/users', {
        mobileNumber: markedNumber,
        idNumber: `${MARKER}-ID`,
        firstName: marked('first'),
        lastName: marked('last'),
        email: `${MARKER}@person.example`,
        metadata: { note: marked('metadata') },
        customReference: marked('reference'),
        bankAccount: {
          institutionId: institutions[0].id,
          accountNumber: '4000111122',
          accountName: marked('holder'),
          branchName: marked('branch'),
        },
      }),
    )
  ).body;
  const id: string = user.id;
  await done(
    company.request('POST', `/v1/identity/users/${id}/document`, { form: documentForm(pdf(marked('document'))) }),
  );
  const bank = {
    bank_name: marked('bank'),
    branch_code: '0102',
    account_number: '4000111122',
    account_name: marked('name'),
  };
  await done(company.request('PATCH', `/v1/ledger/${user.ledgerId}/bank-details`, { body: bank }));
  await deposit(id, 10_000);
  const { body: wrong } = await deposit(id, 300);
  await done(company.post(`/v1/payments/transaction/${wrong.id}/reverse`, { reason: marked('reversal') }));
  for (const is_frozen of [true, false])
    await done(
      company.request('PATCH', `/v1/ledger/accounts/${await usdOf(id)}`, {
        body: { is_frozen, reason: marked('freeze') },
      }),
    );
  const seller = await newUser(company);
  const escrow = (
    await done(
      company.post('/v1/escrow/initiate', {
        buyerId: id,
        sellerId: seller.id,
        buyerAccountId: await usdOf(id),
        items: [{ name: marked('item'), description: marked('item text'), quantity: 1, pricePerUnit: 5_000 }],
        milestones: [{ title: marked('milestone'), description: marked('milestone text'), percentage: 100 }],
        externalReference: `order-${Date.now()}`,
      }),
    )
  ).body;
  const detail = (await company.request('GET', `/v1/escrow/${escrow.id}`)).body;
  const items = [{ itemId: detail.items[0].id, quantity: 1, price_per_item: 5_000 }];
  await done(company.post(`/v1/escrow/${escrow.id}/delivery-note`, { items, notes: marked('note') }));
  await done(company.post(`/v1/escrow/${escrow.id}/dispute`, { actor: 'BUYER', reason: marked('reason') }));
  await done(company.post(`/v1/escrow/${escrow.id}/dispute/notes`, { note: marked('staff note') }));
  await done(company.post(`/v1/escrow/${escrow.id}/dispute/assign`, { adminId: company.owner.id }));
  const link = await done(
    company.post('/v1/payments/generate-escrow-payment-link', {
      ...{ buyerId: id, sellerId: seller.id, amount: 100, currency: 'USD' },
      items: [{ name: marked('linked item'), description: marked('linked text'), quantity: 1, pricePerUnit: 100 }],
    }),
  );
  await done(service.request('POST', '/v1/payments/reject-payment', { body: { paymentSlug: link.body.hash } }));
  await switchOn(company, { ask_cancel: 'ask' });
  await ask(id, seller.id, marked);
  const { buyerUrl: url } = (await done(company.post(`/v1/escrow/${escrow.id}/order-pages`))).body;
  const files = [new Blob([new Uint8Array(pdf(marked('file')))])];
  const fields = { reason: marked('evidence') };
  await actOnPage(service, { url, mobileNumber: markedNumber, act: 'evidence', fields, files });
  await done(company.post(`/v1/escrow/${escrow.id}/cancel`, { actor: 'ADMIN', reason: marked('cancel reason') }));
  const payout = { accountId: await usdOf(id), amount: 9_000, externalReference: `payout-${Date.now()}`, ...bank };
  const withdrawal = (await done(company.post('/v1/treasury/withdraw', payout))).body;
  await eventually(
    async () => (await company.request('GET', `/v1/treasury/withdrawals/${withdrawal.id}`)).body.status === 'COMPLETED',
  );
  return { id, escrow, withdrawal, words };
}

/** On the page of another order, the person asks for its end, is refused, and gets it. */
async function ask(buyerId: string, sellerId: string, marked: (field: string) => string): Promise<void> {
  const items = [{ name: marked('second item'), quantity: 1, pricePerUnit: 100 }];
  const externalReference = `asked-${Date.now()}`;
  const order = { buyerId, sellerId, buyerAccountId: await usdOf(buyerId), items, externalReference };
  const { id } = (await done(company.post('/v1/escrow/initiate', order))).body;
  const { buyerUrl: url } = (await done(company.post(`/v1/escrow/${id}/order-pages`))).body;
  const fields = { reason: marked('request') };
  await actOnPage(service, { url, mobileNumber: markedNumber, act: 'ask_cancel', fields });
  const [request] = (await company.get(`/v1/escrow/${id}/requests`)).body.data;
  await done(company.post(`/v1/escrow/${id}/requests/${request.id}/refuse`, { reason: marked('refusal') }));
  await done(company.post(`/v1/escrow/${id}/cancel`, { actor: 'ADMIN', reason: marked('second reason') }));
}

/** Personal columns that the life above leaves without the marker. */
const UNMARKED = [
  // They are encrypted, masked or codes.
  ...['account_number', 'branch_code', 'masked_number', 'number_to_tell'].map((column) => `bank_details.${column}`),
  ...['app_user.bank_account', 'app_user.id_number'],
  // Nothing of the person comes to stand in them.
  'app_user.identity_status_reason',
  ...['first_name', 'id_number', 'last_name', 'mobile_number'].map((column) => `checkout_registration.${column}`),
  ...['event_fact.snapshot', 'event_set_aside.snapshot', 'order_request.secret', 'payment_attempt.phone'],
  ...['payment_link.user_reference', 'payout_destination.account_number', 'payout_destination.branch_code'],
];

/** Personal columns in which the marker does not stand in clear. */
async function unmarked(): Promise<string[]> {
  const found: string[] = [];
  for (const [table, columns] of Object.entries(PERSONAL))
    for (const column of columns.split(' ')) {
      const rows = await sql(
        service,
        `select from "${table}" t where "${column}"::text ilike '%' || $1 || '%' or "${column}"::text like '%' || $2 || '%'
           or "${column}"::text ilike '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%' limit 1`,
        [MARKER, markedNumber.slice(1)],
      );
      if (rows.length === 0) found.push(`${table}.${column}`);
    }
  return found;
}

test('every column of text, JSON or bytes is listed as personal or not', async () => {
  const rows = await sql(
    service,
    `select c.relname as name, string_agg(a.attname, ' ' order by a.attname collate "C") as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not like 'mikro_orm%' and coalesce(nullif(t.typbasetype, 0), nullif(t.typelem, 0), t.oid) in ('text'::regtype, 'jsonb'::regtype, 'bytea'::regtype)
     group by 1`,
  );
  const listed = (name: string) => [PERSONAL[name], NOT_PERSONAL[name]].filter((one) => one !== undefined).join(' ');
  const differing = rows.filter(({ name, columns }) => listed(String(name)).split(' ').sort().join(' ') !== columns);
  expect(differing).toEqual([]);
});

describe('GET /v1/identity/users/:id/export', () => {
  test('has all that is held, and is not for managers of another company', async () => {
    const user = await newUser(company);
    await deposit(user.id, 700);
    const answer = await company.request('GET', `/v1/identity/users/${user.id}/export`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: { id: user.id, mobileNumber: expect.any(String), idNumber: expect.any(String) },
        transactions: [{ type: 'DEPOSIT', amount: '700' }],
        events: expect.arrayContaining([]),
      },
    });
    expect(await company.request('GET', `/v1/identity/users/${nobody('usr')}/export`)).toMatchObject(
      refused(404, 'not_found'),
    );
  });
});

describe('what gives a person money or an order', () => {
  const order = async (sellerId: string) => {
    const { id: buyerId, usdAccountId: buyerAccountId } = await newUser(company);
    await deposit(buyerId, 1_000);
    return () =>
      company.post('/v1/escrow/initiate', {
        ...{ buyerId, sellerId, buyerAccountId, externalReference: `race-${Date.now()}` },
        items: [{ name: 'x', quantity: 1, pricePerUnit: 1_000 }],
      });
  };
  const assign = async (userId: string) => {
    const receipt = { amount: 700, currency: 'USD', reference: `race-${Date.now()}` };
    const { body } = await done(company.post('/v1/treasury/bank/capture', receipt));
    return () => company.post(`/v1/treasury/captures/${body.id}/assign`, { userId });
  };
  test.each<[string, (id: string) => Promise<() => Promise<Answer>>]>([
    ['a deposit', async (userId) => () => company.post('/v1/payments/deposit', { userId, amount: 1, currency: 'USD' })],
    ['an escrow', order],
    ['the assignment of a receipt', assign],
  ])('%s waits for the erasure of the person, and is then refused', async (_what, prepare) => {
    const { id } = await newUser(company);
    const act = await prepare(id);
    await withClient(service.database.ownerUrl, async (client) => {
      await client.query(`set app.as_service = on; set app.company_id = '${bare(company.id)}'; begin`);
      // As an erasure: nothing of the person is open, and then it erases.
      await client.query('select begin_erasure()');
      await client.query('select id from app_user where id = $1 for update', [bare(id)]);
      const acted = act();
      await eventually(async () => {
        const [{ waiting } = { waiting: 0 }] = await sql(
          service,
          "select count(*)::int as waiting from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and not granted",
        );
        return Number(waiting) > 0;
      });
      await client.query(`select user_erase($1, 'the person asked')`, [bare(id)]);
      await client.query('commit');
      expect(await acted).toMatchObject(refused(422, 'unknown_user'));
    });
  });
});

describe('POST /v1/identity/users/:id/erase', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['money', (id) => deposit(id, 1)],
    [
      'a payment link',
      (id) =>
        done(
          company.post('/v1/payments/generate-escrow-payment-link', {
            buyerId: id,
            amount: 100,
            currency: 'USD',
            items: [{ name: 'x', quantity: 1, pricePerUnit: 100 }],
          }),
        ),
    ],
  ])('is refused while %s of theirs is open', async (_what, open) => {
    const { id } = await newUser(company);
    await open(id);
    expect(await erase(id)).toMatchObject(refused(409, 'wrong_state'));
  });

  test('leaves no trace of the person in any table, event, list or search; books and ids stay', async () => {
    const { id, escrow, withdrawal, words } = await busyPerson();
    const published = async () =>
      (await sql(service, 'select count(*)::int as n from event_fact where company_id = $1', [bare(company.id)]))[0]
        ?.n === 0;
    await eventually(published);
    const marked = (await traces(MARKER)).map((trace) => trace.split(':')[0]);
    expect(marked).toEqual(
      expect.arrayContaining(['account_freeze', 'app_user', 'command_text', 'dispute_note', 'event', 'order_request']),
    );
    await eventually(async () => (await traces(`${MARKER} name`)).some((trace) => trace.startsWith('webhook_attempt')));
    expect(await unmarked()).toEqual(UNMARKED);
    expect(await traces(`${MARKER} document`)).toContain('document_chunk: 1');
    expect(await traces(`${MARKER} file`)).toContain('document_chunk: 1');
    const exported = await company.request('GET', `/v1/identity/users/${id}/export`);
    const text = JSON.stringify(exported.body);
    // The bytes of files are downloaded.
    expect(words.filter((word) => !text.includes(word))).toEqual([`${MARKER} document`, `${MARKER} file`]);
    expect(exported.body.withdrawals[0]).toMatchObject({ accountNumber: '4000111122' });

    const balance = (await company.request('GET', `/v1/ledger/user/${id}/accounts`)).body;
    const left = Number(balance.find(({ currency }: { currency: string }) => currency === 'USD').balance);
    await done(
      company.post('/v1/treasury/withdraw', {
        accountId: await usdOf(id),
        amount: left,
        externalReference: `rest-${Date.now()}`,
        ...{ bank_name: MARKER, branch_code: '1', account_number: '4000111122', account_name: MARKER },
      }),
    );
    const erased = await eventually(async () => {
      const answer = await erase(id);
      return answer.status === 200 && answer;
    });
    expect(erased.body).toEqual({ userId: id, erasedAt: expect.any(String) });
    expect((await erase(id)).body).toEqual(erased.body);

    const user = await company.request('GET', `/v1/identity/users/${id}`);
    expect(user).toMatchObject({
      status: 200,
      body: {
        ...{ id, mobileNumber: null, idNumber: null, firstName: null, lastName: null, email: null, metadata: null },
        ...{ documentUrl: null, bankAccount: null, customReference: null, erasedAt: erased.body.erasedAt },
      },
    });
    await eventually(published);
    expect(await traces(MARKER)).toEqual([]);
    expect(await traces(markedNumber)).toEqual([]);
    for (const path of [
      `/v1/escrow/${escrow.id}`,
      `/v1/escrow/${escrow.id}/timeline`,
      `/v1/treasury/withdrawals/${withdrawal.id}`,
    ])
      expect(JSON.stringify((await company.request('GET', path)).body)).not.toContain(MARKER);
    expect((await company.request('GET', `/v1/identity/users?q=${MARKER}`)).body).toEqual([]);
    const platform = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
    for (const word of [MARKER, markedNumber, '4000111122']) {
      const search = new URLSearchParams({ search: word });
      const answer = await service.request('GET', `/v1/identity/admin/users?${search}`, { headers: platform });
      expect(answer).toMatchObject({ status: 200, body: { data: [], total: 0 } });
    }
    const events = await everyEvent();
    expect(events).toContainEqual(expect.objectContaining({ type: 'user.erased' }));
    const log = (await company.get('/v1/core/audit-log?limit=100')).body.data;
    const lines = log.filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'party');
    expect(lines).toMatchObject([
      { operation: 'page:evidence', ip: null },
      { operation: 'page:ask_cancel', ip: null },
    ]);
    expect(JSON.stringify([events, log])).not.toMatch(new RegExp(`${MARKER}|${markedNumber.slice(1)}|4000111122`));
    for (const run of [`escrow/${escrow.id}`, `withdrawal/${withdrawal.id}`]) {
      const { events: history } = await service.temporal.workflow.getHandle(run).fetchHistory();
      expect(history?.length).toBeGreaterThan(5);
      expect(found(textOf(history), { MARKER, markedNumber, account: '4000111122' })).toEqual([]);
    }

    const bodies: [string, string, object][] = [
      ['/v1/payments/deposit', 'POST', { userId: id, amount: 1, currency: 'USD' }],
      ['/v1/core/companies/me', 'PATCH', { default_seller_id: id }],
    ];
    for (const [path, method, body] of bodies)
      expect(
        await company.request(method, path, { body, headers: { 'x-idempotency-key': `after-${path}` } }),
      ).toMatchObject(refused(422, 'unknown_user'));
    expect(await company.post(`/v1/identity/users/${id}/link-id`, { idNumber: 'again' })).toMatchObject(
      refused(409, 'wrong_state'),
    );
    const again = await company.post('/v1/identity/users', { mobileNumber: markedNumber, idNumber: 'another' });
    expect(again.status).toBe(201); // the number is free
    const audit = await company.request('GET', '/v1/ledger/verify-ledger-integrity');
    expect(audit.body).toMatchObject({ ok: true });
  });

  test('money that the bank returns afterwards can be paid out, and what was written for that is erased again', async () => {
    const own = await newCompany(service);
    const { id, usdAccountId: accountId } = await newUser(own);
    await done(own.post('/v1/payments/deposit', { userId: id, amount: 1_000, currency: 'USD' }));
    const bank = { bank_name: MARKER, branch_code: '1', account_number: '4000111133', account_name: MARKER };
    const withdraw = async (externalReference: string) =>
      (await done(own.post('/v1/treasury/withdraw', { accountId, amount: 1_000, externalReference, ...bank }))).body.id;
    const until = (withdrawal: string, status: string) =>
      eventually(async () => (await own.get(`/v1/treasury/withdrawals/${withdrawal}`)).body.status === status);
    const eraseOwn = () => own.post(`/v1/identity/users/${id}/erase`, { reason: 'the person asked' });

    const reference = `sandbox-returned-${Date.now()}`;
    const returned = await withdraw(reference);
    await until(returned, 'COMPLETED');
    const { erasedAt } = (await done(eraseOwn())).body;
    await eventually(async () => {
      const { body: payouts } = await service.sandbox.control('GET', '/payouts');
      return payouts.some(
        (one: { reference: string; state: string }) => one.reference === reference && one.state === 'returned',
      );
    });
    await own.post('/v1/sandbox/clock', { advanceHours: 2 });
    await until(returned, 'REVERSED');
    expect((await done(eraseOwn())).body).toEqual({ userId: id, erasedAt }); // there is money again
    await until(await withdraw(`again-${Date.now()}`), 'COMPLETED');
    expect(await traces(MARKER)).toContain('payout_destination: 1');
    expect((await done(eraseOwn())).body).toEqual({ userId: id, erasedAt });
    await eventually(async () => (await traces(MARKER)).length === 0);
  });
});
