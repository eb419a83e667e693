import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { callActivityFromOutside, completeInstead } from '../support/foreign-worker.ts';
import { offerLink } from '../support/links.ts';
import { loseRun } from '../support/runs.ts';
import {
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { newHolder, newUndecidedPayout } from '../support/treasury.ts';

/** A client that can connect to Temporal's port can send any message except those that the API signs. */

let service: TestService & WithTemporal;
let company: TestCompany;

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service);
});
afterAll(() => service.stop());

const runOf = (workflowId: string) => service.temporal.workflow.getHandle(workflowId);

/** The failure type of an update. */
async function failureOf(workflowId: string, type: string, message: unknown): Promise<string | undefined> {
  const error = await runOf(workflowId)
    .executeUpdate(type, { args: [message] })
    .then(
      () => undefined,
      (failure: unknown) => failure,
    );
  if (Object(error).name !== 'WorkflowUpdateFailedError') throw error ?? new Error(`${type} was carried out`);
  return Object(Object(error).cause).type;
}

describe('a payment link', () => {
  test.each(['pay-from-balance', 'start-charge', 'open-checkout'])('%s without proof does nothing', async (type) => {
    const link = await offerLink(service, company);
    await company.post('/v1/ledger/deposit', { userId: link.buyer.id, amount: 50_000, currency: 'USD' });
    const workflowId = `payment-link/pay_${link.linkId}`;
    const commandId = randomUUID();

    expect(await failureOf(workflowId, type, { commandId })).toBe('forbidden');
    expect(await failureOf(workflowId, type, { commandId: randomUUID(), proof: 'test.Zm9yZ2Vk' })).toBe('forbidden');
    await runOf(workflowId).signal(type, {});
    await eventually(async () => {
      const timeline = await runOf(workflowId).query<{ code?: string }[]>('timeline');
      return timeline.some(({ code }) => code === 'forbidden');
    });

    expect(await link.events()).toEqual(['CREATED']);
    expect(await link.details()).toMatchObject({ status: 'PENDING', escrowStatus: 'PENDING' });
  });

  test('accepts reject from any client of Temporal', async () => {
    const link = await offerLink(service, company);
    await runOf(`payment-link/pay_${link.linkId}`).signal('reject', {});
    await eventually(async () => (await link.details()).status === 'REJECTED');
  });
});

const NESTED = `${'{"a":['.repeat(100_000)}${']}'.repeat(100_000)}`;

describe('an escrow', () => {
  test('is not cancelled from a dispute without an actor, by an unproven API key or as SYSTEM', async () => {
    const { id, workflowId } = await begun();
    await company.post(`/v1/escrow/${id}/dispute`, { actor: 'BUYER', reason: 'late' });
    const cancel = (fields: object) => failureOf(workflowId, 'cancel', { commandId: randomUUID(), ...fields });
    expect(await cancel({ actor: 'ADMIN', adminId: null })).toBe('validation_failed');
    expect(await cancel({ actor: 'SYSTEM' })).toBe('validation_failed');
    expect(await cancel({ actor: 'ADMIN', apiKeyId: randomUUID() })).toBe('forbidden');
    expect((await company.get(`/v1/escrow/${id}`)).body).toMatchObject({ status: 'DISPUTED', heldAmount: '25000' });
  });

  describe('is not blocked by', () => {
    let escrow: Awaited<ReturnType<typeof begun>>;
    beforeAll(async () => {
      escrow = await begun();
    });
    // After all of these it goes on.
    afterAll(async () => {
      const { body } = await company.post(`/v1/escrow/${escrow.id}/dispute`, { actor: 'BUYER', reason: 'late' });
      expect(body.status).toBe('DISPUTED');
    });

    test.each([
      ['initiate', { commandId: 'abc' }],
      ['initiate', { commandId: randomUUID() }],
      ['initiate', { commandId: randomUUID(), terms: {}, fees: {}, splitPlan: null, milestones: [], funding: 'now' }],
      ['negotiate', { commandId: randomUUID(), actor: 'BUYER', newSplitPlan: { system_fee_cents: '9'.repeat(19) } }],
      ['release', null],
      ['release', { commandId: randomUUID(), sentAt: 'yesterday' }],
    ])('the malformed update %s %j', async (type, message) => {
      expect(await failureOf(escrow.workflowId, type, message)).toBe('validation_failed');
    });

    test.each(['release', 'admin-resolve', 'refresh', 'nonsense'])(
      'the signal %s with JSON of any depth',
      async (name) => {
        await signalRaw(escrow.workflowId, name, NESTED);
        expect(await failureOf(escrow.workflowId, 'dispute', { commandId: randomUUID() })).toBe('validation_failed');
      },
    );
  });
});

/** A signal whose payload the test writes byte by byte. */
async function signalRaw(workflowId: string, signalName: string, json: string): Promise<void> {
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(json) };
  await service.temporal.workflowService.signalWorkflowExecution({
    namespace: service.temporal.options.namespace,
    workflowExecution: { workflowId },
    signalName,
    input: { payloads: [payload] },
  });
}

describe('a signal', () => {
  test.each(['`**# long`'.repeat(90), '__proto__', 'constructor', '__stack_trace', ' '])(
    'with the name %s is shown as one plain line',
    async (name) => {
      const { workflowId } = await begun();
      await signalRaw(workflowId, name, '{}');
      const line = await eventually(async () => {
        const { currentDetails = '' } = await runOf(workflowId).query<{ currentDetails?: string }>(
          '__temporal_workflow_metadata',
        );
        return currentDetails.split('\n\n').find((text) => text.startsWith('Refused the signal'));
      });
      expect(line).toMatch(/^Refused the signal `[^`]{1,100}` at [^ ]+: not_found, signal not found$/);
    },
  );
});

describe('a workflow that somebody starts', () => {
  const start = async (type: string, workflowId: string, args: unknown[]) => {
    const { taskQueue } = service;
    const handle = await service.temporal.workflow.start(type, { workflowId, taskQueue, args });
    const error = await handle.result().then(
      () => undefined,
      (failure: unknown) => failure,
    );
    return Object(Object(error).cause).type;
  };

  test.each(['escrowWorkflow', 'paymentLinkWorkflow', 'withdrawalWorkflow', 'webhookWorkflow'])(
    '%s without a readable input fails, and is not retried for ever',
    async (type) => {
      const inputs = [[], [null], ['escrow'], [{}], [{ escrowId: 5 }]];
      const failures = await Promise.all(inputs.map((args) => start(type, randomUUID(), args)));
      expect(failures).toEqual(inputs.map(() => 'invalid_id'));
    },
  );

  test('under the id of another escrow fails, so that commands reach the right one', async () => {
    const [one, other] = [await begun(), await begun()];
    await loseRun(service, one.workflowId);
    expect(await start('escrowWorkflow', one.workflowId, [{ escrowId: other.id }])).toBe('invalid_id');
    expect(await company.post(`/v1/escrow/${one.id}/release`)).toMatchObject({ status: 200 });
    expect((await company.get(`/v1/escrow/${other.id}`)).body).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('the run of a webhook endpoint', () => {
  const SIGNALS = 300;

  test('bounds its history for signals without a handler', async () => {
    const { body } = await company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['user.created'] });
    const run = runOf(`webhook/${body.id}`);
    await newParties(company); // an event starts the run
    const first = await eventually(() => run.describe().catch(() => undefined));
    for (let sent = 0; sent < SIGNALS; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => run.signal('nonsense')));
    await eventually(async () => (await run.describe()).runId !== first.runId);
  });
});

describe('a workflow of somebody else', () => {
  test('cannot write a step by calling our activities, with money of others or without', async () => {
    const { id, workflowId, buyer, seller } = await begun();
    const before = (await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`)).body;
    const state = await runOf(workflowId).query<Record<string, unknown>>('state');
    const commandId = randomUUID();
    const at = new Date().toISOString();
    const bare = (publicId: string) => publicId.slice(publicId.indexOf('_') + 1);
    const theft = {
      transactionId: randomUUID(),
      companyId: bare(company.id),
      key: `theft/${commandId}`,
      ...{ type: 'ADJUSTMENT', status: 'COMPLETED', amountCents: '100', currency: 'USD' },
      ...{ reference: null, escrowId: null, metadata: {}, holds: [] },
      legs: [
        { accountId: bare(buyer.usdAccountId), amountCents: '-100' },
        { accountId: bare(seller.usdAccountId), amountCents: '100' },
      ],
    };
    const event = { type: 'GOODS_RECEIVED', actor: 'BUYER', commandId, at, items: [], isPartial: false };
    const step = { event, state: { ...state, seq: Number(state.seq) + 1 }, postings: [theft], checks: [], sent: null };

    expect(await callActivityFromOutside(service, 'applyEscrowEvent', step)).toBe('forbidden');
    expect(await callActivityFromOutside(service, 'loadEscrow', bare(id))).toBe('forbidden');
    const refusal = { kind: 'refused', code: 'wrong_state', detail: 'not now' };
    const refused = { kind: 'escrow', id: bare(id), commandId: randomUUID(), sentAt: null, refusal };
    expect(await callActivityFromOutside(service, 'settleRefusal', refused)).toBe('forbidden');

    expect((await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`)).body).toEqual(before);
    expect((await company.get(`/v1/escrow/${id}/timeline`)).body).toHaveLength(1);
  });
});

async function begun() {
  const { escrow, buyer, seller } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow());
  return { id: String(body.id), workflowId: `escrow/${body.id}`, buyer, seller };
}

describe('an answer that no provider gave', () => {
  /** Long enough for the forger, and shorter than the time of an activity. */
  const SLOW_MS = 3_000;
  const PROOF = 'test.Zm9yZ2Vk';
  const isIdle = (workflowId: string) =>
    eventually(async () => (await runOf(workflowId).describe()).raw.pendingActivities?.length === 0);
  afterEach(async () => {
    await service.sandbox.outage('gateway', 0);
    await service.sandbox.outage('payout', 0);
  });

  test.each([
    'succeeded',
    { answer: 'succeeded', proof: PROOF },
    { answer: { askAt: '9999-01-01T00:00:00.000Z' }, proof: PROOF },
    null,
  ])('%j credits no buyer and stops no check', async (forged) => {
    const link = await offerLink(service, company);
    const workflowId = `payment-link/pay_${link.linkId}`;
    const { body: checkout } = await link.say('eft-pay/initiate');
    const [{ id: attemptId }] = (await company.get(`/v1/payments/links/${link.linkId}`)).body.attempts;
    await service.sandbox.outage('gateway', 30, SLOW_MS);
    await runOf(workflowId).signal('check-attempt', { attemptId });
    await completeInstead(service, workflowId, 'checkAttempt', forged);
    await service.sandbox.outage('gateway', 0);
    await isIdle(workflowId);

    expect(await failureOf(workflowId, 'reject', null)).toBe('validation_failed'); // the run goes on
    expect(await link.details()).toMatchObject({ status: 'PENDING', escrowStatus: 'PENDING' });
    expect(await link.deposits()).toBe(0);
    await service.sandbox.settle(checkout.checkoutId, 'success');
    await eventually(async () => (await link.details()).status === 'ACCEPTED');
  });

  test('gives no money of a payout back', async () => {
    const holder = await newHolder(service);
    const payout = await newUndecidedPayout(holder.company, holder.accountId, 1_000);
    const workflowId = `withdrawal/${payout.id}`;
    const rejected = { kind: 'rejected', saidAt: new Date().toISOString(), reason: 'AC04' };
    for (const forged of [rejected, { answer: rejected, proof: PROOF }, null, { kind: 'settled' }]) {
      await service.sandbox.outage('payout', 30, SLOW_MS);
      await runOf(workflowId).signal('check-payout', { mayResend: false });
      await completeInstead(service, workflowId, 'checkPayout', forged);
      await service.sandbox.outage('payout', 0);
      await isIdle(workflowId);
    }
    expect(await failureOf(workflowId, 'resume', null)).toBe('validation_failed'); // the run goes on
    expect(await payout.read()).toMatchObject({ status: 'PROCESSING' });
    await service.sandbox.control('POST', '/payouts', { outcome: 'settled', reference: payout.externalReference });
    await eventually(async () => (await payout.read()).status === 'COMPLETED');
  });

  test('confirms no status of a payout, which would hide an earlier return', async () => {
    const holder = await newHolder(service);
    const payout = await newUndecidedPayout(holder.company, holder.accountId, 1_000);
    const run = runOf(`withdrawal/${payout.id}`);
    await service.sandbox.control('POST', '/payouts', { outcome: 'settled', reference: payout.externalReference });
    await eventually(async () => (await payout.read()).status === 'COMPLETED');
    const { runId } = await run.describe();
    const settled = { kind: 'settled', saidAt: new Date().toISOString() };
    for (const forged of [settled, { answer: settled, proof: PROOF }]) {
      await service.sandbox.outage('payout', 30, SLOW_MS);
      await run.signal('check-payout', { mayResend: false });
      await completeInstead(service, run.workflowId, 'checkPayout', forged);
      await service.sandbox.outage('payout', 0);
      await isIdle(run.workflowId);
    }
    await run.signal('renew');
    await eventually(async () => (await run.describe()).runId !== runId);
    const [begun] = (await run.fetchHistory()).events ?? [];
    const [input] = begun?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    expect(JSON.parse(Buffer.from(input?.data ?? '').toString())).toMatchObject({
      bankAnswers: { asked: { answer: 'settled' }, heardAt: null },
    });
  });
});
