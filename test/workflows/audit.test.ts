import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkflowFailedError } from '@temporalio/client';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newCompany, newParties, startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await newParties(await newCompany(service));
});
afterAll(() => service.stop());

let runs = 0;
const audit = () =>
  service.temporal.workflow.execute('auditWorkflow', {
    taskQueue: service.taskQueue,
    workflowId: `audit-test/${service.taskQueue}/${++runs}`,
  });

describe('the audit of the ledger', () => {
  test('is scheduled by every worker', async () => {
    const schedule = await service.temporal.schedule.getHandle(`audit/${service.taskQueue}`).describe();
    expect(schedule.spec.intervals).toMatchObject([{ every: 6 * 3_600_000 }]);
    expect(schedule.action).toMatchObject({ workflowType: 'auditWorkflow' });
  });

  test('leaves the head of the chain in Temporal, where who rewrites the database does not find it', async () => {
    await eventually(async () => (await sql(service, 'select count(*)::int as blocks from block'))[0]?.blocks === 1);
    const { body } = await service.request('GET', '/v1/ledger/verify-ledger-integrity', {
      headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': service.platform.companyId },
    });
    expect(await audit()).toMatchObject({
      ok: true,
      chainHead: body.chainHead,
      checkedTransactions: body.checkedTransactions,
      mismatchCount: 0,
    });
    expect(body.chainHead).toMatch(/^[0-9a-f]{64}$/);
  });

  test('fails where somebody changed the books, and says where', async () => {
    await sql(service, 'alter table entry disable trigger entry_immutable');
    await sql(service, 'update entry set amount = amount * 2');
    const failure = await audit().catch((error: WorkflowFailedError) => error.cause);
    expect(failure).toMatchObject({ type: 'ledger_mismatch' });
    expect(JSON.stringify(failure)).toContain('entry_changed');
  });
});
