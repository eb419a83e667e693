import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator, nobody, refused, type TestAdministrator } from '../../../support/api.ts';
import { beginEscrow, countTexts, historyOf, splitPlan as split, UNTOUCHED } from '../../../support/escrows.ts';
import { newCompany, PLATFORM, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let other: TestCompany;
let manager: TestAdministrator;
let admin: TestAdministrator;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  other = await newCompany(service);
  manager = await newAdministrator(service, company, 'manager');
  admin = await newAdministrator(service, company, 'admin');
});
afterAll(() => service.stop());

async function begun(fields: Record<string, unknown> = {}) {
  const escrow = await beginEscrow(company, fields);
  const { path } = escrow;
  return {
    ...escrow,
    counted: { items: [{ itemId: escrow.itemId, quantity: 2, price_per_item: 12_500 }] },
    dispute: (actor = 'BUYER') => company.post(`${path}/dispute`, { actor, reason: ' Nothing arrived ' }),
    resolve: (plan = split(0, 0, 10_000), adminId: string = company.owner.id) =>
      company.post(`${path}/admin-resolve`, { newSplitPlan: plan, adminId }),
  };
}

describe('POST /v1/escrow/{id}/dispute', () => {
  test.each(['BUYER', 'SELLER'])('by the %s freezes the escrow, and keeps the reason', async (actor) => {
    const { dispute, read, money, timeline } = await begun();
    const answer = await dispute(actor);
    expect(answer).toMatchObject({ status: 200, body: { status: 'DISPUTED' } });
    expect(answer.body.disputeId).toMatch(/^dsp_/);
    expect(await read()).toMatchObject({
      status: 'DISPUTED',
      heldAmount: '25000',
      dispute: { id: answer.body.disputeId, openedBy: actor },
    });
    expect((await timeline()).at(-1)).toMatchObject({
      event: 'DISPUTED',
      actor,
      details: { reason: 'Nothing arrived', disputeId: answer.body.disputeId },
    });
    expect(await money()).toEqual(UNTOUCHED);
  });

  test('while it is open only an administrator cancels', async () => {
    const { dispute, path, money } = await begun();
    await dispute();
    const refusal = await company.post(`${path}/cancel`, { actor: 'BUYER', reason: 'mine' });
    expect(refusal).toMatchObject(refused(409, 'wrong_state'));
    for (const wayOut of ['dispute/evidence', 'negotiate', 'admin-resolve'])
      expect(refusal.body.detail).toContain(wayOut);
    expect(await money()).toEqual(UNTOUCHED);
    expect(await manager.post(`${path}/cancel`, { actor: 'ADMIN', reason: 'fraud' })).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect(await admin.post(`${path}/cancel`, { actor: 'ADMIN', reason: 'fraud' })).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED' },
    });
    expect(await money()).toEqual({ buyer: ['100000', '0'], seller: ['0', '0'] });
  });

  test('a settlement is paid at once when the other party accepts it, and the timeline has what was paid', async () => {
    const { dispute, path, read, money, timeline } = await begun();
    await dispute();
    const offered = await company.post(`${path}/negotiate`, { actor: 'SELLER', newSplitPlan: split(250, 0, 10_000) });
    expect(offered).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    const accept = `${path}/negotiate/${offered.body.negotiationId}/accept`;
    expect(await company.post(accept, { actor: 'SELLER' })).toMatchObject(refused(403, 'own_proposal'));
    expect(await company.post(accept, { actor: 'BUYER' })).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
    expect(await read()).toMatchObject({ status: 'RESOLVED', heldAmount: '0', refundedAmount: '14750' });
    expect(await money()).toEqual({ buyer: ['89750', '0'], seller: ['10000', '0'] });
    expect((await timeline()).at(-1)).toMatchObject({
      event: 'NEGOTIATION_ACCEPTED',
      actor: 'BUYER',
      details: { settlement: { splitPlan: { seller_payout_cents: '10000', buyer_refund_cents: '14750' } } },
    });
  });

  test.each([
    ['no reason', { actor: 'BUYER' }],
    ['an empty reason', { actor: 'BUYER', reason: '  ' }],
    ['no actor', { reason: 'late' }],
    ['an administrator', { actor: 'ADMIN', reason: 'late' }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/dispute`, body)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

describe('POST /v1/escrow/{id}/dispute/evidence', () => {
  const evidence = { actor: 'SELLER', note: 'The waybill', documentUrl: 'https://files.example/waybill.pdf' };

  test('from either party and from an administrator is in the timeline', async () => {
    const { dispute, path, timeline } = await begun();
    await dispute();
    for (const actor of ['SELLER', 'BUYER', 'ADMIN'])
      expect(await company.post(`${path}/dispute/evidence`, { ...evidence, actor })).toMatchObject({
        status: 200,
        body: { status: 'DISPUTED', updatedAt: expect.any(String) },
      });
    expect((await timeline()).slice(2)).toMatchObject(
      ['SELLER', 'BUYER', 'ADMIN'].map((actor) => ({
        event: 'EVIDENCE_ADDED',
        actor,
        details: { notes: 'The waybill', documentUrl: evidence.documentUrl },
      })),
    );
  });

  test.each([
    ['no note', { ...evidence, note: undefined }],
    ['an address that is not a web address', { ...evidence, documentUrl: 'file:///etc/passwd' }],
    ['a script for an address', { ...evidence, documentUrl: 'javascript:alert(1)' }],
    [
      'an address with a name that looks like its host',
      { ...evidence, documentUrl: 'https://files.example@evil.example/' },
    ],
    ['somebody unknown', { ...evidence, actor: 'COURIER' }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/dispute/evidence`, body)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

describe('POST /v1/escrow/{id}/admin-resolve', () => {
  test.each([
    ['all to the seller', split(0, 0, 25_000), ['75000', '25000'], '0'],
    ['with fees', split(250, 0, 20_000), ['79750', '20000'], '4750'],
    ['all to the buyer', split(0, 0, 0), ['100000', '0'], '25000'],
  ])('%s: four amounts that sum to what was held, and the money is there', async (_what, plan, balances, refund) => {
    const { dispute, resolve, read, money, id } = await begun();
    await dispute();
    const { status, body } = await resolve(plan);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'RESOLVED',
        finalSplit: {
          system_fee_cents: String(plan.system_fee_cents),
          service_fee_cents: '0',
          seller_payout_cents: String(plan.seller_payout_cents),
          buyer_refund_cents: refund,
        },
      },
    });
    const [buyer, seller] = balances;
    expect(await money()).toEqual({ buyer: [buyer, '0'], seller: [seller, '0'] });
    expect(await read()).toMatchObject({ status: 'RESOLVED', heldAmount: '0', refundedAmount: refund });
    const { lines, held } = await historyOf(company, id);
    expect(held).toBe('0');
    expect(lines.filter(([type]) => type === 'REFUND')).toEqual(refund === '0' ? [] : [['REFUND', refund]]);
  });

  test('applies to the remaining amount: released money stays with the seller', async () => {
    const halves = [50, 50].map((percentage, index) => ({ title: `Part ${index}`, percentage }));
    const { dispute, resolve, path, milestoneIds, read, money } = await begun({ milestones: halves });
    await company.post(`${path}/release?milestoneId=${milestoneIds[0]}`);
    await dispute();
    expect(await resolve(split(0, 0, 12_501))).toMatchObject(
      refused(422, 'split_exceeds_held', { available: '12500', requested: '12501' }),
    );
    expect(await resolve(split(0, 0, 0))).toMatchObject({ body: { finalSplit: { buyer_refund_cents: '12500' } } });
    expect((await read()).milestones).toMatchObject([{ status: 'RELEASED' }, { status: 'REFUNDED' }]);
    expect(await money()).toEqual({ buyer: ['87500', '0'], seller: ['12375', '0'] });
  });

  test('by an administrator of the company; one of another company, of the platform or an unknown one: 422 unknown_admin', async () => {
    const platform = await service.request('POST', '/v1/auth/login', { body: PLATFORM });
    const { dispute, resolve } = await begun();
    await dispute();
    for (const adminId of [nobody('adm'), other.owner.id, platform.body.userId])
      expect(await resolve(undefined, adminId)).toMatchObject(refused(422, 'unknown_admin'));
    expect(await resolve(undefined, admin.id)).toMatchObject({ status: 200 });
  });

  test('by a MANAGER, or in the name of one: 403 forbidden', async () => {
    const { dispute, resolve, path, money } = await begun();
    await dispute();
    const resolution = { newSplitPlan: split(0, 0, 1), adminId: company.owner.id };
    expect(await manager.post(`${path}/admin-resolve`, resolution)).toMatchObject(refused(403, 'forbidden'));
    expect(await resolve(undefined, manager.id)).toMatchObject(refused(403, 'forbidden'));
    expect(await money()).toEqual(UNTOUCHED);
  });

  test.each([
    ['no administrator', { newSplitPlan: split(0, 0, 1) }],
    ['an id of another kind', { newSplitPlan: split(0, 0, 1), adminId: nobody('usr') }],
    ['no plan', { adminId: nobody('adm') }],
    ['a negative part', { newSplitPlan: split(0, -1, 1), adminId: nobody('adm') }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/admin-resolve`, body)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

describe('POST /v1/escrow/{id}/extend', () => {
  test('postpones the automatic release, and a further note does not take it back', async () => {
    const { path, counted, read } = await begun({ autoReleaseHours: 48 });
    await company.post(`${path}/delivery-note`, counted);
    const planned = Date.parse((await read()).autoReleaseAt);
    const extended = await company.post(`${path}/extend`, { actor: 'BUYER', hours: 720 });
    expect(extended).toMatchObject({ status: 200, body: { status: 'DELIVERY_NOTED' } });
    expect(Date.parse(extended.body.autoReleaseAt)).toBe(planned + 720 * 3_600_000);
    await company.post(`${path}/delivery-note`, counted);
    expect((await read()).autoReleaseAt).toBe(extended.body.autoReleaseAt); // the seller cannot take it back
  });

  test.each([
    ['the seller', { actor: 'SELLER', hours: 1 }],
    ['no time', { actor: 'BUYER', hours: 0 }],
    ['more than thirty days', { actor: 'BUYER', hours: 721 }],
    ['half an hour', { actor: 'BUYER', hours: 0.5 }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/extend`, body)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

test("another company's dispute is 404, and nothing is stored", async () => {
  const { dispute, path, timeline } = await begun();
  await dispute();
  const before = await timeline();
  const texts = await countTexts(service);
  const attempts: [string, unknown][] = [
    ['dispute', { actor: 'BUYER', reason: 'mine' }],
    ['dispute/evidence', { actor: 'BUYER', note: 'mine' }],
    ['admin-resolve', { newSplitPlan: split(0, 0, 1), adminId: other.owner.id }],
    ['extend', { actor: 'BUYER', hours: 1 }],
    ['cancel', { actor: 'ADMIN', reason: 'mine' }],
  ];
  for (const [step, body] of attempts)
    expect(await other.post(`${path}/${step}`, body)).toMatchObject(refused(404, 'not_found'));
  expect(await timeline()).toEqual(before);
  expect(await countTexts(service)).toEqual(texts);
});

test('the books balance at the end', async () => {
  expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({ body: { ok: true } });
});
