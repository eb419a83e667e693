import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../core/orm.ts';
import { API_TIME_LIMITS, serverLimits, type TimeLimits, WORKER_TIME_LIMITS } from '../core/time-limits.ts';
import { seedInstitutions } from '../treasury/financial-institutions.ts';
import { requirePostgres, requireSchema } from './index.ts';

type MigrateOptions = {
  /** Connects as the role that owns the schema; it needs the right to create roles. */
  readonly databaseUrl: string;
  readonly apiPassword: string;
  readonly workerPassword: string;
  /** Whether test clocks are forbidden. */
  readonly isProduction: boolean;
  /** Called with each statement that undoes a change of grants by hand. */
  readonly onGrant?: (statement: string) => void;
};

/** The key of the lock that serialises migrations; the number has no meaning. */
const MIGRATION_LOCK = 7_203_118;
const ROLE_ATTEMPTS = 10;

/** Databases have no rights in a template or a dump, so this is done at each migration. The owner of the database keeps its own. */
const TEMPORARY_TABLES_ARE_OURS = `do $$ begin
  execute format('revoke temporary on database %I from public, escrow_api, escrow_worker', current_database());
end $$`;

/**
 * Brings a database up to date: the two roles with their passwords and time limits, the pending migrations, the banks, the privileges. Safe to run at any
 * time and concurrently: the second run waits and finds nothing left to do. `then` runs under the same lock.
 */
export async function migrate(
  options: MigrateOptions,
  then: () => Promise<void> = async () => undefined,
): Promise<void> {
  const orm = await connect({ databaseUrl: options.databaseUrl, poolMax: 3, applicationName: 'escrow-migrate' });
  try {
    // Not `transactional`: forks of any other EntityManager would then be forks of this one, with its connections.
    const lock = orm.em.fork();
    await lock.begin();
    try {
      await requirePostgres(lock);
      await lock.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      await prepareRole(orm, 'escrow_api', options.apiPassword, API_TIME_LIMITS);
      await prepareRole(orm, 'escrow_worker', options.workerPassword, WORKER_TIME_LIMITS);
      const applied = await orm.migrator.getExecuted();
      await requireSchema(
        orm.em.fork(),
        applied.map(({ name }) => name),
      );
      if (applied.length > 0) await restoreGrants(orm, options.onGrant);
      await orm.migrator.up();
      await seedInstitutions(orm.em.fork());
      await orm.em.fork().execute('grant usage on schema public to escrow_api, escrow_worker');
      // A temporary table would stand in for the table of the same name that a trigger reads.
      await lock.execute(TEMPORARY_TABLES_ARE_OURS);
      // In production no process can move a clock, not even one that is configured for tests.
      await orm.em
        .fork()
        .execute(
          options.isProduction
            ? 'revoke insert, update on company_clock from escrow_api'
            : 'grant insert, update (ahead, moved_by) on company_clock to escrow_api',
        );
      await then();
      await lock.commit();
    } catch (error) {
      await lock.rollback();
      throw error;
    }
  } finally {
    await orm.close();
  }
}

/** Undoes changes of grants that were made by hand since the last migration. */
async function restoreGrants(orm: MikroORM, onGrant: MigrateOptions['onGrant']): Promise<void> {
  const changed = await orm.em.fork().execute<{ statement: string }[]>(
    `select 'grant ' || name as statement from installation
     where kind = 'grant' and name not in (select statement from service_grants())
     union all
     select 'revoke ' || regexp_replace(statement, ' to (\\w+)$', ' from \\1') from service_grants()
     where statement not in (select name from installation where kind = 'grant')`,
  );
  for (const { statement } of changed) {
    await orm.em.fork().execute(statement);
    onGrant?.(statement);
  }
}

/**
 * Roles belong to the whole server, but the lock above only to this database. Concurrent migrations of several databases (as in
 * tests) can therefore collide on a role's row, and are then retried.
 */
async function prepareRole(orm: MikroORM, role: string, password: string, limits: TimeLimits): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await orm.em.fork().transactional(async (em) => {
        await createOrUpdateRole(em, role, password);
        for (const [setting, ms] of Object.entries(serverLimits(limits)))
          await em.execute(`alter role ${role} set ${setting} = ${ms}`);
      });
      return;
    } catch (error) {
      if (attempt === ROLE_ATTEMPTS || !isCollision(error)) throw error;
    }
  }
}

async function createOrUpdateRole(em: EntityManager, role: string, password: string): Promise<void> {
  const [found] = await em.execute<{ privileged: boolean }[]>(
    'select rolsuper or rolbypassrls as privileged from pg_roles where rolname = ?',
    [role],
  );
  if (found?.privileged) throw new Error(`role ${role} must be neither superuser nor BYPASSRLS`);
  // A role's password cannot be a parameter, so the server builds the statement with a safely quoted literal.
  const [built] = await em.execute<{ statement: string }[]>('select format(?, ?::text, ?::text) as statement', [
    `${found === undefined ? 'create' : 'alter'} role %I with login password %L`,
    role,
    password,
  ]);
  if (built !== undefined) await em.execute(built.statement);
}

/** Unique violation on the role's name, or "tuple concurrently updated", which PostgreSQL reports as an internal error. */
function isCollision(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === '23505' || code === '42710' || code === 'XX000';
}
