import { Client, type Pool } from 'pg';

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
export function endInterrupted(pool: Pool): void {
  pool.on('release', (_error, client) => {
    if (!(client instanceof Client)) throw new TypeError('a pool of pg holds clients of pg');
    const isOutside = client.readyForQuery && client.getTransactionStatus() === 'I';
    if (!isOutside) void client.end(); // the pool drops a client that is ending
  });
}
