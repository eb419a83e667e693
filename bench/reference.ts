import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Pool } from 'pg';

/**
 * What reads are compared with: the same stack, Hono and `pg`, answering rows by one prepared statement and nothing else. `/one` is
 * one row, `/many/:rows/:bytes` as many rows and bytes as the answer that it stands beside. Prints its port.
 */

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
const { rows: accounts } = await pool.query<{ company_id: string; id: string }>(
  'select company_id, id from account limit 1000',
);
const app = new Hono();
let turn = 0;
app.get('/one', async (c) => {
  turn += 1;
  const { company_id, id } = accounts[turn % accounts.length] ?? { company_id: null, id: null };
  const { rows } = await pool.query({
    name: 'one',
    text: 'select * from account where company_id = $1 and id = $2',
    values: [company_id, id],
  });
  return c.json(rows[0]);
});
app.get('/many/:rows/:bytes', async (c) => {
  const { rows } = await pool.query({
    name: 'many',
    text: `select i as id, repeat('x', $2::integer / $1::integer) as text from generate_series(1, $1::integer) i`,
    values: [c.req.param('rows'), c.req.param('bytes')],
  });
  return c.json(rows);
});
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port));
