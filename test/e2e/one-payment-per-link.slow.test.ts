import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_ATTEMPTS } from '../../src/domain/payment-link/link.ts';
import { bare, refused, sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { codeFor, LINK_CENTS, offerLink, type TestLink } from '../support/links.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

const AMOUNT = String(LINK_CENTS);

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const blacklist = (userId: string) =>
  sql(service, "update app_user set identity_status = 'BLACKLISTED' where id = $1", [bare(userId)]);
const freeze = (accountId: string, is_frozen = true) =>
  company.request('PATCH', `/v1/ledger/accounts/${accountId}`, { body: { is_frozen, reason: 'Under review' } });
const cancel = async (link: TestLink) =>
  company.post(`/v1/escrow/${link.escrowId}/cancel`, { actor: 'SELLER', reason: 'Sold out' });
/** A link, and its card form, which the buyer has opened. */
async function openForm(): Promise<{ readonly link: TestLink; readonly checkoutId: string }> {
  const link = await offerLink(service, company);
  const { body } = await link.say('eft-pay/initiate');
  return { link, checkoutId: body.checkoutId };
}
/** The card in the form is declined, and the link has noted that. */
async function isDeclined(link: TestLink, checkoutId: string): Promise<void> {
  await service.sandbox.settle(checkoutId, 'declined');
  await eventually(async () => (await link.events()).includes('PAYMENT_DECLINED'));
}
/** The buyer pays in the form, and the link is accepted within this time. */
async function pays(link: TestLink, checkoutId: string, withinMs: number): Promise<void> {
  await service.sandbox.settle(checkoutId, 'success');
  await eventually(async () => (await link.details()).status === 'ACCEPTED', withinMs);
}
const chargesOf = async ({ buyer }: TestLink) =>
  (await service.sandbox.control('GET', '/mobile-money')).body.filter(
    ({ phone }: { phone: string }) => phone === buyer.mobileNumber,
  );

describe('a buyer is not asked for money that the escrow cannot accept', () => {
  test.concurrent.each([
    ['the seller is blacklisted', 403, 'user_blacklisted', (_: TestLink, sellerId: string) => blacklist(sellerId)],
    ['the buyer is blacklisted', 403, 'user_blacklisted', ({ buyer }: TestLink) => blacklist(buyer.id)],
    ['the account of the buyer is frozen', 422, 'account_frozen', ({ buyer }: TestLink) => freeze(buyer.usdAccountId)],
  ])('%s after the link was made: %i %s', async (_, status, code, happen) => {
    const seller = await newUser(company);
    const link = await offerLink(service, company, { sellerId: seller.id });
    expect((await link.say('eft-pay/initiate')).status).toBe(200);
    await happen(link, seller.id);
    expect(await link.say('eft-pay/initiate')).toMatchObject(refused(status, code)); // nor shown the open form
    expect(await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber })).toMatchObject(
      refused(status, code),
    );
    expect(await chargesOf(link)).toEqual([]);
  });
});

test('simultaneous requests for a card form get the same form', async () => {
  const link = await offerLink(service, company);
  const answers = await Promise.all(Array.from({ length: 8 }, () => link.say('eft-pay/initiate')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => body.checkoutId)).size).toBe(1);
  expect((await link.read()).attempts).toHaveLength(1);
});

test('after the last attempt neither the gateway nor a phone is asked, and a code stays good', async () => {
  const other = await newCompany(service); // the attempts are made up, and the books of `company` are verified below
  const link = await offerLink(service, other);
  const { checkoutId } = (await link.say('eft-pay/initiate')).body;
  await link.change(
    `update payment_link set state = jsonb_set(state, '{attempts}', to_jsonb(array(
       select state->'attempts'->0 || jsonb_build_object('attemptId', gen_random_uuid(), 'status', 'declined', 'pollAt', null)
       from generate_series(2, $2::int))) || (state->'attempts')) where id = $1`,
    [MAX_ATTEMPTS],
  );
  expect((await link.say('eft-pay/initiate')).body.checkoutId).toBe(checkoutId); // the last form is shown again
  await isDeclined(link, checkoutId);

  await service.sandbox.outage('gateway', 60);
  const another = await service.request('POST', '/v1/payments/eft-pay/initiate', { body: { paymentSlug: link.hash } });
  await service.sandbox.outage('gateway', 0);
  expect(another).toMatchObject(refused(429, 'too_many_requests'));

  await other.post('/v1/payments/deposit', { userId: link.buyer.id, amount: LINK_CENTS, currency: 'USD' });
  const proof = { messagingNumber: link.buyer.mobileNumber, otp: await codeFor(service, link) };
  expect(await link.say('accept-payment', { ...proof, phoneNumber: link.buyer.mobileNumber })).toMatchObject(
    refused(429, 'too_many_requests'),
  );
  expect(await chargesOf(link)).toEqual([]);
  expect((await link.say('accept-payment', proof)).body).toMatchObject({ status: 'ACCEPTED' });
});

describe('a payment that the escrow could not accept', () => {
  test.concurrent('is on the balance of the buyer, the answer says so, and no other payment is asked for', async () => {
    const { link, checkoutId } = await openForm();
    await freeze(link.buyer.usdAccountId);
    await service.sandbox.settle(checkoutId, 'success');
    await eventually(async () => (await link.account()).balance === AMOUNT);
    const { body } = await link.verify(checkoutId);
    expect(body).toMatchObject({ linkStatus: 'PENDING', creditedTo: 'BALANCE', transactionId: expect.any(String) });

    await freeze(link.buyer.usdAccountId, false);
    expect(await link.say('eft-pay/initiate')).toMatchObject(refused(409, 'wrong_state'));
    expect(await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber })).toMatchObject(
      refused(409, 'wrong_state'),
    );
    expect(await chargesOf(link)).toEqual([]);
    expect(await link.deposits()).toBe(1);
  });

  test.concurrent('a payment that the escrow accepts is reported as such', async () => {
    const link = await offerLink(service, company);
    const { body } = await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    expect(body).toMatchObject({ status: 'ACCEPTED', linkStatus: 'ACCEPTED', creditedTo: 'ESCROW' });
  });
});

describe('a charge that was not made when the escrow is cancelled', () => {
  test('is never made', async () => {
    const link = await offerLink(service, company);
    await service.sandbox.outage('mobile-money', 60);
    const answer = link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    await eventually(async () => (await link.read()).attempts[0]?.checks > 0);
    expect((await cancel(link)).status).toBe(200);
    await service.sandbox.outage('mobile-money', 0);
    expect((await answer).body).toMatchObject({ status: 'DECLINED', linkStatus: 'REJECTED', creditedTo: null });
    await eventually(async () => (await link.read()).attempts[0]?.status === 'lapsed');
    expect(await chargesOf(link)).toEqual([]);
    expect(await link.account()).toMatchObject({ balance: '0' });
  });
});

describe('money that arrives after the escrow was cancelled', () => {
  const verify = () => company.get('/v1/ledger/verify-ledger-integrity');

  test('an unanswered prompt is withdrawn', async () => {
    const link = await offerLink(service, company);
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
    const answer = link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    await eventually(async () => (await chargesOf(link)).length === 1);
    expect((await cancel(link)).status).toBe(200);
    expect((await answer).body).toMatchObject({ status: 'DECLINED', linkStatus: 'REJECTED', creditedTo: null });
    expect(await chargesOf(link)).toMatchObject([{ status: 'DECLINED', isReversed: true }]);
    expect(await link.deposits()).toBe(0);
  });

  test('mobile money goes back to the phone', async () => {
    const link = await offerLink(service, company);
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
    const answer = link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    await eventually(async () => (await chargesOf(link)).length === 1);
    await service.sandbox.outage('mobile-money', 60);
    expect((await cancel(link)).status).toBe(200);
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'approve');
    // The phone's owner takes a moment: a reversal that came before would cancel the prompt.
    await eventually(async () => (await chargesOf(link))[0]?.status === 'APPROVED');
    await service.sandbox.outage('mobile-money', 0);
    const { body } = await answer;
    expect(body).toMatchObject({ status: 'DECLINED', linkStatus: 'REJECTED' });
    // A question that was under way when the outage began may return the money before the books see it.
    const isReturnedByQuestion = body.creditedTo === null;
    if (!isReturnedByQuestion) expect(['SOURCE_PENDING', 'SOURCE']).toContain(body.creditedTo);
    await eventually(async () => {
      const [attempt] = (await link.read()).attempts;
      return isReturnedByQuestion ? attempt.status === 'declined' : attempt.refund === 'done';
    });
    expect(await chargesOf(link)).toMatchObject([{ status: 'APPROVED', isReversed: true }]);
    expect(await link.account()).toMatchObject({ balance: '0', held_balance: '0' });
    expect((await verify()).body).toMatchObject({ ok: true, mismatches: [] });
  });

  test.concurrent('card money goes back to the card', async () => {
    const { link, checkoutId } = await openForm();
    expect((await cancel(link)).status).toBe(200);
    await service.sandbox.settle(checkoutId, 'success');
    await eventually(async () => (await link.read()).attempts[0]?.refund === 'done');
    expect((await service.sandbox.control('GET', `/checkouts/${checkoutId}`)).body.isRefunded).toBe(true);
    const { body } = await link.verify(checkoutId);
    expect(body).toMatchObject({ linkStatus: 'REJECTED', creditedTo: 'SOURCE' });
    expect((await company.get(`/v1/payments/transaction/${body.transactionId}`)).body.status).toBe('REVERSED');
    expect(await link.account()).toMatchObject({ balance: '0', held_balance: '0' });
    expect((await verify()).body).toMatchObject({ ok: true, mismatches: [] });
  });

  test.concurrent('stays on the balance of the buyer if the gateway does not send it back', async () => {
    const { link, checkoutId } = await openForm();
    expect((await cancel(link)).status).toBe(200);
    await service.sandbox.control('POST', `/checkouts/${checkoutId}`, { outcome: 'success', isRefunded: true });
    await eventually(async () => ['done', 'refused'].includes((await link.read()).attempts[0]?.refund));
    expect((await link.read()).attempts).toMatchObject([{ refund: 'refused' }]);
    expect((await link.verify(checkoutId)).body).toMatchObject({ linkStatus: 'REJECTED', creditedTo: 'BALANCE' });
    expect(await link.account()).toMatchObject({ balance: AMOUNT, held_balance: '0' });
    expect((await verify()).body).toMatchObject({ ok: true, mismatches: [] });
  });
});

/** As if two questions had been asked: the next one is allowed in about ten seconds, after any notification of the test. */
const useUpQuestions = (link: TestLink) =>
  sql(
    service,
    `update payment_attempt set notified_at = now() - interval '51 seconds',
       asked_at = array[now() - interval '50 seconds', now() - interval '50 seconds']
     where link_id = $1`,
    [link.linkId],
  );

/** Less than the minute after which the gateway is asked in any case. */
const SOON_MS = 45_000;
/** What counts as "within seconds" on a busy machine. */
const SECONDS_MS = 30_000;

describe('a notification of the gateway', () => {
  test.concurrent('of a card that was pending is acted upon at once: one question a minute is kept for it', async () => {
    const { link, checkoutId } = await openForm();
    await service.sandbox.settle(checkoutId, 'pending');
    for (const _ of [1, 2, 3]) expect((await link.verify(checkoutId)).body.status).toBe('PROCESSING');
    expect(await service.sandbox.statusCalls(checkoutId)).toBe(1);

    // Without the reserved question, the gateway would be asked a minute after the first one.
    await pays(link, checkoutId, SOON_MS);
    expect(await service.sandbox.statusCalls(checkoutId)).toBe(2);
  });

  test.concurrent('beyond the limit of questions is acted upon as soon as the limit allows', async () => {
    const { link, checkoutId } = await openForm();
    await useUpQuestions(link);
    await pays(link, checkoutId, SOON_MS);
    expect(await link.events()).toContain('POLL_HASTENED');
    expect(await service.sandbox.statusCalls(checkoutId)).toBe(1);
  });

  test.concurrent('of a form that was declined before finds the payment that followed', async () => {
    const { link, checkoutId } = await openForm();
    await service.sandbox.settle(checkoutId, 'declined');
    await eventually(async () => (await link.verify(checkoutId)).body.status === 'DECLINED');
    await useUpQuestions(link);
    await pays(link, checkoutId, SOON_MS);
    expect(await link.deposits()).toBe(1);
  });
});

describe('a success that the gateway reports with a signature counts within seconds', () => {
  const unsigned = (checkoutId: string) =>
    service.request('POST', '/v1/payments/eft-pay/webhook', { body: { id: checkoutId } });
  const asked = (checkoutId: string) => service.sandbox.statusCalls(checkoutId);
  /** The last notification has caused a question, or a later one because of the limit. */
  const isHandled = async (link: TestLink, checkoutId: string) =>
    (await asked(checkoutId)) === 2 || (await link.events()).includes('POLL_HASTENED');

  test.concurrent('after unsigned notifications, which anybody can send', async () => {
    const { link, checkoutId } = await openForm();
    await unsigned(checkoutId);
    await eventually(async () => (await asked(checkoutId)) === 1);
    await unsigned(checkoutId);
    await eventually(() => isHandled(link, checkoutId));
    await pays(link, checkoutId, SECONDS_MS);
    expect(await asked(checkoutId)).toBe(2);
  });

  test.concurrent('after signed notifications of declined cards', async () => {
    const { link, checkoutId } = await openForm();
    await isDeclined(link, checkoutId);
    await service.sandbox.settle(checkoutId, 'declined');
    await eventually(() => isHandled(link, checkoutId));
    await pays(link, checkoutId, SECONDS_MS);
    expect(await asked(checkoutId)).toBe(2);
  });

  test.concurrent('after bursts of unsigned notifications before and after a pending one', async () => {
    const { link, checkoutId } = await openForm();
    const burst = async () => {
      for (let left = 6; left > 0; left -= 1) await unsigned(checkoutId);
    };
    await burst();
    await service.sandbox.settle(checkoutId, 'pending');
    await burst();
    await eventually(async () => (await link.details()).status === 'PROCESSING');
    await pays(link, checkoutId, SECONDS_MS);
    // The first burst is asked about at once, or together with the success.
    expect(await asked(checkoutId)).toBeLessThanOrEqual(2);
    expect(await link.deposits()).toBe(1);
  });
});

describe('a card payment that the gateway reports as pending with a signature', () => {
  test.concurrent.each([
    ['the first one in the form', [], 0],
    ['after a declined one in the same form', ['declined'], 1],
  ] as const)('is money at work: %s', async (_, before, questions) => {
    const { link, checkoutId } = await openForm();
    for (const outcome of before) {
      await service.sandbox.settle(checkoutId, outcome);
      await eventually(async () => (await link.events()).includes('PAYMENT_DECLINED'));
    }
    await service.sandbox.settle(checkoutId, 'pending');
    await eventually(async () => (await link.details()).status === 'PROCESSING');
    expect(await service.sandbox.statusCalls(checkoutId)).toBe(questions);
    expect(await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber })).toMatchObject(
      refused(409, 'wrong_state'),
    );
    expect(await chargesOf(link)).toEqual([]);
    await pays(link, checkoutId, SECONDS_MS);
    expect(await link.account()).toMatchObject({ balance: AMOUNT, held_balance: AMOUNT });
    expect(await service.sandbox.statusCalls(checkoutId)).toBe(questions + 1);
  });

  test.concurrent('is not believed without a signature', async () => {
    const { link, checkoutId } = await openForm();
    const payload = { ndc: checkoutId, amount: '250.00', result: { code: '000.200.000' } };
    await service.request('POST', '/v1/payments/eft-pay/webhook', { body: { type: 'PAYMENT', payload } });
    expect((await link.verify(checkoutId)).body).toMatchObject({ linkStatus: 'PENDING' });
    expect(await link.events()).not.toContain('PAYMENT_PENDING');
  });
});
