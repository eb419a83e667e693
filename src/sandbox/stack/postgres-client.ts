import pg from 'pg';

export const SUPERUSER = 'postgres';

/** The same server's address for another database or role. */
export function addressFor(address: string, change: { database?: string; user?: string; password?: string }): string {
  const url = new URL(address);
  if (change.database !== undefined) url.pathname = change.database;
  if (change.user !== undefined) url.username = change.user;
  if (change.password !== undefined) url.password = encodeURIComponent(change.password);
  return url.href;
}

/** Runs `work` on one connection and closes it. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined); // if the server ends the connection, the query reports it
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
