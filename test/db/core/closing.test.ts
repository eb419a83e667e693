import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createListener } from '../../../src/db/core/listener.ts';
import { connect, readUntied } from '../../../src/db/core/orm.ts';
import { eventually } from '../../support/eventually.ts';
import { type HangablePostgres, startHangablePostgres } from '../../support/hangable-postgres.ts';

/** A process that stops closes its connections, whatever they are doing. */

let postgres: HangablePostgres;
beforeAll(async () => {
  postgres = await startHangablePostgres();
});
afterAll(async () => {
  await postgres.database.drop();
});

describe('a pool', () => {
  const open = () => connect({ databaseUrl: postgres.database.ownerUrl, poolMax: 2, applicationName: 'closing' });
  const count = (orm: MikroORM) => orm.em.fork().execute<{ count: number }[]>('select count(*)::int from company');

  test('that is closed while a statement waits for a new connection lets it run', async () => {
    const orm = await open();
    await count(orm);
    const results = [count(orm), count(orm)]; // one on the idle connection, one on a new one
    await Promise.all([orm.close(), ...results]);
  });

  test('keeps its connections over a minute without requests', async () => {
    const orm = await open();
    const pool = await orm.em.getConnection().getNativeClient();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    await Promise.all([count(orm), count(orm)]);
    jest.advanceTimersByTime(60_000);
    jest.useRealTimers();
    expect(pool.idleCount).toBe(2);
    await orm.close();
  });

  test('that only reads have used closes its connections', async () => {
    const orm = await open();
    const pool = await orm.em.getConnection().getNativeClient();
    await readUntied(orm, (em) => em.execute('select count(*)::int from company'));
    await orm.close();
    expect(pool.totalCount).toBe(0);
  });

  test('that is closed before its first statement runs ends', async () => {
    const orm = await open();
    await Promise.all([count(orm).catch(() => undefined), orm.close()]);
  });
});

describe('a listener', () => {
  test('ends although the server does not answer', async () => {
    let wakes = 0;
    const listener = createListener({
      databaseUrl: postgres.database.ownerUrl,
      channel: 'closing',
      applicationName: 'closing',
      trouble: { failed: () => undefined, worked: () => undefined },
    });
    listener.subscribe('any', () => {
      wakes += 1;
    });
    await eventually(async () => wakes === 1); // it is connected
    await postgres.hang();
    try {
      await listener.close();
    } finally {
      postgres.resume();
    }
  });
});
