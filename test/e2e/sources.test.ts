import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newVisitor } from '../console/support/visitor.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { ownService } from '../support/own-service.ts';
import {
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { asked, newHolder, newUndecidedPayout } from '../support/treasury.ts';

/** Timelines, events and audit lines state where an act came from. */

let service: TestService & WithTemporal;
let company: TestCompany;

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service);
});
afterAll(() => service.stop());

const PLAN = { system_fee_cents: 250, service_fee_cents: 0, seller_payout_cents: 20_000 };

async function begun(fields: Record<string, unknown> = {}, of = company): Promise<string> {
  const { escrow } = await newParties(of);
  return (await of.post('/v1/escrow/initiate', escrow(fields))).body.id;
}

/** The sources of an object's timeline and events, and of its audit lines. */
async function sourcesOf(id: string, timelinePath: string, event: string) {
  const of = company;
  const read = async () => {
    const found = (await of.get(timelinePath)).body;
    return Array.isArray(found) ? found : found.timeline;
  };
  const entry = await eventually(async () => (await read()).find((one: { event: string }) => one.event === event));
  const feed = await eventually(async () => {
    const { data } = (await of.get(`/v1/events?objectId=${id}`)).body;
    return (
      data.length >= (await read()).filter((one: { event: string }) => one.event !== 'POLL_POSTPONED').length && data
    );
  });
  const audit = (await of.get('/v1/core/audit-log?limit=100')).body.data.filter(
    ({ resource }: { resource: string | null }) => resource === id,
  );
  return {
    entry,
    event: feed.at(-1),
    audit: audit.map(({ operation, source, actor }: { operation: string; source: string; actor: object }) => ({
      ...{ operation, source, actor },
    })),
  };
}

const ofEscrow = (id: string, event: string) => sourcesOf(id, `/v1/escrow/${id}/timeline`, event);

describe('an act', () => {
  test('of a request is the API’s, whatever its headers state', async () => {
    const id = await begun();
    const headers = { source: 'CONSOLE', 'x-source': 'CONSOLE', 'x-idempotency-key': randomUUID() };
    await company.request('POST', `/v1/escrow/${id}/release`, { headers });
    const { entry, event, audit } = await ofEscrow(id, 'FUNDS_RELEASED');
    expect([entry.source, event.source]).toEqual(['API', 'API']);
    expect(audit.map(({ source }: { source: string }) => source)).toEqual(['API', 'API']);
  });

  test('of a form of the console is the console’s', async () => {
    const id = await begun();
    const visitor = newVisitor(service);
    await visitor.logIn(company.owner);
    const sent = await visitor.submit(`/escrows/${id}/dispute`, { actor: 'BUYER', reason: 'late' });
    expect(sent.status).toBe(303);
    const { entry, event, audit } = await ofEscrow(id, 'DISPUTED');
    expect([entry.source, event.source]).toEqual(['CONSOLE', 'CONSOLE']);
    expect(audit[0]).toMatchObject({ operation: 'POST /v1/escrow/{id}/dispute', source: 'CONSOLE' });
  });

  test('of a buyer with a link is the checkout’s, also in what it funds', async () => {
    const link = await offerLink(service, company);
    const id = `pay_${link.linkId}`;
    await link.say('reject-payment');
    const { entry, event } = await sourcesOf(id, `/v1/payments/links/${link.linkId}`, 'REJECTED');
    expect([entry.source, event.source]).toEqual(['CHECKOUT', 'CHECKOUT']);
    const { entry: cancelled } = await ofEscrow(link.escrowId, 'CANCELLED');
    expect(cancelled.source).toBe('CHECKOUT');
  });

  test('of a gateway that reports a payment is the provider’s', async () => {
    const link = await offerLink(service, company);
    const { body: checkout } = await link.say('eft-pay/initiate');
    await service.sandbox.settle(checkout.checkoutId, 'success');
    const { entry: funded } = await ofEscrow(link.escrowId, 'FUNDED');
    expect(funded.source).toBe('PROVIDER');
  });

  test('of a deadline is the timer’s', async () => {
    const of = await newCompany(service);
    const link = await offerLink(service, of);
    await of.post('/v1/sandbox/clock', { advanceHours: 24 * 365 });
    const expired = await eventually(async () =>
      (await of.get(`/v1/payments/links/${link.linkId}`)).body.timeline.find(
        ({ event }: { event: string }) => event === 'EXPIRED',
      ),
    );
    expect(expired).toMatchObject({ source: 'TIMER' });
  });
});

const NOBODY = { kind: 'temporal', id: null, role: null };

describe('a message that was sent past the API', () => {
  test('is Temporal’s, stands in the audit log, and names nobody as logged in', async () => {
    const id = await begun();
    const run = service.temporal.workflow.getHandle(`escrow/${id}`);
    await run.signal('dispute', { actor: 'BUYER', source: 'API' });
    expect((await ofEscrow(id, 'DISPUTED')).entry.source).toBe('TEMPORAL');
    await run.executeUpdate('admin-resolve', {
      args: [{ commandId: randomUUID(), adminId: company.owner.id, newSplitPlan: PLAN }],
    });
    const { entry, event, audit } = await ofEscrow(id, 'RESOLVED');
    expect(entry).toMatchObject({ source: 'TEMPORAL', details: { adminId: company.owner.id } });
    expect(entry.details).not.toHaveProperty('orderedBy');
    expect(event.source).toBe('TEMPORAL');
    expect(audit.slice(0, 2)).toEqual([
      { operation: 'update:admin-resolve', source: 'TEMPORAL', actor: NOBODY },
      { operation: 'signal:dispute', source: 'TEMPORAL', actor: NOBODY },
    ]);
  });

  test('in the name of an administrator of another company is refused, and stands in the audit log', async () => {
    const id = await begun();
    const run = service.temporal.workflow.getHandle(`escrow/${id}`);
    await run.signal('dispute', { actor: 'BUYER' });
    const stranger = await newCompany(service);
    await run.signal('admin-resolve', { adminId: stranger.owner.id, newSplitPlan: PLAN });
    await eventually(async () =>
      (await run.query<{ code?: string }[]>('timeline')).some(({ code }) => code === 'unknown_admin'),
    );
    const { data } = (await company.get('/v1/core/audit-log?limit=100')).body;
    const [line] = data.filter(({ resource }: { resource: string | null }) => resource === id);
    expect(line).toMatchObject({ operation: 'signal:admin-resolve', status: 422, source: 'TEMPORAL', actor: NOBODY });
  });

  test('with the proof of another message is Temporal’s too', async () => {
    const id = await begun();
    const run = service.temporal.workflow.getHandle(`escrow/${id}`);
    await company.post(`/v1/escrow/${id}/dispute`, { actor: 'BUYER', reason: 'late' });
    const { events } = await run.fetchHistory();
    const accepted = events?.find((one) => one.workflowExecutionUpdateAcceptedEventAttributes != null && one);
    const payload =
      accepted?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args?.payloads?.[0];
    const message = JSON.parse(Buffer.from(payload?.data ?? '{}').toString());
    await run.signal('add-evidence', { ...message, commandId: randomUUID(), actor: 'SELLER' });
    expect((await ofEscrow(id, 'EVIDENCE_ADDED')).entry.source).toBe('TEMPORAL');
  });
});

describe('an installation without decisions by signal', () => {
  let own: Awaited<ReturnType<typeof ownService>>;
  let tenant: TestCompany;
  beforeAll(async () => {
    own = await ownService({ mayDecideBySignal: false });
    tenant = await newCompany(own);
  });
  afterAll(() => own.stop());

  test('refuses those signals visibly, and takes the others and the API’s requests', async () => {
    const id = await begun({}, tenant);
    const run = own.temporal.workflow.getHandle(`escrow/${id}`);
    await run.signal('dispute', { actor: 'BUYER' });
    const adminId = tenant.owner.id;
    await run.signal('admin-resolve', { adminId, newSplitPlan: PLAN });
    await run.signal('cancel', { actor: 'ADMIN', adminId });
    const refusedSignals = await eventually(async () => {
      const timeline = await run.query<{ signal?: string; code?: string; source?: string }[]>('timeline');
      const found = timeline.filter(({ code }) => code !== undefined);
      return found.length === 2 && found;
    });
    expect(refusedSignals.map(({ signal, code, source }) => [signal, code, source])).toEqual([
      ['admin-resolve', 'forbidden', 'TEMPORAL'],
      ['cancel', 'forbidden', 'TEMPORAL'],
    ]);
    const audited = (await tenant.get('/v1/core/audit-log?limit=100')).body.data.filter(
      ({ resource, source }: { resource: string | null; source: string }) => resource === id && source === 'TEMPORAL',
    );
    expect(audited.map(({ operation, status, actor }: Record<string, unknown>) => [operation, status, actor])).toEqual([
      ['signal:cancel', 403, NOBODY],
      ['signal:admin-resolve', 403, NOBODY],
      ['signal:dispute', 200, NOBODY],
    ]);
    const { currentDetails } = await run.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain('TEMPORAL_DECISIONS');
    expect((await tenant.get(`/v1/escrow/${id}`)).body).toMatchObject({ status: 'DISPUTED' });

    const payer = await newHolder(own);
    const payout = await newUndecidedPayout(payer.company, payer.accountId, 1_000);
    const paying = own.temporal.workflow.getHandle(`withdrawal/${payout.id}`);
    await paying.signal('book-outcome', { outcome: 'NOT_PAID', adminId });
    await eventually(async () => {
      const timeline = await paying.query<{ signal?: string; code?: string }[]>('timeline');
      return timeline.some(({ signal, code }) => signal === 'book-outcome' && code === 'forbidden');
    });

    await own.sandbox.outage('payout', 600);
    const held = (await payer.company.post('/v1/treasury/withdraw', asked(payer.accountId, 1_000))).body;
    const freeze = (is_frozen: boolean) =>
      payer.company.request('PATCH', `/v1/ledger/accounts/${payer.accountId}`, {
        body: { is_frozen, reason: 'asked' },
      });
    await freeze(true);
    await own.sandbox.outage('payout', 0);
    const readHeld = async () => (await payer.company.get(`/v1/treasury/withdrawals/${held.id}`)).body;
    await eventually(async () => (await readHeld()).review_reason === 'account_frozen');
    await freeze(false);
    const heldRun = own.temporal.workflow.getHandle(`withdrawal/${held.id}`);
    for (const type of ['cancel', 'resume']) await heldRun.signal(type, { adminId: payer.company.owner.id });
    await eventually(async () => {
      const timeline = await heldRun.query<{ code?: string }[]>('timeline');
      return timeline.filter(({ code }) => code === 'forbidden').length === 2;
    });
    expect(await readHeld()).toMatchObject({ status: 'PROCESSING', review_reason: 'account_frozen' });

    const resolved = await tenant.post(`/v1/escrow/${id}/admin-resolve`, { adminId, newSplitPlan: PLAN });
    expect(resolved).toMatchObject({ status: 200, body: { status: 'RESOLVED' } });
  });
});
