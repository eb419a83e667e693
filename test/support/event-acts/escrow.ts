import { expect } from '@jest/globals';
import { beginEscrow, splitPlan } from '../escrows.ts';
import { eventually } from '../eventually.ts';
import { ordered, switchOn } from '../order-pages.ts';
import { done, newCompany, requestIdOf } from '../service.ts';
import type { LinkStories } from './payment-link.ts';
import { type Act, type Caused, NOTIFIED, once, requestOf, type Stage, type TypeAbout } from './stage.ts';
import type { TimeStory } from './time.ts';

const HELD = '25000';
const MILESTONES = [
  { title: 'Design', percentage: 40 },
  { title: 'Build', percentage: 60 },
];

export function escrowActs(
  { service, company }: Stage,
  { paidFromBalance, chargedBack }: LinkStories,
  time: TimeStory,
) {
  const about = (objectId: string, requestId: Caused['requestId'], data: Caused['data']): Caused => ({
    ...{ company, objectId, requestId, data },
  });
  /** Delivered, negotiated, disputed and decided. */
  const disputed = once(async () => {
    const escrow = await beginEscrow(company, { autoReleaseHours: 72 });
    const post = (step: string, body: object) => done(company.post(`${escrow.path}/${step}`, body));
    const request = (step: string, body: object) => requestOf(company.post(`${escrow.path}/${step}`, body));
    const counted = { items: [{ itemId: escrow.itemId, quantity: 2, price_per_item: 12_500 }], notes: 'By truck' };
    const delivered = await request('delivery-note', counted);
    const received = await request('goods-received', counted);
    const before = (await escrow.read()).autoReleaseAt;
    const extended = await request('extend', { actor: 'BUYER', hours: 24 });
    const after = (await escrow.read()).autoReleaseAt;
    const proposal = await post('negotiate', { actor: 'BUYER', newSplitPlan: splitPlan(250, 0, 20_000) });
    const accepted = await request(`negotiate/${proposal.body.negotiationId}/accept`, { actor: 'SELLER' });
    const opened = await request('dispute', { actor: 'BUYER', reason: 'Wet bags' });
    const evidenced = await request('dispute/evidence', { actor: 'SELLER', note: 'They were dry' });
    const adminId = company.owner.id;
    const resolved = await request('admin-resolve', {
      ...{ adminId, reason: 'Half of it was wet' },
      newSplitPlan: splitPlan(250, 0, 10_000),
    });
    return { ...escrow, delivered, received, extended, before, after, accepted, opened, evidenced, resolved };
  });
  /** Three requests on order pages: one is refused, one approved, and one lapses. */
  const requested = once(async () => {
    const own = await newCompany(service, 'Asked');
    await switchOn(own, { dispute: 'ask', dispatch: 'ask', confirm_receipt: 'ask' });
    const order = await ordered(service, own);
    const pieces = { [`pieces-${order.itemId.slice('itm_'.length)}`]: '2' };
    await order.buyerPage.unlock('dispute');
    await order.sellerPage.unlock('dispatch');
    expect(await order.buyerPage.act('dispute', { reason: 'Wet bags' })).toMatchObject({ notice: 'asked' });
    expect(await order.sellerPage.act('dispatch', pieces)).toMatchObject({ notice: 'asked' });
    expect(await order.buyerPage.act('confirm_receipt', pieces)).toMatchObject({ notice: 'asked' });
    const { data } = (await own.get(`${order.path}/requests`)).body;
    const of = (act: string): string => data.find((one: { act: string }) => one.act === act)?.id;
    const requests = `${order.path}/requests`;
    const refused = await requestOf(own.post(`${requests}/${of('dispute')}/refuse`));
    const approved = await requestOf(own.post(`${requests}/${of('dispatch')}/approve`));
    await done(own.post('/v1/sandbox/clock', { advanceHours: 49 }));
    const by = (act: string, requestId: Caused['requestId'], status: string): Caused => ({
      ...{ company: own, objectId: of(act), requestId },
      data: { act, status, escrowId: order.id },
    });
    return { own, order, by, refused, approved };
  });
  /** Paid out by milestones. */
  const released = once(async () => {
    const escrow = await beginEscrow(company, { milestones: MILESTONES });
    const plan = splitPlan(250, 0, 20_000);
    const proposal = await done(company.post(`${escrow.path}/negotiate`, { actor: 'SELLER', newSplitPlan: plan }));
    const { negotiationId } = proposal.body;
    const rejected = await requestOf(
      company.post(`${escrow.path}/negotiate/${negotiationId}/reject`, { actor: 'BUYER' }),
    );
    const part = await requestOf(company.post(`${escrow.path}/release?milestoneId=${escrow.milestoneIds[0]}`));
    const rest = await requestOf(company.post(`${escrow.path}/release`));
    return { ...escrow, proposed: requestIdOf(proposal), negotiationId, rejected, part, rest };
  });

  return {
    async 'escrow.initiated'() {
      const { id, requestId, buyer } = await disputed();
      return about(id, requestId, { status: 'ACTIVE', heldAmount: HELD, buyer: { id: buyer.id, name: null } });
    },
    async 'escrow.funded'() {
      const { link, accepted } = await paidFromBalance();
      return about(link.escrowId, accepted, { status: 'ACTIVE', heldAmount: HELD });
    },
    async 'escrow.delivery_noted'() {
      const { id, delivered } = await disputed();
      return about(id, delivered, { status: 'DELIVERY_NOTED', autoReleaseAt: expect.any(String) });
    },
    async 'escrow.goods_received'() {
      const { id, received, before } = await disputed();
      return about(id, received, { status: 'GOODS_RECEIVED', autoReleaseAt: before });
    },
    async 'escrow.milestone_released'() {
      const { id, part } = await released();
      const milestones = [{ status: 'RELEASED', amount: '10000' }, { status: 'PENDING' }];
      return about(id, part, { status: 'ACTIVE', releasedAmount: expect.any(String), heldAmount: '15000', milestones });
    },
    async 'escrow.released'() {
      const { id, rest } = await released();
      return about(id, rest, { status: 'COMPLETED', heldAmount: '0', releasedAmount: '24750' });
    },
    async 'escrow.auto_released'() {
      const { company, autoReleased } = await time();
      return {
        company,
        ...autoReleased,
        data: { status: 'COMPLETED', heldAmount: '0', releasedAmount: '24750', releaseBlockedBy: null },
      };
    },
    async 'escrow.release_blocked'() {
      const { company, blocked } = await time();
      return {
        company,
        ...blocked,
        data: { status: 'DELIVERY_NOTED', heldAmount: HELD, releaseBlockedBy: 'user_blacklisted' },
      };
    },
    async 'escrow.auto_release_extended'() {
      const { id, extended, after } = await disputed();
      return about(id, extended, { status: 'GOODS_RECEIVED', autoReleaseAt: after });
    },
    async 'escrow.auto_release_stopped'() {
      const { own, order } = await requested();
      return { company: own, objectId: order.id, requestId: NOTIFIED, data: { status: 'ACTIVE', autoReleaseAt: null } };
    },
    async 'escrow.auto_release_resumed'() {
      const { own, order, refused } = await requested();
      return { company: own, objectId: order.id, requestId: refused, data: { status: 'ACTIVE' } };
    },
    async 'order_request.created'() {
      return (await requested()).by('dispute', NOTIFIED, 'PENDING');
    },
    async 'order_request.approved'() {
      const { by, approved } = await requested();
      return by('dispatch', approved, 'APPROVED');
    },
    async 'order_request.refused'() {
      const { by, refused } = await requested();
      return by('dispute', refused, 'REFUSED');
    },
    async 'order_request.lapsed'() {
      return (await requested()).by('confirm_receipt', null, 'LAPSED');
    },
    async 'order_message.due'() {
      const { own, order } = await requested();
      const path = '/v1/events?type=order_message.due';
      // The refusal of the dispute is told to the buyer too, in either order.
      const event = await eventually(async () => {
        const { data: due } = (await own.get(path)).body;
        return due.find((one: { data: { kind: string } }) => one.data.kind === 'DELIVERY');
      });
      const data = { escrowId: order.id, party: 'BUYER', kind: 'DELIVERY', notSentBecause: null };
      return { company: own, objectId: event.object.id, requestId: null, data };
    },
    async 'escrow.negotiation_proposed'() {
      const { id, proposed, negotiationId } = await released();
      const splitPlan = { system_fee_cents: '250', service_fee_cents: '0', seller_payout_cents: '20000' };
      const open = { id: negotiationId, status: 'PENDING', proposedBy: 'SELLER', splitPlan };
      return about(id, proposed, { heldAmount: HELD, openNegotiation: open });
    },
    async 'escrow.negotiation_accepted'() {
      const { id, accepted } = await disputed();
      return about(id, accepted, { openNegotiation: null, splitPlan: { seller_payout_cents: '20000' } });
    },
    async 'escrow.negotiation_rejected'() {
      const { id, rejected } = await released();
      return about(id, rejected, { openNegotiation: null, splitPlan: { seller_payout_cents: '24750' } });
    },
    async 'escrow.negotiation_lapsed'() {
      const { company, lapsed } = await time();
      const splitPlan = { seller_payout_cents: '24750' };
      return { company, ...lapsed, data: { status: 'ACTIVE', openNegotiation: null, splitPlan } };
    },
    async 'escrow.disputed'() {
      const { id, opened } = await disputed();
      return about(id, opened, { status: 'DISPUTED', dispute: { openedBy: 'BUYER' }, autoReleaseAt: null });
    },
    async 'escrow.evidence_added'() {
      const { id, evidenced } = await disputed();
      return about(id, evidenced, { status: 'DISPUTED', dispute: { openedBy: 'BUYER' } });
    },
    async 'escrow.resolved'() {
      const { id, resolved } = await disputed();
      return about(id, resolved, {
        ...{ status: 'RESOLVED', heldAmount: '0' },
        ...{ releasedAmount: '10000', refundedAmount: '14750' },
      });
    },
    async 'escrow.cancelled'() {
      const { id, path } = await beginEscrow(company);
      const cancelled = await requestOf(company.post(`${path}/cancel`, { actor: 'SELLER', reason: 'Sold out' }));
      return about(id, cancelled, { status: 'CANCELLED', heldAmount: '0', refundedAmount: HELD });
    },
    async 'escrow.charged_back'() {
      const { link } = await chargedBack();
      return about(link.escrowId, NOTIFIED, { status: 'ACTIVE', chargedBackAmount: HELD });
    },
    async 'escrow.chargeback_reversed'() {
      const { link } = await chargedBack();
      return about(link.escrowId, NOTIFIED, { status: 'ACTIVE', chargedBackAmount: '0' });
    },
  } satisfies Record<TypeAbout<'escrow' | 'order_request' | 'order_message'>, Act>;
}
