import { Client, type Pool, type PoolClient } from 'pg';
import { isOutage } from './database-errors.ts';

/**
 * What a connection leads to, asked once when it is new.
 *
 * A pooler in transaction mode, such as PgBouncer, gives each transaction any session of PostgreSQL. What belongs to a session is lost or
 * reaches another client: prepared statements with names, settings, and subscriptions to notifications.
 *
 * A standby refuses writes. After a failover, a name or a proxy may still lead to the server that was the primary.
 */
type Session = { readonly isPooled: boolean; readonly isStandby: boolean };

declare module 'pg' {
  interface ClientBase {
    /** Of the session, as the server or the pooler announced it for requests to cancel. */
    readonly processID: number;
  }
}

const TIMEOUT_MS = 3_000;
const INSPECTION = {
  text: 'select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby',
  query_timeout: TIMEOUT_MS, // an option of `pg`, which its types lack
};

async function inspect(client: Client | PoolClient): Promise<Session> {
  const { rows } = await client.query<{ pid: number; is_standby: boolean }>(INSPECTION);
  const [session] = rows;
  // A pooler announces a process id of its own.
  return { isPooled: session?.pid !== client.processID, isStandby: session?.is_standby === true };
}

/** Thrown when a connection for writing leads to a standby. The next one may lead to the primary. */
class OnStandby extends Error {
  override readonly name = 'OnStandby';
  /** SQLSTATE of a write on a standby. */
  readonly code = '25006';
}

const POOLED = new WeakSet<PoolClient>();

/** Whether a pooler is between the client, of a pool of `inspectNew`, and its session. */
export function isPooled(client: PoolClient): boolean {
  return POOLED.has(client);
}

/** Inspects each new connection of the pool. One that leads to a standby is closed, unless the pool only reads. */
export function inspectNew(pool: Pool, mayBeStandby: boolean): void {
  const verify = (client: PoolClient, done: (error?: unknown) => void): void => {
    inspect(client).then(({ isPooled: isThroughPooler, isStandby }) => {
      if (isThroughPooler) POOLED.add(client);
      done(isStandby && !mayBeStandby ? new OnStandby('the server is a standby') : undefined);
    }, done);
  };
  Object.assign(pool.options, { verify }); // pg-pool's option for new clients, which its types lack
}

/** Whether the address leads through a pooler. False if the database cannot be reached, which readiness reports. */
export async function leadsThroughPooler(databaseUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => undefined); // the query rejects too
  try {
    await client.connect();
    return (await inspect(client)).isPooled;
  } catch (error) {
    if (isOutage(error)) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined); // it never connected
  }
}
