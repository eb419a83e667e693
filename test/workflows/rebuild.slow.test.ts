import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { rebuildWorkflows } from '../support/role-process.ts';
import { firstSweep, loseRun } from '../support/runs.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  service = await ownService();
  company = await newCompany(service);
  await firstSweep(service);
});
afterAll(() => service.stop());

describe('open escrows without a run', () => {
  test('get one from the command line; those that have one keep it, and final ones get none', async () => {
    const [, before] = /^(\d+) open escrows/m.exec(await rebuildWorkflows(service)) ?? [];
    const [running, lost, final] = [await begin(), await begin(), await begin()];
    const { runId } = await runOf(running).describe();
    await loseRun(service, `escrow/${lost}`);
    await company.post(`/v1/escrow/${final}/release`);
    await runOf(final).result();

    expect(await rebuildWorkflows(service)).toContain(`escrow/${lost} was missing`);

    expect(await runOf(running).describe()).toMatchObject({ runId, status: { name: 'RUNNING' } });
    expect(await runOf(lost).describe()).toMatchObject({ status: { name: 'RUNNING' } });
    expect(await runOf(final).describe()).toMatchObject({ status: { name: 'COMPLETED' } });
    const known = await eventually(async () => (await runOf(lost).query('state')) ?? undefined); // it has read its row
    expect(known).toMatchObject({ status: 'ACTIVE', heldCents: '25000' });
    const after = Number(before) + 2;
    expect(await rebuildWorkflows(service)).toMatch(
      new RegExp(
        `^${after} open escrows, links and withdrawals and \\d+ runs were checked\\. Healed: 0 missing, `,
        'm',
      ),
    );
  });

  test('get one from the schedule, which every worker makes sure of', async () => {
    const lost = await begin();
    await loseRun(service, `escrow/${lost}`);
    const schedule = scheduleOf('rebuild');
    expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: 3_600_000 }]);

    await schedule.trigger();

    await eventually(async () => (await runOf(lost).describe()).status.name === 'RUNNING');
  });

  test('get one in any number', async () => {
    const open = await copies(await begin(), 450);
    expect(await rebuildWorkflows(service)).toMatch(/Healed: 450 missing, /);
    for (const escrowId of [open.at(0), open.at(-1)])
      expect(await runOf(`esc_${escrowId}`).describe()).toMatchObject({ status: { name: 'RUNNING' } });
  });
});

const scheduleOf = (name: string) => service.temporal.schedule.getHandle(`${name}/${service.taskQueue}`);
const runOf = (escrowId: string) => service.temporal.workflow.getHandle(`escrow/${escrowId}`);

async function begin(): Promise<string> {
  const { escrow } = await newParties(company);
  return (await company.post('/v1/escrow/initiate', escrow())).body.id;
}

/** More escrows, as rows only. No command is sent to them, so they need no events. */
async function copies(escrowId: string, count: number): Promise<string[]> {
  const { rows } = await withClient(service.database.ownerUrl, (client) =>
    client.query(
      `insert into escrow (id, company_id, status, seq, buyer_id, seller_id, currency, total_cents, state, created_at, updated_at)
       select gen_random_uuid(), company_id, status, seq, buyer_id, seller_id, currency, total_cents, state, created_at, updated_at
       from escrow, generate_series(1, $2) where id = $1 returning id`,
      [escrowId.slice('esc_'.length), count],
    ),
  );
  return rows.map(({ id }) => id);
}
