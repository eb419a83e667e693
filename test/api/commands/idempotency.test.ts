import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WAIT_LIMITS } from '../../../src/api/limits.ts';
import { bare, logIn, nobody, refused, sql } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { type OwnService, ownService } from '../../support/own-service.ts';
import {
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

const DEPOSIT = '/v1/payments/deposit';
const body = { amount: 1_000, currency: 'USD' };

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const transactionCount = async (of: TestCompany) =>
  (await of.get('/v1/ledger/verify-ledger-integrity')).body.checkedTransactions;
/** Changes the row of a key as the passage of time or a crash would. */
const age = (key: string, change: string) => sql(service, `update idempotency set ${change} where key = $1`, [key]);

/** Repeats with the same key what a busy machine answers with 503. */
const sure = (of: TestCompany, path: string, sent: unknown, key: string) =>
  untilAnswered(() => of.post(path, sent, key));

describe('a command that was neither confirmed nor refused', () => {
  let service: OwnService;
  beforeAll(async () => {
    service = await ownService({ waits: { ...WAIT_LIMITS, commandMs: 2_000, turnMs: 1_500 } });
  });
  afterAll(() => service.stop());

  test('is the same one after a 429: its effect, its text and its answer exist once', async () => {
    const mine = await newCompany(service);
    const { escrow } = await newParties(mine);
    const { id } = (await mine.post('/v1/escrow/initiate', escrow())).body;
    const key = randomUUID();
    const dispute = () => mine.post(`/v1/escrow/${id}/dispute`, { actor: 'BUYER', reason: 'the pump is broken' }, key);
    const extend = () => mine.post(`/v1/escrow/${id}/extend`, { actor: 'BUYER', hours: 1 }, randomUUID());
    await service.stopWorker();
    expect(await dispute()).toMatchObject({ status: 503 });
    const refusal = await eventually(async () => {
      const others = Promise.all([extend(), extend(), extend()]); // as many as an escrow takes at once
      const again = await dispute();
      await others;
      return again.status !== 503 && again; // on a busy machine the others may give up before its turn is over
    });
    expect(refusal).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    await service.startWorker();
    const answer = await eventually(async () => {
      const again = await dispute();
      return again.status !== 503 && again;
    });
    expect(answer).toMatchObject({ status: 200 });
    const { body: timeline } = await mine.get(`/v1/escrow/${id}/timeline`);
    const disputes = timeline.filter(({ event }: { event: string }) => event === 'DISPUTED');
    expect(disputes).toMatchObject([{ details: { reason: 'the pump is broken' } }]);
  });
});

describe('the same key and request again', () => {
  test('gets the first answer, says that it is a replay, and does nothing twice', async () => {
    const mine = await newCompany(service);
    const key = randomUUID();
    const first = await mine.post(DEPOSIT, body, key);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const again = await mine.post(DEPOSIT, body, key);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await transactionCount(mine)).toBe(1);
  });

  test.each([
    ['fields in another order', '{"currency":"USD","amount":1000,"userReference":"first"}'],
    ['white space', '{ "amount" : 1000,\n\t"currency" : "USD", "userReference":"first" }'],
    ['trimmed text', '{"amount":1000,"currency":"USD","userReference":"  first "}'],
    ['an escape', '{"amount":1000,"currency":"\\u0055SD","userReference":"first"}'],
    ['a field that the operation does not have', '{"amount":1000,"currency":"USD","userReference":"first","x":1}'],
    [
      'a default and null in the place of nothing',
      '{"amount":1000,"currency":"USD","userReference":"first","isTransit":false,"externalReference":null}',
    ],
  ])('gets it with %s, because the parsed requests are equal', async (_what, rawBody) => {
    const key = randomUUID();
    const first = await company.post(DEPOSIT, { ...body, userReference: 'first' }, key);
    expect(first.status).toBe(201);
    const again = await company.request('POST', DEPOSIT, {
      rawBody,
      headers: { 'x-idempotency-key': key, prefer: 'handling=lenient' },
    });
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test.each([{ milestones: [] }, { feePayer: 'SELLER', sellerAccountId: null }])(
    'of an escrow gets it with %j in the place of nothing',
    async (defaults) => {
      const key = randomUUID();
      const { escrow } = await newParties(company);
      const order = escrow();
      const first = await company.post('/v1/escrow/initiate', order, key);
      const again = await company.post('/v1/escrow/initiate', { ...order, ...defaults }, key);
      expect(again).toMatchObject({ status: 201, body: { id: first.body.id } });
    },
  );

  test('gets the bytes, the status and the type of the first answer, whatever the operation', async () => {
    const { escrow } = await newParties(company);
    const { body: made } = await company.post('/v1/escrow/initiate', escrow());
    const { buyerAccountId: _account, ...order } = escrow();
    const requests: readonly (readonly [path: string, body: unknown])[] = [
      [DEPOSIT, body],
      [
        '/v1/identity/users',
        { mobileNumber: '+263771110002', idNumber: '2', metadata: { z: [1.5, 'é'], a: { b: '"' } } },
      ],
      ['/v1/escrow/initiate', escrow()],
      [`/v1/escrow/${made.id}/release`, {}],
      ['/v1/payments/generate-escrow-payment-link', { ...order, amount: 25_000, currency: 'USD' }],
    ];
    for (const [path, sent] of requests) {
      const send = async (key: string) => {
        const answer = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: {
            ...{ 'x-api-key': company.apiKey, 'x-company-id': company.id },
            ...{ 'x-idempotency-key': key, 'content-type': 'application/json' },
          },
          body: JSON.stringify(sent),
        });
        const headers = Object.fromEntries(answer.headers);
        return { headers, content: { path, status: answer.status, text: await answer.text() } };
      };
      const key = randomUUID();
      const first = await eventually(async () => {
        const answer = await send(key);
        return answer.content.status !== 503 && answer;
      });
      const again = await send(key);
      expect(again.content).toEqual(first.content);
      expect(again.content.status).toBeLessThan(300);
      expect(again.headers['idempotent-replayed']).toBe('true');
      for (const name of ['content-type', 'content-length', 'location', 'x-ignored-fields'])
        expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    }
  });

  test('is returned to every caller of the company', async () => {
    const key = randomUUID();
    const first = await company.post(DEPOSIT, body, key);
    const owner = await logIn(service, company.id, company.owner);
    const again = await owner.request('POST', DEPOSIT, { body, headers: { 'x-idempotency-key': key } });
    expect(again).toMatchObject({ status: 201, body: { id: first.body.id } });
  });

  test('sent ten times at once is done once; the other calls get 409 or the answer', async () => {
    const mine = await newCompany(service);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => mine.post(DEPOSIT, body, key)));
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map((answer) => answer.body.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject(refused(409, 'idempotency_in_progress'));
    expect(await transactionCount(mine)).toBe(1);
  });

  test('works for users, escrows and their steps too', async () => {
    const { escrow } = await newParties(company);
    const [forUser, forEscrow, forCancel] = [randomUUID(), randomUUID(), randomUUID()];
    const person = { mobileNumber: '+263771110001', idNumber: '1' };
    const user = await company.post('/v1/identity/users', person, forUser);
    expect(await company.post('/v1/identity/users', person, forUser)).toMatchObject({ status: 201, body: user.body });
    const order = escrow();
    const made = await sure(company, '/v1/escrow/initiate', order, forEscrow);
    expect(await company.post('/v1/escrow/initiate', order, forEscrow)).toMatchObject({ status: 201, body: made.body });
    const path = `/v1/escrow/${made.body.id}/cancel`;
    const reason = { actor: 'BUYER', reason: 'changed my mind' };
    const cancelled = await sure(company, path, reason, forCancel);
    const again = await company.post(path, reason, forCancel);
    expect(again).toMatchObject({ status: 200, body: cancelled.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('the same key on another request', () => {
  test('with any difference in the same operation: 422', async () => {
    const key = randomUUID();
    await company.post(DEPOSIT, body, key);
    for (const changed of [
      { ...body, amount: 1_001 },
      { ...body, currency: 'ZIG' },
      { ...body, isTransit: true },
    ])
      expect(await company.post(DEPOSIT, changed, key)).toMatchObject(refused(422, 'idempotency_key_reused'));
    expect(await company.post(DEPOSIT, body, key)).toMatchObject({ status: 201 });
  });

  test('on another escrow: 422', async () => {
    const { escrow } = await newParties(company);
    const [one, two] = [
      await company.post('/v1/escrow/initiate', escrow()),
      await company.post('/v1/escrow/initiate', escrow()),
    ];
    const key = randomUUID();
    expect(await sure(company, `/v1/escrow/${one.body.id}/release`, undefined, key)).toMatchObject({ status: 200 });
    expect(await company.post(`/v1/escrow/${two.body.id}/release`, undefined, key)).toMatchObject(
      refused(422, 'idempotency_key_reused'),
    );
  });

  test('of another operation counts as another key: both are carried out', async () => {
    const { escrow, seller } = await newParties(company);
    const key = randomUUID();
    const deposit = await company.post(DEPOSIT, { ...body, userId: seller.id }, key);
    const made = await sure(company, '/v1/escrow/initiate', escrow(), key);
    const released = await sure(company, `/v1/escrow/${made.body.id}/release`, undefined, key);
    expect([deposit.status, made.status, released.status]).toEqual([201, 201, 200]);
    expect(bare(released.body.transactionId)).not.toBe(bare(deposit.body.id));
  });

  test('of another company counts as another key', async () => {
    const other = await newCompany(service);
    const key = randomUUID();
    const [ours, theirs] = [await company.post(DEPOSIT, body, key), await other.post(DEPOSIT, body, key)];
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.id).not.toBe(ours.body.id);
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
  });
});

describe('a refused request', () => {
  test('is not stored: the key may be tried again, with a body that works', async () => {
    const user = await newUser(company);
    const key = randomUUID();
    const externalReference = `bank-${randomUUID()}`;
    await company.post(DEPOSIT, { ...body, externalReference });
    expect(await company.post(DEPOSIT, { ...body, amount: 0 }, key)).toMatchObject(refused(400, 'validation_failed'));
    expect(await company.post(DEPOSIT, { ...body, externalReference }, key)).toMatchObject(
      refused(409, 'duplicate_reference'),
    );
    const answer = await company.post(DEPOSIT, { ...body, userId: user.id }, key);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  });

  test('an escrow refused for insufficient funds succeeds with the same key after a deposit', async () => {
    const { buyer, escrow } = await newParties(company, 100);
    const [key, order] = [randomUUID(), escrow()];
    expect(await sure(company, '/v1/escrow/initiate', order, key)).toMatchObject(refused(422, 'insufficient_funds'));
    await company.post(DEPOSIT, { userId: buyer.id, amount: 50_000, currency: 'USD' });
    expect(await sure(company, '/v1/escrow/initiate', order, key)).toMatchObject({ status: 201 });
  });
});

describe('a step of an unknown escrow', () => {
  test('is 404 for repeated and simultaneous requests, and leaves the key free', async () => {
    const mine = await newCompany(service);
    const { escrow } = await newParties(mine);
    const key = randomUUID();
    const path = `/v1/escrow/${nobody('esc')}/release`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => mine.post(path, undefined, key)));
    for (const answer of [...answers, await mine.post(path, undefined, key)])
      expect(answer).toMatchObject(refused(404, 'not_found'));
    const { body: made } = await mine.post('/v1/escrow/initiate', escrow());
    expect(await sure(mine, `/v1/escrow/${made.id}/release`, undefined, key)).toMatchObject({ status: 200 });
  });

  test('is 404 under a key that was used for another escrow', async () => {
    const { escrow } = await newParties(company);
    const { body: made } = await company.post('/v1/escrow/initiate', escrow());
    const key = randomUUID();
    expect(await sure(company, `/v1/escrow/${made.id}/release`, undefined, key)).toMatchObject({ status: 200 });
    expect(await company.post(`/v1/escrow/${nobody('esc')}/release`, undefined, key)).toMatchObject(
      refused(404, 'not_found'),
    );
  });
});

describe('the audit log', () => {
  test('has one line for the command, one for each repetition, and one for the refusal', async () => {
    const mine = await newCompany(service);
    const { escrow } = await newParties(mine);
    const { body: made } = await mine.post('/v1/escrow/initiate', escrow());
    const [path, key] = [`/v1/escrow/${made.id}/release`, randomUUID()];
    const lines = async () =>
      (
        await mine.get(`/v1/core/audit-log?operation=${encodeURIComponent('POST /v1/escrow/{id}/release')}`)
      ).body.data.filter(({ status }: { status: number }) => status !== 503);
    await sure(mine, path, undefined, key);
    expect(await lines()).toMatchObject([{ resource: made.id, status: 200 }]);
    await mine.post(path, undefined, key);
    await mine.post(path, undefined, randomUUID());
    expect(await lines()).toMatchObject([
      { resource: made.id, status: 409 },
      { resource: made.id, status: 200 },
      { resource: made.id, status: 200 },
    ]);
  });
});

describe('a request in progress', () => {
  test('answers 409 with Retry-After to its repetition', async () => {
    const key = randomUUID();
    await company.post(DEPOSIT, body, key);
    await age(key, `response_status = null, response_body = null, locked_until = now() + interval '1 minute'`);
    const answer = await company.post(DEPOSIT, body, key);
    expect(answer).toMatchObject(refused(409, 'idempotency_in_progress'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is resumed after its server died, finds the earlier effect, and returns the same answer', async () => {
    const mine = await newCompany(service);
    const key = randomUUID();
    const { body: first } = await mine.post(DEPOSIT, { ...body, externalReference: 'bank-1' }, key);
    await age(key, 'response_status = null, response_body = null, locked_until = now()');
    expect(await mine.post(DEPOSIT, { ...body, externalReference: 'bank-1' }, key)).toMatchObject({
      status: 201,
      body: first,
    });
    expect(await transactionCount(mine)).toBe(1);
  });

  test('is resumed for a release that was already paid: one payment, the same answer', async () => {
    const { seller, escrow } = await newParties(company);
    const { body: made } = await company.post('/v1/escrow/initiate', escrow());
    const [path, key] = [`/v1/escrow/${made.id}/release`, randomUUID()];
    const release = () => company.request('POST', path, { headers: { 'if-match': '"1"', 'x-idempotency-key': key } });
    const { body: paid } = await untilAnswered(release);
    await age(key, 'response_status = null, response_body = null, locked_until = now()');
    expect(await release()).toMatchObject({ status: 200, body: paid });
    expect((await company.get(`/v1/ledger/accounts/${seller.usdAccountId}`)).body.balance).toBe('24750');
  });

  test('is resumed for a command that was refused before its escrow ended: the same refusal', async () => {
    const { escrow } = await newParties(company);
    const { body: made } = await company.post('/v1/escrow/initiate', escrow());
    const [path, key] = [`/v1/escrow/${made.id}/cancel`, randomUUID()];
    const cancel = { actor: 'SELLER', reason: 'not needed' };
    const stale = (once: string) =>
      company.request('POST', path, { body: cancel, headers: { 'if-match': '"99"', 'x-idempotency-key': once } });
    const refusal = await untilAnswered(stale);
    expect(refusal).toMatchObject(refused(412, 'precondition_failed'));
    expect(await sure(company, path, cancel, key)).toMatchObject({ status: 200 });
    // The key as the refused request leaves it if its server dies before it frees the key.
    const command = `(select command_id from refused_command where entity_id = '${bare(made.id)}')`;
    await age(key, `response_status = null, response_body = null, locked_until = now(), command_id = ${command}`);
    const { code, detail } = refusal.body;
    expect(await company.post(path, cancel, key)).toMatchObject({ status: 412, body: { code, detail } });
  });
});

describe('the key itself', () => {
  test('is forgotten after 24 hours', async () => {
    const key = randomUUID();
    const { body: first } = await company.post(DEPOSIT, body, key);
    const [row] = await sql(service, 'select expires_at - created_at as lifetime from idempotency where key = $1', [
      key,
    ]);
    expect(row?.lifetime).toMatchObject({ days: 1 });
    await age(key, 'expires_at = now()');
    const { body: second, status } = await company.post(DEPOSIT, body, key);
    expect(status).toBe(201);
    expect(second.id).not.toBe(first.id);
  });

  test.each(['order-4711', 'x', 'y'.repeat(255), '~!@#$%^&*()'])('need not be a UUID: %s', async (key) => {
    expect(await company.post(DEPOSIT, body, key)).toMatchObject({ status: 201 });
  });

  test.each(['two words', 'z'.repeat(256), 'caf\u00e9'])(
    '%p is malformed: 400, before anything is looked up',
    async (key) => {
      expect(await company.post(DEPOSIT, body, key)).toMatchObject(refused(400, 'validation_failed'));
      const unknown = '/v1/escrow/esc_01900000-0000-7000-8000-000000000001/release';
      expect(await company.post(unknown, undefined, key)).toMatchObject(refused(400, 'validation_failed'));
    },
  );

  test('an empty key counts as a missing key', async () => {
    expect(await company.post(DEPOSIT, body, '')).toMatchObject(refused(400, 'missing_header'));
  });

  test('may be omitted where it is only recommended', async () => {
    const { escrow } = await newParties(company);
    const initiate = () => company.request('POST', '/v1/escrow/initiate', { body: escrow() }); // another order each time
    expect(await untilAnswered(initiate)).toMatchObject({ status: 201 });
  });
});
