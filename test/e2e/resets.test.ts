import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import { resetToFirstTask } from '../support/runs.ts';
import {
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { asked, ended, newHolder } from '../support/treasury.ts';

/** A reset sends a run's messages again. The first decision about each message stays in force. */

let service: TestService & WithTemporal;
let company: TestCompany;

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('after `temporal workflow reset` with its default flags', () => {
  test('a release that was refused stays refused, and a new one is paid', async () => {
    const { escrow, post, events } = await begun();
    await setIdentityStatus(escrow.sellerId, 'BLACKLISTED');
    expect(await post('release')).toMatchObject({ status: 403, body: { code: 'user_blacklisted' } });
    await setIdentityStatus(escrow.sellerId, 'CLEAR');

    await resetToFirstTask(service, `escrow/${escrow.id}`);
    await noteDelivery(escrow);

    expect(await events()).toEqual(['INITIATED', 'DELIVERY_NOTED']);
    expect(await post('release')).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  });

  test('signals that name no command are not carried out again', async () => {
    const { escrow, run, events } = await begun();
    const items = [{ itemId: escrow.itemId, quantity: 1, price_per_item: 12_500 }];
    await run.signal('delivery-note', { items });
    await run.signal('delivery-note', { items });
    await run.signal('add-evidence', { actor: 'BUYER' }); // refused: there is no dispute
    await run.signal('extend-auto-release', { hours: 1 }); // refused
    await eventually(async () => (await events()).length === 3);
    await company.post(`/v1/escrow/${escrow.id}/dispute`, { actor: 'BUYER', reason: 'late' });
    const before = ['INITIATED', 'DELIVERY_NOTED', 'DELIVERY_NOTED', 'DISPUTED'];
    expect(await events()).toEqual(before);

    await resetToFirstTask(service, `escrow/${escrow.id}`);
    await company.post(`/v1/escrow/${escrow.id}/dispute/evidence`, { actor: 'SELLER', note: 'a waybill' });

    expect(await events()).toEqual([...before, 'EVIDENCE_ADDED']);
  });
});

describe('a question to the bank, which may send a payment again', () => {
  async function paidOut() {
    const { company: owner, accountId } = await newHolder(service);
    const { body } = await owner.post('/v1/treasury/withdraw', asked(accountId, 5_000));
    await ended(owner, body.id);
    return service.temporal.workflow.getHandle(`withdrawal/${body.id}`);
  }
  /** The checks of the current run that a person requested. */
  const checksByPersons = async (run: WorkflowHandle) => {
    const { events } = await run.fetchHistory();
    return (events ?? []).filter(({ activityTaskScheduledEventAttributes: scheduled }) => {
      const [, , mayResend] = scheduled?.input?.payloads ?? [];
      return mayResend?.data != null && Buffer.from(mayResend.data).toString() === 'true';
    }).length;
  };
  const refusals = async (run: WorkflowHandle) =>
    (await run.query<{ event: string }[]>('timeline')).filter(({ event }) => event === 'REFUSED').length;

  test('is not asked again after a reset', async () => {
    const run = await paidOut();
    await run.signal('check-payout');
    await eventually(async () => (await refusals(run)) === 1); // the bank says nothing new
    expect(await checksByPersons(run)).toBe(1);
    await resetToFirstTask(service, run.workflowId);
    await eventually(async () => (await refusals(run)) === 1);
    expect(await checksByPersons(run)).toBe(0);
  });

  test('is not asked if the message is too old', async () => {
    const run = await paidOut();
    await run.signal('check-payout', { sentAt: new Date(Date.now() - 25 * 3_600_000).toISOString() });
    await eventually(async () => (await refusals(run)) === 1);
    expect(await checksByPersons(run)).toBe(0);
  });
});

test('a message that was sent more than a day ago is refused, and ops see why', async () => {
  const { escrow, run, events } = await begun();
  const sentAt = new Date(Date.now() - 25 * 3_600_000).toISOString();
  await run.signal('release', { sentAt });
  await eventually(async () => {
    const { currentDetails = '' } = await run.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return /Refused the signal `release` at [^ ]+: message_expired/.test(currentDetails);
  });
  expect(await events()).toEqual(['INITIATED']);
  expect((await run.query<{ event: string }[]>('timeline')).map(({ event }) => event)).toEqual([
    'INITIATED',
    'REFUSED',
  ]);
  expect((await run.describe()).searchAttributes.EscrowAttention).toEqual(['signal_refused']);
  expect(await company.post(`/v1/escrow/${escrow.id}/release`)).toMatchObject({ status: 200 });
});

async function begun() {
  const { seller, escrow: request } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', request());
  const { body: detail } = await company.get(`/v1/escrow/${body.id}`);
  const path = `/v1/escrow/${body.id}`;
  return {
    escrow: { id: String(body.id), itemId: String(detail.items[0].id), sellerId: seller.id },
    run: service.temporal.workflow.getHandle(`escrow/${body.id}`),
    post: (step: string) => company.post(`${path}/${step}`),
    events: async () => (await company.get(`${path}/timeline`)).body.map(({ event }: { event: string }) => event),
  };
}

async function noteDelivery({ id, itemId }: { readonly id: string; readonly itemId: string }): Promise<void> {
  const items = [{ itemId, quantity: 2, price_per_item: 12_500 }];
  expect(await company.post(`/v1/escrow/${id}/delivery-note`, { items })).toMatchObject({ status: 200 });
}

async function setIdentityStatus(userId: string, status: string): Promise<void> {
  const answer = await service.request('POST', `/v1/identity/admin/users/${userId}/status`, {
    headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id },
    body: { status },
  });
  expect(answer.status).toBe(200);
}
