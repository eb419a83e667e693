import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { addressFor, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { EMBEDDED_NAMESPACE, startTemporal } from '../../src/sandbox/stack/temporal.ts';
import { findTemporalProgram } from '../../src/sandbox/stack/temporal-program.ts';
import { type Company, get, post, register } from '../chaos/clients.ts';
import { RoleProcess, startRole } from '../support/role-process.ts';
import { findPrograms, type SystemPostgres, startSystemPostgres } from './system-postgres.ts';

/**
 * `npm run try:backup` carries out docs/operations/backup.md. A dump is taken, work continues, and the server is lost; the
 * dump is restored to a new server, which has less than Temporal. Then every escrow must be as in the dump, and can be
 * finished exactly once.
 */

const PRICE_CENTS = 10_000;
const PAYOUT_CENTS = 9_900n;
const PASSWORDS = { api: secret(), worker: secret() };

const dataDir = mkdtempSync(join(tmpdir(), 'escrow-backup-'));
const dumpFile = join(dataDir, 'escrow.dump');
const programs = findPrograms();
const toStop: (() => Promise<unknown>)[] = [];
process.exitCode = await tryBackup().then(
  () => 0,
  (error: unknown) => {
    console.error(error);
    return 1;
  },
);
process.exit();

async function tryBackup(): Promise<void> {
  try {
    const apiPort = await anyFreePort();
    const common = await environment(apiPort);
    const before = await startSystemPostgres(programs, join(dataDir, 'before'));
    toStop.push(before.stop);
    await migrate(common, before);
    const service = await startService(common, before);

    const company = await register(`http://${LOOPBACK}:${apiPort}`);
    const [buyer, seller] = [await newUser(company), await newUser(company)];
    await post(company, '/v1/payments/deposit', { userId: buyer.id, amount: 10 * PRICE_CENTS, currency: 'USD' });
    const begin = () => beginEscrow(company, buyer, seller);
    const [untouched, ahead, paid] = [await begin(), await begin(), await begin()];

    run('pg_dump', '--format=custom', `--file=${dumpFile}`, before.superuserUrl);

    // These steps are lost with the server, but not in Temporal.
    await post(company, `/v1/escrow/${ahead}/dispute`, { actor: 'BUYER', reason: 'It never came' });
    await post(company, `/v1/escrow/${paid}/release`);
    const forgotten = await begin();
    await service.stop();
    await before.stop();

    const after = await startSystemPostgres(programs, join(dataDir, 'after'));
    toStop.push(after.stop);
    await restore(after);
    await migrate(common, after);
    const again = await startService(common, after);

    for (const escrowId of [untouched, ahead, paid]) {
      expectSame(await eventsOf(company, escrowId), ['INITIATED'], `${escrowId} is as it was in the dump`);
      expectSame(
        (await post(company, `/v1/escrow/${escrowId}/release`)).status,
        'COMPLETED',
        `${escrowId} is released`,
      );
      expectSame(await eventsOf(company, escrowId), ['INITIATED', 'FUNDS_RELEASED'], `${escrowId} has happened once`);
    }
    await get(company, `/v1/escrow/${forgotten}`).then(
      () => Promise.reject(new Error('an escrow from after the dump is there')),
      () => undefined,
    );
    const account = await get(company, `/v1/ledger/accounts/${seller.accountId}`);
    expectSame(account.balance, String(3n * PAYOUT_CENTS), 'the seller is paid for three');
    const { ok, checkedTransactions } = await get(company, '/v1/ledger/verify-ledger-integrity');
    expectSame(ok, true, 'the books agree');
    console.log(
      `backup: ${Math.round(statSync(dumpFile).size / 1024)} KiB dumped and restored, escrows finished 3 of 3, ` +
        `integrity ok over ${checkedTransactions} transactions`,
    );
    await again.stop();
  } finally {
    for (const stop of toStop.toReversed()) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function environment(apiPort: number): Promise<Record<string, string>> {
  const temporal = await startTemporal({
    program: await findTemporalProgram({ env: process.env, progress: console.log }),
    dataDir,
    port: await anyFreePort(),
    uiPort: null,
    databaseFile: null,
  });
  toStop.push(() => temporal.child.stop());
  return {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: EMBEDDED_NAMESPACE,
    FIELD_ENCRYPTION_KEYS: `first:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: randomBytes(48).toString('base64'),
    PORT: String(apiPort),
  };
}

/** A dump does not contain roles, but its grants name them, so the owner creates them first. */
async function restore({ ownerUrl, superuserUrl }: SystemPostgres): Promise<void> {
  await withClient(ownerUrl, (client) => client.query('create role escrow_api login; create role escrow_worker login'));
  run('pg_restore', '--exit-on-error', `--dbname=${superuserUrl}`, dumpFile);
}

async function migrate(common: Record<string, string>, { ownerUrl }: SystemPostgres): Promise<void> {
  const role = RoleProcess.start('migrate', {
    ...common,
    DATABASE_URL: ownerUrl,
    DATABASE_API_PASSWORD: PASSWORDS.api,
    DATABASE_WORKER_PASSWORD: PASSWORDS.worker,
    PLATFORM_ADMIN_EMAIL: 'operations@backup.example',
    PLATFORM_ADMIN_PASSWORD: secret(),
  });
  if ((await role.exitCode) !== 0) throw new Error(`migrate: ${role.output}`);
}

/** The order of docs/operations/backup.md: workers, then the runs that are missing, then the API. */
async function startService(common: Record<string, string>, { ownerUrl }: SystemPostgres) {
  const as = (user: 'api' | 'worker') => ({
    ...common,
    DATABASE_URL: addressFor(ownerUrl, { user: `escrow_${user}`, password: PASSWORDS[user] }),
  });
  const worker = await startRole('worker', 'The worker polls', as('worker'));
  const rebuild = RoleProcess.start('rebuild-workflows', as('worker'));
  if ((await rebuild.exitCode) !== 0) throw new Error(`rebuild-workflows: ${rebuild.output}`);
  console.log(rebuild.output.trim());
  const api = await startRole('api', 'The API answers', as('api'));
  const stop = async () => {
    for (const role of [api, worker]) role.signal('SIGTERM');
    await Promise.all([api.exitCode, worker.exitCode]);
  };
  toStop.push(stop);
  return { stop };
}

type Party = { readonly id: string; readonly accountId: string };

async function newUser(company: Company): Promise<Party> {
  const digits = String(randomBytes(4).readUInt32BE()).padStart(10, '0');
  const user = await post(company, '/v1/identity/users', { mobileNumber: `+263${digits}`, idNumber: 'BACKUP-0001' });
  const usd = user.accounts.find((account: { currency: string }) => account.currency === 'USD');
  return { id: user.id, accountId: usd.id };
}

async function beginEscrow(company: Company, buyer: Party, seller: Party): Promise<string> {
  const { id } = await post(company, '/v1/escrow/initiate', {
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId: buyer.accountId,
    items: [{ name: 'Maize, 50 kg', quantity: 1, pricePerUnit: PRICE_CENTS }],
    externalReference: `order-${randomUUID()}`,
  });
  return id;
}

async function eventsOf(company: Company, escrowId: string): Promise<string[]> {
  const timeline: { event: string }[] = await get(company, `/v1/escrow/${escrowId}/timeline`);
  return timeline.map(({ event }) => event);
}

function expectSame(found: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

function run(program: string, ...args: string[]): void {
  execFileSync(join(programs, program), args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}
