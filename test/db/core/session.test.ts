import { connect as connectSocket, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requireSession } from '../../../src/config/database-checks.ts';
import { connect, readTenant } from '../../../src/db/core/orm.ts';
import { leadsThroughPooler } from '../../../src/db/core/session.ts';
import { API_TIME_LIMITS, serverLimits, WORKER_TIME_LIMITS } from '../../../src/db/core/time-limits.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { addCompany } from '../ledger/books.ts';

/** What a pooler in transaction mode takes away. `npm run try:pooler` tries a real one. */

let database: TestDatabase;
let pooler: Server;
let pooledUrl: string;
let companies: readonly CompanyId[];
beforeAll(async () => {
  database = await freshDatabase();
  const owner = await connect({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'owner' });
  companies = [(await addCompany(owner.em.fork())).id, (await addCompany(owner.em.fork())).id];
  await owner.close();
  const url = new URL(database.apiUrl);
  pooler = await startPooler(Number(url.port), url.hostname);
  const address = pooler.address();
  url.port = typeof address === 'object' && address !== null ? String(address.port) : '';
  pooledUrl = url.href;
});
afterAll(async () => {
  pooler.close();
  await database.drop();
});

test('an address leads through a pooler if it announces another process than that of the session', async () => {
  expect(await leadsThroughPooler(database.apiUrl)).toBe(false);
  expect(await leadsThroughPooler(pooledUrl)).toBe(true);
});

describe('what needs a session', () => {
  test('takes the direct address, and is refused without one', async () => {
    await requireSession({ databaseUrl: database.apiUrl });
    await requireSession({ databaseUrl: pooledUrl, databaseDirectUrl: database.apiUrl });
    await expect(requireSession({ databaseUrl: pooledUrl })).rejects.toThrow('DATABASE_URL leads through a pooler');
  });

  test('is not refused while the database cannot be reached', async () => {
    const unreachable = new URL(database.apiUrl);
    unreachable.port = '1';
    await requireSession({ databaseUrl: unreachable.href });
  });
});

test('reads through a pooler see their tenant, and leave no prepared statement to the next client', async () => {
  const orm = await connect({ databaseUrl: pooledUrl, poolMax: 1, applicationName: 'pooled' });
  const owners = 'select distinct company_id as id from account where type = ?';
  for (const id of companies) expect(await readTenant(orm, id, (em) => em.execute(owners, ['BANK']))).toEqual([{ id }]);
  expect(await orm.em.fork().execute('select name from pg_prepared_statements')).toEqual([]);
  await orm.close();
});

test.each([
  ['API', () => database.apiUrl, API_TIME_LIMITS],
  ['worker', () => database.workerUrl, WORKER_TIME_LIMITS],
] as const)(
  'PostgreSQL keeps the time limits of the %s with its role, because a pooler passes none on',
  async (_, url, limits) => {
    const orm = await connect({ databaseUrl: url(), poolMax: 1, applicationName: 'limits' });
    const expected = serverLimits(limits);
    const found = await orm.em
      .fork()
      .execute<{ name: string; ms: number }[]>(
        'select name, setting::integer as ms from pg_settings where name = any(?::text[])',
        [`{${Object.keys(expected).join(',')}}`],
      );
    expect(Object.fromEntries(found.map(({ name, ms }) => [name, ms]))).toEqual(expected);
    await orm.close();
  },
);

const BACKEND_KEY_DATA = 'K'.charCodeAt(0);

/** Passes everything on, except the process id of the session, in whose place it announces one of its own. */
async function startPooler(port: number, host: string): Promise<Server> {
  const server = createServer((inner) => {
    const outer = connectSocket(port, host);
    let pending = Buffer.alloc(0);
    let isAnnounced = false;
    outer.on('data', (chunk) => {
      if (isAnnounced) return void inner.write(chunk);
      pending = Buffer.concat([pending, chunk]);
      // A message is its type, the length of the rest, and the rest.
      while (!isAnnounced && pending.length >= 5 && pending.length > pending.readUInt32BE(1)) {
        const end = 1 + pending.readUInt32BE(1);
        const message = Buffer.from(pending.subarray(0, end));
        isAnnounced = message[0] === BACKEND_KEY_DATA;
        if (isAnnounced) message.writeInt32BE(message.readInt32BE(5) + 1, 5);
        inner.write(message);
        pending = pending.subarray(end);
      }
      if (isAnnounced && pending.length > 0) inner.write(pending);
    });
    inner.pipe(outer);
    for (const socket of [inner, outer]) socket.on('error', () => undefined);
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
