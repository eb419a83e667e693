import { AsyncLocalStorage } from 'node:async_hooks';
import { Client, type Pool, type PoolClient } from 'pg';
import { TenantQuery } from './tenant-read.ts';

/**
 * How long a process waits for PostgreSQL. A hanging server (stopped, out of disk, behind a broken network) accepts connections
 * and never answers, so each wait has a limit of its own.
 */
export type TimeLimits = {
  /** For a connection: a free place in the pool, or a new connection to the server. */
  readonly connectMs: number;
  /** For a statement. PostgreSQL cancels it. */
  readonly statementMs: number;
  /** For a statement's wait for a lock. PostgreSQL cancels the statement. */
  readonly lockMs: number;
  /**
   * For a transaction that is idle between two statements. PostgreSQL ends the session, so that a hung process holds no locks.
   */
  readonly idleInTransactionMs: number;
};

/** A request waits at most once for a connection and once for a statement, so it is answered 503 within 10 s. */
export const API_TIME_LIMITS: TimeLimits = {
  connectMs: 3_000,
  statementMs: 5_000,
  lockMs: 4_000,
  idleInTransactionMs: 30_000,
};

/** The connect timeout is short, because the primary answers if the replica is down. */
export const REPLICA_TIME_LIMITS: TimeLimits = { ...API_TIME_LIMITS, connectMs: 500 };

/** Activities are retried, and sealing a backlog takes longer than a request may. */
export const WORKER_TIME_LIMITS: TimeLimits = {
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 60_000,
};

/** PostgreSQL cancels a slow statement. This limit is exceeded only if the server hangs. */
const SILENCE_MS = 1_000;

const UNLIMITED = new AsyncLocalStorage<true>();

/** Statements of `work` have no time limit: for an audit of the whole ledger. */
export function withoutTimeLimit<T>(work: () => Promise<T>): Promise<T> {
  return UNLIMITED.run(true, work);
}

/**
 * The limits that PostgreSQL keeps, as its settings in milliseconds. Migrations store them with the roles of the service, because a
 * pooler accepts no settings from a client.
 */
export function serverLimits(limits: TimeLimits) {
  return {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
}

/**
 * Closes connections on which a statement gets no answer in time. The statement and the rollback after it then fail at once
 * with "Connection terminated", and the pool opens a new connection for the next statement.
 */
export function endSilent(pool: Pool, limits: TimeLimits): void {
  pool.on('connect', (client) => endWhenSilent(client, limits));
}

function endWhenSilent(client: PoolClient, { statementMs }: TimeLimits): void {
  if (!(client instanceof Client)) throw new TypeError('a pool of pg holds clients of pg');
  const query = client.query;
  Object.assign(client, {
    query: (...statement: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(query, client, statement);
      const answered = answer instanceof TenantQuery ? answer.answered : answer;
      if (!(answered instanceof Promise) || UNLIMITED.getStore() === true) return answer;
      const overdue = setTimeout(() => client.connection.stream.destroy(), statementMs + SILENCE_MS);
      const settled = () => clearTimeout(overdue);
      answered.then(settled, settled);
      return answer;
    },
  });
}
