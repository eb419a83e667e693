import { AsyncLocalStorage } from 'node:async_hooks';
import { type Configuration, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type CompanyId, isUuid } from '../../domain/ids.ts';
import { SANE_REQUEST_ID } from '../../observability/tracing/cause.ts';
import { currentRequestId } from '../../observability/tracing/request.ts';
import { isOutage } from './database-errors.ts';
import { currentSource } from './source.ts';

const TENANT = new AsyncLocalStorage<CompanyId>();

/** `begin` ties its transaction to the company in the same round trip, before the first statement. */
export function asTenant<T>(companyId: CompanyId, begin: () => Promise<T>): Promise<T> {
  if (!isUuid(companyId)) throw new TypeError('a company has a UUID');
  return TENANT.run(companyId, begin);
}

/**
 * MikroORM's driver, with three differences:
 *
 * - A transaction whose connection is lost frees its slot in the pool. Kysely (0.29) releases a transaction's connection only
 *   after a successful commit or rollback, and never if `begin` failed. Each transaction that a PostgreSQL shutdown interrupts
 *   would leak its slot. Once all slots were leaked, the process would wait forever.
 * - Closing waits for connections that are being opened. Kysely fails to hand over a connection that opens while it closes the
 *   pool, and does not return it, so that closing would never end.
 * - Closing ends the pool also if only reads used it.
 */
export class Driver extends PostgreSqlDriver {
  protected override readonly connection: PostgreSqlConnection;

  constructor(configuration: Configuration) {
    super(configuration);
    this.connection = new Connection(configuration);
  }
}

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>;
type Overrides = Parameters<PostgreSqlConnection['createKyselyDialect']>[0] & {
  readonly onPoolCreated?: (pool: Pool) => unknown;
};
type TransactionDriver = ReturnType<Dialect['createDriver']>;

class Connection extends PostgreSqlConnection {
  #pool: Pool | undefined;

  override createKyselyDialect(overrides: Overrides): Dialect {
    const onPoolCreated = (pool: Pool) => {
      this.#pool = pool;
      return overrides?.onPoolCreated?.(pool);
    };
    const observed: Overrides = { ...overrides, onPoolCreated };
    const dialect = super.createKyselyDialect(observed);
    const createDriver = dialect.createDriver.bind(dialect);
    return Object.assign(dialect, { createDriver: () => closing(releasing(createDriver())) });
  }

  /** Kysely closes only a pool that it has used itself: reads take their connections from the pool (tenant-read.ts). */
  override async close(force?: boolean): Promise<void> {
    await super.close(force);
    if (this.#pool?.ending === false) await this.#pool.end();
  }
}

/** The request that caused the current work, as facts name it (340-events.sql). Empty if there is none. */
export function causingRequestId(): string {
  const requestId = currentRequestId() ?? '';
  return SANE_REQUEST_ID.test(requestId) ? requestId : '';
}

/** The settings of the transaction: its company, and the request and the source that caused it. */
function localSettings(): string {
  const companyId = TENANT.getStore();
  const requestId = causingRequestId();
  const values = [
    `set_config('app.source', '${currentSource()}', true)`,
    ...(companyId === undefined ? [] : [`set_config('app.company_id', '${companyId}', true)`]),
    // The pattern of request ids has no quote and no backslash.
    ...(requestId === '' ? [] : [`set_config('app.request_id', '${requestId}', true)`]),
  ];
  return `select ${values.join(', ')}`;
}

function releasing(driver: TransactionDriver): TransactionDriver {
  const begin = driver.beginTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  const changed: Pick<TransactionDriver, 'beginTransaction' | 'rollbackTransaction'> = {
    async beginTransaction(connection, settings) {
      const local = localSettings();
      const tied: typeof connection = Object.assign(Object.create(connection), {
        executeQuery: (query: Parameters<typeof connection.executeQuery>[0]) =>
          connection.executeQuery({ ...query, sql: `${query.sql}; ${local}` }),
      });
      try {
        await begin(tied, settings);
      } catch (error) {
        await driver.releaseConnection(connection);
        throw error;
      }
    },
    // A failed commit is followed by a rollback. If the connection is lost, PostgreSQL has rolled back by itself.
    async rollbackTransaction(connection) {
      try {
        await rollback(connection);
      } catch (error) {
        if (isOutage(error)) return;
        await driver.releaseConnection(connection);
        throw error;
      }
    },
  };
  return Object.assign(driver, changed);
}

function closing(driver: TransactionDriver): TransactionDriver {
  const acquire = driver.acquireConnection.bind(driver);
  const destroy = driver.destroy.bind(driver);
  const opening = new Set<ReturnType<typeof acquire>>();
  const changed: Pick<TransactionDriver, 'acquireConnection' | 'destroy'> = {
    async acquireConnection(options) {
      const connection = acquire(options);
      opening.add(connection);
      try {
        return await connection;
      } finally {
        opening.delete(connection);
      }
    },
    // Kysely asks for no further connection once it has called this.
    async destroy(options) {
      await Promise.allSettled(opening);
      await destroy(options);
    },
  };
  return Object.assign(driver, changed);
}
