import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { hashPassword } from '../api/auth/passwords.ts';
import { type Config, loadConfig } from '../config/config.ts';
import {
  asStartupError,
  requireFieldKeys,
  requireRealTime,
  requireSession,
  sessionUrl,
} from '../config/database-checks.ts';
import { connect } from '../db/core/orm.ts';
import { CredentialProof } from '../db/identity/credential-proof.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { seedPlatform } from '../db/operations/seed.ts';
import { GRPC, lazyClient, type TemporalSettings } from '../temporal/connection.ts';
import { SEARCH_ATTRIBUTES, type SearchAttributeName } from '../workflows/search-attributes.ts';
import type { Log } from './shared.ts';

/**
 * Updates database and Temporal for this version: schema, roles and their passwords, search attributes, the
 * platform's company and its administrator. Safe to run at every release, and concurrently.
 */
export async function startMigrate(env: NodeJS.ProcessEnv, log: Log): Promise<undefined> {
  const config = loadConfig(env, 'migrate');
  const isProduction = config.escrowEnvironment === 'production';
  const options = {
    databaseUrl: sessionUrl(config),
    apiPassword: config.databaseApiPassword,
    workerPassword: config.databaseWorkerPassword,
    isProduction,
    onGrant: (statement: string) => log(`A change by hand is undone: ${statement}`),
  };
  await requireSession(config);
  await migrate(options, async () => {
    await requireFitDatabase(config);
    log('The database is up to date.');
    await seedAdministrator(config, log);
    const { temporalAddress } = config;
    if (temporalAddress === undefined) return;
    await registerAttributes({ ...config, temporalAddress });
    log('Temporal knows the search attributes.');
  }).catch((error: unknown) => Promise.reject(asStartupError(error)));
}

async function requireFitDatabase(config: Config<'migrate'>): Promise<void> {
  const { escrowEnvironment, fieldEncryptionKeys } = config;
  const orm = await connect({ databaseUrl: sessionUrl(config), poolMax: 1, applicationName: 'escrow-migrate' });
  try {
    if (escrowEnvironment === 'production') await requireRealTime(orm);
    await requireFieldKeys(orm, fieldEncryptionKeys);
  } finally {
    await orm.close();
  }
}

async function seedAdministrator(config: Config<'migrate'>, log: Log): Promise<void> {
  const { platformAdminEmail: email, platformAdminPassword, fieldEncryptionKeys } = config;
  if (email === undefined || platformAdminPassword === undefined) return;
  const orm = await connect({
    databaseUrl: sessionUrl(config),
    poolMax: 1,
    applicationName: 'escrow-migrate',
    isForService: true,
  });
  try {
    const passwordHash = await hashPassword(platformAdminPassword);
    await seedPlatform(orm, new CredentialProof(fieldEncryptionKeys), { email, passwordHash });
    log(`The platform administrator is ${email}.`);
  } finally {
    await orm.close();
  }
}

export async function registerAttributes(settings: TemporalSettings): Promise<void> {
  const { connection } = lazyClient(settings);
  try {
    await registerSearchAttributes(connection, settings.temporalNamespace);
  } finally {
    await connection.close();
  }
}

/** Temporal's numbers for the types of search attributes (`INDEXED_VALUE_TYPE_…`). */
const TYPE_NUMBERS = { Keyword: 2, Int: 3, Datetime: 6, KeywordList: 7 } as const satisfies Record<
  (typeof SEARCH_ATTRIBUTES)[SearchAttributeName],
  number
>;

/** Registers the search attributes that the namespace lacks. */
async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !Object.hasOwn(customAttributes ?? {}, name));
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, TYPE_NUMBERS[type]])),
    });
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== GRPC.ALREADY_EXISTS) throw error; // another migration was faster
  }
}
