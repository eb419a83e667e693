import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused } from '../../../support/api.ts';
import { newCompany, newParties, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

/** `If-Match` on the commands of an escrow: what a caller decided on an old version is not carried out. */

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const HALVES = [
  { title: 'Drilling', percentage: 50 },
  { title: 'Pump', percentage: 50 },
];

async function newEscrow() {
  const { escrow } = await newParties(company);
  const { id } = (await company.post('/v1/escrow/initiate', escrow({ milestones: HALVES }))).body;
  const read = async () => (await company.get(`/v1/escrow/${id}`)).body;
  /** Repeats with the same key what a busy machine refuses. */
  const send = (command: string, ifMatch: string | null, body?: unknown, key?: string) =>
    untilAnswered(
      (fresh) =>
        company.request('POST', `/v1/escrow/${id}/${command}`, {
          body,
          headers: { 'x-idempotency-key': key ?? fresh, ...(ifMatch === null ? {} : { 'if-match': ifMatch }) },
        }),
      { repeated: [429, 503] },
    );
  return { id, read, send };
}

const cancel = { actor: 'SELLER', reason: 'not needed' };

test('the ETag of an escrow is its version, which grows with every event', async () => {
  const { id, read, send } = await newEscrow();
  const { version } = await read();
  expect((await company.get(`/v1/escrow/${id}`)).headers.get('etag')).toBe(`"${version}"`);
  expect(await send('dispute', `"${version}"`, { actor: 'BUYER', reason: 'broken' })).toMatchObject({ status: 200 });
  expect((await read()).version).toBe(version + 1);
});

describe('a command for an old version', () => {
  let changed: Awaited<ReturnType<typeof newEscrow>>;
  let old: number;
  beforeAll(async () => {
    changed = await newEscrow();
    const { version, milestones } = await changed.read();
    await changed.send(`release?milestoneId=${milestones[0].id}`, null);
    old = version;
  });

  test.each([
    ['release', undefined],
    ['cancel', cancel],
    ['dispute', { actor: 'BUYER', reason: 'broken' }],
    ['extend', { actor: 'BUYER', hours: 1 }],
    [
      'negotiate',
      {
        actor: 'BUYER',
        newSplitPlan: { seller_payout_cents: 100, system_fee_cents: 0, service_fee_cents: 0 },
      },
    ],
  ])('%s is refused and changes nothing', async (command, body) => {
    const before = await changed.read();
    expect(before.version).toBe(old + 1);
    expect(await changed.send(command, `"${old}"`, body)).toMatchObject(refused(412, 'precondition_failed'));
    expect(await changed.read()).toEqual(before);
  });

  test('is carried out once it names the current one, with the same idempotency key', async () => {
    const { read, send } = await newEscrow();
    const { version, milestones } = await read();
    await send(`release?milestoneId=${milestones[0].id}`, null);
    const key = randomUUID();
    expect(await send('cancel', `"${version}"`, cancel, key)).toMatchObject(refused(412, 'precondition_failed'));
    expect(await send('cancel', `"${version + 1}"`, cancel, key)).toMatchObject({ status: 200 });
  });

  test('is refused in the same way after the escrow has ended', async () => {
    const { read, send } = await newEscrow();
    const { version } = await read();
    await send('release', null);
    expect(await send('release', `"${version}"`)).toMatchObject(refused(412, 'precondition_failed'));
    expect(await send('release', `"${version + 1}"`)).toMatchObject(refused(409, 'wrong_state'));
  });
});

test('a repetition gets the first answer, although the first request has changed the version', async () => {
  const { read, send } = await newEscrow();
  const { version } = await read();
  const key = randomUUID();
  const first = await send('cancel', `"${version}"`, cancel, key);
  expect(first).toMatchObject({ status: 200 });
  const again = await send('cancel', `"${version}"`, cancel, key);
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test('of twenty commands at once for one version one is carried out', async () => {
  const { read, send } = await newEscrow();
  const { version } = await read();
  const proof = { actor: 'BUYER', reason: 'broken' };
  await send('dispute', `"${version}"`, proof);
  const disputed = (await read()).version;
  const sent = Array.from({ length: 20 }, (_, n) =>
    send('dispute/evidence', `"${disputed}"`, { actor: 'BUYER', note: `picture ${n}` }),
  );
  const answers = await Promise.all(sent);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    expect(answer).toMatchObject(refused(412, 'precondition_failed'));
  expect((await read()).version).toBe(disputed + 1);
});

test.each(['*', null])('If-Match %s is any version', async (tag) => {
  const { send } = await newEscrow();
  expect(await send('cancel', tag, cancel)).toMatchObject({ status: 200 });
});

describe('If-Match', () => {
  let escrow: Awaited<ReturnType<typeof newEscrow>>;
  beforeAll(async () => {
    escrow = await newEscrow();
  });

  test.each(['7', 'W/"1"', '"1", "2"', '""', '"0"', '"x"', '"1234567890"'])('%s is malformed', async (tag) => {
    expect(await escrow.send('cancel', tag, cancel)).toMatchObject(refused(400, 'validation_failed'));
    expect(await escrow.read()).toMatchObject({ status: 'ACTIVE' });
  });
});
