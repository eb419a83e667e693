import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { writeBehindTheRun } from '../support/behind-the-run.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  service = await ownService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('a run that is behind its row', () => {
  test('reads the row again before it refuses a command, and carries the command out', async () => {
    const { id, run } = await begin();
    await writeBehindTheRun(service, id, { type: 'dispute', actor: 'BUYER' });
    expect(await run.query('state')).toMatchObject({ status: 'ACTIVE' });

    const newSplitPlan = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 20_000 };
    const resolve = { newSplitPlan, adminId: company.owner.id };
    expect(await company.post(`/v1/escrow/${id}/admin-resolve`, resolve)).toMatchObject({
      status: 200,
      body: { status: 'RESOLVED' },
    });
  });

  test('ends when the row is final and it refuses a command because of that', async () => {
    const { id, run } = await begin();
    await writeBehindTheRun(service, id, { type: 'release', adminId: null, apiKeyId: null });
    await run.signal('add-evidence', { actor: 'BUYER' }); // refused while ACTIVE, and while COMPLETED
    await eventually(async () => (await run.describe()).status.name === 'COMPLETED');
    expect(await run.query('state')).toMatchObject({ status: 'COMPLETED', heldCents: '0' });
  });
});

describe('a step that the database writes so slowly that its workflow task is renewed meanwhile', () => {
  test('has the same time in the row, in the run, and in the run that another worker reads back', async () => {
    const { id, run, items } = await begin();
    const stored = async () => (await company.get(`/v1/escrow/${id}`)).body.updatedAt;
    const created = await stored();
    await whileRowsAreLocked(async () => {
      await run.signal('delivery-note', { items });
      await eventually(async () => (await renewals(run)) > 0);
    });
    await eventually(async () => (await stored()) !== created);
    const known = async () => (await run.query<{ updatedAt: string }>('state')).updatedAt;
    expect(await known()).toBe(await stored());

    await service.stopWorker();
    await service.startWorker();

    expect(await known()).toBe(await stored());
  });
});

describe('the bound on the history of a run', () => {
  const SIGNALS = 400;

  test('holds for signals without a handler', async () => {
    const { id, run } = await begin();
    const first = (await run.describe()).runId;
    for (let sent = 0; sent < SIGNALS; sent += 10)
      await Promise.all(Array.from({ length: 10 }, () => run.signal('nonsense', {})));
    await eventually(async () => (await run.describe()).runId !== first);
    const { events } = await service.temporal.workflow.getHandle(run.workflowId, first).fetchHistory();
    // Without the bound, every signal makes up to four events in one run.
    expect(events?.length).toBeLessThan(2 * SIGNALS);
    expect(await company.post(`/v1/escrow/${id}/release`)).toMatchObject({ status: 200 });
  });
});

describe('a request to cancel a run', () => {
  test('is refused visibly in the Temporal UI, and changes nothing', async () => {
    const { id, run, items } = await begin({ autoReleaseHours: 48 });
    await company.post(`/v1/escrow/${id}/delivery-note`, { items });
    const before = await run.query('state');

    await run.cancel();

    await eventually(async () => /Refused to cancel the run at/.test(await details(run)));
    expect(await run.query('state')).toEqual(before);
    expect((await run.describe()).status.name).toBe('RUNNING');
    const { events } = await run.fetchHistory();
    expect(events?.some(({ timerCanceledEventAttributes }) => timerCanceledEventAttributes != null)).toBe(false);
    expect(await company.post(`/v1/escrow/${id}/release`)).toMatchObject({ status: 200 });
  });
});

async function begin(fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow(fields));
  const { body: detail } = await company.get(`/v1/escrow/${body.id}`);
  return {
    id: String(body.id),
    run: service.temporal.workflow.getHandle(`escrow/${body.id}`),
    items: [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 12_500 }],
  };
}

type Run = Awaited<ReturnType<typeof begin>>['run'];

/** No escrow can be written during `work`. */
function whileRowsAreLocked(work: () => Promise<void>): Promise<void> {
  return withClient(service.database.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table escrow in access exclusive mode');
    await work();
    await client.query('rollback');
  });
}

/** How often a workflow task ended without a command because a local activity still ran. */
async function renewals(run: Run): Promise<number> {
  const { events } = await run.fetchHistory();
  return (events ?? []).filter(
    ({ workflowTaskCompletedEventAttributes: completed }, index) =>
      completed != null && events?.[index + 1]?.workflowTaskScheduledEventAttributes != null,
  ).length;
}

async function details(run: Run): Promise<string> {
  return (await run.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails ?? '';
}
