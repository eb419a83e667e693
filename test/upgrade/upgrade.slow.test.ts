import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '../../src/api/auth/api-keys.ts';
import { VERSION } from '../../src/config/version.ts';
import { connect } from '../../src/db/core/orm.ts';
import { CredentialProof } from '../../src/db/identity/credential-proof.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { seedApiKey } from '../../src/db/operations/seed.ts';
import { ESCROW_STATUSES } from '../../src/domain/escrow/escrow.ts';
import { parseId } from '../../src/domain/ids.ts';
import { REQUEST_STATUSES } from '../../src/domain/order-pages.ts';
import { LINK_STATUSES } from '../../src/domain/payment-link/link.ts';
import { WITHDRAWAL_STATUSES } from '../../src/domain/withdrawal/withdrawal.ts';
import { auditBooks } from '../chaos/books.ts';
import { bare, sql } from '../support/api.ts';
import { counted } from '../support/counted.ts';
import { splitPlan } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import { FIELD_KEY } from '../support/keys.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { rebuildWorkflows } from '../support/role-process.ts';
import { terminateIfOpen } from '../support/runs.ts';
import { servers } from '../support/servers.ts';
import { companyClient, done, type TestCompany } from '../support/service.ts';
import {
  type Fixture,
  keepFixture,
  keptFixtures,
  pack,
  readFixture,
  restoreFixture,
  takeFixture,
  unpack,
} from './fixture.ts';
import { keepWorkflows, unreadableFor } from './released-workflows.ts';
import { LIVES, makeWorld, OPEN } from './world.ts';

/**
 * What each release left, under today's code: migrated, audited, replayed and continued. A release records its own with
 * `npm run record-upgrade`. Before the first one, today's code makes a small one; `UPGRADE_LIVES=1000` makes a large one.
 */

const isRecording = process.env.RECORD_UPGRADE !== undefined;
const LIVES_OF_TODAY = Number(process.env.UPGRADE_LIVES ?? 24);
const isOfToday = isRecording || process.env.UPGRADE_LIVES !== undefined || keptFixtures().length === 0;
const HISTORIES = 100;
const LIMIT_MS = 900_000 + 2_000 * LIVES_OF_TODAY;

/** Queues, which are empty at rest; what a thousand entries of one account make; and what only the messaging platform can tell. */
const EMPTY: ReadonlySet<string> = new Set([
  ...[
    'account_delta',
    'announced_line',
    'company_count_change',
    'event_fact',
    'event_set_aside',
    'open_escrow_change',
    'seal_queue',
  ],
  ...['balance_checkpoint', 'message_stop'],
]);

const versions = isOfToday ? [VERSION] : keptFixtures();

async function fixtureOf(version: string): Promise<Fixture> {
  if (!isOfToday) return readFixture(version);
  const service = await ownService();
  try {
    const taskQueues = await makeWorld(service, LIVES_OF_TODAY);
    await service.stopApi();
    await service.stopWorker();
    const packed = pack(await takeFixture(version, service.database, service.temporal, service.taskQueue, HISTORIES));
    counted(`upgrade: a fixture of ${Math.round(packed.length / 1_024)} KiB`);
    if (isRecording) {
      keepFixture(version, packed);
      keepWorkflows(version, readFileSync(servers().workflowBundleFile, 'utf8'));
    }
    await loseRuns(service, taskQueues);
    return unpack(packed);
  } finally {
    await service.stop();
  }
}

/** The restored database has no runs, as after the loss of Temporal. */
async function loseRuns({ temporal }: OwnService, taskQueues: readonly string[]): Promise<void> {
  const query = `TaskQueue IN (${taskQueues.map((one) => `"${one}"`).join(', ')}) AND ExecutionStatus = "Running"`;
  await eventually(async () => {
    for await (const { workflowId } of temporal.workflow.list({ query }))
      await terminateIfOpen({ temporal, taskQueue: '' }, workflowId);
    return (await temporal.workflow.count(query)).count === 0;
  });
}

const STATUSES = {
  escrow: ESCROW_STATUSES.toSorted(),
  payment_link: LINK_STATUSES.toSorted(),
  withdrawal: WITHDRAWAL_STATUSES.toSorted(),
  order_request: REQUEST_STATUSES.toSorted(),
};

describe.each(versions)('an installation of version %s', (version) => {
  let fixture: Fixture;
  let service: OwnService;
  let company: TestCompany;
  /** Of each table, before this code changes them. */
  const statuses = new Map<string, string[]>();

  beforeAll(async () => {
    fixture = await fixtureOf(version);
    const database = await restoreFixture(fixture);
    const { apiPassword, workerPassword } = servers();
    await migrate({ databaseUrl: database.ownerUrl, apiPassword, workerPassword, isProduction: false });
    service = await ownService({ database, withWorker: false });
    company = await actFor(OPEN);
    for (const table of Object.keys(STATUSES))
      statuses.set(
        table,
        (await sql(service, `select distinct status from ${table} order by status`)).map(({ status }) =>
          String(status),
        ),
      );
  }, LIMIT_MS);
  afterAll(() => service?.stop());

  test('has a row of every table, and objects in every state', async () => {
    const empty = [...fixture.tables].filter(([table, rows]) => rows.length === 0 && !EMPTY.has(table));
    expect(empty.map(([table]) => table)).toEqual([]);
    expect(Object.fromEntries(statuses)).toEqual(STATUSES);
  });

  test('is migrated, and its books are audited clean', async () => {
    expect(await auditBooks(service.database.ownerUrl)).toEqual([]);
  });

  test('has histories that this code replays', async () => {
    expect(await unreadableFor({ codePath: servers().workflowBundleFile }, fixture.histories)).toEqual([]);
    const rows = [...fixture.tables.values()].reduce((sum, { length }) => sum + length, 0);
    counted(`upgrade: ${rows} rows of ${version}, ${fixture.histories.length} histories replayed`);
  });

  describe('goes on with this code', () => {
    let escrows: Listed[];
    beforeAll(async () => {
      await service.startWorker();
      await rebuildWorkflows(service);
      escrows = await escrowsOf(company);
    }, LIMIT_MS);

    const one = (status: string, fits: (escrow: Listed) => boolean = () => true) => {
      const found = escrows.find((escrow) => escrow.status === status && fits(escrow));
      if (found === undefined) throw new Error(`no such escrow is ${status}`);
      return `/v1/escrow/${found.id}`;
    };

    test('escrows are released, as a whole and by milestones', async () => {
      await done(company.post(`${one('DELIVERY_NOTED')}/release`));
      const path = one('ACTIVE', ({ milestones }) => milestones.length > 0);
      const { body } = await company.get(path);
      await done(company.post(`${path}/release?milestoneId=${body.milestones[0].id}`));
      expect((await done(company.post(`${path}/release`))).body).toMatchObject({ status: 'COMPLETED' });
    });

    test('a dispute is decided', async () => {
      const [owner] = await sql(service, `select 'adm_' || id as id from administrator where company_id = $1`, [
        bare(company.id),
      ]);
      const decision = { newSplitPlan: splitPlan(250, 0, 10_000), adminId: owner?.id };
      const answer = await done(company.post(`${one('DISPUTED')}/admin-resolve`, decision));
      expect(answer.body).toMatchObject({ status: 'RESOLVED' });
    });

    test('a link is paid, unless it has expired since the release', async () => {
      const [link] = await sql(
        service,
        `select hash, 'esc_' || escrow_id as escrow, expires_at < now() as over from payment_link
         where company_id = $1 order by created_at limit 1`,
        [bare(company.id)],
      );
      const statusIs = (status: string) =>
        eventually(async () => (await company.get(`/v1/escrow/${link?.escrow}`)).body.status === status);
      if (link?.over === true) return statusIs('CANCELLED');
      const form = await done(
        service.request('POST', '/v1/payments/eft-pay/initiate', { body: { paymentSlug: link?.hash } }),
      );
      await service.sandbox.settle(form.body.checkoutId, 'success');
      await statusIs('ACTIVE');
      await done(company.post(`/v1/escrow/${link?.escrow}/release`));
    });

    test('payouts that were held back are resumed', async () => {
      const { body } = await company.get('/v1/treasury/withdrawals?status=PROCESSING');
      const held = body.data.find((one: { review_reason: string | null }) => one.review_reason === 'account_frozen');
      const thaw = { is_frozen: false, reason: 'Cleared' };
      await done(company.request('PATCH', `/v1/ledger/accounts/${held.accountId}`, { body: thaw }));
      await done(company.post(`/v1/treasury/withdrawals/${held.id}/resume`));
      const read = async () => (await company.get(`/v1/treasury/withdrawals/${held.id}`)).body.status;
      await eventually(async () => (await read()) === 'COMPLETED');
    });

    test('lives end', async () => {
      const lives = await actFor(LIVES);
      const open = (await escrowsOf(lives)).filter(({ status }) => !ENDED.has(status));
      for (const { id, status } of open.slice(0, 20)) {
        const path = `/v1/escrow/${id}`;
        const end = status === 'DISPUTED' ? await cancel(lives, path) : await lives.post(`${path}/release`);
        if (end.status === 200) continue;
        // A deadline that has passed since the release ends it as soon as it has a run.
        expect([id, end.status, end.body.code]).toEqual([id, 409, 'wrong_state']);
        expect([id, ENDED.has((await lives.get(path)).body.status)]).toEqual([id, true]);
      }
      expect(open.length).toBeGreaterThan(0);
    });

    test('everything is told to the feed, and the books are audited clean', async () => {
      await eventually(async () => (await sql(service, 'select from event_fact')).length === 0);
      expect(await sql(service, 'select object_kind, change, reason from event_set_aside')).toEqual([]);
      expect(await auditBooks(service.database.ownerUrl)).toEqual([]);
    });
  });

  type Listed = { readonly id: string; readonly status: string; readonly milestones: readonly unknown[] };
  const ENDED: ReadonlySet<string> = new Set(['COMPLETED', 'CANCELLED', 'RESOLVED', 'PENDING']);

  async function escrowsOf(of: TestCompany): Promise<Listed[]> {
    const { data } = (await done(of.get('/v1/escrow?limit=100'))).body;
    return Promise.all(data.map(async ({ id }: { id: string }) => (await of.get(`/v1/escrow/${id}`)).body));
  }

  function cancel(of: TestCompany, path: string) {
    return of.post(`${path}/cancel`, { actor: 'ADMIN', reason: 'The dispute was withdrawn' });
  }

  /** With a new key of the first company whose name begins so and that has an open escrow. */
  async function actFor(name: string): Promise<TestCompany> {
    const [row] = await sql(
      service,
      `select id from company c where name like $1 and exists (select from escrow e where e.company_id = c.id
         and e.status in ('ACTIVE', 'DELIVERY_NOTED', 'GOODS_RECEIVED', 'DISPUTED')) order by id limit 1`,
      [`${name} %`],
    );
    const id = String(row?.id);
    const orm = await connect({
      databaseUrl: service.database.ownerUrl,
      poolMax: 1,
      applicationName: 'test-seed',
      isForService: true,
    });
    const { key, keyHash, keyPrefix } = generateApiKey(false);
    try {
      const companyId = parseId('company', `cmp_${id}`);
      if (companyId === undefined) throw new Error(`${name} has no company`);
      await seedApiKey(orm, new CredentialProof([FIELD_KEY]), companyId, { keyHash, keyPrefix, role: 'OWNER' });
    } finally {
      await orm.close();
    }
    return companyClient(service, {
      id: `cmp_${id}`,
      apiKey: key,
      owner: { email: '', password: '', token: '', id: '' },
    });
  }
});
