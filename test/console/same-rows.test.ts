import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newConsoleWorld } from '../browser/console-world.ts';
import { bare, logIn, sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type TestService, type WithTemporal, withTemporal } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { visitorAs } from './support/visitor.ts';

let service: TestService & WithTemporal;
beforeAll(async () => {
  service = await withTemporal(await sharedService());
});
afterAll(() => service.stop());

/** The rows after a decision: the escrow's state, its events, and the entries of its payment, without ids and times. */
async function rowsOf(id: string): Promise<string> {
  const rows = await sql(
    service,
    `select
       (select jsonb_build_object('status', e.status, 'seq', e.seq, 'held', e.state -> 'heldCents',
          'released', e.state -> 'releasedCents', 'refunded', e.state -> 'refundedCents', 'shares', e.state -> 'shares')
        from escrow e where e.id = $1) as escrow,
       (select jsonb_agg(jsonb_build_array(v.type, v.actor, v.status, v.data -> 'shares', v.data -> 'adminId') order by v.seq)
        from escrow_event v where v.escrow_id = $1) as events,
       (select jsonb_agg(jsonb_build_array(t.type, t.status, t.amount, n.amount, a.type) order by t.position, n.amount, a.type)
        from ledger_transaction t left join entry n on n.transaction_id = t.id left join account a on a.id = n.account_id
        where t.escrow_id = $1) as entries`,
    [bare(id)],
  );
  return JSON.stringify(rows);
}

test('a dispute decided by signal, over REST and in the console leaves the same rows', async () => {
  const { company, newDispute } = await newConsoleWorld(service);
  const [bySignal, byRest, inConsole] = [await newDispute(), await newDispute(), await newDispute()];
  const newSplitPlan = { system_fee_cents: 250, service_fee_cents: 0, seller_payout_cents: 15_000 };
  const decision = { adminId: company.owner.id, newSplitPlan };

  await service.temporal.workflow.getHandle(`escrow/${bySignal}`).signal('admin-resolve', decision);
  await eventually(async () => (await company.get(`/v1/escrow/${bySignal}`)).body.status === 'RESOLVED');
  const { email, password } = company.owner;
  const owner = await logIn(service, company.id, { email, password });
  expect(await owner.post(`/v1/escrow/${byRest}/admin-resolve`, decision)).toMatchObject({ status: 200 });
  const visitor = await visitorAs(service, company, 'owner');
  const fields = { seller: '150.00', systemFee: '2.50', serviceFee: '0', reason: 'Half and half.', step: 'confirm' };
  expect(await visitor.submit(`/disputes/${inConsole}`, fields)).toMatchObject({ status: 303 });

  const rows = await rowsOf(byRest);
  expect(rows).toContain('RESOLVED');
  expect(await rowsOf(bySignal)).toBe(rows);
  expect(await rowsOf(inConsole)).toBe(rows);
});
