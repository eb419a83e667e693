import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DISPUTE_ANSWER_HOURS, NEGOTIATION_LIFETIME_HOURS } from '../../../src/domain/escrow/escrow.ts';
import { addHours } from '../../../src/domain/time.ts';
import { newAdministrator, refused } from '../../support/api.ts';
import { deleteDocument, sendDocument } from '../../support/documents.ts';
import { beginEscrow, splitPlan } from '../../support/escrows.ts';
import { eventually } from '../../support/eventually.ts';
import { offerLink } from '../../support/links.ts';
import { done, newCompany, newUser, type TestCompany, type TestService, untilAnswered } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';
import { asked } from '../../support/treasury.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** What needs a person: it is listed as long as it stands, for its company, and for the platform across companies. */

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

type Row = { readonly id: string; readonly kind: string; readonly companyId: string; readonly since: string };

const workOf = async (of: TestCompany, query = '') => (await done(of.get(`/v1/work?limit=100${query}`))).body;

const asPlatform = (path: string, companyId = service.platform.companyId) =>
  done(
    untilAnswered(() =>
      service.request('GET', path, { headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': companyId } }),
    ),
  );
/** The platform's work of one kind that is about this company. The latest is on the last page. */
async function platformWork(kind: string, { id }: TestCompany): Promise<Row[]> {
  const { body } = await asPlatform(`/v1/work?kind=${kind}&limit=1`);
  const { body: last } = await asPlatform(`/v1/work?kind=${kind}&limit=100&offset=${Math.max(0, body.total - 50)}`);
  return last.data.filter((row: Row) => row.companyId === id);
}

async function disputed(company: TestCompany) {
  const escrow = await beginEscrow(company);
  await done(company.post(`${escrow.path}/dispute`, { actor: 'BUYER', reason: 'It is wet.' }));
  return escrow;
}

test('a dispute is there from its opening to its decision, with what the desk needs', async () => {
  const company = await newCompany(service, 'Disputes');
  const escrow = await disputed(company);
  const { externalReference, dispute } = await escrow.read();
  const row = {
    id: expect.stringMatching(/^wrk_/),
    kind: 'DISPUTE',
    subject: { type: 'escrow', id: escrow.id },
    companyId: company.id,
    companyName: expect.stringContaining('Disputes'),
    title: `Decide the dispute about ${externalReference}.`,
    ...{ reference: externalReference, reason: 'BUYER', amount: '25000', currency: 'USD' },
    ...{
      since: dispute.openedAt,
      ageSeconds: expect.any(Number),
      dueAt: addHours(dispute.openedAt, DISPUTE_ANSWER_HOURS),
      url: expect.stringMatching(`/console/disputes/${escrow.id}$`),
    },
  };
  const counts = [{ kind: 'DISPUTE', count: 1 }];
  expect(await workOf(company)).toEqual({ data: [row], total: 1, limit: 100, offset: 0, counts });
  expect(await platformWork('DISPUTE', company)).toEqual([
    { ...row, url: expect.stringContaining(`/console/act-for?companyId=${company.id}&next=`) },
  ]);
  const other = await newCompany(service);
  expect(await workOf(other)).toMatchObject({ data: [], total: 0, counts: [] });
  await done(
    company.post(`${escrow.path}/admin-resolve`, { adminId: company.owner.id, newSplitPlan: splitPlan(0, 0, 25_000) }),
  );
  expect(await workOf(company)).toMatchObject({ data: [], total: 0 });
});

test('money: a receipt in suspense until it is assigned, a chargeback until it is settled', async () => {
  const company = await newCompany(service, 'Money');
  const user = await newUser(company);
  const reference = 'no customer has this';
  const captured = await done(company.post('/v1/treasury/bank/capture', { amount: 5_000, currency: 'USD', reference }));
  const deposit = await done(company.post('/v1/payments/deposit', { userId: user.id, amount: 9_000, currency: 'USD' }));
  await done(company.post('/v1/treasury/withdraw', asked(user.usdAccountId, 6_000)));
  const reason = { reason: 'The payer objected', isChargeback: true };
  await done(company.post(`/v1/payments/transaction/${deposit.body.id}/reverse`, reason));
  const { data, counts } = await workOf(company);
  expect(data).toMatchObject([
    { kind: 'SUSPENSE', subject: { type: 'capture', id: captured.body.id }, reference, amount: '5000' },
    { kind: 'CHARGEBACK', subject: { type: 'receivable' }, reason: 'CHARGEBACK', amount: '6000', currency: 'USD' },
  ]);
  expect(counts).toEqual([
    { kind: 'SUSPENSE', count: 1 },
    { kind: 'CHARGEBACK', count: 1 },
  ]);
  await done(company.post(`/v1/treasury/captures/${captured.body.id}/assign`, { userId: user.id }));
  const settle = `/v1/treasury/receivables/${data[1].subject.id}/settle`;
  expect(await workOf(company, '&kind=SUSPENSE')).toMatchObject({ data: [], total: 0 });
  await done(company.post(settle, { source: 'BALANCE', amount: 5_000, reason: 'It came back' }));
  expect(await workOf(company)).toMatchObject({ data: [{ kind: 'CHARGEBACK', amount: '1000' }], total: 1 });
});

test('a payment that came late is there while the buyer has its money', async () => {
  const company = await newCompany(service, 'Late');
  const link = await offerLink(service, company);
  const { body } = await done(link.say('eft-pay/initiate'));
  await done(link.say('reject-payment'));
  await service.sandbox.settle(body.checkoutId, 'success');
  await eventually(async () => (await link.events()).includes('LATE_MONEY'));
  const { data } = await workOf(company);
  expect(data).toMatchObject([
    { kind: 'LATE_MONEY', subject: { type: 'payment_link', id: `pay_${link.linkId}` }, amount: '25000', dueAt: null },
  ]);
  expect(await platformWork('LATE_MONEY', company)).toMatchObject([{ id: data[0].id }]);
  await done(company.post('/v1/treasury/withdraw', asked(link.buyer.usdAccountId, 25_000)));
  expect(await workOf(company)).toMatchObject({ data: [] });
});

test('an endpoint that fails is there until it takes events again', async () => {
  const company = await newCompany(service, 'Hooks');
  const receiver = await startWebhookReceiver();
  let status = 500;
  receiver.answer = () => status;
  const made = await done(company.post('/v1/webhooks', { url: receiver.url, events: ['user.created'] }));
  await newUser(company);
  const work = async () => (await workOf(company)).data;
  await eventually(async () => (await work()).length === 1);
  expect(await work()).toMatchObject([
    {
      ...{ kind: 'WEBHOOK', subject: { type: 'webhook_endpoint', id: made.body.id }, reference: receiver.url },
      ...{ reason: null, amount: null, currency: null },
    },
  ]);
  status = 410;
  await newUser(company);
  await eventually(async () => (await work())[0]?.reason === 'GONE');
  status = 200;
  await done(company.request('PATCH', `/v1/webhooks/${made.body.id}`, { body: { status: 'ENABLED' } }));
  await eventually(async () => (await work()).length === 0);
  await receiver.stop();
});

test('a proposal is there on its last day, by the clock of its company, before everything without a time limit', async () => {
  const company = await newCompany(service, 'Proposals');
  await disputed(company);
  const escrow = await beginEscrow(company);
  await done(company.post(`${escrow.path}/negotiate`, { actor: 'SELLER', newSplitPlan: splitPlan(0, 0, 20_000) }));
  expect((await workOf(company)).data).toMatchObject([{ kind: 'DISPUTE' }]);
  const { openNegotiation: open } = await escrow.read();
  await done(company.post('/v1/sandbox/clock', { advanceHours: NEGOTIATION_LIFETIME_HOURS - 2 }));
  expect((await workOf(company)).data).toMatchObject([
    { kind: 'DISPUTE' },
    { kind: 'PROPOSAL', subject: { type: 'escrow', id: escrow.id }, reason: 'SELLER', dueAt: expect.any(String) },
  ]);
  expect(await company.post(`${escrow.path}/negotiate/${open.id}/reject`, { actor: 'BUYER' })).toMatchObject({
    status: 200,
  });
  expect((await workOf(company)).data).toMatchObject([{ kind: 'DISPUTE' }]);
});

test('what only the platform decides is in its own list alone', async () => {
  const company = await newCompany(service, 'Platforms');
  const user = await newUser(company, { firstName: 'Tariro', lastName: 'Moyo' });
  expect(await platformWork('IDENTITY', company)).toMatchObject([
    {
      subject: { type: 'user', id: user.id },
      reason: 'NO_DOCUMENT',
      title: 'Tariro Moyo has no identity document.',
    },
  ]);
  const check = { subject: { type: 'user', id: user.id }, reason: null, title: 'Check the identity of Tariro Moyo.' };
  await sendDocument(company, user.id);
  expect(await platformWork('IDENTITY', company)).toMatchObject([check]);
  await deleteDocument(service, user.id);
  expect(await platformWork('IDENTITY', company)).toEqual([]);
  await sendDocument(company, user.id);
  expect(await platformWork('IDENTITY', company)).toMatchObject([check]);
  expect(await workOf(company)).toMatchObject({ data: [], total: 0 });
  const { body: shownAsCompany } = await asPlatform('/v1/work', company.id);
  expect(shownAsCompany).toMatchObject({ data: [], total: 0 });
  await done(
    service.request('POST', `/v1/identity/admin/users/${user.id}/approve`, {
      headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id },
      body: {},
    }),
  );
  expect(await platformWork('IDENTITY', company)).toEqual([]);

  await done(company.post('/v1/payments/deposit', { userId: user.id, amount: 9_000, currency: 'USD' }));
  await service.sandbox.outage('payout', 600);
  const payout = await done(company.post('/v1/treasury/withdraw', asked(user.usdAccountId, 5_000)));
  const freeze = { is_frozen: true, reason: 'A court' };
  await done(company.request('PATCH', `/v1/ledger/accounts/${user.usdAccountId}`, { body: freeze }));
  await service.sandbox.outage('payout', 0);
  const found = await eventually(async () => {
    const [row] = await platformWork('PAYOUT', company);
    return row;
  });
  expect(found).toMatchObject({
    ...{ subject: { type: 'withdrawal', id: payout.body.id }, reason: 'account_frozen', amount: '5000' },
  });
  expect(await workOf(company)).toMatchObject({ data: [] });
});

test('pages, and a few of each kind, count all of it', async () => {
  const company = await newCompany(service, 'Pages');
  const [first, second] = [await disputed(company), await disputed(company)];
  const capture = { amount: 700, currency: 'USD', reference: 'nobody knows' };
  await done(company.post('/v1/treasury/bank/capture', capture));
  const subjects = (body: { data: { subject: { id: string } }[] }) => body.data.map(({ subject }) => subject.id);
  const page = await done(company.get('/v1/work?limit=1&offset=1'));
  expect(subjects(page.body as never)).toEqual([second.id]);
  expect(page.body).toMatchObject({ total: 3, limit: 1, offset: 1 });
  expect(page.headers.get('link')).toContain('offset=2');
  const few = await workOf(company, '&perKind=1');
  expect(few.data).toMatchObject([{ kind: 'DISPUTE', subject: { id: first.id } }, { kind: 'SUSPENSE' }]);
  expect(few).toMatchObject({
    total: 2,
    counts: [
      { kind: 'DISPUTE', count: 2 },
      { kind: 'SUSPENSE', count: 1 },
    ],
  });
  expect(await company.get('/v1/work?kind=LUNCH')).toMatchObject(refused(400, 'validation_failed'));
  const manager = await newAdministrator(service, company, 'manager');
  expect((await manager.request('GET', '/v1/work?kind=DISPUTE')).body).toMatchObject({ total: 2 });
});
