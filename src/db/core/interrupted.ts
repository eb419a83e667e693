import { Client, type Pool } from 'pg';

declare module 'pg' {
  interface Client {
    /** Of the last answer: `I` outside a transaction, `T` inside one, `E` inside one that failed; null before the first answer. */
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
    if (client.getTransactionStatus() !== 'I') void client.end(); // the pool drops a client that is ending
  });
}
