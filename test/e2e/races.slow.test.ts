import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Answer,
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/** `npm run races` runs 1,000. */
const RACES = Number(process.env.RACES ?? 40);
const AT_ONCE = 10;
const AMOUNT_CENTS = 1_000;
const FEE_CENTS = 10;

/** The first of these excludes the others. */
const RUNNERS = {
  release: { body: undefined, event: 'FUNDS_RELEASED', status: 'COMPLETED' },
  cancel: { body: { actor: 'BUYER', reason: 'changed my mind' }, event: 'CANCELLED', status: 'CANCELLED' },
  dispute: { body: { actor: 'SELLER', reason: 'never paid' }, event: 'DISPUTED', status: 'DISPUTED' },
} as const;
type Runner = keyof typeof RUNNERS;
/** Every order of starting, so that each is first sometimes. */
const ORDERS: readonly (readonly Runner[])[] = [
  ['release', 'cancel', 'dispute'],
  ['cancel', 'dispute', 'release'],
  ['dispute', 'release', 'cancel'],
  ['release', 'dispute', 'cancel'],
  ['cancel', 'release', 'dispute'],
  ['dispute', 'cancel', 'release'],
];

let service: TestService & WithTemporal;
beforeAll(async () => {
  service = await withTemporal(await sharedService());
});
afterAll(() => service.stop());

test(`release, cancel and dispute at once, ${RACES} times: one of them happens, the others are told that it is too late`, async () => {
  const lanes = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const company = await newCompany(service);
      return { company, parties: await newParties(company, RACES * AMOUNT_CENTS) };
    }),
  );
  const wins: Record<Runner, number> = { release: 0, cancel: 0, dispute: 0 };
  let started = 0;
  await Promise.all(
    lanes.map(async ({ company, parties }) => {
      const won: Record<Runner, number> = { release: 0, cancel: 0, dispute: 0 };
      while (started < RACES) {
        const order = ORDERS[started % ORDERS.length] ?? [];
        started += 1;
        const winner = await race(company, parties.escrow, order);
        won[winner] += 1;
        wins[winner] += 1;
      }
      await expectPaid(company, parties, won);
    }),
  );

  expect(wins.release + wins.cancel + wins.dispute).toBe(RACES);
  for (const { company } of lanes)
    expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({ body: { ok: true } });
  console.log(`${RACES} races: ${JSON.stringify(wins)}`);
}, 600_000);

/** Runs them, and returns the winner after checking that there is only one. */
async function race(
  company: TestCompany,
  escrow: (fields: Record<string, unknown>) => unknown,
  order: readonly Runner[],
): Promise<Runner> {
  const items = [{ name: 'Maize', quantity: 1, pricePerUnit: AMOUNT_CENTS }];
  const begun = await company.post('/v1/escrow/initiate', escrow({ items }));
  expect(begun).toMatchObject({ status: 201 });
  const path = `/v1/escrow/${begun.body.id}`;
  const run = (runner: Runner) => company.post(`${path}/${runner}`, RUNNERS[runner].body);
  const answers = await Promise.all(order.map(async (runner) => [runner, await run(runner)] as const));

  const winners = answers.filter(([, answer]) => answer.status === 200);
  const said = answers.map(([, { status, body }]) => (status === 200 ? 'won' : `${status} ${body.code}`));
  expect(said.toSorted()).toEqual(['409 wrong_state', '409 wrong_state', 'won']);
  const [winner] = winners.flat() as [Runner]; // of one winner
  const { event, status } = RUNNERS[winner];
  expect((await company.get(path)).body.status).toBe(status);
  const { body: timeline } = await company.get(`${path}/timeline`);
  expect(timeline.map((entry: { event: string }) => entry.event)).toEqual(['INITIATED', event]);
  return winner;
}

/** The seller was paid for every release, the buyer has the rest, and disputed money is still held. */
async function expectPaid(
  company: TestCompany,
  { buyer, seller }: Awaited<ReturnType<typeof newParties>>,
  won: Record<Runner, number>,
): Promise<void> {
  const accountOf = async (id: string) => {
    const { body } = await company.get(`/v1/ledger/accounts/${id}`);
    return [Number(body.balance), Number(body.held_balance)];
  };
  expect(await accountOf(seller.usdAccountId)).toEqual([won.release * (AMOUNT_CENTS - FEE_CENTS), 0]);
  expect(await accountOf(buyer.usdAccountId)).toEqual([
    (RACES - won.release) * AMOUNT_CENTS,
    won.dispute * AMOUNT_CENTS,
  ]);
}

const MET = Math.ceil(RACES / 5);

test(`a signal that arrives with the final command: the release still returns its result, each of ${MET} times`, async () => {
  const company = await newCompany(service);
  const { escrow } = await newParties(company, MET * AMOUNT_CENTS);
  const items = [{ name: 'Maize', quantity: 1, pricePerUnit: AMOUNT_CENTS }];
  const releaseUnderSignals = async () => {
    const { body } = await company.post('/v1/escrow/initiate', escrow({ items }));
    const run = service.temporal.workflow.getHandle(`escrow/${body.id}`);
    const release = company.post(`/v1/escrow/${body.id}/release`);
    for (let sent = 0; sent < 12; sent++) await run.signal('add-evidence', { actor: 'BUYER' }).catch(() => undefined); // it may have ended
    return release;
  };
  const answers: Answer[] = [];
  while (answers.length < MET) answers.push(...(await Promise.all([releaseUnderSignals(), releaseUnderSignals()])));
  expect(answers.map(({ body }) => body.code ?? body.status)).toEqual(answers.map(() => 'COMPLETED'));
});
