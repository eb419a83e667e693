import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { eventually, SLOW_MACHINE_MS } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { resetToFirstTask } from '../support/runs.ts';
import { type Answer, newCompany, newParties, type TestCompany, untilAnswered } from '../support/service.ts';

/** More commands than one run accepts before it continues as new. */
const MANY_COMMANDS = 60;
const WAITS = { ...WAIT_LIMITS, commandMs: 3_000, turnMs: 2_500 };

let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  service = await ownService({ waits: WAITS });
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('while no worker runs', () => {
  type Asked = { readonly key: string; readonly answer: Answer; readonly waitedMs: number };
  const [kept, lost] = [randomUUID(), randomUUID()];
  let escrows: Awaited<ReturnType<typeof begin>>[];
  let beginning: Awaited<ReturnType<typeof newParties>>;
  let request: Record<string, unknown>;
  let asked: Asked[];

  beforeAll(async () => {
    escrows = [await begin(), await begin()];
    beginning = await newParties(company);
    request = beginning.escrow();
    await service.stopWorker();
    const ask = async (key: string, send: (key: string) => Promise<Answer>) => {
      const askedAt = performance.now();
      return { key, answer: await send(key), waitedMs: performance.now() - askedAt };
    };
    asked = await Promise.all([
      ask(kept, (key) => release(idOf(0), key)),
      ask(lost, (key) => release(idOf(1), key)),
      ask(randomUUID(), (key) => company.post('/v1/escrow/initiate', request, key)),
    ]);
    await runOf(idOf(1)).terminate('what waits here is lost');
    await service.startWorker();
  });
  const idOf = (index: number) => escrows[index]?.escrowId ?? '';
  const sellerOf = (index: number) => escrows[index]?.sellerAccount ?? '';

  test('commands get 503 with Retry-After when their wait is over', () => {
    for (const { answer, waitedMs } of asked) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(waitedMs).toBeLessThan(WAITS.commandMs + SLOW_MACHINE_MS);
    }
  });

  test('a waiting command is carried out by the next worker, and the same key returns its result', async () => {
    await eventually(async () => (await statusOf(idOf(0))) === 'COMPLETED');

    const found = await release(idOf(0), kept);
    expect(found).toMatchObject({ status: 200, body: { status: 'COMPLETED', sellerPayout: '24750' } });
    expect(found.headers.get('idempotent-replayed')).toBeNull(); // no caller had received the result
    const replayed = await release(idOf(0), kept);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual(found.body);
    expect(await balanceOf(sellerOf(0))).toBe('24750');
    expect(await eventsOf(idOf(0))).toEqual(['INITIATED', 'FUNDS_RELEASED']);
  });

  test('a lost command is carried out when it is sent again with the same key', async () => {
    expect(await statusOf(idOf(1))).toBe('ACTIVE');
    expect(await release(idOf(1), lost)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
    expect(await balanceOf(sellerOf(1))).toBe('24750');
  });

  test('an escrow whose creation waited is created once', async () => {
    const initiated = await company.post('/v1/escrow/initiate', request, asked[2]?.key);
    expect(initiated).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
    const { body } = await company.get(`/v1/escrow?buyerId=${beginning.buyer.id}`);
    expect(body).toMatchObject({ total: 1, data: [{ id: initiated.body.id }] });
    expect(await heldOn(beginning.buyer.usdAccountId)).toBe('25000');
  });
});

describe('an escrow outlives its run', () => {
  test('terminated by ops: the next command brings a run back and is done', async () => {
    const { escrowId, sellerAccount } = await begin();
    await runOf(escrowId).terminate('by mistake');

    expect(await release(escrowId)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
    expect(await balanceOf(sellerAccount)).toBe('24750');
    expect(await runOf(escrowId).query('state')).toMatchObject({ status: 'COMPLETED' });
  });

  test('reset by ops to its beginning: old commands are not repeated, and the next command works', async () => {
    const { escrowId, items, sellerAccount } = await begin();
    await company.post(`/v1/escrow/${escrowId}/delivery-note`, { items });
    await company.post(`/v1/escrow/${escrowId}/goods-received`, { items });
    await resetToFirstTask(service, `escrow/${escrowId}`);

    expect(await release(escrowId)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
    expect(await eventsOf(escrowId)).toEqual(['INITIATED', 'DELIVERY_NOTED', 'GOODS_RECEIVED', 'FUNDS_RELEASED']);
    expect(await balanceOf(sellerAccount)).toBe('24750');
  });

  test('continued as new under load: no command is lost, and none done twice', async () => {
    const { escrowId, items } = await begin();
    const first = await shownOf(escrowId);
    const retries = { repeated: [429, 503] };
    const note = () =>
      untilAnswered((key) => company.post(`/v1/escrow/${escrowId}/delivery-note`, { items }, key), retries);
    const answers = await Promise.all(Array.from({ length: MANY_COMMANDS }, note));

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await eventsOf(escrowId)).toEqual(['INITIATED', ...answers.map(() => 'DELIVERY_NOTED')]);
    const next = await shownOf(escrowId);
    expect(next.runId).not.toBe(first.runId);
    expect(next).toEqual({ ...first, runId: next.runId, EscrowStatus: ['DELIVERY_NOTED'] });
    expect(await release(escrowId)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  });

  test('the books balance at the end', async () => {
    const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
    expect(body).toMatchObject({ ok: true, mismatches: [] });
  });
});

async function begin() {
  const { seller, escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow());
  const escrowId: string = body.id;
  const { body: detail } = await company.get(`/v1/escrow/${escrowId}`);
  const items = [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 12_500 }];
  return { escrowId, items, sellerAccount: seller.usdAccountId };
}

const release = (escrowId: string, key?: string) => company.post(`/v1/escrow/${escrowId}/release`, undefined, key);
const runOf = (escrowId: string) => service.temporal.workflow.getHandle(`escrow/${escrowId}`);
const statusOf = async (escrowId: string) => (await company.get(`/v1/escrow/${escrowId}`)).body.status;
const accountOf = async (id: string) => (await company.get(`/v1/ledger/accounts/${id}`)).body;
const balanceOf = async (id: string) => (await accountOf(id)).balance;
const heldOn = async (id: string) => (await accountOf(id)).held_balance;

async function eventsOf(escrowId: string): Promise<string[]> {
  const { body } = await company.get(`/v1/escrow/${escrowId}/timeline`);
  return body.map((entry: { event: string }) => entry.event);
}

/** The escrow's latest run in the Temporal UI's list of workflows, and the delay that a crash of its worker would cause. */
async function shownOf(escrowId: string) {
  const description = await runOf(escrowId).describe();
  const { EscrowCompany, EscrowCurrency, EscrowKind, EscrowStatus } = description.searchAttributes;
  return {
    runId: description.runId,
    ...{ EscrowCompany, EscrowCurrency, EscrowKind, EscrowStatus },
    taskTimeoutSeconds: Number(description.raw.executionConfig?.defaultWorkflowTaskTimeout?.seconds),
  };
}
