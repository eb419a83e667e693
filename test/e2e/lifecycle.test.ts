import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import { loseRun } from '../support/runs.ts';
import {
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

describe('the whole lifecycle over HTTP', () => {
  let service: TestService & WithTemporal;
  let company: TestCompany;

  beforeAll(async () => {
    service = await withTemporal(await sharedService());
    company = await newCompany(service);
  });
  afterAll(() => service.stop());

  const MILESTONES = [
    { title: 'Design', percentage: 33 },
    { title: 'Build', percentage: 33 },
    { title: 'Hand over', percentage: 34 },
  ];

  async function begin(fields: Record<string, unknown> = {}) {
    const parties = await newParties(company);
    const { status, body } = await company.post('/v1/escrow/initiate', parties.escrow(fields));
    if (status !== 201) throw new Error(JSON.stringify(body));
    const path = `/v1/escrow/${body.id}`;
    return { ...parties, id: body.id as string, path, read: async () => (await company.get(path)).body };
  }
  const split = (system: number, service_: number, payout: number) => ({
    system_fee_cents: system,
    service_fee_cents: service_,
    seller_payout_cents: payout,
  });
  const balanceOf = async (accountId: string) => (await company.get(`/v1/ledger/accounts/${accountId}`)).body;

  test('milestones are paid one by one, a renegotiated one in part, and the rest at once', async () => {
    const item = { items: [{ name: 'Work', quantity: 1, pricePerUnit: 10_001 }], milestones: MILESTONES };
    const { path, read, buyer, seller } = await begin(item);
    const [first, second] = (await read()).milestones;
    expect(first).toMatchObject({ title: 'Design', percentage: 33, amount: '3300', status: 'PENDING' });

    expect(await company.post(`${path}/release?milestoneId=${first.id}`)).toMatchObject({
      status: 200,
      body: { status: 'ACTIVE', sellerPayout: '3267', systemFee: '33', serviceFee: '0' },
    });
    expect(await company.post(`${path}/release?milestoneId=${first.id}`)).toMatchObject({ status: 409 });

    const adjusted = await company.post(`${path}/milestones/${second.id}/adjust`, {
      actor: 'BUYER',
      proposedSellerPayoutCents: 3_000,
      reason: 'One panel is missing',
    });
    expect(adjusted).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    const answer = `${path}/milestones/${second.id}/negotiate/${adjusted.body.negotiationId}`;
    expect(await company.post(`${answer}/accept`, { actor: 'BUYER' })).toMatchObject({
      status: 403,
      body: { code: 'own_proposal' },
    });
    expect(await company.post(`${answer}/accept`, { actor: 'SELLER' })).toMatchObject({
      status: 200,
      body: { status: 'ACCEPTED', negotiationId: adjusted.body.negotiationId },
    });

    expect(await company.post(`${path}/release`)).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED', sellerPayout: '6367', systemFee: '67' },
    });
    expect(await read()).toMatchObject({ heldAmount: '0', releasedAmount: '9634', refundedAmount: '267' });
    expect(await balanceOf(seller.usdAccountId)).toMatchObject({ balance: '9634' });
    expect(await balanceOf(buyer.usdAccountId)).toMatchObject({ balance: '90266', held_balance: '0' });
  });

  test('a split is proposed, rejected, proposed again, accepted, and paid', async () => {
    const { path, read, seller } = await begin();
    const proposal = (actor: string, payout: number) => ({
      actor,
      newSplitPlan: split(250, 0, payout),
      notes: 'Wet bags',
    });
    const first = await company.post(`${path}/negotiate`, proposal('BUYER', 10_000));
    expect(await company.post(`${path}/negotiate`, proposal('SELLER', 20_000))).toMatchObject({
      status: 409,
      body: { code: 'negotiation_pending' },
    });
    expect((await read()).openNegotiation).toMatchObject({ id: first.body.negotiationId, proposedBy: 'BUYER' });
    expect(
      await company.post(`${path}/negotiate/${first.body.negotiationId}/reject`, { actor: 'SELLER' }),
    ).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
    const second = await company.post(`${path}/negotiate`, proposal('SELLER', 20_000));
    await company.post(`${path}/negotiate/${second.body.negotiationId}/accept`, { actor: 'BUYER' });
    expect(await company.post(`${path}/negotiate`, proposal('SELLER', 25_000))).toMatchObject({
      status: 422,
      body: { code: 'split_exceeds_held' },
    });
    expect(await company.post(`${path}/release`)).toMatchObject({ body: { sellerPayout: '20000', systemFee: '250' } });
    expect(await balanceOf(seller.usdAccountId)).toMatchObject({ balance: '20000' });
    expect(await read()).toMatchObject({ refundedAmount: '4750' });
  });

  test('a dispute freezes the escrow and takes evidence, and an administrator splits the held money', async () => {
    const { path, read, buyer } = await begin();
    const disputed = await company.post(`${path}/dispute`, { actor: 'BUYER', reason: 'Nothing arrived' });
    expect(disputed).toMatchObject({ status: 200, body: { status: 'DISPUTED' } });
    expect(disputed.body.disputeId).toMatch(/^dsp_/);
    const evidence = { actor: 'SELLER', note: 'The waybill', documentUrl: 'https://files.example/waybill.pdf' };
    expect(await company.post(`${path}/dispute/evidence`, evidence)).toMatchObject({ status: 200 });

    const resolution = { newSplitPlan: split(0, 0, 10_000), adminId: company.owner.id };
    expect(
      await company.post(`${path}/admin-resolve`, {
        ...resolution,
        adminId: 'adm_01900000-0000-7000-8000-000000000001',
      }),
    ).toMatchObject({ status: 422, body: { code: 'unknown_admin' } });
    expect(await company.post(`${path}/admin-resolve`, resolution)).toMatchObject({
      status: 200,
      body: { status: 'RESOLVED', finalSplit: { seller_payout_cents: '10000', buyer_refund_cents: '15000' } },
    });
    expect(await read()).toMatchObject({
      dispute: { id: disputed.body.disputeId, openedBy: 'BUYER' },
      heldAmount: '0',
    });
    expect(await balanceOf(buyer.usdAccountId)).toMatchObject({ balance: '90000', held_balance: '0' });
    const { body: timeline } = await company.get(`${path}/timeline`);
    expect(timeline.map(({ event }: { event: string }) => event)).toEqual([
      'INITIATED',
      'DISPUTED',
      'EVIDENCE_ADDED',
      'RESOLVED',
    ]);
    expect(timeline[2].details).toMatchObject({ notes: 'The waybill', documentUrl: evidence.documentUrl });
  });

  test('an automatic release needs no command, survives a lost run, and waits where the buyer asked for more time', async () => {
    const { id, path, read, seller } = await begin({ autoReleaseHours: 48 });
    const [item] = (await read()).items;
    await company.post(`${path}/delivery-note`, { items: [{ itemId: item.id, quantity: 2, price_per_item: 12_500 }] });
    const planned = Date.parse((await read()).autoReleaseAt);
    expect(planned - Date.now()).toBeGreaterThan(47 * 3_600_000);
    const extended = await company.post(`${path}/extend`, { actor: 'BUYER', hours: 24 });
    expect(Date.parse(extended.body.autoReleaseAt) - planned).toBe(24 * 3_600_000);
    expect(await company.post(`${path}/extend`, { actor: 'BUYER', hours: 24 })).toMatchObject({ status: 409 });

    // The test moves the deadline instead of the time: the run is lost, and the next one reads that the release is due.
    const due = new Date(Date.now() + 500).toISOString();
    await loseRun(service, `escrow/${id}`);
    const { externalReference } = await read();
    await withClient(service.database.ownerUrl, (client) =>
      client.query(
        `update escrow set state = jsonb_set(state, '{autoReleaseAt}', to_jsonb($1::text)) where external_reference = $2`,
        [due, externalReference],
      ),
    );
    await company.post(`${path}/negotiate`, { actor: 'BUYER', newSplitPlan: split(250, 0, 24_000) });
    await eventually(async () => (await read()).status === 'COMPLETED');
    expect(await balanceOf(seller.usdAccountId)).toMatchObject({ balance: '24750' });
    const { body: timeline } = await company.get(`${path}/timeline`);
    expect(timeline.at(-1)).toMatchObject({ event: 'AUTO_RELEASED', actor: 'SYSTEM' });
  });
});
