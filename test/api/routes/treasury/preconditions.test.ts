import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { logIn, refused } from '../../../support/api.ts';
import { PLATFORM, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { newHolder, newUndecidedPayout } from '../../../support/treasury.ts';

/** `If-Match` on the outcome of a withdrawal: what was decided on an old version is not carried out. */

let service: TestService;
let adminId: string;
beforeAll(async () => {
  service = await sharedService();
  adminId = (await logIn(service, service.platform.companyId, PLATFORM)).id;
});
afterAll(() => service?.stop());

async function newPayout() {
  const { company, account, accountId } = await newHolder(service);
  const { id } = await newUndecidedPayout(company, accountId, 4_000);
  const path = `/v1/treasury/withdrawals/${id}`;
  /** Repeats with the same key what a busy machine refuses. */
  const book = (outcome: 'PAID' | 'NOT_PAID', ifMatch: string | null, key?: string) =>
    untilAnswered(
      (fresh) =>
        service.request('POST', `${path}/outcome`, {
          headers: {
            'x-api-key': service.platform.apiKey,
            'x-company-id': company.id,
            'x-idempotency-key': key ?? fresh,
            ...(ifMatch === null ? {} : { 'if-match': ifMatch }),
          },
          body: { outcome, adminId },
        }),
      { repeated: [429, 503] },
    );
  const available = async () => (await account()).available_balance;
  return { read: async () => company.get(path), book, available };
}

test('the ETag of a withdrawal is its version, which grows with every event', async () => {
  const { read, book } = await newPayout();
  const { headers, body } = await read();
  expect(headers.get('etag')).toBe(`"${body.version}"`);
  const answer = await book('PAID', `"${body.version}"`);
  expect(answer).toMatchObject({ status: 200, body: { status: 'COMPLETED', version: body.version + 1 } });
});

test.each(['PAID', 'NOT_PAID'] as const)('%s for an old version moves nothing', async (outcome) => {
  const { read, book, available } = await newPayout();
  const { version } = (await read()).body;
  await book(outcome === 'PAID' ? 'NOT_PAID' : 'PAID', null);
  const [before, money] = [(await read()).body, await available()];
  expect(await book(outcome, `"${version}"`)).toMatchObject(refused(412, 'precondition_failed'));
  expect((await read()).body).toEqual(before);
  expect(await available()).toBe(money);
});

test('of contradicting outcomes at once for one version, one is booked', async () => {
  const { read, book } = await newPayout();
  const { version } = (await read()).body;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => book(n % 2 === 0 ? 'PAID' : 'NOT_PAID', `"${version}"`)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(answer).toMatchObject(refused(412, 'precondition_failed'));
  expect((await read()).body).toMatchObject({ version: version + 1 });
});

test('a repetition gets the first answer, although the first request has changed the version', async () => {
  const { read, book } = await newPayout();
  const { version } = (await read()).body;
  const key = randomUUID();
  const first = await book('NOT_PAID', `"${version}"`, key);
  expect(first).toMatchObject({ status: 200, body: { status: 'FAILED' } });
  expect(await book('NOT_PAID', `"${version}"`, key)).toMatchObject({ status: 200, body: first.body });
});
