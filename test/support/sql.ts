import pg from 'pg';
import type { TestService } from './service.ts';

/** A connection that nobody uses ends after this time. A test often runs several statements in a row. */
const IDLE_MS = 1_000;

const pools = new Map<string, pg.Pool>();

/**
 * Runs a statement as the database's owner, for changes that no operation of the API makes. The change is committed like one of the
 * service, so that a later audit does not name it. Needs no jest: the screenshots run without it.
 */
export async function sql(
  { database }: Pick<TestService, 'database'>,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const pool = pools.get(database.ownerUrl) ?? poolOf(database.ownerUrl);
  pools.set(database.ownerUrl, pool);
  return (await pool.query(statement, [...values])).rows;
}

function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    options: '-c app.as_service=on',
  });
  return pool.on('error', () => undefined); // the database was dropped, and with it a connection that nobody used
}
