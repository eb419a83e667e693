import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, newAdministrator, nobody, refused, type TestAdministrator } from '../../../support/api.ts';
import { beginEscrow, splitPlan as split } from '../../../support/escrows.ts';
import { newCompany, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let manager: TestAdministrator;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  manager = await newAdministrator(service, company, 'manager');
});
afterAll(() => service.stop());

const THIRDS = [
  { title: 'Design', percentage: 33 },
  { title: 'Build', percentage: 33 },
  { title: 'Hand over', percentage: 34 },
];

/** An escrow of 250.00; or, by milestones, of 100.01. */
async function begun(fields: Record<string, unknown> = {}) {
  const escrow = await beginEscrow(company, fields);
  const { path, milestoneIds } = escrow;
  const propose = (actor: string, plan = split(250, 0, 20_000), notes?: string) =>
    company.post(`${path}/negotiate`, { actor, newSplitPlan: plan, ...(notes === undefined ? {} : { notes }) });
  const answer = (verb: 'accept' | 'reject', negotiationId: string, actor: string, of = path) =>
    company.post(`${of}/negotiate/${negotiationId}/${verb}`, { actor });
  const milestone = (index: number) => `${path}/milestones/${milestoneIds[index]}`;
  const adjust = (index: number, actor: string, payout: number) =>
    company.post(`${milestone(index)}/adjust`, { actor, proposedSellerPayoutCents: payout });
  return { ...escrow, propose, answer, adjust, milestone };
}
const byMilestones = () => begun({ items: [{ name: 'Work', quantity: 1, pricePerUnit: 10_001 }], milestones: THIRDS });

describe('POST /v1/escrow/{id}/negotiate', () => {
  test('opens a proposal that the escrow shows, with the notes in the timeline, and moves no money', async () => {
    const { propose, read, timeline } = await begun();
    const proposed = await propose('BUYER', split(250, 0, 20_000), ' Wet bags ');
    expect(proposed).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    expect(proposed.body.negotiationId).toMatch(/^neg_/);
    const escrow = await read();
    expect(escrow).toMatchObject({
      status: 'ACTIVE',
      heldAmount: '25000',
      splitPlan: { system_fee_cents: '250', service_fee_cents: '0', seller_payout_cents: '24750' },
      openNegotiation: {
        id: proposed.body.negotiationId,
        status: 'PENDING',
        proposedBy: 'BUYER',
        milestoneId: null,
        splitPlan: { seller_payout_cents: '20000' },
      },
    });
    const lifetimeMs = Date.parse(escrow.openNegotiation.expiresAt) - Date.parse(escrow.updatedAt);
    expect(lifetimeMs).toBe(7 * 86_400_000);
    expect((await timeline()).at(-1)).toMatchObject({
      event: 'NEGOTIATION_PROPOSED',
      actor: 'BUYER',
      details: { notes: 'Wet bags' },
    });
  });

  test('up to the held amount and down to zero; a cent more: 422 split_exceeds_held', async () => {
    const { propose, answer } = await begun();
    for (const plan of [split(0, 0, 0), split(0, 0, 25_000)])
      await answer('reject', (await propose('SELLER', plan)).body.negotiationId, 'BUYER');
    expect(await propose('SELLER', split(1, 0, 25_000))).toMatchObject(
      refused(422, 'split_exceeds_held', { available: '25000', requested: '25001' }),
    );
  });

  test('the same key again: the same proposal', async () => {
    const { path } = await begun();
    const [key, body] = [randomUUID(), { actor: 'BUYER', newSplitPlan: split(0, 0, 1) }];
    const first = await untilAnswered(() => company.post(`${path}/negotiate`, body, key));
    const again = await company.post(`${path}/negotiate`, body, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test.each([
    ['no actor', { newSplitPlan: split(0, 0, 1) }],
    ['an actor that is not a party', { actor: 'ADMIN', newSplitPlan: split(0, 0, 1) }],
    ['no plan', { actor: 'BUYER' }],
    ['a plan without a part', { actor: 'BUYER', newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0 } }],
    ['a negative part', { actor: 'BUYER', newSplitPlan: split(-1, 0, 1) }],
    ['a fraction', { actor: 'BUYER', newSplitPlan: split(0, 0, 0.5) }],
    ['an amount as a string', { actor: 'BUYER', newSplitPlan: { ...split(0, 0, 1), seller_payout_cents: '1' } }],
    ['notes of 2,001 characters', { actor: 'BUYER', newSplitPlan: split(0, 0, 1), notes: 'x'.repeat(2_001) }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/negotiate`, body)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

describe('POST /v1/escrow/{id}/negotiate/{negId}/accept and /reject', () => {
  test('accepted by the other party: a release pays the plan, and the rest goes back', async () => {
    const { propose, answer, read, path } = await begun();
    const { negotiationId } = (await propose('BUYER')).body;
    expect(await answer('accept', negotiationId, 'SELLER')).toMatchObject({
      status: 200,
      body: { negotiationId, status: 'ACCEPTED' },
    });
    expect(await read()).toMatchObject({ openNegotiation: null, splitPlan: { seller_payout_cents: '20000' } });
    expect(await company.post(`${path}/release`)).toMatchObject({ body: { sellerPayout: '20000', systemFee: '250' } });
    expect(await read()).toMatchObject({ releasedAmount: '20000', refundedAmount: '4750', heldAmount: '0' });
  });

  test('accept and reject of a closed one of any age: 409 wrong_state', async () => {
    const { propose, answer } = await begun();
    const { negotiationId: first } = (await propose('BUYER')).body;
    const expectClosed = async () => {
      for (const verb of ['accept', 'reject'] as const)
        expect(await answer(verb, first, 'SELLER')).toMatchObject(refused(409, 'wrong_state'));
    };
    await answer('reject', first, 'SELLER');
    await expectClosed();
    for (let closed = 0; closed < 21; closed += 1)
      await answer('reject', (await propose('BUYER')).body.negotiationId, 'BUYER');
    await expectClosed();
  });

  test('accepted after a milestone was paid and less is held: 422 split_exceeds_held', async () => {
    const { propose, answer, path, milestoneIds, read } = await byMilestones();
    const { negotiationId } = (await propose('BUYER', split(0, 0, 10_000))).body;
    await company.post(`${path}/release?milestoneId=${milestoneIds[0]}`);
    expect(await answer('accept', negotiationId, 'SELLER')).toMatchObject(
      refused(422, 'split_exceeds_held', { available: (await read()).heldAmount, requested: '10000' }),
    );
  });

  test("an unknown proposal, another escrow's, or a milestone's: 404, even after the end", async () => {
    const [one, another] = [await begun(), await byMilestones()];
    const foreign = (await another.propose('BUYER', split(0, 0, 1))).body.negotiationId;
    const adjusted = (await another.adjust(0, 'BUYER', 3_000)).body.negotiationId;
    for (const negotiationId of [nobody('neg'), foreign])
      expect(await one.answer('accept', negotiationId, 'SELLER')).toMatchObject(refused(404, 'not_found'));
    expect(await another.answer('accept', adjusted, 'SELLER')).toMatchObject(refused(404, 'not_found'));
    expect(await another.answer('accept', foreign, 'SELLER', another.milestone(0))).toMatchObject(
      refused(404, 'not_found'),
    );
    await company.post(`${one.path}/release`);
    expect(await one.answer('accept', foreign, 'SELLER')).toMatchObject(refused(404, 'not_found'));
  });

  test('takes a bare id; an id of another kind: 400 invalid_id', async () => {
    const { propose, answer } = await begun();
    const { negotiationId } = (await propose('BUYER')).body;
    expect(await answer('accept', nobody('usr'), 'SELLER')).toMatchObject(refused(400, 'invalid_id'));
    expect(await answer('accept', bare(negotiationId), 'SELLER')).toMatchObject({ status: 200 });
  });
});

describe('POST /v1/escrow/{id}/milestones/{milestoneId}/adjust', () => {
  test('accepted: fees stay, the rest goes back to the buyer on its release', async () => {
    const { adjust, answer, read, path, milestone, milestoneIds } = await byMilestones();
    const proposed = await adjust(1, 'BUYER', 3_000);
    expect(proposed).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    const { negotiationId } = proposed.body;
    expect((await read()).milestones[1].openNegotiation).toMatchObject({ id: negotiationId, proposedBy: 'BUYER' });
    expect((await read()).openNegotiation).toBeNull();
    expect(await answer('accept', negotiationId, 'SELLER', milestone(1))).toMatchObject({
      status: 200,
      body: { negotiationId, status: 'ACCEPTED' },
    });
    expect((await read()).milestones[1]).toMatchObject({ amount: '3300', sellerPayout: '3000', buyerRefund: '267' });
    expect(await company.post(`${path}/release?milestoneId=${milestoneIds[1]}`)).toMatchObject({
      body: { status: 'ACTIVE', sellerPayout: '3000', systemFee: '33' },
    });
    expect(await read()).toMatchObject({ heldAmount: '6701', refundedAmount: '267' });
  });

  test('rejected: the milestone is unchanged', async () => {
    const { adjust, answer, read, milestone } = await byMilestones();
    const { negotiationId } = (await adjust(0, 'SELLER', 1)).body;
    expect(await answer('reject', negotiationId, 'BUYER', milestone(0))).toMatchObject({
      body: { status: 'REJECTED' },
    });
    expect((await read()).milestones[0]).toMatchObject({ sellerPayout: '3267', openNegotiation: null });
  });

  test('from nothing to the amount less its fees; a cent more: 422 split_exceeds_held', async () => {
    const { adjust, answer, milestone } = await byMilestones();
    for (const payout of [0, 3_267]) {
      const { negotiationId } = (await adjust(0, 'SELLER', payout)).body;
      await answer('reject', negotiationId, 'SELLER', milestone(0));
    }
    expect(await adjust(0, 'SELLER', 3_268)).toMatchObject(
      refused(422, 'split_exceeds_held', { available: '3267', requested: '3268' }),
    );
  });

  test('of a released milestone: 409; of an unknown one: 404, even after the end', async () => {
    const { adjust, path, milestoneIds } = await byMilestones();
    await company.post(`${path}/release?milestoneId=${milestoneIds[0]}`);
    expect(await adjust(0, 'BUYER', 1)).toMatchObject(refused(409, 'wrong_state'));
    const unknown = `${path}/milestones/${nobody('mst')}/adjust`;
    const body = { actor: 'BUYER', proposedSellerPayoutCents: 1 };
    expect(await company.post(unknown, body)).toMatchObject(refused(404, 'not_found'));
    await company.post(`${path}/release`);
    expect(await company.post(unknown, body)).toMatchObject(refused(404, 'not_found'));
  });

  test.each([
    ['no actor', { proposedSellerPayoutCents: 1 }],
    ['no payout', { actor: 'BUYER' }],
    ['a negative payout', { actor: 'BUYER', proposedSellerPayoutCents: -1 }],
    ['a reason that is not text', { actor: 'BUYER', proposedSellerPayoutCents: 1, reason: 7 }],
  ])('%s: validation_failed', async (_what, body) => {
    const path = `/v1/escrow/${nobody('esc')}/milestones/${nobody('mst')}/adjust`;
    expect(await company.post(path, body)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('negotiations', () => {
  test('a MANAGER may propose and answer', async () => {
    const { path } = await begun();
    const proposed = await manager.post(`${path}/negotiate`, { actor: 'BUYER', newSplitPlan: split(0, 0, 1) });
    expect(proposed).toMatchObject({ status: 200 });
    const accept = `${path}/negotiate/${proposed.body.negotiationId}/accept`;
    expect(await manager.post(accept, { actor: 'SELLER' })).toMatchObject({ status: 200 });
  });
});

test('the books balance at the end', async () => {
  expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({ body: { ok: true } });
});
