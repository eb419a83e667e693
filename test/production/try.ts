import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefaultLogger } from '@temporalio/worker';
import { embeddedInfoFile } from '../../src/roles/embedded-info.ts';
import type { Child } from '../../src/sandbox/stack/child.ts';
import { lockDirectory } from '../../src/sandbox/stack/lock.ts';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { addressFor, ensureDatabase, startPostgres } from '../../src/sandbox/stack/postgres.ts';
import { bundleWorkflows } from '../../src/worker/workflow-bundle.ts';
import { RoleProcess, startRole } from '../support/role-process.ts';
import { startTemporalOnPostgres } from './temporal-server.ts';

/**
 * `npm run try:production`: what docker-compose.yml describes, as processes, for machines without containers: PostgreSQL, the
 * Temporal server on it (built with Go the first time), migrate, two APIs, two workers, all with ESCROW_ENVIRONMENT=production
 * and random secrets. Then the demo through each API. Of the outside world only the addresses are there: they are names that
 * lead nowhere, because production takes no sandbox; the demo needs no provider.
 */

const DEMO = fileURLToPath(new URL('../../src/scripts/demo.ts', import.meta.url));
const DATABASE = 'escrow';
const NAMESPACE = 'escrow';
const NOWHERE = 'https://provider.invalid';

const dataDir = mkdtempSync(join(tmpdir(), 'escrow-production-'));
const lock = lockDirectory(dataDir);
const children: Child[] = [];
const roles: RoleProcess[] = [];
process.exitCode = await tryProduction().catch((error: unknown) => {
  console.error(error);
  return 1;
});
process.exit();

async function tryProduction(): Promise<number> {
  try {
    const bundleFile = join(dataDir, 'workflows.js');
    writeFileSync(bundleFile, (await bundleWorkflows(new DefaultLogger('WARN'))).code);
    const secrets = { superuser: secret(), owner: secret(), api: secret(), worker: secret() };

    console.log('Starting PostgreSQL …');
    const database = await startPostgres({
      dataDir,
      port: await anyFreePort(),
      superuserPassword: secrets.superuser,
      ownerPassword: secrets.owner,
    });
    children.push(database.child);
    await ensureDatabase(database.ownerUrl('postgres'), DATABASE);
    const ownerUrl = database.ownerUrl(DATABASE);

    console.log('Starting Temporal on it …');
    const temporal = await startTemporalOnPostgres({
      dataDir,
      databaseUrl: database.ownerUrl('postgres'),
      namespace: NAMESPACE,
    });
    children.push(temporal.child);

    const common = { ...productionEnvironment(), TEMPORAL_ADDRESS: temporal.address, WORKFLOW_BUNDLE: bundleFile };
    const urlOf = (user: 'api' | 'worker') => addressFor(ownerUrl, { user: `escrow_${user}`, password: secrets[user] });
    await migrate({
      ...common,
      DATABASE_URL: ownerUrl,
      DATABASE_API_PASSWORD: secrets.api,
      DATABASE_WORKER_PASSWORD: secrets.worker,
    });
    const ports = [await anyFreePort(), await anyFreePort()];
    console.log('Starting two workers and two APIs …');
    await Promise.all([
      ...ports.map(() => start('worker', 'The worker polls', { ...common, DATABASE_URL: urlOf('worker') })),
      ...ports.map((port) =>
        start('api', 'The API answers', { ...common, DATABASE_URL: urlOf('api'), PORT: String(port) }),
      ),
    ]);
    return ports.every(runDemo) ? 0 : 1;
  } finally {
    for (const role of roles) role.signal('SIGTERM');
    for (const role of roles) await role.exitCode;
    for (const child of children.toReversed()) await child.stop();
    lock.release();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function productionEnvironment(): Record<string, string> {
  return {
    ESCROW_ENVIRONMENT: 'production',
    BASE_URL: 'https://escrow.invalid', // what terminates TLS in front of it
    TEMPORAL_NAMESPACE: NAMESPACE,
    FIELD_ENCRYPTION_KEYS: `first:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: randomBytes(48).toString('base64'),
    PLATFORM_ADMIN_EMAIL: 'operations@escrow.invalid',
    PLATFORM_ADMIN_PASSWORD: secret(),
    GATEWAY_HOST: NOWHERE,
    GATEWAY_ENTITY_ID: secret(),
    GATEWAY_ACCESS_TOKEN: secret(),
    GATEWAY_WEBHOOK_KEY: randomBytes(32).toString('hex'),
    WHATSAPP_HOST: NOWHERE,
    WHATSAPP_PHONE_NUMBER_ID: '100000000000',
    WHATSAPP_ACCESS_TOKEN: secret(),
    WHATSAPP_APP_SECRET: secret(),
    WHATSAPP_VERIFY_TOKEN: secret(),
    MOBILE_MONEY_HOST: NOWHERE,
    MOBILE_MONEY_API_KEY: secret(),
    PAYOUT_ADDRESS: NOWHERE,
    PAYOUT_TOKEN: secret(),
    PAYOUT_DEBTOR_NAME: 'Escrow',
    PAYOUT_DEBTOR_ACCOUNT: '0000000000',
    PAYOUT_DEBTOR_BANK_CODE: '00000',
  };
}

async function migrate(env: Record<string, string>): Promise<void> {
  const role = RoleProcess.start('migrate', env);
  const code = await role.exitCode;
  console.log(role.output.trim());
  if (code !== 0) throw new Error('migrate failed');
}

async function start(role: 'api' | 'worker', readyWord: string, env: Record<string, string>): Promise<void> {
  roles.push(await startRole(role, readyWord, env));
}

/** Whether `npm run demo` is content with the API at this port. It finds it as it finds the embedded one. */
function runDemo(port: number): boolean {
  const directory = join(dataDir, `demo-${port}`);
  mkdirSync(directory);
  writeFileSync(
    embeddedInfoFile(directory),
    JSON.stringify({ apiUrl: `http://${LOOPBACK}:${port}`, temporalUiUrl: null }),
  );
  console.log(`\nThe demo, through the API at port ${port}:`);
  return spawnSync(process.execPath, [DEMO], { env: { DATA_DIR: directory }, stdio: 'inherit' }).status === 0;
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}
