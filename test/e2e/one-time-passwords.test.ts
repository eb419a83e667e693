import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused, sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink, type TestLink } from '../support/links.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { type Answer, done, newCompany, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/** A code pays only the link it was requested for, and a caller cannot use up the codes or prompts of another person. */

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** The companies of all tests: a number gets its first link from the first. */
const merchants: Promise<TestCompany>[] = [];
const linksOf = new Map<string, number>();

/** Links of several companies to one person, in the order of `amounts`, each with a balance that covers it. */
async function linksTo(mobileNumber: string, ...amounts: readonly number[]): Promise<TestLink[]> {
  const links: TestLink[] = [];
  for (const amount of amounts) {
    const at = linksOf.get(mobileNumber) ?? 0;
    linksOf.set(mobileNumber, at + 1);
    merchants[at] ??= newCompany(service, `Merchant ${String.fromCharCode(65 + at)}`);
    const company = await merchants[at];
    const link = await offerLink(
      service,
      company,
      { amount, items: [{ name: 'Goods', quantity: 1, pricePerUnit: amount }] },
      { mobileNumber },
    );
    await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount, currency: 'USD' });
    links.push(link);
  }
  return links;
}

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

function askCode(body: { messagingNumber: string; paymentSlug?: string }, address = '203.0.113.1'): Promise<Answer> {
  return service.request('POST', '/v1/payments/request-checkout-otp', { ...from(address), body });
}

function pay(link: TestLink, otp: string): Promise<Answer> {
  return link.say('accept-payment', { messagingNumber: link.buyer.mobileNumber, otp });
}

const wrongCode = (code: string, offset: number) => String((Number(code) + offset) % 1_000_000).padStart(6, '0');

describe('a one-time password', () => {
  test.concurrent('asked for a small link of one company does not pay a large link of another', async () => {
    const [small, large] = await linksTo(nextMobileNumber(), 100, 900_000);
    if (small === undefined || large === undefined) throw new Error('two links are needed');
    await askCode({ messagingNumber: small.buyer.mobileNumber, paymentSlug: small.hash });
    const code = await service.sandbox.codeFor(small.buyer.mobileNumber);
    expect(await pay(large, code)).toMatchObject(refused(422, 'otp_invalid'));
    expect(await large.account()).toMatchObject({ held_balance: '0' });
    expect(await pay(small, code)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
  });

  test.concurrent('asked for without a link names the three newest that can be paid, and pays one of them', async () => {
    const [fourth, ...named] = await linksTo(nextMobileNumber(), 100, 200, 300, 400);
    const [third, second, newest] = named;
    if (fourth === undefined || third === undefined || second === undefined || newest === undefined)
      throw new Error('four links are needed');
    await askCode({ messagingNumber: fourth.buyer.mobileNumber });
    const code = await service.sandbox.codeFor(fourth.buyer.mobileNumber);
    const [message] = await service.sandbox.messagesTo(fourth.buyer.mobileNumber);
    const parts = await Promise.all(
      named.toReversed().map(async (link) => {
        const { amount, companyName } = await link.details();
        return `USD ${amount / 100}.00 to ${companyName}`;
      }),
    );
    expect(message?.text).toBe(`Use the code ${code} to pay ${parts.join(', ')}. Give it to nobody.`);
    expect(await pay(fourth, code)).toMatchObject(refused(422, 'otp_invalid'));
    expect(await pay(second, code)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
    for (const other of [third, newest]) expect(await pay(other, code)).toMatchObject(refused(422, 'otp_invalid'));
    expect(await pay(second, code)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
  });

  test.concurrent('asked for without a link pays one of several links that are paid at once', async () => {
    const links = await linksTo(nextMobileNumber(), 100, 200, 300);
    const { mobileNumber } = links[0]?.buyer ?? { mobileNumber: '' };
    await askCode({ messagingNumber: mobileNumber });
    const code = await service.sandbox.codeFor(mobileNumber);
    const answers = await Promise.all(links.map((link) => pay(link, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  });

  test.concurrent('asked for without a link belongs to the first that it was right for, although its payment was refused', async () => {
    const [other] = await linksTo(nextMobileNumber(), 100);
    if (other === undefined) throw new Error('a link is needed');
    const { mobileNumber } = other.buyer;
    const order = { amount: 500, items: [{ name: 'Goods', quantity: 1, pricePerUnit: 500 }] };
    const company = await newCompany(service);
    const poor = await offerLink(service, company, order, { mobileNumber });
    await askCode({ messagingNumber: mobileNumber });
    const code = await service.sandbox.codeFor(mobileNumber);
    expect(await pay(poor, code)).toMatchObject(refused(422, 'insufficient_funds'));
    expect(await pay(other, code)).toMatchObject(refused(422, 'otp_invalid'));
    await company.post('/v1/payments/deposit', { userId: poor.buyer.id, amount: 500, currency: 'USD' });
    expect(await pay(poor, code)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
  });

  test.concurrent('asked for without a link permits five tries over all its links', async () => {
    const [one, two] = await linksTo(nextMobileNumber(), 100, 200);
    if (one === undefined || two === undefined) throw new Error('two links are needed');
    await askCode({ messagingNumber: one.buyer.mobileNumber });
    const code = await service.sandbox.codeFor(one.buyer.mobileNumber);
    for (const [offset, link] of [one, two, one, two, one].entries())
      expect(await pay(link, wrongCode(code, offset + 1))).toMatchObject(refused(422, 'otp_invalid'));
    for (const link of [one, two]) expect(await pay(link, code)).toMatchObject(refused(429, 'otp_locked'));
  });

  test.concurrent('comes in a message that names the merchant and the amount', async () => {
    const [link] = await linksTo(nextMobileNumber(), 123_456);
    if (link === undefined) throw new Error('a link is needed');
    await askCode({ messagingNumber: link.buyer.mobileNumber, paymentSlug: link.hash });
    const code = await service.sandbox.codeFor(link.buyer.mobileNumber);
    const [message] = await service.sandbox.messagesTo(link.buyer.mobileNumber);
    const { companyName: merchant } = await link.details();
    expect(merchant).toMatch(/^Merchant A/);
    expect(message).toMatchObject({ code, merchant, amount: 'USD 1234.56' });
    expect(message?.text).toBe(`Use the code ${code} to pay USD 1234.56 to ${merchant}. Give it to nobody.`);
  });

  test.concurrent('is sent to the buyer of the link only, and the answer is the same for another number', async () => {
    const [link] = await linksTo(nextMobileNumber(), 100);
    if (link === undefined) throw new Error('a link is needed');
    const other = nextMobileNumber();
    const asked = await askCode({ messagingNumber: other, paymentSlug: link.hash });
    const right = await askCode({ messagingNumber: link.buyer.mobileNumber, paymentSlug: link.hash });
    expect([asked.status, asked.body]).toEqual([200, { sent: true, expiresIn: 300 }]);
    expect([right.status, right.body]).toEqual([asked.status, asked.body]);
    await service.sandbox.codeFor(link.buyer.mobileNumber);
    expect(await service.sandbox.messagesTo(other)).toEqual([]);
  });

  test.each<[string, number, string]>([
    ["update payment_link set status = 'REJECTED' where id = $1", 409, 'wrong_state'],
    ["update payment_link set expires_at = now() - interval '1 second' where id = $1", 410, 'link_expired'],
  ])('is not sent for a link that cannot be paid: %s', async (statement, status, code) => {
    const [link] = await linksTo(nextMobileNumber(), 100);
    await link?.change(statement);
    const { hash, buyer } = link ?? { hash: '', buyer: { mobileNumber: '' } };
    expect(await askCode({ messagingNumber: buyer.mobileNumber, paymentSlug: hash })).toMatchObject(
      refused(status, code),
    );
    expect(await askCode({ messagingNumber: buyer.mobileNumber, paymentSlug: 'no-such-link' })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await service.sandbox.messagesTo(buyer.mobileNumber)).toEqual([]);
  });

  test.concurrent('is not used up by a refusal for insufficient funds, and pays once after a deposit', async () => {
    const mobileNumber = nextMobileNumber();
    const order = { amount: 500, items: [{ name: 'Goods', quantity: 1, pricePerUnit: 500 }] };
    const company = await newCompany(service);
    const link = await offerLink(service, company, order, { mobileNumber });
    await askCode({ messagingNumber: link.buyer.mobileNumber, paymentSlug: link.hash });
    const code = await service.sandbox.codeFor(link.buyer.mobileNumber);
    await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 471, currency: 'USD' });
    const tooLittle = await pay(link, code);
    expect(tooLittle).toMatchObject(refused(422, 'insufficient_funds'));
    // The code permits one payment. It does not permit to read the balance.
    expect(tooLittle.body).not.toHaveProperty('details');
    const { requestId: _id, instance: _instance, ...told } = tooLittle.body; // these ids may have the digits
    expect(JSON.stringify(told)).not.toContain('471');
    expect(await pay(link, wrongCode(code, 1))).toMatchObject(refused(422, 'otp_invalid'));
    await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 429, currency: 'USD' });
    const answers = await Promise.all([pay(link, code), pay(link, code), pay(link, code)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await link.account()).toMatchObject({ balance: '900', held_balance: '500' });
  });

  test.concurrent('is not used up by the refusal of a blacklisted buyer, and pays once the buyer is cleared', async () => {
    const [link] = await linksTo(nextMobileNumber(), 100);
    if (link === undefined) throw new Error('a link is needed');
    const { id, mobileNumber } = link.buyer;
    const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': (await merchants[0])?.id ?? '' };
    const setStatus = (status: 'BLACKLISTED' | 'CLEAR') =>
      done(service.request('POST', `/v1/identity/admin/users/${id}/status`, { headers, body: { status } }));
    await askCode({ messagingNumber: mobileNumber, paymentSlug: link.hash });
    const code = await service.sandbox.codeFor(mobileNumber);
    await setStatus('BLACKLISTED');
    expect(await pay(link, code)).toMatchObject(refused(403, 'user_blacklisted'));
    await setStatus('CLEAR');
    expect(await pay(link, code)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
  });

  test.concurrent('is not sent twice within a minute, and the answer says how long to wait', async () => {
    const [link] = await linksTo(nextMobileNumber(), 100);
    const asked = { messagingNumber: link?.buyer.mobileNumber ?? '', paymentSlug: link?.hash ?? '' };
    const askedAt = performance.now();
    expect(await askCode(asked)).toMatchObject({ status: 200 });
    const again = await askCode(asked);
    const waited = (performance.now() - askedAt) / 1_000;
    expect(again).toMatchObject(refused(429, 'too_many_requests'));
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(58 - waited);
  });

  test.concurrent('is sent once for ten simultaneous requests', async () => {
    const [link] = await linksTo(nextMobileNumber(), 100);
    const asked = { messagingNumber: link?.buyer.mobileNumber ?? '', paymentSlug: link?.hash ?? '' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => askCode(asked)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 429)]);
  });
});

describe('a stranger', () => {
  test.concurrent('code requests by a stranger do not keep the owner of a number from getting and using a code', async () => {
    const [link] = await linksTo(nextMobileNumber(), 100);
    if (link === undefined) throw new Error('a link is needed');
    const { mobileNumber } = link.buyer;
    await askCode({ messagingNumber: mobileNumber, paymentSlug: link.hash });
    const code = await service.sandbox.codeFor(mobileNumber);
    for (let host = 1; host <= 20; host += 1) await askCode({ messagingNumber: mobileNumber }, `198.51.100.${host}`);
    expect(await pay(link, code)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
    const [next] = await linksTo(mobileNumber, 200);
    if (next === undefined) throw new Error('a link is needed');
    expect(await askCode({ messagingNumber: mobileNumber, paymentSlug: next.hash })).toMatchObject({ status: 200 });
  });

  test.concurrent('gets five messages in ten minutes sent to a number, over all links and companies; unknown numbers count alike', async () => {
    const mobileNumber = nextMobileNumber();
    const links = await linksTo(mobileNumber, 100, 200, 300, 400, 500, 600);
    for (const messagingNumber of [mobileNumber, nextMobileNumber()]) {
      const statuses = [];
      for (const [at, { hash: paymentSlug }] of links.entries())
        statuses.push((await askCode({ messagingNumber, paymentSlug }, `192.0.2.${at}`)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      // Requests without a link have a budget of their own.
      expect(await askCode({ messagingNumber }, '192.0.2.77')).toMatchObject({ status: 200 });
      expect(await askCode({ messagingNumber }, '192.0.2.78')).toMatchObject(refused(429, 'too_many_requests'));
      // The same phone with the national 0.
      const withZero = messagingNumber.replace('+263', '+2630');
      for (const paymentSlug of [links[5]?.hash, undefined])
        expect(await askCode({ messagingNumber: withZero, paymentSlug }, '192.0.2.79')).toMatchObject(
          refused(429, 'too_many_requests'),
        );
    }
    expect(await service.sandbox.messagesTo(mobileNumber)).toHaveLength(6);
  });

  test.concurrent('gets no more codes than the budgets of a day, a link and a network', async () => {
    type Asked = { asked: string; number: string | null; network: string };
    const begin = async ({ asked, number, network }: Asked) => {
      const hashes = [asked, number, network].map((text) => (text === null ? null : Buffer.from(text)));
      const text = "select otp_begin($1, $2, $3, '{}', '\\x00', '5 minutes', 12, null) as wait";
      return Number((await sql(service, text, hashes))[0]?.wait);
    };
    const age = (asked: string, by: string) =>
      sql(service, 'update one_time_password set created_at = created_at - $2::interval where asked_hash = $1', [
        Buffer.from(asked),
        by,
      ]);
    const MINUTE = 60;
    // A request each two minutes, until one has to wait.
    const untilRefused = async (asked: Asked) => {
      for (let sent = 0; ; sent += 1) {
        const wait = await begin(asked);
        if (wait > 0) return { sent, minutes: Math.round(wait / MINUTE) };
        await age(asked.asked, '2 minutes');
      }
    };
    const run = randomUUID();
    expect(await untilRefused({ asked: `${run} no link`, number: null, network: `${run} a` })).toEqual({
      sent: 5,
      minutes: 24 * 60 - 10,
    });
    expect(await untilRefused({ asked: `${run} link`, number: `${run} b`, network: `${run} b` })).toEqual({
      sent: 5,
      minutes: 50,
    });
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        begin({ asked: `${run} ${at}`, number: `${run} ${at}`, network: `${run} c` }),
      ),
    );
    expect(many.filter((wait) => wait === 0)).toHaveLength(12);
    expect(await begin({ asked: `${run} 13`, number: `${run} 13`, network: `${run} c` })).toBeGreaterThan(9 * MINUTE);
  });

  test.concurrent('wrong codes for one link do not lock another link of the same buyer', async () => {
    const [guessed, other] = await linksTo(nextMobileNumber(), 100, 200);
    if (guessed === undefined || other === undefined) throw new Error('two links are needed');
    const { mobileNumber } = guessed.buyer;
    await askCode({ messagingNumber: mobileNumber, paymentSlug: guessed.hash });
    const first = await service.sandbox.codeFor(mobileNumber);
    await askCode({ messagingNumber: mobileNumber, paymentSlug: other.hash });
    const second = await eventually(async () => {
      const sent = await service.sandbox.messagesTo(mobileNumber);
      return sent.length === 2 && sent.at(-1)?.code;
    });
    for (let offset = 1; offset <= 5; offset += 1) await pay(guessed, wrongCode(first, offset));
    expect(await pay(guessed, first)).toMatchObject(refused(429, 'otp_locked'));
    expect(await pay(other, second)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
  });
});

describe('a phone', () => {
  const prompt = (link: TestLink, phoneNumber: string) => link.say('accept-payment', { phoneNumber });

  test.concurrent('is prompted at most three times an hour over all links and companies, which uses up no code', async () => {
    const [victim, mobileNumber] = [nextMobileNumber(), nextMobileNumber()];
    await service.sandbox.mobileMoney(victim, 'decline');
    const [last, other, ...links] = await linksTo(mobileNumber, 100, 200, 300, 400, 500);
    const [pressed, ...next] = links;
    if (last === undefined || other === undefined || pressed === undefined) throw new Error('five links are needed');
    await askCode({ messagingNumber: mobileNumber, paymentSlug: last.hash });
    const code = await service.sandbox.codeFor(mobileNumber);
    const withCode = (otp: string) =>
      last.say('accept-payment', { phoneNumber: victim, messagingNumber: mobileNumber, otp });
    for (const offset of [1, 2, 3])
      expect(await withCode(wrongCode(code, offset))).toMatchObject(refused(422, 'otp_invalid'));
    // A link refuses a second prompt beside its first, and that one was not sent.
    const answers = await Promise.all([pressed, pressed, pressed].map((link) => prompt(link, victim)));
    const sent = answers.filter(({ status }) => status === 200).length;
    const prompted = await Promise.all(next.slice(sent - 1).map((link) => prompt(link, victim)));
    expect(prompted).toMatchObject(prompted.map(() => ({ status: 200, body: { status: 'DECLINED' } })));
    for (const written of [victim, victim.replace(/^\+263/, '+2630')])
      expect(await prompt(other, written)).toMatchObject(refused(429, 'too_many_requests'));
    expect(await prompt(other, nextMobileNumber())).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
    expect(await withCode(code)).toMatchObject(refused(429, 'too_many_requests'));
    expect(await pay(last, code)).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
  });

  test.concurrent('that approves each prompt is prompted again', async () => {
    const payer = nextMobileNumber();
    const [last, ...links] = await linksTo(nextMobileNumber(), 100, 200, 300, 400);
    if (last === undefined) throw new Error('four links are needed');
    const accepted = { status: 200, body: { status: 'ACCEPTED' } };
    expect(await Promise.all(links.map((link) => prompt(link, payer)))).toMatchObject(Array(3).fill(accepted));
    expect(await prompt(last, payer)).toMatchObject(accepted);
  });

  test.concurrent('is prompted three times when six links ask at once', async () => {
    const victim = nextMobileNumber();
    await service.sandbox.mobileMoney(victim, 'decline');
    const links = await linksTo(nextMobileNumber(), ...Array.from({ length: 6 }, (_, index) => 100 + index));
    const answers = await Promise.all(links.map((link) => prompt(link, victim)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});
