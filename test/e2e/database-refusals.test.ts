import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService, serviceMetrics } from '../support/own-service.ts';
import { loseRun } from '../support/runs.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

/** Steps that PostgreSQL refuses: because of a value that it never accepts, or a missing privilege. */

let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  service = await ownService({ waits: { ...WAIT_LIMITS, commandMs: 3_000, turnMs: 2_500 } });
  company = await newCompany(service);
});
afterAll(() => service.stop());

async function begin() {
  const { seller, escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow());
  const id = String(body.id);
  const run = service.temporal.workflow.getHandle(`escrow/${id}`);
  return {
    id,
    run,
    sellerAccount: seller.usdAccountId,
    post: (step: string, sent?: object, key?: string) => company.post(`/v1/escrow/${id}/${step}`, sent, key),
    details: async () => {
      const shown = await run.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return shown.currentDetails ?? '';
    },
    attention: () => attentionOf(run),
  };
}

async function attentionOf(run: WorkflowHandle): Promise<readonly unknown[]> {
  const shown: readonly unknown[] = (await run.describe()).searchAttributes.EscrowAttention ?? [];
  return shown.filter((reason) => reason !== null); // an attribute that was removed is shown as null
}

describe('a value that the database never accepts', () => {
  afterEach(async () => {
    await sql(service, 'drop trigger if exists breaks on escrow');
    await sql(service, 'alter table escrow drop constraint if exists never_completed');
  });

  test.each([
    [
      '22003',
      'create function out_of_range() returns trigger language plpgsql as $$ begin perform 2147483647 + new.seq; return new; end $$',
      'create trigger breaks before update on escrow for each row execute function out_of_range()',
    ],
    ['23514', 'select 1', "alter table escrow add constraint never_completed check (status <> 'COMPLETED') not valid"],
  ])('SQLSTATE %s is a refusal, and the next command is carried out', async (state, prepare, breakIt) => {
    const { run, post } = await begin();
    await sql(service, prepare);
    await sql(service, breakIt);

    expect(await post('release')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', detail: expect.stringContaining(state) },
    });

    await sql(service, 'drop trigger if exists breaks on escrow');
    expect(await post('dispute', { actor: 'BUYER', reason: 'late' })).toMatchObject({ status: 200 });
    expect((await run.describe()).status.name).toBe('RUNNING');
  });
});

describe('a privilege that the role of the workers lacks', () => {
  afterEach(async () => {
    await sql(service, 'grant update (status, seq, state, updated_at) on escrow to escrow_worker');
    await sql(service, 'grant select on escrow_event to escrow_worker');
  });

  test('shows on the run and in a metric while the step is retried, and ends when it is granted', async () => {
    const { run, post, details, attention, sellerAccount } = await begin();
    await sql(service, 'revoke update (status, seq, state, updated_at) on escrow from escrow_worker');
    const { registry } = await serviceMetrics();
    registry.resetMetrics();

    const unanswered = post('release', undefined, 'the-same-key');
    await eventually(async () => (await attention()).includes('database_denies'));
    expect(await details()).toMatch(
      /\*\*The database denies this step\*\* since [^`]+`applyEscrowEvent: permission denied for table escrow`/,
    );
    expect(await registry.getSingleMetricAsString('escrow_database_denials_total')).toMatch(
      /escrow_database_denials_total\{activity="applyEscrowEvent"\} [1-9]/,
    );
    expect(await unanswered).toMatchObject({ status: 503 });

    await sql(service, 'grant update (status, seq, state, updated_at) on escrow to escrow_worker');
    await run.signal('refresh'); // operators need not wait for the next retry

    expect(await run.result()).toMatchObject({ status: 'COMPLETED', releasedCents: '24750' });
    expect(await attention()).toEqual([]);
    expect(await details()).not.toContain('denies');
    expect(await post('release', undefined, 'the-same-key')).toMatchObject({ status: 200 });
    const { body } = await company.get(`/v1/ledger/accounts/${sellerAccount}`);
    expect(body.balance).toBe('24750');
  });

  test('shows on a run that cannot read its row', async () => {
    const { id } = await begin();
    const run = service.temporal.workflow.getHandle(`escrow/${id}`);
    await loseRun(service, run.workflowId); // after the first sweep, which reads events too
    await sql(service, 'revoke select on escrow_event from escrow_worker');
    await service.temporal.workflow.start('escrowWorkflow', {
      taskQueue: service.taskQueue,
      workflowId: `escrow/${id}`,
      args: [{ escrowId: id }],
    });
    const attention = () => attentionOf(run);
    await eventually(async () => (await attention()).includes('database_denies'));

    await sql(service, 'grant select on escrow_event to escrow_worker');
    await run.signal('refresh');

    await eventually(async () => (await attention()).length === 0);
    const known = await eventually(async () => (await run.query('state')) ?? undefined); // it has read its row
    expect(known).toMatchObject({ status: 'ACTIVE' });
  });
});
