/**
 * `npm run record-histories`: runs scenarios on real servers and stores the histories of their workflows in
 * test/histories, with which replay.test.ts checks the code. Record again only when a change of the workflows is meant to be
 * incompatible, or when there is a new kind of step. Open runs in production look like the histories recorded before.
 * With names of scenarios (`npm run record-histories withdrawal-paid`), only those are recorded, and the others stay.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { eventually } from './eventually.ts';
import globalSetup from './global-setup.ts';
import globalTeardown from './global-teardown.ts';
import { HISTORIES, historyToText } from './histories.ts';
import { SCENARIOS_OF_OTHERS, type Scene } from './history-scenarios.ts';
import { nextMobileNumber } from './mobile-numbers.ts';
import { ownService } from './own-service.ts';
import { type Answer, newCompany, newParties, newUser } from './service.ts';

/** The names and texts of people in every scenario, so that a test can check that no history contains them. */
const PRIVATE = { firstName: 'Private', lastName: 'Person', note: 'Private words' };

/** A part of the time after which a run with a long history is idle, and more than twice that time. */
const BUSY_MS = 10_000;
const IDLE_TIMEOUT_MS = 150_000;

const SCENARIOS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  ...SCENARIOS_OF_OTHERS,
  async released(scene) {
    const { path, items } = await begin(scene);
    await post(scene, `${path}/delivery-note`, { items, notes: PRIVATE.note });
    await post(scene, `${path}/goods-received`, { items, notes: PRIVATE.note });
    await post(scene, `${path}/release`);
  },
  async cancelled(scene) {
    const { path } = await begin(scene);
    await scene.company.post(`${path}/admin-resolve`, {}); // refused
    await post(scene, `${path}/cancel`, { actor: 'BUYER', reason: PRIVATE.note });
  },
  async 'never-begun'(scene) {
    const { escrow } = await newParties(scene.company, 1);
    await scene.company.post('/v1/escrow/initiate', escrow()); // insufficient funds
  },
  async 'still-open'(scene) {
    const { path, items } = await begin(scene);
    await post(scene, `${path}/delivery-note`, { items });
  },
  async 'by-signals'(scene) {
    const { id, path, item } = await begin(scene);
    const escrow = scene.service.temporal.workflow.getHandle(`escrow/${id}`);
    await escrow.signal('nonsense', { actor: 'BUYER' });
    await escrow.signal('dispute', 'malformed');
    await escrow.signal('admin-resolve', { adminId: scene.company.owner.id }); // malformed
    await escrow.signal('delivery-note', { items: [{ ...item, price_per_item: 12_500 }] });
    await escrow.signal('delivery-note', { items: [{ ...item, quantity: 999, price_per_item: 1 }] }); // refused
    await escrow.signal('release', {});
    await statusIs(scene, path, 'COMPLETED');
  },
  async milestones(scene) {
    const milestones = [33, 33, 34].map((percentage) => ({ title: PRIVATE.note, percentage }));
    const { path, detail } = await begin(scene, { milestones });
    const [first, second] = detail.milestones;
    await post(scene, `${path}/release?milestoneId=${first.id}`);
    const change = { actor: 'BUYER', proposedSellerPayoutCents: 3_000, reason: PRIVATE.note };
    const adjusted = await post(scene, `${path}/milestones/${second.id}/adjust`, change);
    const answer = `${path}/milestones/${second.id}/negotiate/${adjusted.body.negotiationId}`;
    await post(scene, `${answer}/accept`, { actor: 'SELLER' });
    await post(scene, `${path}/release?milestoneId=${second.id}`);
    await post(scene, `${path}/release`);
  },
  async 'automatic-release-stopped-by-a-dispute'(scene) {
    const { path, items } = await begin(scene, { autoReleaseHours: 48 });
    await post(scene, `${path}/goods-received`, { items });
    await post(scene, `${path}/delivery-note`, { items });
    await post(scene, `${path}/extend`, { actor: 'BUYER', hours: 24 });
    await post(scene, `${path}/dispute`, { actor: 'BUYER', reason: PRIVATE.note });
    await post(scene, `${path}/dispute/evidence`, { actor: 'SELLER', note: PRIVATE.note });
    await post(scene, `${path}/admin-resolve`, {
      newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 10_000 },
      adminId: scene.company.owner.id,
    });
  },
  async 'continued-as-new'(scene) {
    const { path, items } = await begin(scene);
    await Promise.all(Array.from({ length: 50 }, () => post(scene, `${path}/delivery-note`, { items })));
    await post(scene, `${path}/release`);
  },
  async 'idle-with-a-long-history'(scene) {
    const { id, path, items } = await begin(scene);
    const run = scene.service.temporal.workflow.getHandle(`escrow/${id}`);
    const { runId } = await run.describe();
    for (let notes = 0; notes < 10; notes++) await post(scene, `${path}/delivery-note`, { items });
    await wait(BUSY_MS);
    await post(scene, `${path}/delivery-note`, { items }); // the run was not idle for the whole time of its first timer
    await eventually(async () => {
      const next = await run.describe();
      return next.runId !== runId && next.historyLength > 4;
    }, IDLE_TIMEOUT_MS);
  },
  async 'link-paid'(scene) {
    const { hash, mobileNumber } = await offer(scene);
    await scene.service.request('POST', '/v1/payments/request-checkout-otp', {
      body: { messagingNumber: mobileNumber },
    });
    const otp = await scene.service.sandbox.codeFor(mobileNumber);
    const proof = { paymentSlug: hash, messagingNumber: mobileNumber, otp };
    expectDone(await scene.service.request('POST', '/v1/payments/accept-payment', { body: proof }));
  },
  async 'link-rejected'(scene) {
    const { hash } = await offer(scene);
    expectDone(await scene.service.request('POST', '/v1/payments/reject-payment', { body: { paymentSlug: hash } }));
  },
  async 'withdrawal-paid'(scene) {
    const { path } = await withdraw(scene);
    await statusIs(scene, path, 'COMPLETED');
  },
  async 'withdrawal-refused-by-the-bank'(scene) {
    await payouts(scene, { outcome: 'rejected' });
    const { path } = await withdraw(scene);
    await statusIs(scene, path, 'FAILED');
  },
  async 'withdrawal-asked-about-and-returned'(scene) {
    await payouts(scene, { outcome: 'manual' });
    const { id, path } = await withdraw(scene);
    const run = scene.service.temporal.workflow.getHandle(`withdrawal/${id}`);
    await run.signal('check-payout', {}); // nothing new
    await payouts(scene, { outcome: 'settled' });
    await statusIs(scene, path, 'COMPLETED');
    await scene.service.sandbox.control('POST', '/payouts', { outcome: 'rejected', reference: PRIVATE.note });
    await run.signal('check-payout', {});
    await statusIs(scene, path, 'REVERSED');
  },
  async 'withdrawal-never-begun'(scene) {
    const { company } = scene;
    const { seller } = await newParties(company);
    await company.post('/v1/treasury/withdraw', withdrawalFrom(seller.usdAccountId)); // insufficient funds
  },
};

/** A withdrawal of a user with money. Its bank details and its reference are private. */
async function withdraw(scene: Scene) {
  await post(scene, '/v1/treasury/seed-configs');
  const { buyer } = await newParties(scene.company);
  const { body } = await post(scene, '/v1/treasury/withdraw', withdrawalFrom(buyer.usdAccountId));
  return { id: body.id, path: `/v1/treasury/withdrawals/${body.id}` };
}

function withdrawalFrom(accountId: string) {
  return {
    accountId,
    amount: 5_000,
    externalReference: PRIVATE.note,
    bank_name: PRIVATE.note,
    branch_code: 'private',
    account_number: 'private-0123456789',
    account_name: `${PRIVATE.firstName} ${PRIVATE.lastName}`,
  };
}

async function payouts({ service }: Scene, body: unknown): Promise<void> {
  await service.sandbox.control('POST', '/payouts', body);
}

async function begin(scene: Scene, fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(scene.company);
  const { body } = await post(scene, '/v1/escrow/initiate', escrow({ externalInvoiceNumber: PRIVATE.note, ...fields }));
  const path = `/v1/escrow/${body.id}`;
  const { body: detail } = await scene.company.get(path);
  const item = { itemId: detail.items[0].id, quantity: 2 };
  return { id: body.id, path, detail, item, items: [{ ...item, price_per_item: 12_500 }] };
}

async function offer({ company }: Scene) {
  const mobileNumber = nextMobileNumber();
  const { firstName, lastName } = PRIVATE;
  const [buyer, seller] = [await newUser(company, { mobileNumber, firstName, lastName }), await newUser(company)];
  await company.post('/v1/payments/deposit', { userId: buyer.id, amount: 30_000, currency: 'USD' });
  const { body } = await company.post('/v1/payments/generate-escrow-payment-link', {
    buyerId: buyer.id,
    sellerId: seller.id,
    amount: 25_000,
    currency: 'USD',
    items: [{ name: PRIVATE.note, quantity: 2, pricePerUnit: 12_500 }],
    externalReference: `private-${randomUUID()}`,
  });
  return { hash: body.hash, mobileNumber };
}

async function post({ company }: Scene, path: string, body?: unknown): Promise<Answer> {
  return expectDone(await company.post(path, body));
}

function expectDone(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

async function statusIs({ company }: Scene, path: string, status: string): Promise<void> {
  await eventually(async () => (await company.get(path)).body.status === status);
}

async function escrowsWithRuns({ service, company }: Scene): Promise<string[]> {
  const { body } = await company.get('/v1/escrow');
  const ids: string[] = body.data.map(({ id }: { id: string }) => `escrow/${id}`);
  const handles = ids.map((id) => service.temporal.workflow.getHandle(id));
  const found = await Promise.all(
    handles.map((handle) =>
      handle.describe().then(
        () => true,
        () => false,
      ),
    ),
  );
  return ids.filter((_id, index) => found[index]);
}

/** Waits until all workflows of the company are idle, and stores the history of each of their runs. */
async function keep({ service, company }: Scene, scenario: string): Promise<void> {
  const started = await escrowsWithRuns({ service, company });
  const runs = await eventually(async () => {
    const found: WorkflowExecutionInfo[] = [];
    for await (const run of service.temporal.workflow.list({ query: `EscrowCompany = "${company.id}"` }))
      found.push(run);
    const listed = new Set(found.map(({ workflowId }) => workflowId));
    return listed.size > 0 && started.every((id) => listed.has(id)) && found;
  });
  runs.sort((one, other) => one.startTime.getTime() - other.startTime.getTime());
  const seen = new Map<string, number>();
  for (const { workflowId, runId } of runs) {
    const handle = service.temporal.workflow.getHandle(workflowId, runId);
    await eventually(async () => (await handle.describe()).raw.pendingWorkflowTask == null);
    const kind = workflowId.slice(0, workflowId.indexOf('/'));
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    const name = `${scenario}.${kind}${count === 1 ? '' : `-${count}`}.json`;
    writeFileSync(new URL(name, HISTORIES), historyToText(await handle.fetchHistory()));
    console.log(name);
  }
}

const wanted = process.argv.slice(2);
if (wanted.length === 0) rmSync(HISTORIES, { recursive: true, force: true });
mkdirSync(HISTORIES, { recursive: true });
await globalSetup();
const service = await ownService();
for (const [name, play] of Object.entries(SCENARIOS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const scene = { service, company: await newCompany(service) };
  await payouts(scene, { outcome: 'settled' });
  await play(scene);
  await keep(scene, name);
}
await service.stop();
await globalTeardown();
