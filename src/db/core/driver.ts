import { AsyncLocalStorage } from 'node:async_hooks';
import { type Configuration, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import { isOutage } from './outage.ts';

const TENANT = new AsyncLocalStorage<CompanyId>();
const UUID = /^[0-9a-f-]{36}$/;

/** The transaction that `begin` begins is tied to the company from its first statement on, in the same round trip. */
export function asTenant<T>(companyId: CompanyId, begin: () => Promise<T>): Promise<T> {
  if (!UUID.test(companyId)) throw new TypeError('a company has a UUID');
  return TENANT.run(companyId, begin);
}

/**
 * MikroORM's driver, but a transaction whose connection is lost gives its place in the pool back. Kysely (0.29) releases the
 * connection of a transaction only after a commit or rollback that succeeded, and never where `begin` failed: every transaction
 * that the end of PostgreSQL interrupts would keep its place for good, and after as many as the pool has places, the process
 * would wait for ever.
 */
export class Driver extends PostgreSqlDriver {
  protected override readonly connection: PostgreSqlConnection;

  constructor(configuration: Configuration) {
    super(configuration);
    this.connection = new Connection(configuration);
  }
}

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>;
type TransactionDriver = ReturnType<Dialect['createDriver']>;

class Connection extends PostgreSqlConnection {
  override createKyselyDialect(...overrides: Parameters<PostgreSqlConnection['createKyselyDialect']>): Dialect {
    const dialect = super.createKyselyDialect(...overrides);
    const createDriver = dialect.createDriver.bind(dialect);
    return Object.assign(dialect, { createDriver: () => releasing(createDriver()) });
  }
}

function releasing(driver: TransactionDriver): TransactionDriver {
  const begin = driver.beginTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  const changed: Pick<TransactionDriver, 'beginTransaction' | 'rollbackTransaction'> = {
    async beginTransaction(connection, settings) {
      const companyId = TENANT.getStore();
      const tied: typeof connection =
        companyId === undefined
          ? connection
          : Object.assign(Object.create(connection), {
              executeQuery: (query: Parameters<typeof connection.executeQuery>[0]) =>
                connection.executeQuery({
                  ...query,
                  sql: `${query.sql}; select set_config('app.company_id', '${companyId}', true)`,
                }),
            });
      try {
        await begin(tied, settings);
      } catch (error) {
        await driver.releaseConnection(connection);
        throw error;
      }
    },
    // A commit that failed is followed by a rollback. Where the connection is lost, PostgreSQL has rolled back by itself.
    async rollbackTransaction(connection) {
      try {
        await rollback(connection);
      } catch (error) {
        if (!isOutage(error)) throw error;
      }
    },
  };
  return Object.assign(driver, changed);
}
