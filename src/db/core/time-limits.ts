import { AsyncLocalStorage } from 'node:async_hooks';
import { Client, type Pool, type PoolClient } from 'pg';

/**
 * How long a process waits for PostgreSQL. A server that hangs (stopped, out of disk, behind a broken network) accepts
 * connections and never answers, so each wait has a limit of its own.
 */
export type TimeLimits = {
  /** To get a connection: for a free place in the pool, or for the server to accept a new one. */
  readonly connectMs: number;
  /** A statement. PostgreSQL cancels it. */
  readonly statementMs: number;
  /** A statement's wait for a lock. PostgreSQL cancels it. */
  readonly lockMs: number;
  /** A transaction between two statements. PostgreSQL ends the session, so that a hung process of ours keeps no locks. */
  readonly idleInTransactionMs: number;
};

/** A request meets at most one wait for a connection and one for a statement: it is answered 503 within 10 s. */
export const API_TIME_LIMITS: TimeLimits = {
  connectMs: 3_000,
  statementMs: 5_000,
  lockMs: 4_000,
  idleInTransactionMs: 30_000,
};

/** Activities are tried again, and sealing a backlog takes longer than a request may. */
export const WORKER_TIME_LIMITS: TimeLimits = {
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 60_000,
};

/** PostgreSQL cancels a statement that is too slow. Only a server that hangs lets this pass as well. */
const SILENCE_MS = 1_000;

const UNLIMITED = new AsyncLocalStorage<true>();

/** Statements of `work` may take as long as they take: for an audit of the whole ledger. */
export function withoutTimeLimit<T>(work: () => Promise<T>): Promise<T> {
  return UNLIMITED.run(true, work);
}

/** The limits as options of `pg`. PostgreSQL gets its own with each session. */
export function clientOptions(limits: TimeLimits) {
  return {
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    onPoolCreated: (pool: Pool) => pool.on('connect', (client) => endWhenSilent(client, limits)),
  };
}

/**
 * Closes a connection on which a statement gets no answer in time. The statement, and the rollback behind it, then fail at
 * once with "Connection terminated", and the pool makes a new connection for the next one.
 */
function endWhenSilent(client: PoolClient, { statementMs }: TimeLimits): void {
  if (!(client instanceof Client)) throw new TypeError('a pool of pg holds clients of pg');
  const query = client.query;
  Object.assign(client, {
    query: (...statement: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(query, client, statement);
      if (!(answer instanceof Promise) || UNLIMITED.getStore() === true) return answer;
      const overdue = setTimeout(() => client.connection.stream.destroy(), statementMs + SILENCE_MS);
      const settled = () => clearTimeout(overdue);
      answer.then(settled, settled);
      return answer;
    },
  });
}
