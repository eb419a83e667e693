import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MAX_WAITING_REFUSALS } from '../../../src/db/requests/request-store.ts';
import { unwrittenRefusals } from '../../../src/observability/metrics.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { bare, newAdministrator, sql } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { nextMobileNumber } from '../../support/mobile-numbers.ts';
import { idNumberOf, newCompany } from '../../support/service.ts';
import { type OwnService, startService } from '../../support/whole-service.ts';

/** A flood of refusals costs no change its line, and what the log lacks of the refusals is counted. */

let service: OwnService;
beforeAll(async () => {
  service = await startService({ withWorker: false, rateLimits: { companyRequestsAtOnce: 1_000_000 } });
});
afterAll(() => service.stop());

const CHANGES = 30;
/** So many connections wait to be accepted at once. */
const AT_ONCE = 200;
const LOCK = 350_350;
const unwritten = async () => (await unwrittenRefusals.get()).values.reduce((sum, { value }) => sum + value, 0);

/** While `work` runs, lines of refusals wait. */
function whileRefusalsWait<T>(companyId: string, work: (release: () => Promise<unknown>) => Promise<T>): Promise<T> {
  return withClient(service.database.ownerUrl, async (client) => {
    await client.query(`create function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$`);
    await client.query(`create trigger wait_for_test before insert on audit_log for each row
      when (new.status >= 400 and new.company_id = '${bare(companyId)}') execute function wait_for_test()`);
    await client.query(`select pg_advisory_lock(${LOCK})`);
    return work(() => client.query(`select pg_advisory_unlock(${LOCK})`));
  });
}

test('every change has its line, and every refusal has one or is counted', async () => {
  const company = await newCompany(service);
  const manager = await newAdministrator(service, company, 'manager');
  const before = await unwritten();
  const refusal = () => manager.request('POST', `/v1/core/companies/admins/${randomUUID()}/remove`);
  const change = async () => {
    const mobileNumber = nextMobileNumber();
    return (await company.post('/v1/identity/users', { mobileNumber, idNumber: idNumberOf(mobileNumber) })).body.id;
  };
  const sent = MAX_WAITING_REFUSALS + 376;
  const [refusals, changed] = await whileRefusalsWait(company.id, async (release) => {
    const waiting: ReturnType<typeof refusal>[] = [];
    while (waiting.length < sent) {
      for (let wave = 0; wave < AT_ONCE && waiting.length < sent; wave += 1) waiting.push(refusal());
      await service.request('GET', '/health'); // accepted after those before it
    }
    const flood = Promise.all(waiting);
    await eventually(async () => (await unwritten()) > before);
    const ids = await Promise.all(Array.from({ length: CHANGES }, change));
    await release();
    return [await flood, ids] as const;
  });
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([403]));
  const lines = await sql(service, 'select status, resource from audit_log where company_id = $1', [bare(company.id)]);
  const withLine = new Set(lines.filter(({ status }) => status === 201).map(({ resource }) => resource));
  expect(changed.filter((id) => !withLine.has(id))).toEqual([]);
  expect(lines.filter(({ status }) => status === 403).length + (await unwritten()) - before).toBe(sent);
});
