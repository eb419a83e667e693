import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { codeOf } from '../../src/observability/thrown.ts';
import { addressFor, SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from './eventually.ts';
import { servers, TEMPLATE_DATABASE } from './servers.ts';

const PERMISSION_DENIED = '42501';

/** A separate migrated database on the run's PostgreSQL, with the addresses of its three roles and of a superuser. */
export type TestDatabase = {
  readonly name: string;
  readonly ownerUrl: string;
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly superuserUrl: string;
  /** Closes all connections and drops the database. */
  drop(): Promise<void>;
};

export async function freshDatabase(): Promise<TestDatabase> {
  const { ownerUrl, superuserPassword, apiPassword, workerPassword } = servers();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const statement = (sql: string) =>
    withClient(addressFor(ownerUrl, { database: 'postgres' }), (client) => client.query(sql));
  await statement(`create database ${pg.escapeIdentifier(name)} template ${TEMPLATE_DATABASE}`);
  return {
    name,
    ownerUrl: addressFor(ownerUrl, { database: name }),
    apiUrl: addressFor(ownerUrl, { database: name, user: 'escrow_api', password: apiPassword }),
    workerUrl: addressFor(ownerUrl, { database: name, user: 'escrow_worker', password: workerPassword }),
    superuserUrl: addressFor(ownerUrl, { database: name, user: SUPERUSER, password: superuserPassword }),
    drop: () => dropDatabase(ownerUrl, name),
  };
}

/** Closes all connections to a database of the run's PostgreSQL and drops it. `ownerUrl`: any address of the owner. */
export async function dropDatabase(ownerUrl: string, name: string): Promise<void> {
  await eventually(async () => {
    try {
      return await withClient(addressFor(ownerUrl, { database: 'postgres' }), (client) =>
        client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
      );
    } catch (error) {
      // Autovacuum may be working in it, which only a superuser may end. It finishes soon.
      if (codeOf(error) !== PERMISSION_DENIED) throw error;
      return undefined;
    }
  });
}
