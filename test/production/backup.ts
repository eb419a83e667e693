import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seedBooks, TRANSACTIONS_PER_ESCROW } from '../../bench/seed/books.ts';
import { connect } from '../../src/db/core/orm.ts';
import { anyFreePort } from '../../src/sandbox/stack/ports.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { auditBooks } from '../chaos/books.ts';
import { CarelessClient, missingOf } from '../chaos/careless-clients.ts';
import { megabytesIn } from '../support/directory-size.ts';
import { FIELD_KEY } from '../support/keys.ts';
import { startTestSandbox } from '../support/sandbox.ts';
import { newCompany, type TestCompany } from '../support/service.ts';
import { Installation, type Step } from './backup-installation.ts';
import {
  ARCHIVE_TIMEOUT_S,
  archiveAll,
  type Backups,
  dump,
  restoreArchive,
  restoreDump,
  startArchiving,
  startFilling,
  takeBaseBackup,
} from './backup-ways.ts';
import { beginWork, deleteEntries, expectRecovered, letTimePass, workOn } from './backup-work.ts';
import { findPrograms, makeOwn, type SystemPostgres } from './system-postgres.ts';

/**
 * `npm run try:backup -- [transactions]` carries out docs/operations/backup.md on a ledger of so many transactions, under traffic:
 * everything is lost, and the archive is restored to its end; an operator deletes entries, and the archive is restored to the moment
 * before; a dump is restored. Temporal is then older, newer, and empty. Each time the books agree, payments that were under way are made
 * once, and everything that was acknowledged before the point is there. It prints what was lost after it, and the time of each step.
 */

const CLIENTS = 4;
const TRAFFIC_MS = 2 * ARCHIVE_TIMEOUT_S * 1_000;
/** The archive lacks at most the segment that is being written. */
const MAX_LOSS_MS = (ARCHIVE_TIMEOUT_S + 5) * 1_000;

const transactions = Number(process.argv[2] ?? 0);
const programs = findPrograms();
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-backup-'));
const at = (name: string) => join(dataDir, name);

async function tryBackup(): Promise<void> {
  makeOwn(programs, dataDir);
  const port = await anyFreePort();
  const backups: Backups = { programs, port, base: at('base'), archive: at('archive'), dumpFile: at('escrow.dump') };
  const sandbox = await startTestSandbox();
  const installation = await Installation.prepare(dataDir, sandbox);
  try {
    await installation.startTemporal('nothing');
    await installation.migrate(await startFilling(backups, at('first')));
    await seed(installation.postgres);
    await installation.stop();
    await installation.migrate(await startArchiving(backups, at('first')));
    await installation.startRoles((_name, work) => work());
    const company = await newCompany(installation.service);
    await loseEverything(installation, backups, company);
    await deleteByMistake(installation, backups, company);
    await restoreOnlyDump(installation, backups, company);
    console.log('backup: restored three times; nothing lost before the point, nothing paid twice, the books agree');
  } finally {
    await installation.end();
    await sandbox.stop();
  }
}

async function loseEverything(installation: Installation, backups: Backups, company: TestCompany): Promise<void> {
  const clients = await trade(installation, company, 1);
  const seededMb = megabytesIn(backups.archive);
  await installation.copyTemporal(); // before the disk is busy
  const backedUpS = await secondsOf(() => takeBaseBackup(backups, installation.postgres));
  await wait(TRAFFIC_MS);
  const lostAt = Date.now();
  await installation.lose();
  await endOf(clients);
  const archivedMb = megabytesIn(backups.archive) - seededMb;

  const recovery = new Recovery();
  const postgres = await recovery.step('PostgreSQL', () => restoreArchive(backups, at('second')));
  await recovery.step('Temporal, as it was', () => installation.startTemporal('copy'));
  await recovery.step('migrate', () => installation.migrate(postgres));
  await installation.startRoles(recovery.step);
  console.log(
    `Base backup of ${megabytesIn(backups.base)} MB in ${backedUpS} s. Until everything was lost, ${TRAFFIC_MS / 1_000} s later, ` +
      `${archivedMb} MB of log were archived. ${recovery}`,
  );
  const lost = await missingOf(postgres, clients);
  const lossMs = lostAt - Math.min(lostAt, ...lost.map((one) => one.at));
  console.log(
    `Of ${countOf(clients)} acknowledged events ${lost.length} were lost, of the last ${inSeconds(lossMs)} s ` +
      `(archive_timeout ${ARCHIVE_TIMEOUT_S} s).`,
  );
  if (lossMs > MAX_LOSS_MS) throw new Error('more was lost than the archive may lack');
  await expectBooksToAgree(postgres);
}

async function deleteByMistake(installation: Installation, backups: Backups, company: TestCompany): Promise<void> {
  const clients = await trade(installation, company, 2);
  const work = await beginWork(installation.service, company);
  const moment = await nowOf(installation.postgres);
  const later = await workOn(installation.service, company, work);
  await deleteEntries(installation.postgres.superuserUrl);
  await endOf(clients);
  const { length: noticed } = await auditBooks(installation.postgres.ownerUrl);
  if (noticed === 0) throw new Error('the audit does not notice that entries are missing');
  await archiveAll(backups, installation.postgres);
  await installation.stop();

  const recovery = new Recovery();
  const postgres = await recovery.step('PostgreSQL', () => restoreArchive(backups, at('third'), moment));
  await recovery.step('migrate', () => installation.migrate(postgres));
  await recovery.step('runs terminated', () => installation.terminateRuns());
  await letTimePass(installation.service, work);
  await installation.startRoles(recovery.step);
  console.log(`Entries were deleted, and the audit named ${noticed} mismatches. ${recovery}`);
  const gone = await missingOf(postgres, clients);
  const early = gone.filter((one) => one.at <= Date.parse(moment));
  if (early.length > 0) throw new Error(`lost, though acknowledged before the moment: ${JSON.stringify(early)}`);
  console.log(`Of ${countOf(clients)} acknowledged events ${gone.length} are gone, all from after the moment.`);
  await expectRecovered(installation.service, company, work, later);
  await expectBooksToAgree(postgres);
}

async function restoreOnlyDump(installation: Installation, backups: Backups, company: TestCompany): Promise<void> {
  const work = await beginWork(installation.service, company);
  const dumpedS = await secondsOf(() => dump(backups, installation.postgres));
  const later = await workOn(installation.service, company, work);
  await installation.lose();

  const recovery = new Recovery();
  const postgres = await recovery.step('PostgreSQL', () => restoreDump(backups, at('fourth')));
  await recovery.step('Temporal, empty', () => installation.startTemporal('nothing'));
  await recovery.step('migrate', () => installation.migrate(postgres));
  await letTimePass(installation.service, work);
  await installation.startRoles(recovery.step);
  console.log(`Dumped in ${dumpedS} s. ${recovery}`);
  await expectRecovered(installation.service, company, work, later);
  await expectBooksToAgree(postgres);
}

/** The times of the steps of a recovery. */
class Recovery {
  readonly #times: string[] = [];
  readonly #startedAt = performance.now();

  readonly step: Step = async (name, work) => {
    const startedAt = performance.now();
    const result = await work();
    this.#times.push(`${name} ${inSeconds(performance.now() - startedAt)}`);
    return result;
  };

  toString(): string {
    return `Recovered in ${inSeconds(performance.now() - this.#startedAt)} s (${this.#times.join(', ')}).`;
  }
}

async function seed({ ownerUrl, superuserUrl }: SystemPostgres): Promise<void> {
  if (transactions === 0) return;
  const orm = await connect({ databaseUrl: ownerUrl, poolMax: 2, applicationName: 'seed', isForService: true });
  const escrows = Math.round(transactions / TRANSACTIONS_PER_ESCROW);
  try {
    await seedBooks(orm, { fieldKey: FIELD_KEY, escrows, isPublished: false, show: console.log });
  } finally {
    await orm.close();
  }
  // As if the feed had published them. Otherwise the worker would work on nothing else.
  await withClient(superuserUrl, (client) => client.query('truncate event_fact'));
}

/** Clients that repeat nothing, so that what was not acknowledged is not begun again. */
async function trade(installation: Installation, company: TestCompany, round: number): Promise<CarelessClient[]> {
  const { url: apiUrl, workerEnvironment } = installation;
  const { ownerUrl } = installation.postgres;
  const headers = { 'x-api-key': company.apiKey, 'x-company-id': company.id };
  const join = (_: unknown, number: number) =>
    CarelessClient.join({ apiUrl, headers, adminId: company.owner.id }, round * CLIENTS + number, {
      ownerUrl,
      workerEnvironment,
    });
  const clients = await Promise.all(Array.from({ length: CLIENTS }, join));
  for (const client of clients) client.start();
  return clients;
}

async function endOf(clients: readonly CarelessClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end()));
}

function countOf(clients: readonly CarelessClient[]): number {
  return clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
}

async function expectBooksToAgree({ ownerUrl }: SystemPostgres): Promise<void> {
  let faults: string[] = [];
  const auditedS = await secondsOf(async () => {
    faults = await auditBooks(ownerUrl);
  });
  if (faults.length > 0) throw new Error(`the books do not agree: ${faults.slice(0, 5).join('\n')}`);
  console.log(`The full audit found nothing in ${auditedS} s.`);
}

/** In the form that `recovery_target_time` takes, which knows no `Z`. */
async function nowOf({ superuserUrl }: SystemPostgres): Promise<string> {
  return withClient(superuserUrl, async (client) => {
    const { rows } = await client.query('select clock_timestamp() as now');
    return rows[0].now.toISOString().replace('Z', '+00:00');
  });
}

async function secondsOf(work: () => Promise<unknown>): Promise<string> {
  const startedAt = performance.now();
  await work();
  return inSeconds(performance.now() - startedAt);
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

process.exitCode = await tryBackup().then(
  () => 0,
  (error: unknown) => {
    console.error(error);
    return 1;
  },
);
rmSync(dataDir, { recursive: true, force: true });
process.exit();
