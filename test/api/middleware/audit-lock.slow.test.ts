import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { beginEscrow } from '../../support/escrows.ts';
import { eventually } from '../../support/eventually.ts';
import { newCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** While nobody can write the audit log, runs change nothing either. */

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  return withClient(service.database.ownerUrl, async (client) => {
    await client.query('begin; lock table audit_log in access exclusive mode');
    try {
      return await work();
    } finally {
      await client.query('rollback');
    }
  });
}

test('a command waits for its line: the caller sees a failure, and later the change has its line', async () => {
  const shop = await newCompany(service);
  const escrow = await beginEscrow(shop);
  const key = randomUUID();
  const release = () => shop.request('POST', `${escrow.path}/release`, { headers: { 'x-idempotency-key': key } });
  await whileLocked(async () => {
    expect(await release()).toMatchObject({ status: 503 });
    expect(await escrow.read()).toMatchObject({ status: 'ACTIVE' });
  });
  await eventually(async () => (await release()).status === 200);
  expect(await escrow.read()).toMatchObject({ status: 'COMPLETED' });
  const operation = encodeURIComponent('POST /v1/escrow/{id}/release');
  const { data } = (await shop.get(`/v1/core/audit-log?operation=${operation}`)).body;
  const carriedOut = data.filter(({ status }: { status: number }) => status === 200);
  // The line of the change, and one of a repetition if the run was faster than it.
  expect(carriedOut.length).toBeGreaterThanOrEqual(1);
  expect(carriedOut.length).toBeLessThanOrEqual(2);
  expect(carriedOut[0]).toMatchObject({ resource: escrow.id, actor: { kind: 'api_key' } });
});
