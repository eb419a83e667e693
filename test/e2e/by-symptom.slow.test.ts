import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Gate, startGate } from '../support/gate.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { incompatible } from '../support/releases.ts';
import { rebuildWorkflows, startWorkerProcess } from '../support/role-process.ts';
import { loseRun } from '../support/runs.ts';
import { servers } from '../support/servers.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

/** The rows of docs/operations/symptoms.md that no other test shows (by-symptom.test.ts): each produces the symptom and follows the page. */

/** Starting a release in a separate process takes long on a busy machine. */
const PATIENCE_MS = 90_000;
const TEST_MS = 240_000;

describe('by symptom', () => {
  let service: OwnService;
  let company: TestCompany;
  let gate: Gate;
  let folder: string;
  let nextRelease: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'by-symptom-'));
    nextRelease = join(folder, 'next.js');
    writeFileSync(nextRelease, incompatible(readFileSync(servers().workflowBundleFile, 'utf8')));
    gate = await startGate(servers().ownerUrl);
    service = await ownService({
      waits: { ...WAIT_LIMITS, commandMs: 3_000, turnMs: 2_500 },
      databaseVia: (url) => (new URL(url).username === 'escrow_worker' ? gate.through(url) : url),
    });
    company = await newCompany(service);
  });
  afterAll(async () => {
    await service.stop();
    await gate.stop();
    rmSync(folder, { recursive: true });
  });

  const begin = async (fields: Record<string, unknown> = {}) => {
    const { seller, escrow } = await newParties(company);
    const { body } = await company.post('/v1/escrow/initiate', escrow(fields));
    const path = `/v1/escrow/${body.id}`;
    const { body: detail } = await company.get(path);
    return {
      id: String(body.id),
      seller,
      run: service.temporal.workflow.getHandle(`escrow/${body.id}`),
      items: [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 12_500 }],
      post: (step: string, sent?: object, key?: string) => company.post(`${path}/${step}`, sent, key),
      events: async (): Promise<string[]> =>
        (await company.get(`${path}/timeline`)).body.map(({ event }: { event: string }) => event),
    };
  };
  const failingTasks = async ({ run }: Pick<Awaited<ReturnType<typeof begin>>, 'run'>) =>
    (await run.describe()).raw.pendingWorkflowTask?.attempt ?? 0;
  const startNextRelease = () =>
    startWorkerProcess(service, { DATABASE_URL: service.database.workerUrl, WORKFLOW_BUNDLE: nextRelease });

  test(
    'more commands at once than one escrow takes: 429, without effect',
    async () => {
      const { items, post, events } = await begin();
      await service.stopWorker();
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => post('delivery-note', { items }, randomUUID())),
      );
      await service.startWorker();
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => ![429, 503].includes(status))).toEqual([]);
      const key = randomUUID();
      await eventually(async () => (await post('release', undefined, key)).status === 200, PATIENCE_MS);
      expect((await events()).filter((event) => event === 'DELIVERY_NOTED').length).toBeLessThanOrEqual(
        answers.length - refused.length,
      );
    },
    TEST_MS,
  );

  test('a step waits for the database, and is done once when the database is back', async () => {
    const { run, events } = await begin();
    gate.shut();
    await run.signal('release');
    await eventually(async () => {
      const { events: history } = await run.fetchHistory();
      return history?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null);
    }, PATIENCE_MS);
    expect((await run.describe()).status.name).toBe('RUNNING');

    gate.open();

    expect(await run.result()).toMatchObject({ status: 'COMPLETED', releasedCents: '24750' });
    expect(await events()).toEqual(['INITIATED', 'FUNDS_RELEASED']);
  });

  test('an automatic release that is not possible is shown, and retried after a day', async () => {
    const { id, seller, run, items, post, events } = await begin({ autoReleaseHours: 48 });
    await post('delivery-note', { items });
    await setIdentityStatus(seller.id, 'BLACKLISTED');
    const fallDue = async () => {
      await sql(
        service,
        `update escrow set state = jsonb_set(state, '{autoReleaseAt}', to_jsonb($2::text)) where id = $1`,
        [id.slice('esc_'.length), new Date(Date.now() - 1_000).toISOString()],
      );
      await run.signal('refresh');
    };
    await fallDue();

    await eventually(async () => (await events()).at(-1) === 'RELEASE_BLOCKED');
    await eventually(async () => String((await run.describe()).searchAttributes.EscrowAttention) === 'release_blocked');
    const { nextDeadline } = await run.query<{ nextDeadline: string }>('progress');
    expect((Date.parse(nextDeadline) - Date.now()) / 3_600_000).toBeCloseTo(24, 0);

    await setIdentityStatus(seller.id, 'CLEAR');
    await fallDue();
    expect(await run.result()).toMatchObject({ status: 'COMPLETED' });
    expect((await events()).at(-1)).toBe('AUTO_RELEASED');
  });

  test(
    'code that does not fit the histories: the previous version continues the runs',
    async () => {
      const escrow = await begin();
      await service.stopWorker();
      const next = await startNextRelease();
      const unanswered = escrow.post('release', undefined, 'the-same-key');
      await eventually(async () => (await failingTasks(escrow)) > 1, PATIENCE_MS);
      expect(await unanswered).toMatchObject({ status: 503 });

      await next.kill();
      await service.startWorker();

      await eventually(
        async () => (await escrow.post('release', undefined, 'the-same-key')).status === 200,
        PATIENCE_MS,
      );
      expect(await escrow.events()).toEqual(['INITIATED', 'FUNDS_RELEASED']);
    },
    TEST_MS,
  );

  test(
    'a run that is stuck alone: terminate it, and rebuild',
    async () => {
      const escrow = await begin();
      await service.stopWorker();
      const next = await startNextRelease();
      await escrow.run.signal('dispute', { actor: 'BUYER' });
      await eventually(async () => (await failingTasks(escrow)) > 1, PATIENCE_MS);

      await loseRun(service, escrow.run.workflowId);
      expect(await rebuildWorkflows(service)).toContain(`escrow/${escrow.id} was missing`);

      const key = randomUUID();
      await eventually(async () => (await escrow.post('release', undefined, key)).status === 200, PATIENCE_MS);
      expect(await escrow.events()).toEqual(['INITIATED', 'FUNDS_RELEASED']);
      await next.kill();
      await service.startWorker();
    },
    TEST_MS,
  );

  async function setIdentityStatus(userId: string, status: string): Promise<void> {
    const answer = await service.request('POST', `/v1/identity/admin/users/${userId}/status`, {
      headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id },
      body: { status },
    });
    expect(answer.status).toBe(200);
  }
});
