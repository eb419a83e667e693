import fc from 'fast-check';
import { MAX_LINK_LIFETIME_HOURS } from '../../src/domain/payment-link/link.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { scheduleIdOf } from '../../src/temporal/schedules.ts';
import { logIn, sql } from '../support/api.ts';
import { enrol } from '../support/authenticator.ts';
import { png } from '../support/documents.ts';
import { beginEscrow, splitPlan } from '../support/escrows.ts';
import { playAll } from '../support/event-acts/all.ts';
import { eventually } from '../support/eventually.ts';
import { outsideOf } from '../support/integration/outside.ts';
import { createRecorder } from '../support/integration/recorder.ts';
import { integrate } from '../support/integration/story.ts';
import { offerLink } from '../support/links.ts';
import { lifeOf, live } from '../support/lives.ts';
import { logoForm } from '../support/logos.ts';
import { ordered, sendEvidence, switchOn } from '../support/order-pages.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { done, idNumberOf, newCompany, newParties, newUser, type TestCompany } from '../support/service.ts';
import { asked, newHolder } from '../support/treasury.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/**
 * Makes every kind of object in every state, through the interfaces of the service: each type of event, each operation, lives of
 * escrows that stop anywhere, and what stays open.
 */

const COMMANDS = 6;
const AT_ONCE = 6;
const COOLING_HOURS = 24;
/** The companies of the lives, and of what a later version continues, have names that begin so. */
export const LIVES = 'Lives';
export const OPEN = 'Open';

/** Returns the task queues of all runs. */
export async function makeWorld(service: OwnService, lives: number): Promise<readonly string[]> {
  for (const act of (await playAll({ service, company: await newCompany(service) }, 1)).values()) await act;
  const coolingQueue = await leaveOpen(service);
  await playLives(service, lives);
  const receiver = await startWebhookReceiver();
  try {
    await integrate(await createRecorder(service), outsideOf(service, receiver.url));
  } finally {
    await receiver.stop();
  }
  await audit(service);
  await isQuiet(service);
  return [service.taskQueue, coolingQueue];
}

async function playLives(service: OwnService, count: number): Promise<void> {
  const lives = fc.sample(lifeOf(COMMANDS), { numRuns: count, seed: count });
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const company = await newCompany(service, LIVES);
      await done(company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250 } }));
      for (let next = lives.pop(); next !== undefined; next = lives.pop()) await live(company, next);
    }),
  );
}

/** What waits for somebody: a party, the company, the bank, or time. */
async function leaveOpen(service: OwnService): Promise<string> {
  const company = await newCompany(service, OPEN);
  await done(company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] })); // nothing listens there
  await settings(service, company);
  const proposed = await beginEscrow(company);
  await done(company.post(`${proposed.path}/negotiate`, { actor: 'BUYER', newSplitPlan: splitPlan(250, 0, 20_000) }));
  await beginEscrow(company, { autoReleaseHours: 720 });
  await beginEscrow(company, {
    milestones: [
      { title: 'Design', percentage: 40 },
      { title: 'Build', percentage: 60 },
    ],
  });
  await offerLink(service, company, { expiresInHours: MAX_LINK_LIFETIME_HOURS });
  const charged = await offerLink(service, company);
  const phoneNumber = charged.buyer.mobileNumber;
  await service.sandbox.mobileMoney(phoneNumber, 'silent');
  charged.say('accept-payment', { phoneNumber }).catch(() => undefined); // the phone never answers
  await eventually(async () => (await charged.read()).status === 'PROCESSING');
  await asks(service, company);
  await disputes(service, company);
  await signals(service, company);
  await enrol(await logIn(service, company.id, company.owner));
  return payouts(service, company);
}

async function settings(service: OwnService, company: TestCompany): Promise<void> {
  await done(company.request('PUT', '/v1/core/companies/me/logo', { form: logoForm(png()) }));
  const limits = { payout_limits: { USD: 100_000_000 } };
  const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
  await done(service.request('PATCH', `/v1/core/companies/${company.id}`, { headers, body: limits }));
  const { id, mobileNumber } = await newUser(company, { customReference: 'an old reference' });
  const renamed = { idNumber: idNumberOf(mobileNumber), customReference: 'a new reference' };
  await done(company.post(`/v1/identity/users/${id}/link-id`, renamed));
}

async function asks(service: OwnService, company: TestCompany): Promise<void> {
  await switchOn(company, { dispute: 'ask' });
  const { buyerPage } = await ordered(service, company);
  await buyerPage.unlock('dispute');
  await buyerPage.act('dispute', { reason: 'Wet bags' });
}

async function disputes(service: OwnService, company: TestCompany): Promise<void> {
  for (const isSettled of [true, false]) {
    const { id, path } = await beginEscrow(company);
    await done(company.post(`${path}/dispute`, { actor: 'BUYER', reason: 'Wet bags' }));
    if (isSettled) {
      await sendEvidence(service, company, id);
      await done(company.post(`${path}/negotiate`, { actor: 'SELLER', newSplitPlan: splitPlan(250, 0, 15_000) }));
    }
  }
}

/** One at a bank that does not decide, one at a bank that does not answer, one held back, and one that cools off. */
async function payouts(service: OwnService, company: TestCompany): Promise<string> {
  const { buyer } = await newParties(company);
  const ask = async (fields: object = {}) =>
    (await done(company.post('/v1/treasury/withdraw', asked(buyer.usdAccountId, 1_000, { ...fields })))).body;
  const read = async (id: string) => (await company.get(`/v1/treasury/withdrawals/${id}`)).body;
  const { id: undecided } = await ask({ externalReference: 'sandbox-manual-of-the-world' });
  await eventually(async () => (await read(undecided)).timeline.at(-1).event === 'SUBMITTED');
  const reference = 'sandbox-manual-refused';
  const { id: refused } = await ask({ externalReference: reference });
  await eventually(async () => (await read(refused)).timeline.at(-1).event === 'SUBMITTED');
  await service.sandbox.control('POST', '/payouts', { outcome: 'rejected', reference });
  await service.temporal.workflow.getHandle(`withdrawal/${refused}`).signal('check-payout', {});
  await eventually(async () => (await read(refused)).status === 'FAILED');
  await service.sandbox.outage('payout', 600);
  const held = await ask();
  const freeze = { is_frozen: true, reason: 'A court order' };
  await done(company.request('PATCH', `/v1/ledger/accounts/${buyer.usdAccountId}`, { body: freeze }));
  await service.sandbox.outage('payout', 0);
  await eventually(async () => (await read(held.id)).review_reason === 'account_frozen');
  const cooling = await ownService({
    database: { ...service.database, drop: async () => undefined },
    settings: { bankDetailsCoolingHours: COOLING_HOURS },
  });
  try {
    const holder = await newHolder(cooling);
    const { body } = await done(holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1_000)));
    if (body.not_before === null) throw new Error('the withdrawal does not wait');
    return cooling.taskQueue;
  } finally {
    await cooling.stop();
  }
}

/** Signals past the API that are refused, or are not commands. */
async function signals(service: OwnService, company: TestCompany): Promise<void> {
  const { id, itemId, path } = await beginEscrow(company);
  const run = service.temporal.workflow.getHandle(`escrow/${id}`);
  await run.signal('nonsense', { actor: 'BUYER' });
  await run.signal('dispute', 'malformed');
  await run.signal('delivery-note', { items: [{ itemId, quantity: 999, price_per_item: 1 }] }); // more than was ordered
  await run.signal('delivery-note', { items: [{ itemId, quantity: 1, price_per_item: 12_500 }] });
  await eventually(async () => (await company.get(path)).body.status === 'DELIVERY_NOTED');
}

/** The balances and the head of the chain that an audit keeps. */
async function audit(service: OwnService): Promise<void> {
  await service.temporal.schedule.getHandle(scheduleIdOf('audit', service.taskQueue)).trigger();
  await eventually(async () => (await sql(service, 'select from ledger_checkpoint')).length > 0, 120_000);
}

/** No change waits to become an event, or to be sealed. */
async function isQuiet(service: OwnService): Promise<void> {
  const waiting = 'select exists (select from event_fact) or exists (select from seal_queue) as yes';
  await eventually(
    () => withClient(service.database.superuserUrl, async (client) => !(await client.query(waiting)).rows[0].yes),
    120_000,
  );
}
