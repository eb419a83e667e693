import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Finding } from '../../src/activities/findings.ts';
import { createSweep, type RunKeeper } from '../../src/activities/sweep.ts';
import { connect } from '../../src/db/core/orm.ts';
import { registry } from '../../src/observability/metrics.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { createRunKeeper } from '../../src/temporal/run-keeper.ts';
import { RUN_ATTRIBUTES } from '../../src/workflows/search-attributes.ts';
import { sql } from '../support/api.ts';
import { writeBehindTheRun } from '../support/behind-the-run.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { firstSweep, loseRun } from '../support/runs.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

/** The sweep compares rows with runs, and repairs each difference by the smallest step. */

let service: OwnService;
let company: TestCompany;
let orm: MikroORM;

beforeAll(async () => {
  service = await ownService();
  await firstSweep(service);
  company = await newCompany(service);
  orm = await connect({ databaseUrl: service.database.workerUrl, poolMax: 2, applicationName: 'sweep-test' });
});
afterAll(async () => {
  await orm.close();
  await service.stop();
});

const MINUTE_MS = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('the sweep', () => {
  test('starts the run of a row that has none', async () => {
    const { run } = await begin();
    await loseRun(service, run.workflowId);
    await expectHealed(run.workflowId, 'missing');
    await eventually(async () => (await stateOf(run))?.status === 'ACTIVE');
  });

  test('starts the run of a paid link that ended before the gateway was asked for chargebacks', async () => {
    const link = await offerLink(service, company);
    const { body: checkout } = await link.say('eft-pay/initiate');
    await sql(
      service,
      `create function wait_at_gate() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(20260101); return new; end $$;
       create trigger gate before update of changes_asked_at on payment_attempt for each row execute function wait_at_gate()`,
    );
    const run = service.temporal.workflow.getHandle(`payment-link/pay_${link.linkId}`);
    await withClient(service.database.ownerUrl, async (gate) => {
      await gate.query('select pg_advisory_lock(20260101)');
      await service.sandbox.control('POST', `/checkouts/${checkout.checkoutId}`, {
        outcome: 'success',
        isSilent: true,
      });
      await service.sandbox.change(checkout.checkoutId, 'CB');
      await eventually(async () => (await link.verify(checkout.checkoutId)).body.status === 'ACCEPTED');
      await loseRun(service, run.workflowId);
    });
    await sql(service, 'drop trigger gate on payment_attempt');
    await sql(service, "update payment_link set updated_at = updated_at - interval '1 minute' where id = $1", [
      link.linkId,
    ]);

    await expectHealed(run.workflowId, 'missing');

    await eventually(async () => (await link.events()).includes('TAKEN_BACK'));
    expect((await link.events()).filter((event) => event === 'TAKEN_BACK')).toHaveLength(1);
  });

  test('refreshes a run that lacks the latest event of its row, which also sets its timer', async () => {
    const { id, run, item } = await begin({ autoReleaseHours: 48 });
    const items = [{ itemId: item, quantity: 2, pricePerItemCents: 12_500n }];
    await writeBehindTheRun(service, id, { type: 'delivery-note', items }, ago(MINUTE_MS));
    const { runId } = await run.describe();

    await expectHealed(run.workflowId, 'behind');

    await eventually(async () => (await stateOf(run))?.status === 'DELIVERY_NOTED');
    expect(await run.query('progress')).toMatchObject({ nextDeadline: expect.any(String) });
    expect((await run.describe()).runId).toBe(runId);
  });

  test('starts the run of a row whose run ended after Temporal listed it', async () => {
    const { id, run, item } = await begin();
    const items = [{ itemId: item, quantity: 2, pricePerItemCents: 12_500n }];
    await writeBehindTheRun(service, id, { type: 'delivery-note', items }, ago(MINUTE_MS));
    const keeper = createRunKeeper(service.temporal, service.taskQueue);
    const listed = await eventually(async () => {
      const runs = await keeper.findRunning([run.workflowId]);
      return runs[0]?.status === 'ACTIVE' && runs;
    });
    await loseRun(service, run.workflowId);

    const healed = await sweep({ ...keeper, findRunning: async () => listed });

    expect(healed).toContainEqual({ workflowId: run.workflowId, finding: 'missing' });
    await eventually(async () => (await stateOf(run))?.status === 'DELIVERY_NOTED');
  });

  test('releases an escrow that became due without its run', async () => {
    const { id, run, item } = await begin({ autoReleaseHours: 1 });
    const items = [{ itemId: item, quantity: 2, pricePerItemCents: 12_500n }];
    await writeBehindTheRun(service, id, { type: 'delivery-note', items }, ago(61 * MINUTE_MS));
    await expectHealed(run.workflowId, 'behind');
    expect(await run.result()).toMatchObject({ status: 'COMPLETED', releasedCents: '24750' });
  });

  test('sets the timer of a run again when its deadline passed', async () => {
    const { id, run, keeper } = await due(10 * MINUTE_MS);
    const { runId } = await run.describe();
    await expectHealed(run.workflowId, 'overdue', keeper);
    expect(await run.result()).toMatchObject({ id, status: 'COMPLETED' });
    expect((await run.describe()).runId).toBe(runId);
  });

  test('replaces a run whose deadline passed hours ago, because refreshing it did not help', async () => {
    const { run, keeper } = await due(4 * 60 * MINUTE_MS);
    const { runId } = await run.describe();
    await expectHealed(run.workflowId, 'stuck', keeper);
    await eventually(async () => (await run.describe()).status.name === 'COMPLETED');
    expect((await run.describe()).runId).not.toBe(runId);
    expect(await run.result()).toMatchObject({ status: 'COMPLETED', releasedCents: '24750' });
  });

  test('replaces a run on a task queue that our workers do not serve', async () => {
    const { id, run } = await begin();
    await loseRun(service, run.workflowId);
    await service.temporal.workflow.start('escrowWorkflow', {
      workflowId: run.workflowId,
      taskQueue: `${service.taskQueue}-mistyped`,
      args: [{ escrowId: id }],
    });
    await expectHealed(run.workflowId, 'stuck');
    expect(await company.post(`/v1/escrow/${id}/release`)).toMatchObject({ status: 200 });
  });

  test('ends a run whose final step was written and never recorded', async () => {
    const { id, run } = await begin();
    await writeBehindTheRun(service, id, { type: 'release', adminId: null, apiKeyId: null }, ago(MINUTE_MS));
    await expectHealed(run.workflowId, 'final');
    expect(await run.result()).toMatchObject({ status: 'COMPLETED', releasedCents: '24750' });
    const { typedSearchAttributes: shown } = await run.describe();
    expect(shown.get(RUN_ATTRIBUTES.lastEvent)).toBe('FUNDS_RELEASED');
  });

  test('leaves healthy runs alone', async () => {
    const { run } = await begin();
    await eventually(async () => (await sweep()).length === 0);
    expect((await run.describe()).status.name).toBe('RUNNING');
  });

  test('counts the healed runs in a metric', async () => {
    const { run } = await begin();
    await loseRun(service, run.workflowId);
    await expectHealed(run.workflowId, 'missing');
    expect(await registry.getSingleMetricAsString('escrow_runs_healed_total')).toMatch(
      /escrow_runs_healed_total\{finding="missing"\} [1-9]/,
    );
  });

  test('leaves its counts as the result of its workflow', async () => {
    await eventually(async () => (await sweep()).length === 0); // what other tests broke is healed, and in the lists
    const { run } = await begin();
    await loseRun(service, run.workflowId);
    const result = await service.temporal.workflow.execute('rebuildWorkflow', {
      taskQueue: service.taskQueue,
      workflowId: `sweep-test/${service.taskQueue}`,
    });
    expect(result).toMatchObject({ healed: { missing: 1, final: 0 } });
  });
});

/** Runs one sweep over everything and returns the repaired runs. */
async function sweep(keeper = createRunKeeper(service.temporal, service.taskQueue)) {
  const healed: { readonly workflowId: string; readonly finding: Finding }[] = [];
  const { sweepRows, sweepRuns } = createSweep(orm, keeper, (one) => healed.push(one));
  for (const sweepBatch of [sweepRows, sweepRuns]) await sweepBatch(null);
  return healed;
}

/** Sweeps until the run has this finding, because Temporal's lists lag briefly. */
async function expectHealed(workflowId: string, finding: Finding, keeper?: RunKeeper): Promise<void> {
  await eventually(async () =>
    (await sweep(keeper)).some((healed) => healed.workflowId === workflowId && healed.finding === finding),
  );
}

async function begin(fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow(fields));
  const { body: detail } = await company.get(`/v1/escrow/${body.id}`);
  const id = String(body.id);
  // Only rows that have settled are compared.
  await sql(service, "update escrow set updated_at = updated_at - interval '1 minute' where id = $1", [id.slice(4)]);
  return { id, run: service.temporal.workflow.getHandle(`escrow/${id}`), item: detail.items[0].id.slice(4) };
}

/** An escrow whose automatic release is overdue by this time, and a list of runs that agrees with its row. */
async function due(agoMs: number) {
  const dueAt = ago(agoMs);
  const { id, run, item } = await begin({ autoReleaseHours: 48 });
  const items = [{ itemId: `itm_${item}`, quantity: 2, price_per_item: 12_500 }];
  await company.post(`/v1/escrow/${id}/delivery-note`, { items });
  await sql(
    service,
    `update escrow set updated_at = updated_at - interval '1 minute', state = jsonb_set(state, '{autoReleaseAt}', to_jsonb($2::text))
     where id = $1`,
    [id.slice(4), dueAt],
  );
  const keeper = createRunKeeper(service.temporal, service.taskQueue);
  const findRunning: RunKeeper['findRunning'] = async (ids) => {
    const listed = { status: 'DELIVERY_NOTED', deadline: new Date(dueAt) };
    return (await keeper.findRunning(ids)).map((one) =>
      one.workflowId === run.workflowId ? { ...one, ...listed } : one,
    );
  };
  return { id, run, keeper: { ...keeper, findRunning } };
}

/** Null until a new run has read its row. */
async function stateOf(run: Awaited<ReturnType<typeof begin>>['run']): Promise<{ status: string } | null> {
  return run.query<{ status: string } | null>('state');
}
