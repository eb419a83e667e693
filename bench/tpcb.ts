import pg from 'pg';
import type { Subject } from './measure.ts';

/**
 * The yardstick: pgbench's TPC-B-like transaction, re-created in Node with prepared statements on the same server, so that it
 * runs where no pgbench is, in turns with what is measured. Scale 10.
 */

const SCALE = 10;

export async function prepareTpcb(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `
      create table tpcb_branches (bid int primary key, bbalance int not null) with (fillfactor = 70);
      create table tpcb_tellers (tid int primary key, bid int not null, tbalance int not null) with (fillfactor = 70);
      create table tpcb_accounts (aid int primary key, bid int not null, abalance int not null) with (fillfactor = 70);
      create table tpcb_history (tid int, bid int, aid int, delta int, mtime timestamp);
      insert into tpcb_branches select n, 0 from generate_series(1, ${SCALE}) n;
      insert into tpcb_tellers select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${SCALE * 10}) n;
      insert into tpcb_accounts select n, (n - 1) / 100000 + 1, 0 from generate_series(1, ${SCALE * 100_000}) n;
      vacuum analyze tpcb_accounts;`.replace(/vacuum.*$/m, ''),
    );
    await client.query('vacuum analyze tpcb_accounts');
  } finally {
    await client.end();
  }
}

const random = (most: number) => 1 + Math.floor(Math.random() * most);

/** `callers` connections, each one transaction at a time. */
export async function tpcb(databaseUrl: string, callers: number): Promise<Subject & { stop: () => Promise<void> }> {
  const clients = await Promise.all(
    Array.from({ length: callers }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const named = (client: pg.Client, name: string, text: string, values: number[]) =>
    client.query({ name, text, values });
  return {
    name: `TPC-B, ${callers} connections`,
    callers,
    async once(caller) {
      const client = clients[caller];
      if (client === undefined) throw new Error('more callers than connections');
      const [aid, bid, tid, delta] = [
        random(SCALE * 100_000),
        random(SCALE),
        random(SCALE * 10),
        random(10_000) - 5_000,
      ];
      await client.query('begin');
      await named(client, 'a', 'update tpcb_accounts set abalance = abalance + $1 where aid = $2', [delta, aid]);
      await named(client, 's', 'select abalance from tpcb_accounts where aid = $1', [aid]);
      await named(client, 't', 'update tpcb_tellers set tbalance = tbalance + $1 where tid = $2', [delta, tid]);
      await named(client, 'b', 'update tpcb_branches set bbalance = bbalance + $1 where bid = $2', [delta, bid]);
      await named(client, 'h', 'insert into tpcb_history values ($1, $2, $3, $4, current_timestamp)', [
        tid,
        bid,
        aid,
        delta,
      ]);
      await client.query('commit');
    },
    stop: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
