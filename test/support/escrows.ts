import { sql } from './api.ts';
import { newParties, requestIdOf, type TestCompany, type TestService } from './service.ts';

/** An ACTIVE escrow of 250.00: two of one item, unless `fields` change it. */
export async function beginEscrow(company: TestCompany, fields: Record<string, unknown> = {}) {
  const parties = await newParties(company);
  const initiated = await company.post('/v1/escrow/initiate', parties.escrow(fields));
  const { body } = initiated;
  const path = `/v1/escrow/${body.id}`;
  const read = async () => (await company.get(path)).body;
  const { items, milestones } = await read();
  const accountOf = async ({ usdAccountId }: { usdAccountId: string }) => {
    const { body: account } = await company.get(`/v1/ledger/accounts/${usdAccountId}`);
    return [account.balance, account.held_balance];
  };
  return {
    ...parties,
    id: String(body.id),
    requestId: requestIdOf(initiated),
    path,
    itemId: String(items[0].id),
    milestoneIds: milestones.map(({ id }: { id: string }) => id) as string[], // as the schema says
    read,
    timeline: async () => (await company.get(`${path}/timeline`)).body,
    /** Balance and held balance of both parties. */
    money: async () => ({ buyer: await accountOf(parties.buyer), seller: await accountOf(parties.seller) }),
  };
}

/** The `money` of an escrow before anything was released. */
export const UNTOUCHED = { buyer: ['100000', '25000'], seller: ['0', '0'] };

export const splitPlan = (systemFee: number, serviceFee: number, sellerPayout: number) => ({
  system_fee_cents: systemFee,
  service_fee_cents: serviceFee,
  seller_payout_cents: sellerPayout,
});

/** What the history shows of one escrow, newest first, and what it leaves held: its holds, less its payments and refunds. */
export async function historyOf(company: TestCompany, escrowId: string) {
  const { body } = await company.get('/v1/ledger/escrow/history');
  const lines: [type: string, amount: string][] = body
    .filter((entry: { escrowId: string }) => entry.escrowId === escrowId)
    .map(({ type, amount }: { type: string; amount: string }) => [type, amount]);
  const heldCents = lines.reduce((sum, [type, cents]) => sum + BigInt(cents) * (type === 'ESCROW_HOLD' ? 1n : -1n), 0n);
  return { lines, held: heldCents.toString() };
}

/** The number of stored command texts: a refused command leaves none. */
export const countTexts = (service: TestService) => sql(service, 'select count(*) as texts from command_text');
