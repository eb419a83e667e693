import { expect } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { codeFor, LINK_CENTS, offerLink, type TestLink } from '../links.ts';
import { done, requestIdOf } from '../service.ts';
import { type Act, type Caused, NOTIFIED, once, requestOf, type Stage, type TypeAbout } from './stage.ts';
import type { TimeStory } from './time.ts';

const AMOUNT = String(LINK_CENTS);

/** Money that came too late: on the balance of the buyer, booked by a deposit. */
const LATE = { status: 'succeeded', refund: null, transactionId: expect.stringMatching(/^txn_/) };

export type LinkStories = ReturnType<typeof linkStories>;

/** Stories that also change escrows and deposits. */
export function linkStories({ service, company }: Stage) {
  return {
    paidFromBalance: once(async () => {
      const link = await offerLink(service, company);
      const funds = { userId: link.buyer.id, amount: LINK_CENTS, currency: 'USD' };
      await done(company.post('/v1/payments/deposit', funds));
      const otp = await codeFor(service, link);
      const answer = await done(link.say('accept-payment', { messagingNumber: link.buyer.mobileNumber, otp }));
      return { link, accepted: requestIdOf(answer), transactionId: String(answer.body.transactionId) };
    }),
    /** Paid by card, charged back, and paid again. */
    chargedBack: once(async () => {
      const link = await offerLink(service, company);
      const opened = await done(link.say('eft-pay/initiate'));
      const { checkoutId } = opened.body;
      await service.sandbox.settle(checkoutId, 'success');
      await happens(link, 'ACCEPTED');
      const depositId = String((await link.verify(checkoutId)).body.transactionId);
      await service.sandbox.change(checkoutId, 'CB');
      await happens(link, 'TAKEN_BACK');
      await service.sandbox.change(checkoutId, 'CR');
      await happens(link, 'BROUGHT_BACK');
      return { link, depositId, opened: requestIdOf(opened) };
    }),
  };
}

async function happens(link: TestLink, event: string): Promise<void> {
  await eventually(async () => (await link.events()).includes(event)).catch(async () => {
    throw new Error(`no ${event} but ${await link.events()}`);
  });
}

export function paymentLinkActs(
  { service, company }: Stage,
  { paidFromBalance, chargedBack }: LinkStories,
  time: TimeStory,
) {
  const about = (link: TestLink, requestId: Caused['requestId'], data: Caused['data']): Caused => ({
    ...{ company, objectId: `pay_${link.linkId}`, requestId, data: { escrowId: link.escrowId, ...data } },
  });
  const openForm = async () => {
    const link = await offerLink(service, company);
    const { body } = await done(link.say('eft-pay/initiate'));
    const settle = (decision: object) => service.sandbox.control('POST', `/checkouts/${body.checkoutId}`, decision);
    return { link, settle };
  };
  /** The escrow is cancelled while the form is open, and the buyer pays all the same. */
  const paidForNothing = async (decision: object) => {
    const { link, settle } = await openForm();
    const reason = { actor: 'SELLER', reason: 'Sold out' };
    await done(company.post(`/v1/escrow/${link.escrowId}/cancel`, reason));
    await settle({ outcome: 'success', ...decision });
    return link;
  };

  return {
    async 'payment_link.created'() {
      const { link } = await chargedBack();
      return about(link, link.requestId, { status: 'PENDING', amount: AMOUNT, attempts: [], buyerId: link.buyer.id });
    },
    async 'payment_link.checkout_opened'() {
      const { link, opened } = await chargedBack();
      return about(link, opened, { status: 'PENDING', attempts: [{ kind: 'card', status: 'open' }] });
    },
    async 'payment_link.charge_started'() {
      const link = await offerLink(service, company);
      const started = await requestOf(link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber }));
      return about(link, started, { status: 'PROCESSING', attempts: [{ kind: 'mobile_money', status: 'pending' }] });
    },
    async 'payment_link.payment_declined'() {
      const { link, settle } = await openForm();
      await settle({ outcome: 'declined' });
      await happens(link, 'PAYMENT_DECLINED');
      return about(link, NOTIFIED, { status: 'PENDING', attempts: [{ status: 'declined' }] });
    },
    async 'payment_link.checkout_lapsed'() {
      const { company, checkoutLapsed } = await time();
      return {
        company,
        ...checkoutLapsed,
        data: { status: 'PENDING', attempts: [{ kind: 'card', status: 'lapsed' }] },
      };
    },
    async 'payment_link.payment_mismatched'() {
      const { link, settle } = await openForm();
      await settle({ outcome: 'success', amount: '1.00' });
      await happens(link, 'PAYMENT_MISMATCHED');
      return about(link, NOTIFIED, { status: 'PENDING', amount: AMOUNT, attempts: [{ status: 'declined' }] });
    },
    async 'payment_link.accepted'() {
      const { link, accepted, transactionId } = await paidFromBalance();
      return about(link, accepted, { status: 'ACCEPTED', amount: AMOUNT, transactionId });
    },
    async 'payment_link.late_money'() {
      const { link, settle } = await openForm();
      await done(link.say('reject-payment'));
      await settle({ outcome: 'success' });
      await happens(link, 'LATE_MONEY');
      return about(link, NOTIFIED, { status: 'REJECTED', transactionId: null, attempts: [LATE] });
    },
    async 'payment_link.refunded'() {
      const link = await paidForNothing({});
      await happens(link, 'REFUNDED');
      return about(link, NOTIFIED, { status: 'REJECTED', attempts: [{ status: 'succeeded', refund: 'done' }] });
    },
    async 'payment_link.refund_refused'() {
      const link = await paidForNothing({ isRefunded: true });
      await happens(link, 'REFUND_REFUSED');
      const attempts = [{ status: 'succeeded', refund: 'refused' }];
      return about(link, NOTIFIED, { status: 'REJECTED', attempts });
    },
    async 'payment_link.taken_back'() {
      const { link, depositId } = await chargedBack();
      const attempts = [{ takenBackAmount: AMOUNT, transactionId: depositId }];
      return about(link, NOTIFIED, { status: 'ACCEPTED', transactionId: depositId, attempts });
    },
    async 'payment_link.brought_back'() {
      const { link, depositId } = await chargedBack();
      const attempts = [{ takenBackAmount: '0', transactionId: depositId }];
      return about(link, NOTIFIED, { status: 'ACCEPTED', transactionId: depositId, attempts });
    },
    async 'payment_link.rejected'() {
      const link = await offerLink(service, company);
      return about(link, await requestOf(link.say('reject-payment')), { status: 'REJECTED', transactionId: null });
    },
    async 'payment_link.expired'() {
      const { company, expired } = await time();
      return { company, ...expired, data: { status: 'EXPIRED', transactionId: null } };
    },
  } satisfies Record<TypeAbout<'payment_link'>, Act>;
}
