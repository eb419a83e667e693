import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { lazyClient, readsData, requireNamespace } from '../../src/temporal/connection.ts';
import { eventually } from '../support/eventually.ts';
import { testTemporal } from '../support/temporal.ts';

test('the client tries to connect at least every 1.3 s while Temporal is down', async () => {
  const attemptsAtMs: number[] = [];
  const server = createServer((socket) => {
    attemptsAtMs.push(performance.now());
    socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) throw new Error('it listens nowhere');
  const { connection } = lazyClient({ temporalAddress: `127.0.0.1:${bound.port}`, temporalNamespace: 'default' });

  await eventually(async () => {
    await connection.withDeadline(Date.now() + 500, () => connection.workflowService.getClusterInfo({})).catch(() => 0);
    return attemptsAtMs.length >= 7;
  });

  const [first = 0] = attemptsAtMs;
  // gRPC's own pauses of 1, 1.6, 2.6, 4.1, 6.6 and 10.5 s take 26 s.
  expect((attemptsAtMs[6] ?? Number.NaN) - first).toBeLessThan(20_000);
  await connection.close();
  await new Promise((resolve) => server.close(resolve));
});

test('a server that answers, but cannot read the namespace, does not count as up', async () => {
  const { address, namespace } = testTemporal();
  const { connection } = lazyClient({ temporalAddress: address, temporalNamespace: namespace });
  await connection.workflowService.getSystemInfo({});
  expect(await readsData(connection, namespace)).toBe(true);
  expect(await readsData(connection, 'a-namespace-that-is-missing')).toBe(false);
  await expect(requireNamespace(connection, 'a-namespace-that-is-missing')).rejects.toThrow('Namespace not found');
  await connection.close();
});
