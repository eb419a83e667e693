import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Escrow } from '../../src/domain/escrow/escrow.ts';
import { must } from '../domain/escrow/build.ts';
import { historyOf } from '../support/escrows.ts';
import { LIFE_DEPOSIT_CENTS, type Life, lifeOf, live } from '../support/lives.ts';
import { newCompany, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { expectSoundStatements } from '../support/statements.ts';

/**
 * Random lives of escrows run twice: in the model of test/domain/escrow, which checks the
 * invariants, and in the running service. Both must give the same answer to every command.
 */

const SEQUENCES = Number(process.env.LIVES ?? 25);
const COMMANDS = 30;
const AT_ONCE = 6;
const SEED = Number(process.env.FUZZ_SEED ?? Date.now());

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** The companies of the lives. Their statements are checked at the end. */
const companies: TestCompany[] = [];
const startedAt = new Date();

test(`${SEQUENCES} random lives of up to ${COMMANDS} commands go over HTTP as the model says, to the cent`, async () => {
  const lives = fc.sample(lifeOf(COMMANDS), { numRuns: SEQUENCES, seed: SEED });
  const counts = { accepted: 0, refused: 0 };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const company = await newCompany(service);
      companies.push(company);
      await company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250 } });
      for (let next = lives.pop(); next !== undefined; next = lives.pop()) {
        const { accepted, refused } = await liveInBoth(company, next);
        counts.accepted += accepted;
        counts.refused += refused;
      }
      const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
      expect(body).toMatchObject({ ok: true, mismatches: [] });
    }),
  );
  console.log(`${SEQUENCES} lives (FUZZ_SEED=${SEED}): ${counts.accepted} accepted, ${counts.refused} refused`);
  expect(counts.accepted).toBeGreaterThan(SEQUENCES * 3);

  // Then every account has a consistent statement, equal in its four formats.
  const moved = await Promise.all(companies.map((company) => expectSoundStatements(service, company, startedAt)));
  const accounts = moved.reduce((sum, one) => sum + one, 0);
  console.log(`${accounts} accounts with entries, each in four formats`);
  expect(accounts).toBeGreaterThan(SEQUENCES); // every buyer at least
}, 600_000);

/** One life, in the service and in the model, which agree at its end. */
async function liveInBoth(company: TestCompany, life: Life) {
  const { model, path, parties } = await live(company, life, `FUZZ_SEED=${SEED}`);
  await expectAgreement(company, path, must(model.state), parties);
  return model;
}

async function expectAgreement(
  company: TestCompany,
  path: string,
  state: Escrow,
  { buyer, seller }: Awaited<ReturnType<typeof live>>['parties'],
): Promise<void> {
  const { body } = await company.get(path);
  const { heldCents, releasedCents, refundedCents, feesCents, shares } = state;
  expect(body).toMatchObject({
    status: state.status,
    heldAmount: String(heldCents),
    releasedAmount: String(releasedCents),
    refundedAmount: String(refundedCents),
    splitPlan: { seller_payout_cents: String(shares.sellerPayoutCents) },
    milestones: state.milestones.map(({ status, shares: part }) => ({
      status,
      sellerPayout: String(part.sellerPayoutCents),
      systemFee: String(part.systemFeeCents),
      serviceFee: String(part.serviceFeeCents),
      buyerRefund: String(part.buyerRefundCents),
    })),
  });
  const accountOf = async (id: string) => {
    const { body: account } = await company.get(`/v1/ledger/accounts/${id}`);
    return [account.balance, account.held_balance];
  };
  const left = BigInt(LIFE_DEPOSIT_CENTS) - releasedCents - feesCents;
  expect(await accountOf(buyer.usdAccountId)).toEqual([String(left), String(heldCents)]);
  expect(await accountOf(seller.usdAccountId)).toEqual([String(releasedCents), '0']);
  expect((await historyOf(company, body.id)).held).toBe(String(heldCents));
  const { body: timeline } = await company.get(`${path}/timeline`);
  expect(timeline.length).toBe(state.seq);
}
