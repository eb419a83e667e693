import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { newCompany, newParties, startService, type TestCompany, type TestService } from '../support/service.ts';

/** A client that can connect to Temporal's port can send any message except those that the API signs. */

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await startService();
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
  if (!(error instanceof WorkflowUpdateFailedError)) throw error ?? new Error(`${type} was carried out`);
  return Object(error.cause).type;
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

  test.each([
    ['initiate', { commandId: 'abc' }],
    ['initiate', { commandId: randomUUID() }],
    ['initiate', { commandId: randomUUID(), terms: {}, fees: {}, splitPlan: null, milestones: [], funding: 'now' }],
    ['negotiate', { commandId: randomUUID(), actor: 'BUYER', newSplitPlan: { system_fee_cents: '9'.repeat(19) } }],
    ['release', null],
    ['release', { commandId: randomUUID(), sentAt: 'yesterday' }],
  ])('is not blocked by the malformed update %s %j', async (type, message) => {
    const { id, workflowId } = await begun();
    expect(await failureOf(workflowId, type, message)).toBe('validation_failed');
    expect(await company.post(`/v1/escrow/${id}/release`)).toMatchObject({ status: 200 });
  });
});

async function begun() {
  const { escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow());
  return { id: String(body.id), workflowId: `escrow/${body.id}` };
}
