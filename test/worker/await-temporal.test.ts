import { createServer } from 'node:http2';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { awaitTemporal } from '../../src/worker/await-temporal.ts';

const FAILED_PRECONDITION = 9;
const PERMISSION_DENIED = 7;

test('a worker waits while Temporal fails to answer for the schedules, and ends when Temporal refuses it', async () => {
  const asked: string[] = [];
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const path = String(headers[':path']);
    const isAboutSchedules = path.endsWith('CreateSchedule');
    if (isAboutSchedules) asked.push(path);
    const status = !isAboutSchedules ? 0 : asked.length < 3 ? FAILED_PRECONDITION : PERMISSION_DENIED;
    const message = ['it starts', 'it still starts', 'go away'][asked.length - 1] ?? '';
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () =>
      stream.sendTrailers({ 'grpc-status': String(status), 'grpc-message': encodeURIComponent(message) }),
    );
    stream.end(status === 0 ? Buffer.alloc(5) : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) throw new Error('it listens nowhere');
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const settings = {
    temporalAddress: `127.0.0.1:${bound.port}`,
    temporalNamespace: 'default',
    temporalTaskQueue: 'escrow',
  };

  await expect(awaitTemporal(settings, log)).rejects.toMatchObject({ cause: { code: PERMISSION_DENIED } });

  expect(asked).toHaveLength(3);
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual([
    expect.stringContaining('it starts'),
    expect.stringContaining('it still starts'),
  ]);
  await new Promise((resolve) => server.close(resolve));
});
