import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { generateApiKey } from '../src/api/auth/api-keys.ts';
import { hashPassword } from '../src/api/auth/passwords.ts';
import { connect, inTenant } from '../src/db/core/orm.ts';
import { CredentialProof } from '../src/db/identity/credential-proof.ts';
import { changePassword, findAdministrator } from '../src/db/identity/sessions.ts';
import { findAccounts } from '../src/db/ledger/accounts.ts';
import { seedApiKey } from '../src/db/operations/seed.ts';
import { publicId } from '../src/domain/ids.ts';
import { logFileOf } from '../src/sandbox/stack/child.ts';
import { anyFreePort } from '../src/sandbox/stack/ports.ts';
import { EMBEDDED_NAMESPACE, startTemporal } from '../src/sandbox/stack/temporal.ts';
import { findTemporalProgram } from '../src/sandbox/stack/temporal-program.ts';
import { SCHEDULES } from '../src/temporal/schedules.ts';
import { bundleWorkflows } from '../src/worker/workflow-bundle.ts';
import { newWorld } from '../test/console/support/world.ts';
import { startMobileNumbersAt } from '../test/support/mobile-numbers.ts';
import { type OwnService, ownService } from '../test/support/own-service.ts';
import { terminateIfOpen } from '../test/support/runs.ts';
import { publishServers } from '../test/support/servers.ts';
import { companyClient } from '../test/support/service.ts';
import { type BenchDatabase, benchCompany, openBenchDatabase } from './database.ts';

/**
 * The whole service on the database that `bench:seed` filled: API, worker, Temporal and the sandbox of providers. The seeded company
 * gets an object of every kind that the seed has not: an open escrow, a dispute, a link, a payout, a receipt, an endpoint.
 */

const OWNER_EMAIL = 'owner@bench.example';
const PLATFORM_EMAIL = 'platform@bench.example';

export type ConsoleSite = {
  readonly url: string;
  readonly companyId: string;
  readonly apiKey: string;
  /** The e-mail addresses of the company's owner and of platform staff. They have one password. */
  readonly people: { readonly owner: string; readonly platform: string };
  readonly password: string;
  /** Path of a page in the console's table → its address below `/console`. */
  readonly addresses: Readonly<Record<string, string>>;
  /** The public ids of some of the company's transactions. */
  readonly transactionIds: readonly string[];
  readonly busySeller: { readonly userId: string; readonly accountId: string };
  readonly entries: number;
  stop(): Promise<void>;
};

/** Each run adds a few rows to the database. `ids` is the number of transactions to choose. */
export async function openConsoleSite(ids: number): Promise<ConsoleSite> {
  const database = await openBenchDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'escrow-bench-'));
  const temporal = await startTemporal({
    program: await findTemporalProgram({ env: process.env, progress: console.error }),
    dataDir: directory,
    port: await anyFreePort(),
    uiPort: null,
    databaseFile: null,
  });
  const workflowBundleFile = join(directory, 'workflows.js');
  writeFileSync(workflowBundleFile, (await bundleWorkflows(new DefaultLogger('WARN'))).code);
  publishServers({
    ownerUrl: database.ownerUrl,
    superuserPassword: database.secrets.postgresSuperuserPassword,
    apiPassword: database.secrets.postgresApiPassword,
    workerPassword: database.secrets.postgresWorkerPassword,
    temporalAddress: temporal.address,
    temporalNamespace: EMBEDDED_NAMESPACE,
    postgresLogFile: logFileOf(directory, 'postgres'),
    workflowBundleFile,
  });
  const stopServers = async () => {
    await temporal.child.stop();
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await database.warm();
    return await openOn(database, ids, stopServers);
  } catch (error) {
    await stopServers();
    throw error;
  }
}

/** Ends audits and sweeps. They read the whole ledger for minutes, and would slow the pages that are measured meanwhile. */
async function pauseSchedules(service: OwnService): Promise<void> {
  for (const { name } of SCHEDULES) {
    const schedule = service.temporal.schedule.getHandle(`${name}/${service.taskQueue}`);
    await schedule.pause('a benchmark');
    for (const { action } of (await schedule.describe()).info.recentActions)
      await terminateIfOpen(service, action.workflow.workflowId);
  }
}

async function openOn(database: BenchDatabase, ids: number, stopServers: () => Promise<void>): Promise<ConsoleSite> {
  const { fieldKey } = database;
  const company = await prepare(database, new CredentialProof([fieldKey]), ids);
  const service = await ownService({
    database: { ...database, name: 'bench', drop: stopServers },
    fieldKey,
  });
  try {
    await pauseSchedules(service);
    startMobileNumbersAt(company.users);
    const client = companyClient(service, {
      id: company.id,
      apiKey: company.apiKey,
      owner: { email: OWNER_EMAIL, password: company.password, token: '', id: '' },
    });
    const run = `Run ${company.users}`;
    const world = await newWorld(service, run, { company: client, customReference: run });
    const { busySeller } = company;
    const addresses = {
      ...world.addresses,
      '/users/:id': `/users/${busySeller.userId}`,
      ...Object.fromEntries(
        Object.keys(world.addresses)
          .filter((path) => path.startsWith('/ledger/'))
          .map((path) => [
            path,
            path.replace(':ledgerId', busySeller.ledgerId).replace(':accountId', busySeller.accountId),
          ]),
      ),
    };
    const { apiKey, password, transactionIds, entries } = company;
    const people = { owner: OWNER_EMAIL, platform: PLATFORM_EMAIL };
    return {
      ...{
        url: service.url,
        companyId: company.id,
        apiKey,
        people,
        password,
        addresses,
        transactionIds,
        busySeller,
        entries,
      },
      stop: () => service.stop(),
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Gives the seeded administrators a password, and the company an API key. */
async function prepare(database: BenchDatabase, credentials: CredentialProof, ids: number) {
  const orm = await connect({
    databaseUrl: database.ownerUrl,
    poolMax: 2,
    applicationName: 'bench-console',
    isForService: true,
  });
  try {
    const em = orm.em.fork();
    const companyId = await benchCompany(em);
    const { key: password } = generateApiKey(false);
    for (const email of [OWNER_EMAIL, PLATFORM_EMAIL]) {
      const administrator = await findAdministrator(em, credentials, { email });
      if (administrator === null) throw new Error(`nobody is ${email}`);
      const passwordHash = await hashPassword(password);
      await inTenant(orm, administrator.companyId, (tenant) =>
        changePassword(tenant, credentials, administrator, passwordHash),
      );
    }
    const { key: apiKey, keyHash, keyPrefix } = generateApiKey(false);
    await seedApiKey(orm, credentials, companyId, { keyHash, keyPrefix, role: 'OWNER' });
    const rows = await em.execute<{ id: string }[]>(
      'select id from ledger_transaction where company_id = ? order by random() limit ?',
      [companyId, ids],
    );
    const [counted] = await em.execute<{ users: number; entries: string }[]>(
      `select count(*)::integer as users, (select reltuples::bigint from pg_class where relname = 'entry') as entries
       from app_user where company_id = ?`,
      [companyId],
    );
    const accounts = await findAccounts(em, companyId, { type: 'USER', currency: 'USD' }, { limit: 1_000, offset: 0 });
    const busiest = accounts.reduce((most, account) => (account.balanceCents > most.balanceCents ? account : most));
    if (busiest.userId === null) throw new Error('the busiest account has no user');
    return {
      id: publicId('company', companyId),
      apiKey,
      password,
      users: counted?.users ?? 0,
      entries: Number(counted?.entries),
      transactionIds: rows.map(({ id }) => publicId('transaction', id)),
      busySeller: {
        userId: publicId('user', busiest.userId),
        accountId: publicId('account', busiest.id),
        ledgerId: publicId('ledger', busiest.ledgerId),
      },
    };
  } finally {
    await orm.close();
  }
}
