import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../support/eventually.ts';
import { type OwnService, ownService } from '../../../support/own-service.ts';
import { newCompany, newParties, type TestCompany, untilAnswered } from '../../../support/service.ts';

let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  service = await ownService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('GET /v1/escrow/{id}/progress', () => {
  test('returns the expected next steps and the deadline of the run', async () => {
    const { id, items } = await begin({ autoReleaseHours: 48 });
    await company.post(`/v1/escrow/${id}/delivery-note`, { items });
    const run = service.temporal.workflow.getHandle(`escrow/${id}`);
    const { autoReleaseAt } = await run.query<{ autoReleaseAt: string }>('state');
    const { runId, historyLength } = await run.describe();
    expect(await untilAnswered(() => company.get(`/v1/escrow/${id}/progress`))).toMatchObject({
      status: 200,
      body: {
        workflowId: `escrow/${id}`,
        running: true,
        runId,
        waitingFor: expect.arrayContaining(['goods-received', 'release', 'extend-auto-release']),
        nextDeadline: autoReleaseAt,
        historyLength,
      },
    });
  });

  test('shows that the run of a final escrow has ended', async () => {
    const { id } = await begin();
    await company.post(`/v1/escrow/${id}/release`);
    await service.temporal.workflow.getHandle(`escrow/${id}`).result();
    const { status, body } = await untilAnswered(() => company.get(`/v1/escrow/${id}/progress`));
    expect(status).toBe(200);
    expect(body).toMatchObject({ running: false, runId: expect.any(String), waitingFor: [], nextDeadline: null });
    expect(body.historyLength).toBeGreaterThan(3);
  });

  test('is 503 within seconds while no worker can answer', async () => {
    const { id } = await begin();
    await service.stopWorker();
    const refusal = await eventually(async () => {
      const answer = await company.get(`/v1/escrow/${id}/progress`);
      return answer.status === 503 && answer;
    });
    expect(refusal.body.code).toBe('dependency_unavailable');
    await service.startWorker();
  });
});

async function begin(fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow(fields));
  const { body: detail } = await company.get(`/v1/escrow/${body.id}`);
  return { id: String(body.id), items: [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 12_500 }] };
}
