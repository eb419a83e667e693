import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createWithdrawalActivities,
  type WithdrawalActivities,
} from '../../../src/activities/withdrawal.activities.ts';
import { FieldCipher } from '../../../src/db/core/field-cipher.ts';
import { MessageProof } from '../../../src/db/core/message-proof.ts';
import { inTenant } from '../../../src/db/core/orm.ts';
import { receivableAccount } from '../../../src/db/ledger/own-accounts.ts';
import { storeDestination } from '../../../src/db/treasury/withdrawals.ts';
import type { ApiKeyId, CommandId, TransactionId } from '../../../src/domain/ids.ts';
import { withdrawalWorkflowId } from '../../../src/domain/messages/ids.ts';
import { toWire } from '../../../src/domain/messages/wire.ts';
import { decide } from '../../../src/domain/withdrawal/decide.ts';
import { evolve } from '../../../src/domain/withdrawal/evolve.ts';
import { endToEndIdOf } from '../../../src/domain/withdrawal/payout.ts';
import type {
  Withdrawal,
  WithdrawalCommand,
  WithdrawalEvent,
  WithdrawalState,
  WithdrawalTerms,
} from '../../../src/domain/withdrawal/withdrawal.ts';
import type { PayoutBank } from '../../../src/providers/payout/port.ts';
import { addCompany, type Books, fund, newId, openBooks, type TestCompany } from '../ledger/books.ts';

/** `npm run races` runs 1,000. */
const RACES = Number(process.env.RACES ?? 30);
const LANES = 10;
const KEY = { id: 'test', key: Buffer.alloc(32, 1) };
const AMOUNT_CENTS = 1_000n;

let books: Books;
let company: TestCompany;
let activities: WithdrawalActivities;
/** How often the bank was given each payment. */
const received = new Map<string, number>();
/** What waits until the bank is asked about a payment, which is right before the payment is handed over. */
const whenAsked = new Map<string, () => void>();
const bank: PayoutBank = {
  async status(endToEndId) {
    whenAsked.get(endToEndId)?.();
    return received.has(endToEndId) ? { kind: 'known', lines: [] } : { kind: 'unknown' };
  },
  async send({ endToEndId }) {
    received.set(endToEndId, (received.get(endToEndId) ?? 0) + 1);
    return { kind: 'known', lines: [] };
  },
};
const proof = new MessageProof([KEY]);
const cipher = new FieldCipher([KEY]);

beforeAll(async () => {
  books = await openBooks(8);
  const owner = books.owner.em.fork();
  await addCompany(owner, { isPlatform: true });
  company = await addCompany(owner);
  await fund(owner, company, company.user(0), BigInt(RACES) * AMOUNT_CENTS);
  const onMismatch = (error: Error) => {
    throw error;
  };
  activities = createWithdrawalActivities(books.worker, {
    ...{ payout: bank, cipher, proof, mayDecideBySignal: true, onMismatch, mustBeBacked: false },
  });
});
afterAll(() => books.close());

/** Decides and writes, as a run does. */
async function carryOut(state: WithdrawalState, command: WithdrawalCommand) {
  const decision = decide(state, command, new Date().toISOString());
  if (decision.kind === 'refused') throw new Error(decision.detail);
  const { event, postings } = decision;
  const next = evolve(state, event);
  const message = { commandId: command.commandId };
  const sent = { type: command.type, message };
  const signed = proof.sign(withdrawalWorkflowId(next.terms.withdrawalId), sent);
  const written = await activities.applyWithdrawalEvent({
    event: toWire<WithdrawalEvent>(event),
    state: toWire<Withdrawal>(next),
    postings: postings.map((posting) => toWire(posting)),
    userId: null,
    adminId: null,
    arrival: { sent: { type: command.type, message: signed }, isSignal: false, isAnswer: false },
  });
  return { written, next };
}

async function request(): Promise<Withdrawal> {
  const withdrawalId = newId<TransactionId>();
  const terms: WithdrawalTerms = {
    withdrawalId,
    companyId: company.id,
    accountId: company.user(0),
    userId: null,
    bankAccountId: company.account('BANK'),
    taxAccountId: company.account('TAX'),
    receivableAccountId: await inTenant(books.api, company.id, (em) => receivableAccount(em, company.id, 'USD')),
    currency: 'USD',
    amountCents: AMOUNT_CENTS,
    taxCents: 0n,
  };
  const to = { bankName: 'CBZ', branchCode: '6101', accountNumber: '0123456789', accountName: 'T. Moyo' };
  await inTenant(books.api, company.id, (em) =>
    storeDestination(em, cipher, company.id, withdrawalId, {
      ...to,
      externalReference: randomUUID(),
      notBefore: null,
      personId: null,
    }),
  );
  const { written, next } = await carryOut(null, { type: 'request', commandId: newId<CommandId>(), terms });
  expect(written).toMatchObject({ kind: 'applied' });
  return next;
}

/** A run hands the payment over while another run, that Temporal has given up, cancels it: one of them is first. */
async function race(number: number): Promise<'cancelled' | 'paid'> {
  const state = await request();
  const { withdrawalId } = state.terms;
  const cancel = () =>
    carryOut(state, {
      ...{ type: 'cancel', commandId: newId<CommandId>(), adminId: null, apiKeyId: newId<ApiKeyId>() },
    });
  const payment = endToEndIdOf(withdrawalId);
  const asked = new Promise<void>((resolve) => whenAsked.set(payment, resolve));
  const handOver = () => activities.checkPayout(company.id, withdrawalId, false);
  const handedOver = Promise.all([handOver(), handOver()]);
  // Some cancel at once and some too late, so that both ends happen on any machine.
  const since = [Promise.resolve(), handedOver][number % 4] ?? asked;
  const answers = (await Promise.all([since.then(cancel), handedOver])).flat();
  const written = answers.flatMap((answer) => ('written' in answer ? [answer.written] : [])).at(0);
  const sent = received.get(payment) ?? 0;
  const [row] = await books.owner.em.fork().execute<{ status: string; attempts: number; hold: string }[]>(
    `select w.status, d.attempts, h.status as hold from withdrawal w
     join payout_destination d on d.company_id = w.company_id and d.id = w.id
     join hold h on h.company_id = w.company_id and h.id = w.id where w.id = ?`,
    [withdrawalId],
  );
  if (written?.kind === 'applied') {
    expect({ ...row, sent }).toEqual({ status: 'CANCELLED', attempts: 0, hold: 'CLOSED', sent: 0 });
    return 'cancelled';
  }
  expect(written).toMatchObject({ kind: 'refused', code: 'wrong_state' });
  expect({ ...row, sent: sent > 0 }).toEqual({ status: 'PROCESSING', attempts: sent, hold: 'OPEN', sent: true });
  return 'paid';
}

test(`a payout is cancelled or handed to the bank, never both, in ${RACES} races`, async () => {
  const ends = { cancelled: 0, paid: 0 };
  let begun = 0;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (begun < RACES) {
        begun += 1;
        ends[await race(begun)] += 1;
      }
    }),
  );
  expect(ends.cancelled + ends.paid).toBe(RACES);
  expect(ends.cancelled).toBeGreaterThan(0);
  expect(ends.paid).toBeGreaterThan(0);
}, 300_000);
