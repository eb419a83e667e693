import { randomUUID } from 'node:crypto';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { writeBankFile } from '../support/bank-writer.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink, type TestLink } from '../support/links.ts';
import { done, newParties, newUser, type TestCompany, type TestService, type TestUser } from '../support/service.ts';
import { sql } from '../support/sql.ts';

/**
 * Work that is under way at the point to which a backup is restored, its continuation after that point, and what must have become of it
 * in the restored service.
 */

const PAYOUT_CENTS = 1_000;
const DEPOSIT_CENTS = 100_000;

export type Work = {
  /** Escrows that are as they began. */
  readonly escrows: readonly string[];
  readonly holder: TestUser;
  /** A card payment that the buyer has not made yet. */
  readonly link: TestLink;
  readonly checkoutId: string;
  /** Handed to the bank, which has not decided. */
  readonly undecided: Payout;
  /** Not handed over yet: the bank does not answer. */
  readonly unsent: Payout;
};

type Payout = { readonly id: string; readonly reference: string };

/** Leaves the bank out of reach. */
export async function beginWork(service: TestService, company: TestCompany): Promise<Work> {
  const begin = async () => {
    const { escrow } = await newParties(company);
    return String((await done(company.post('/v1/escrow/initiate', escrow()))).body.id);
  };
  const escrows = [await begin(), await begin(), await begin()];
  const holder = await newUser(company);
  await done(company.post('/v1/payments/deposit', { userId: holder.id, amount: DEPOSIT_CENTS, currency: 'USD' }));
  const link = await offerLink(service, company);
  const { checkoutId } = (await done(link.say('eft-pay/initiate'))).body;
  const undecided = await withdraw(company, holder, `sandbox-manual-${randomUUID()}`);
  await eventually(async () => (await read(company, undecided)).timeline.at(-1).event === 'SUBMITTED');
  await service.sandbox.outage('payout', 3_600);
  const unsent = await withdraw(company, holder);
  return { escrows, holder, link, checkoutId, undecided, unsent };
}

/** All of it ends, and a payout is begun and made. Returns that payout. */
export async function workOn(service: TestService, company: TestCompany, work: Work): Promise<Payout> {
  const [, disputed, released] = work.escrows;
  await done(company.post(`/v1/escrow/${disputed}/dispute`, { actor: 'BUYER', reason: 'It never came' }));
  await done(company.post(`/v1/escrow/${released}/release`));
  await service.sandbox.outage('payout', 0);
  await service.sandbox.control('POST', '/payouts', { outcome: 'settled', reference: work.undecided.reference });
  await service.sandbox.settle(work.checkoutId, 'success');
  const later = await withdraw(company, work.holder);
  for (const payout of [work.undecided, work.unsent, later]) await isPaid(company, payout);
  await eventually(async () => (await work.link.details()).status === 'ACCEPTED');
  return later;
}

/** Thirty-five minutes later the gateway is asked about a form whose buyer did not return. */
export async function letTimePass(service: TestService, { link }: Work): Promise<void> {
  await sql(
    service,
    `update payment_link set state = jsonb_set(state, '{attempts,0,pollAt}', to_jsonb($2::text)) where id = $1`,
    [link.linkId, new Date().toISOString()],
  );
}

/**
 * The escrows are as at the point, and each is finished once. The providers' answers are booked once. The payout from after the point
 * is unknown, and the reconciliation with the bank's statement names it.
 */
export async function expectRecovered(
  service: TestService,
  company: TestCompany,
  work: Work,
  later: Payout,
): Promise<void> {
  for (const id of work.escrows) {
    expectSame(await eventsOf(company, id), ['INITIATED'], `${id} is as it was`);
    await done(company.post(`/v1/escrow/${id}/release`));
    expectSame(await eventsOf(company, id), ['INITIATED', 'FUNDS_RELEASED'], `${id} is finished once`);
  }
  for (const payout of [work.undecided, work.unsent]) {
    await isPaid(company, payout);
    expectSame((await atBank(service, payout)).files, 1, `the bank was told once to pay ${payout.id}`);
  }
  await eventually(async () => (await work.link.details()).status === 'ACCEPTED');
  expectSame(await work.link.deposits(), 1, 'the card payment is credited once');

  expectSame((await company.get(`/v1/treasury/withdrawals/${later.id}`)).status, 404, 'the later payout is forgotten');
  const { endToEndId } = await atBank(service, later);
  const day = new Date().toISOString().slice(0, 10);
  const line = { amount: '10.00', sign: 'DBIT', endToEndId, ref: later.id } as const;
  await done(
    company.request('POST', '/v1/treasury/bank/statements', {
      headers: { 'content-type': 'application/xml' },
      rawBody: writeBankFile({ day, opening: '1000.00', lines: [line] }),
    }),
  );
  const { open } = (await done(company.get('/v1/treasury/bank/reconciliation'))).body;
  const named = open.filter(({ side, reference }: { side: string; reference: string }) => {
    return side === 'BANK' && reference === endToEndId;
  });
  expectSame(named.length, 1, 'the reconciliation names the later payout');
}

/** As an operator who turns the guards off. */
export async function deleteEntries(superuserUrl: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query('delete from entry where id in (select id from entry order by id desc limit 100)');
    await client.query('commit');
  });
}

async function withdraw(
  company: TestCompany,
  { usdAccountId }: TestUser,
  reference = `payout-${randomUUID()}`,
): Promise<Payout> {
  const { body } = await done(
    company.post('/v1/treasury/withdraw', {
      accountId: usdAccountId,
      amount: PAYOUT_CENTS,
      externalReference: reference,
      bank_name: 'CBZ',
      branch_code: '6101',
      account_number: '0123456789',
      account_name: 'T. Moyo',
    }),
  );
  return { id: body.id, reference };
}

const read = async (company: TestCompany, { id }: Payout) => (await company.get(`/v1/treasury/withdrawals/${id}`)).body;

const isPaid = (company: TestCompany, payout: Payout) =>
  eventually(async () => (await read(company, payout)).status === 'COMPLETED');

async function atBank({ sandbox }: TestService, { reference }: Payout) {
  const { body } = await sandbox.control('GET', '/payouts');
  return body.find((payment: { reference: string }) => payment.reference === reference);
}

async function eventsOf(company: TestCompany, escrowId: string): Promise<string[]> {
  const { body } = await done(company.get(`/v1/escrow/${escrowId}/timeline`));
  return body.map(({ event }: { event: string }) => event);
}

function expectSame(found: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}
