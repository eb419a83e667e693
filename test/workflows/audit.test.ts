import { spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkflowFailedError } from '@temporalio/client';
import type { LedgerAudit } from '../../src/activities/maintenance.activities.ts';
import type { Checkpoint } from '../../src/db/ledger/audit/checkpoint.ts';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { AUDIT_KEY } from '../support/keys.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, newParties } from '../support/service.ts';

let service: OwnService;

beforeAll(async () => {
  service = await ownService();
  await newParties(await newCompany(service));
  await eventually(
    async () =>
      (await sql(service, 'select exists (select from unsealed_transactions(null)) as waits'))[0]?.waits === false,
  );
});
afterAll(() => service.stop());

/** Runs the command of an auditor who has the checkpoint, the public key and the database. */
async function verifyCheckpoint(checkpoint: Checkpoint): Promise<{ code: number | null; output: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  const [checkpointFile, keyFile] = [join(directory, 'checkpoint.json'), join(directory, 'key.pem')];
  writeFileSync(checkpointFile, JSON.stringify(checkpoint));
  writeFileSync(keyFile, createPublicKey(AUDIT_KEY.privateKey).export({ format: 'pem', type: 'spki' }));
  const child = spawn(process.execPath, ['src/scripts/verify-checkpoint.ts', checkpointFile, keyFile], {
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: service.database.superuserUrl },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  rmSync(directory, { recursive: true });
  return { code, output };
}

let runs = 0;
const audit = (scope: 'all' | 'new' = 'all'): Promise<LedgerAudit> =>
  service.temporal.workflow.execute('auditWorkflow', {
    args: [scope],
    taskQueue: service.taskQueue,
    workflowId: `audit-test/${service.taskQueue}/${++runs}`,
  });

describe('the audit of the ledger', () => {
  test('is scheduled by every worker', async () => {
    const schedule = await service.temporal.schedule.getHandle(`audit/${service.taskQueue}`).describe();
    expect(schedule.spec.intervals).toMatchObject([{ every: 6 * 3_600_000 }]);
    expect(schedule.action).toMatchObject({ workflowType: 'auditWorkflow' });
  });

  test('is scheduled more often for new entries', async () => {
    const schedule = await service.temporal.schedule.getHandle(`audit-new/${service.taskQueue}`).describe();
    expect(schedule.spec.intervals).toMatchObject([{ every: 15 * 60_000 }]);
  });

  test('leaves a signed checkpoint that an auditor can compare with a dump', async () => {
    const { checkpoint } = await audit();
    if (checkpoint === null) throw new Error('no checkpoint');
    expect(checkpoint).toMatchObject({ version: 1, keyId: expect.any(String), signature: expect.any(String) });
    expect(await verifyCheckpoint(checkpoint)).toMatchObject({
      code: 0,
      output: expect.stringContaining(' 0 mismatches'),
    });
    const forged = { ...checkpoint, root: '0'.repeat(64) };
    expect(await verifyCheckpoint(forged)).toMatchObject({ code: 1, output: expect.stringContaining('not signed') });
  });

  test('an incremental audit begins where the last audit ended', async () => {
    await audit();
    expect(await audit('new')).toMatchObject({ ok: true, checkedTransactions: 0 });
  });

  test('stores the head of the chain in Temporal, outside the database', async () => {
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

  test('fails while the books are changed, and names the changed row', async () => {
    await sql(service, 'alter table entry disable trigger entry_immutable');
    await sql(service, 'update entry set amount = amount * 2');
    const failure = await audit().catch((error: WorkflowFailedError) => error.cause);
    expect(failure).toMatchObject({ type: 'ledger_mismatch' });
    expect(JSON.stringify(failure)).toContain('entry_changed');

    await sql(service, 'update entry set amount = amount / 2');
    await sql(service, 'alter table entry enable trigger entry_immutable');
    expect(await audit()).toMatchObject({ ok: true, mismatchCount: 0 });
  });
});
