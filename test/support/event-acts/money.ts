import { randomUUID } from 'node:crypto';
import { logIn } from '../api.ts';
import { eventually } from '../eventually.ts';
import { done, newUser, PLATFORM, requestIdOf } from '../service.ts';
import { asked } from '../treasury.ts';
import type { LinkStories } from './payment-link.ts';
import { type Act, byPlatform, type Caused, NOTIFIED, once, requestOf, type Stage, type TypeAbout } from './stage.ts';

/** Withdrawals, deposits and captures. */

const CENTS = 5_000;
const AMOUNT = String(CENTS);

export function moneyActs(stage: Stage, { chargedBack }: LinkStories) {
  const { service, company } = stage;
  const about = (objectId: string, requestId: Caused['requestId'], data: Caused['data']): Caused => ({
    ...{ company, objectId, requestId, data: { amount: AMOUNT, currency: 'USD', ...data } },
  });
  const holder = once(async () => {
    const user = await newUser(company);
    await done(company.post('/v1/payments/deposit', { userId: user.id, amount: 100 * CENTS, currency: 'USD' }));
    return user;
  });
  /** A withdrawal that the bank has taken and does not decide on until it is told. */
  const withdraw = async () => {
    const { usdAccountId } = await holder();
    const externalReference = `sandbox-manual-${randomUUID()}`;
    const request = asked(usdAccountId, CENTS, { externalReference });
    const answer = await done(company.post('/v1/treasury/withdraw', request));
    const id = String(answer.body.id);
    const read = async () => (await company.get(`/v1/treasury/withdrawals/${id}`)).body;
    const happens = (event: string) => eventually(async () => (await read()).timeline.at(-1).event === event);
    await happens('SUBMITTED');
    /** The bank decides, and support has it asked. */
    const bankSays = async (outcome: 'settled' | 'rejected' | 'cancelled', event: string) => {
      await service.sandbox.control('POST', '/payouts', { outcome, reference: externalReference });
      await service.temporal.workflow.getHandle(`withdrawal/${id}`).signal('check-payout', {});
      await happens(event);
    };
    return { id, requestId: requestIdOf(answer), bankSays };
  };
  const refused = once(async () => {
    const withdrawal = await withdraw();
    await withdrawal.bankSays('rejected', 'REJECTED');
    await withdrawal.bankSays('settled', 'SETTLED_LATE');
    return withdrawal;
  });
  /** Two payments are requested while the bank is away. The account is frozen, and one is resumed, the other cancelled. */
  const heldBack = once(async () => {
    const user = await newUser(company);
    await done(company.post('/v1/payments/deposit', { userId: user.id, amount: 2 * CENTS, currency: 'USD' }));
    await service.sandbox.outage('payout', 600);
    const request = async () =>
      (await done(company.post('/v1/treasury/withdraw', asked(user.usdAccountId, CENTS)))).body.id;
    const [id, other] = [await request(), await request()];
    const freeze = (is_frozen: boolean) =>
      requestOf(
        company.request('PATCH', `/v1/ledger/accounts/${user.usdAccountId}`, {
          body: { is_frozen, reason: 'A court' },
        }),
      );
    await freeze(true);
    await service.sandbox.outage('payout', 0);
    const at = (which: string) => `/v1/treasury/withdrawals/${which}`;
    for (const which of [id, other])
      await eventually(async () => (await company.get(at(which))).body.review_reason === 'account_frozen');
    await freeze(false);
    const resumed = await requestOf(company.post(`${at(id)}/resume`));
    return { id, resumed, other, cancelled: await requestOf(company.post(`${at(other)}/cancel`)) };
  });
  const deposit = (fields: object = {}) =>
    holder().then((user) =>
      done(company.post('/v1/payments/deposit', { userId: user.id, amount: CENTS, currency: 'USD', ...fields })),
    );
  const inTransit = (reference: string) => deposit({ externalReference: reference, isTransit: true });
  const capture = (reference: string) =>
    done(company.post('/v1/treasury/bank/capture', { amount: CENTS, currency: 'USD', reference }));
  const reverse = (id: string) =>
    requestOf(company.post(`/v1/payments/transaction/${id}/reverse`, { reason: 'It bounced' }));

  return {
    async 'withdrawal.requested'() {
      const { id, requestId } = await refused();
      return about(id, requestId, { status: 'PROCESSING', taxAmount: '0' });
    },
    async 'withdrawal.submitted'() {
      const { id } = await refused();
      return about(id, null, { status: 'PROCESSING', failure_reason: null, review_reason: null });
    },
    async 'withdrawal.review_needed'() {
      const { id, bankSays } = await withdraw();
      await bankSays('cancelled', 'REVIEW_NEEDED');
      return about(id, null, { status: 'PROCESSING', review_reason: 'cancelled' });
    },
    async 'withdrawal.resumed'() {
      const { id, resumed } = await heldBack();
      return about(id, resumed, { status: 'PROCESSING', review_reason: null });
    },
    async 'withdrawal.cancelled'() {
      const { other, cancelled } = await heldBack();
      return about(other, cancelled, { status: 'CANCELLED', failure_reason: null, review_reason: null });
    },
    async 'withdrawal.completed'() {
      const { id } = await withdraw();
      const { id: adminId } = await logIn(service, company.id, PLATFORM);
      const booked = byPlatform(stage, `/v1/treasury/withdrawals/${id}/outcome`, { outcome: 'PAID', adminId });
      return about(id, await requestOf(booked), { status: 'COMPLETED', failure_reason: null });
    },
    async 'withdrawal.failed'() {
      const { id } = await refused();
      return about(id, null, { status: 'FAILED', failure_reason: 'AC04' });
    },
    async 'withdrawal.returned'() {
      const { id, bankSays } = await withdraw();
      await bankSays('settled', 'SETTLED');
      await bankSays('rejected', 'RETURNED');
      return about(id, null, { status: 'REVERSED', failure_reason: 'AC06' });
    },
    async 'withdrawal.settled_late'() {
      const { id } = await refused();
      return about(id, null, { status: 'COMPLETED', failure_reason: null });
    },

    async 'deposit.received'() {
      const { usdAccountId } = await holder();
      const made = await deposit({ userReference: 'Invoice 76, thank you' });
      return about(made.body.id, requestIdOf(made), { status: 'COMPLETED', accountId: usdAccountId, metadata: {} });
    },
    async 'deposit.settled'() {
      const reference = `transfer-${randomUUID()}`;
      const { body } = await inTransit(reference);
      return about(body.id, requestIdOf(await capture(reference)), { status: 'COMPLETED', reference });
    },
    async 'deposit.failed'() {
      const reference = `transfer-${randomUUID()}`;
      const { body } = await inTransit(reference);
      return about(body.id, await reverse(body.id), { status: 'FAILED', reference });
    },
    async 'deposit.reversed'() {
      const { link, depositId } = await chargedBack();
      return about(depositId, NOTIFIED, {
        ...{ status: 'REVERSED', amount: '25000' },
        ...{ accountId: link.buyer.usdAccountId, metadata: { source: 'card' } },
      });
    },
    async 'deposit.reinstated'() {
      const { depositId } = await chargedBack();
      return about(depositId, NOTIFIED, { status: 'COMPLETED', amount: '25000' });
    },

    async 'capture.received'() {
      const { id } = await newUser(company, { customReference: 'customer-77' });
      const made = await capture('customer-77');
      return about(made.body.id, requestIdOf(made), { status: 'COMPLETED', matchedTo: { kind: 'USER', id } });
    },
    async 'capture.assigned'() {
      const { id: userId } = await holder();
      const { body } = await capture('Invoice 77, thank you');
      const assigned = await requestOf(company.post(`/v1/treasury/captures/${body.id}/assign`, { userId }));
      return about(body.id, assigned, { status: 'COMPLETED', matchedTo: { kind: 'USER', id: userId } });
    },
    async 'capture.reversed'() {
      const { body } = await capture('Invoice 78, thank you');
      return about(body.id, await reverse(body.id), { status: 'REVERSED', matchedTo: { kind: 'SUSPENSE' } });
    },
  } satisfies Record<TypeAbout<'withdrawal' | 'deposit' | 'capture'>, Act>;
}
