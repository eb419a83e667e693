import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../../../src/sandbox/stack/postgres-client.ts';
import { bare, nobody, refused, sql } from '../../../support/api.ts';
import { type BankLine, writeBankFile } from '../../../support/bank-writer.ts';
import { eventually } from '../../../support/eventually.ts';
import { nextMobileNumber } from '../../../support/mobile-numbers.ts';
import { switchOn } from '../../../support/order-pages.ts';
import { NOT_PERSONAL, PERSONAL } from '../../../support/personal-columns.ts';
import { traces } from '../../../support/search.ts';
import {
  type Answer,
  companyClient,
  done,
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, ended } from '../../../support/treasury.ts';

/** Of a whole life: test/e2e/personal-data.slow.test.ts. */

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

/** Stands in what says something about the person. */
const MARKER = 'Zyxwvuq';

const erase = (id: string, of = company) => of.post(`/v1/identity/users/${id}/erase`, { reason: 'the person asked' });
const deposit = (userId: string, amount: number) =>
  done(company.post('/v1/payments/deposit', { userId, amount, currency: 'USD' }));
const bank = { bank_name: MARKER, branch_code: '1', account_number: '4000111133', account_name: MARKER };
const LINK = '/v1/payments/generate-escrow-payment-link';
const linkTo = (buyerId: string) => ({
  ...{ buyerId, amount: 100, currency: 'USD', items: [{ name: 'x', quantity: 1, pricePerUnit: 100 }] },
});

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
  const offer = async (buyerId: string) => () => company.post(LINK, linkTo(buyerId));
  test.each<[string, (id: string) => Promise<() => Promise<Answer>>]>([
    ['a payment link', offer],
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
    ['a payment link', (id) => done(company.post(LINK, linkTo(id)))],
  ])('is refused while %s of theirs is open', async (_what, open) => {
    const { id } = await newUser(company);
    await open(id);
    expect(await erase(id)).toMatchObject(refused(409, 'wrong_state'));
  });

  test('money that the bank returns afterwards can be paid out, and what was written for that is erased again', async () => {
    const own = await newCompany(service);
    const { id, usdAccountId: accountId } = await newUser(own);
    await done(own.post('/v1/payments/deposit', { userId: id, amount: 1_000, currency: 'USD' }));
    const withdraw = async (externalReference: string) =>
      (await done(own.post('/v1/treasury/withdraw', { accountId, amount: 1_000, externalReference, ...bank }))).body.id;
    const until = (withdrawal: string, status: string) =>
      eventually(async () => (await own.get(`/v1/treasury/withdrawals/${withdrawal}`)).body.status === status);
    const eraseOwn = () => erase(id, own);

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
    expect(await traces(service, MARKER)).toContain('payout_destination: 1');
    expect((await done(eraseOwn())).body).toEqual({ userId: id, erasedAt });
    await eventually(async () => (await traces(service, MARKER)).length === 0);
  });
});

describe('after the erasure of a person, nothing writes their words again:', () => {
  const gone = async () => expect(await traces(service, MARKER)).toEqual([]);
  /** Until somebody waits for a row of the table: the waiting session holds a lock on the tuple. */
  const untilWaiting = (table: string) =>
    eventually(async () => {
      const waiting = `select from pg_locks where locktype = 'tuple' and relation = '${table}'::regclass
        and database = (select oid from pg_database where datname = current_database())`;
      return (await sql(service, waiting)).length > 0;
    });

  test('not the answer of a receiver that had the event before', async () => {
    const own = await newCompany(service);
    const held: { answer: ServerResponse; body: string }[] = [];
    const server = createServer(async (request, answer) => {
      let body = '';
      for await (const part of request) body += part;
      held.push({ answer, body });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on TCP
      const { id: endpoint } = (await done(own.post('/v1/webhooks', { url, events: ['user.created'] }))).body;
      const { id } = await newUser(own, { firstName: MARKER });
      await eventually(async () => held.length > 0);
      await done(erase(id, own));
      for (const { answer, body } of held) answer.end(body);
      expect(held[0]?.body).toContain(MARKER);
      const deliveries = `/v1/webhooks/${endpoint}/deliveries`;
      await eventually(async () => (await own.get(deliveries)).body.data[0]?.status === 'DELIVERED');
      await gone();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('not a repetition of a request whose answer was lost', async () => {
    const { id, usdAccountId: accountId } = await newUser(company);
    await deposit(id, 1_000);
    const key = `lost-${id}`;
    const body = { accountId, amount: 1_000, externalReference: key, ...bank };
    const withdraw = () => company.post('/v1/treasury/withdraw', body, key);
    const { body: withdrawal } = await done(withdraw());
    const path = `/v1/treasury/withdrawals/${withdrawal.id}`;
    await eventually(async () => (await company.get(path)).body.status === 'COMPLETED');
    // As if the API had ended before it stored the answer.
    await sql(
      service,
      'update idempotency set response_status = null, response_body = null, locked_until = now() where key = $1',
      [key],
    );
    await done(erase(id));
    expect((await withdraw()).status).toBe(201);
    await gone();
  });

  test('a repeated request for an order with pages has its ids alone', async () => {
    await switchOn(company);
    const { buyer, escrow } = await newParties(company, 25_000);
    const order = escrow({ items: [{ name: MARKER, quantity: 1, pricePerUnit: 25_000 }], orderPages: true });
    const begin = () => company.post('/v1/escrow/initiate', order, `pages-${buyer.id}`);
    const { id } = (await done(begin())).body;
    await done(company.post(`/v1/escrow/${id}/cancel`, { actor: 'ADMIN', reason: MARKER }));
    const withdrawal = {
      accountId: buyer.usdAccountId,
      amount: 25_000,
      externalReference: `rest-${buyer.id}`,
      ...bank,
    };
    await done(company.post('/v1/treasury/withdraw', withdrawal));
    await eventually(async () => (await erase(buyer.id)).status === 200);
    expect(await begin()).toMatchObject({ status: 201, body: { id } });
    await gone();
  });

  test('not the id of a registration without a link', async () => {
    const mobileNumber = nextMobileNumber();
    const person = { mobileNumber, idNumber: `${MARKER}-1`, firstName: MARKER };
    const platform = companyClient(service, {
      ...company,
      id: service.platform.companyId,
      apiKey: service.platform.apiKey,
    });
    const register = (body = person) => done(service.request('POST', '/v1/payments/register-checkout-user', { body }));
    const { userId } = (await register()).body;
    const twin = await eventually(async () => {
      const { status, body } = await platform.get(`/v1/identity/users/${userId}`);
      return status === 200 && body.id;
    });
    const { hash: paymentSlug } = (await done(company.post(LINK, linkTo(userId)))).body;
    await done(service.request('POST', '/v1/payments/reject-payment', { body: { paymentSlug } }));
    const { id } = (await company.get(`/v1/identity/users/${userId}`)).body;
    await done(erase(id));
    expect(await company.post(LINK, linkTo(userId))).toMatchObject(refused(422, 'unknown_user'));
    expect((await platform.get(`/v1/identity/users/${userId}`)).body).toMatchObject({ id: twin, firstName: MARKER });
    await done(erase(twin, platform));
    await gone();
    // Who registers again is somebody new.
    const { userId: later } = (await register({ ...person, idNumber: 'another', firstName: 'New' })).body;
    await done(company.post(LINK, linkTo(later)));
    expect((await company.get(`/v1/identity/users/${later}`)).body).toMatchObject({ mobileNumber, erasedAt: null });
  });

  test('not bank details that are set at the same time, or whose event waits', async () => {
    const user = await newUser(company);
    const path = `/v1/ledger/${user.ledgerId}/bank-details`;
    const set = () => company.request('PATCH', path, { body: bank });
    await done(set());
    await sql(
      service,
      `insert into event_set_aside (fact_id, company_id, object_kind, object_id, change, at, snapshot, source, reason)
       values (-1, $1, 'bank_details', $2, 'CHANGED', now(), $3, 'API', 'a test')`,
      [bare(company.id), bare(user.ledgerId), JSON.stringify({ before: null, after: { accountName: MARKER } })],
    );
    await withClient(service.database.ownerUrl, async (client) => {
      await client.query(`set app.as_service = on; set app.company_id = '${bare(company.id)}'; begin`);
      await client.query('select begin_erasure()');
      await client.query(`select erase_person($1, 'the person asked', $2)`, [bare(user.id), [user.mobileNumber]]);
      const acted = set();
      await untilWaiting('ledger');
      await client.query('commit');
      expect(await acted).toMatchObject(refused(409, 'wrong_state'));
    });
    await gone();
    await sql(service, 'delete from event_set_aside where fact_id = -1');
  });

  test('not the reason for which a blacklisting ends', async () => {
    const { id } = await newUser(company);
    await done(erase(id));
    const platform = companyClient(service, { ...company, apiKey: service.platform.apiKey });
    const change = { status: 'CLEAR', reason: MARKER };
    expect((await done(platform.post(`/v1/identity/admin/users/${id}/status`, change))).body.reason).toBeNull();
    await gone();
  });
});

describe("the bank's lines about a person", () => {
  test('lose their words with the erasure, or when they are matched after it; the books and repetitions stay', async () => {
    const WORD = 'Qwyxzuvo';
    const own = await newCompany(service);
    const customReference = `order-${Date.now()}`;
    const { id, usdAccountId } = await newUser(own, { customReference });
    const capture = async (reference: string, amount: number) =>
      (await done(own.post('/v1/treasury/bank/capture', { amount, currency: 'USD', reference }))).body.id;
    const receipts = [await capture(customReference, 100), await capture(customReference, 200)];
    const assigned = [await capture('assigned', 300), await capture('assigned later', 400)];
    for (const receipt of assigned) await done(own.post(`/v1/treasury/captures/${receipt}/assign`, { userId: id }));
    const payout = await done(own.post('/v1/treasury/withdraw', asked(usdAccountId, 1_000)));
    const { end_to_end_id: endToEndId } = await ended(own, payout.body.id);

    const line = (ref: string, amount: string, words: readonly string[], fields: Partial<BankLine> = {}): BankLine => ({
      ...{ ref, amount, sign: 'CRDT', text: [...words, `${WORD} ${ref}`] },
      ...fields,
    });
    const file = (lines: readonly BankLine[]) =>
      writeBankFile({ day: new Date().toISOString().slice(0, 10), opening: '50.00', lines });
    const send = async (rawBody: string) => {
      const headers = { 'content-type': 'application/xml' };
      return (await done(own.request('POST', '/v1/treasury/bank/statements', { rawBody, headers }))).body;
    };
    const linesOf = async (statement: string) =>
      (await done(own.get(`/v1/treasury/bank/statements/${statement}`))).body.lines;
    const match = async (statement: string, ref: string, receipt: string) => {
      const found = (await linesOf(statement)).find(({ bankReference }: Answer['body']) => bankReference === ref);
      return (await done(own.post(`/v1/treasury/bank/entries/${found.id}/match`, { kind: 'CAPTURE', id: receipt })))
        .body;
    };
    const before = file([
      line('paid', '1.00', [customReference]),
      line('given', '3.00', ['assigned']),
      line('byHand', '2.00', []),
      line('out', '10.00', [], { sign: 'DBIT', endToEndId }),
      line('open', '4.00', []),
    ]);
    const first = await send(before);
    await match(first.id, 'byHand', String(receipts[1]));
    const held = (await done(own.get(`/v1/identity/users/${id}/export`))).body.bankLines;
    expect(
      held.map(({ bankReference, amount, direction }: Answer['body']) => [bankReference, amount, direction]),
    ).toEqual([
      ['paid', '100', 'CREDIT'],
      ['given', '300', 'CREDIT'],
      ['byHand', '200', 'CREDIT'],
      ['out', '1000', 'DEBIT'],
    ]);
    for (const { bankReference, reference, texts } of held) {
      expect(reference).toContain(`${WORD} ${bankReference}`);
      expect(texts).toContain(`${WORD} ${bankReference}`.toLowerCase());
    }

    await done(erase(id, own));
    const kept = (await linesOf(first.id)).map(({ bankReference, reference, status, amount }: Answer['body']) => [
      ...[bankReference, reference, status, amount],
    ]);
    expect(kept).toEqual([
      ['paid', null, 'MATCHED', '100'],
      ['given', null, 'MATCHED', '300'],
      ['byHand', null, 'MATCHED', '200'],
      ['out', null, 'MATCHED', '1000'],
      ['open', `${WORD} open`, 'OPEN', '400'],
    ]);
    expect(await match(first.id, 'open', String(assigned[1]))).toMatchObject({ reference: null, amount: '400' });
    expect(await traces(service, WORD)).toEqual([]);
    expect(await send(before)).toMatchObject({ entries: 5, duplicates: 5 });

    // A receipt that waited for its line.
    const again = await newUser(own, { customReference: 'second' });
    await capture('second', 500);
    const out = await done(own.post('/v1/treasury/withdraw', asked(again.usdAccountId, 500)));
    const second = await ended(own, out.body.id);
    await done(erase(again.id, own));
    const late = [line('late', '5.00', ['second'])];
    const lateOut = line('late out', '5.00', [], { sign: 'DBIT', endToEndId: second.end_to_end_id });
    expect(await send(file([...late, lateOut]))).toMatchObject({ entries: 2, matched: 2, open: 0 });
    expect(await traces(service, WORD)).toEqual([]);
    expect((await own.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true });
    // Nothing but the erasure may empty a line, and an audit names what the owner of the database empties.
    await withClient(service.database.ownerUrl, async (client) => {
      const id = bare(own.id);
      await client.query('begin');
      await client.query('savepoint untouched');
      const changed = client.query("update bank_entry set bank_reference = 'other' where company_id = $1", [id]);
      await expect(changed).rejects.toThrow('never changed');
      await client.query('rollback to savepoint untouched');
      await client.query(
        `insert into bank_entry select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(),
        'part', 2, 'reference', 'words'))).* from bank_entry e where e.company_id = $1 and e.bank_reference = 'late'`,
        [id],
      );
      const audited = async () => {
        const { rows } = await client.query('select ledger_verify($1) as found', [id]);
        return rows[0].found.mismatches.map(({ kind }: { kind: string }) => kind);
      };
      expect(await audited()).toEqual([]);
      await client.query('update bank_entry set reference = null where company_id = $1 and part = 2', [id]);
      expect(await audited()).toEqual(['record_changed']);
      await client.query('rollback');
    });
  });

  test('that is imported while the person is erased waits, and keeps no words', async () => {
    const own = await newCompany(service);
    const { id } = await newUser(own, { customReference: 'awaited' });
    await done(own.post('/v1/treasury/bank/capture', { amount: 100, currency: 'USD', reference: 'awaited' }));
    const lines: BankLine[] = [{ amount: '1.00', sign: 'CRDT', text: ['awaited', 'Vuqwozyx'] }];
    const rawBody = writeBankFile({ day: new Date().toISOString().slice(0, 10), opening: '0.00', lines });
    await withClient(service.database.ownerUrl, async (client) => {
      await client.query(`set app.as_service = on; set app.company_id = '${bare(own.id)}'; begin`);
      await client.query('select begin_erasure()');
      const headers = { 'content-type': 'application/xml' };
      const imported = own.request('POST', '/v1/treasury/bank/statements', { rawBody, headers });
      await eventually(async () => {
        const [{ waiting } = { waiting: 0 }] = await sql(
          service,
          "select count(*)::int as waiting from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and not granted",
        );
        return Number(waiting) > 0;
      });
      await client.query(`select erase_person($1, 'the person asked', '{}')`, [bare(id)]);
      await client.query('commit');
      expect(await imported).toMatchObject({ status: 201, body: { entries: 1, matched: 1 } });
    });
    expect(await traces(service, 'Vuqwozyx')).toEqual([]);
  });
});
