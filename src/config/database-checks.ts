import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { isOutage } from '../db/core/database-errors.ts';
import type { FieldKey } from '../db/core/field-cipher.ts';
import { findConnectedRole, type ServiceRole } from '../db/core/role-check.ts';
import { leadsThroughPooler } from '../db/core/session.ts';
import { isAnyClockMoved } from '../db/identity/company-clock.ts';
import { requireSchema, SchemaDiffers } from '../db/migrations/index.ts';
import { findKeyFaults } from '../db/operations/field-keys.ts';
import { warnAboutSettings } from './database-settings.ts';
import { StartupError } from './startup-error.ts';

/**
 * Checks that DATABASE_URL, or the other variable named, has the database role that this process is for. The role of the worker
 * sees all companies, so an API with it would have no row-level security. The role of the API sees no rows without a company, so
 * a worker with it fails.
 * @throws StartupError
 */
export async function requireDatabaseRole(
  orm: MikroORM,
  expected: ServiceRole,
  variable: 'DATABASE_URL' | 'DATABASE_READ_URL' = 'DATABASE_URL',
): Promise<void> {
  const role = await findConnectedRole(orm);
  if (role === null) return;
  const refuse = (fault: string) =>
    new StartupError(
      `${variable} names the role ${role.name}, which ${fault}. Name ${expected}, which the role migrate makes.`,
    );
  if (role.isPrivileged)
    throw refuse('is not subject to row-level security: it is a superuser, bypasses it, or owns the tables');
  if (role.has.length !== 1 || role.has[0] !== expected)
    throw refuse(`does not have exactly the rights of ${expected}`);
}

/**
 * Checks that what needs a session has an address for it: behind a pooler in transaction mode, notifications would never arrive. An
 * address that is given for this is trusted, because a pooler may keep sessions.
 * @throws StartupError
 */
export async function requireSession({ databaseUrl, databaseDirectUrl }: DatabaseAddresses): Promise<void> {
  if (databaseDirectUrl !== undefined || !(await leadsThroughPooler(databaseUrl))) return;
  throw new StartupError(
    'DATABASE_URL leads through a pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or to the same one if the ' +
      'pooler keeps sessions.',
  );
}

export type DatabaseAddresses = {
  /** May lead through a pooler in transaction mode. */
  readonly databaseUrl: string;
  /** PostgreSQL itself, where the other address leads through a pooler. */
  readonly databaseDirectUrl?: string | undefined;
};

/** The address for what needs a session of its own. */
export function sessionUrl({ databaseUrl, databaseDirectUrl }: DatabaseAddresses): string {
  return databaseDirectUrl ?? databaseUrl;
}

/**
 * Checks that the database has the schema of this version, or of a later one. An unreachable database passes, and readiness reports
 * it.
 * @throws StartupError
 */
export async function requireDatabaseSchema(orm: MikroORM): Promise<void> {
  try {
    await requireSchema(orm.em.fork());
  } catch (error) {
    if (!isOutage(error)) throw asStartupError(error);
  }
}

/** An operator can act on a schema or a server that does not fit. */
export function asStartupError(error: unknown): unknown {
  return error instanceof SchemaDiffers ? new StartupError(error.message) : error;
}

/**
 * Checks that FIELD_ENCRYPTION_KEYS has every key that rows of the database need. A process with a wrong key would write rows that
 * no other one can read.
 * @throws StartupError
 */
export async function requireFieldKeys(orm: MikroORM, keys: readonly FieldKey[]): Promise<void> {
  const faults = await findKeyFaults(orm, keys);
  if (faults.length > 0) throw new StartupError(`FIELD_ENCRYPTION_KEYS: ${faults.join(' ')}`);
}

/**
 * Checks that no test clock of a company was moved in this database. Production calls it: a moved clock would release money
 * before its time. An unreachable database passes, and readiness reports it.
 * @throws StartupError
 */
export async function requireRealTime(orm: MikroORM): Promise<void> {
  if (await isAnyClockMoved(orm))
    throw new StartupError(
      'A test clock was moved in this database, so it is one for tests: ESCROW_ENVIRONMENT=production refuses it. ' +
        'Name a database in which POST /v1/sandbox/clock was never used.',
    );
}

/**
 * All checks of an API or a worker before it serves: session, role, schema, keys, and in production the clocks and the settings.
 * @throws StartupError
 */
export async function requireFitDatabase(
  orm: MikroORM,
  role: ServiceRole,
  options: DatabaseAddresses & {
    readonly fieldEncryptionKeys: readonly FieldKey[];
    readonly isProduction: boolean;
    readonly log: Logger;
  },
): Promise<void> {
  await requireSession(options);
  await requireDatabaseRole(orm, role);
  await requireDatabaseSchema(orm);
  await requireFieldKeys(orm, options.fieldEncryptionKeys);
  if (!options.isProduction) return;
  await requireRealTime(orm);
  await warnAboutSettings(orm, options.log);
}
