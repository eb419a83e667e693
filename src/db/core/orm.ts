import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Client, type Pool } from 'pg';
import type { CompanyId } from '../../domain/ids.ts';
import { traceStatements } from '../../observability/tracing/sql.ts';
import { entities } from '../entities/index.ts';
import { migrationsList } from '../migrations/index.ts';
import { bindNumberedValues } from './bound.ts';
import { asTenant, Driver } from './driver.ts';
import { inspectNew } from './session.ts';
import { asReader, bindTenantReads } from './tenant-read.ts';
import { endSilent, type TimeLimits } from './time-limits.ts';

/**
 * A connection that nobody uses for so long is closed. A new one costs its first statement a process of PostgreSQL, which plans all statements
 * anew; `pg` would close it after 10 s. Less than the time after which load balancers forget a silent connection, such as 350 s.
 */
const IDLE_MS = 300_000;

type ConnectOptions = {
  readonly databaseUrl: string;
  /** On few cores a small pool is faster: 8 connections outperform 32. */
  readonly poolMax: number;
  /** Shown in PostgreSQL's pg_stat_activity. */
  readonly applicationName: string;
  /** Of a role of the service. Absent for interactive tools such as migrations: the client waits without limit. */
  readonly timeLimits?: TimeLimits;
  /** Whether the address may lead to a standby: for reads. */
  readonly mayBeStandby?: boolean;
  /** For a program of the service that connects as the owner: its changes are committed like those of the service's roles. */
  readonly isForService?: boolean;
};

/** Connects. The caller must close the result (`orm.close()`). Take a fork of `orm.em` for each request and activity. */
export async function connect(options: ConnectOptions): Promise<MikroORM> {
  const orm = await MikroORM.init({
    driver: Driver,
    clientUrl: options.databaseUrl,
    entities: [...entities],
    discovery: { warnWhenNoEntities: false },
    ensureDatabase: false, // after a first statement that failed, MikroORM would connect to another database to create this one
    pool: { min: 0, max: options.poolMax },
    driverOptions: {
      application_name: options.applicationName,
      idleTimeoutMillis: IDLE_MS,
      ...(options.isForService === true ? { options: '-c app.as_service=on' } : {}),
      ...(options.timeLimits === undefined ? {} : { connectionTimeoutMillis: options.timeLimits.connectMs }),
      onPoolCreated: (pool: Pool) => {
        endInterrupted(pool);
        inspectNew(pool, options.mayBeStandby ?? false);
        if (options.timeLimits !== undefined) endSilent(pool, options.timeLimits);
      },
    },
    extensions: [Migrator],
    migrations: { migrationsList, transactional: true, allOrNothing: false, snapshot: false, silent: true },
  });
  bindNumberedValues(orm.em.getConnection());
  bindTenantReads(orm.em.getConnection());
  traceStatements(orm.em.getConnection());
  return orm;
}

/**
 * Runs `work` in one transaction that row-level security ties to a company: committed when it returns, rolled back when it
 * throws. All work for a tenant goes through this function.
 */
export async function inTenant<T>(
  orm: MikroORM,
  companyId: CompanyId,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const em: EntityManager = orm.em.fork();
  await asTenant(companyId, () => em.begin());
  try {
    const result = await work(em);
    await em.commit();
    return result;
  } catch (error) {
    await em.rollback();
    throw error;
  }
}

/**
 * Runs reads for a company, without a transaction: each statement sees what was committed before it, as in `inTenant`, and takes one
 * round trip. `work` must not write or lock.
 */
export function readTenant<T>(
  orm: MikroORM,
  companyId: CompanyId,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  return asReader(companyId, () => work(orm.em.fork()));
}

/** Runs reads that belong to no company, such as that of a credential, each as a prepared statement. */
export function readUntied<T>(orm: MikroORM, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return asReader(null, () => work(orm.em.fork()));
}

/** Switches the rest of an `inTenant` transaction to another company. Only the platform moves money between two companies. */
export async function continueInTenant(em: EntityManager, companyId: CompanyId): Promise<void> {
  await em.execute(`select set_config('app.company_id', ?, true)`, [companyId]);
}

declare module 'pg' {
  interface Client {
    /** Whether the last statement is answered completely. PostgreSQL sends the state of the transaction after an error. */
    readonly readyForQuery: boolean;
    /**
     * Of the last answer: `I` outside a transaction, `T` inside one, `E` inside one that failed; null before the first answer.
     */
    getTransactionStatus(): 'I' | 'T' | 'E' | null;
  }
}

/**
 * Closes a connection that comes back to the pool inside a transaction, for example because the statement that began it was
 * cancelled. The next user would otherwise work inside that transaction, and each would fail if it has failed.
 */
function endInterrupted(pool: Pool): void {
  pool.on('release', (_error, client) => {
    if (!(client instanceof Client)) throw new TypeError('a pool of pg holds clients of pg');
    const isOutside = client.readyForQuery && client.getTransactionStatus() === 'I';
    if (!isOutside) void client.end(); // the pool drops a client that is ending
  });
}
