import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { untilCancelled } from '../../src/activities/until-cancelled.ts';
import { createHttp, type Effect } from '../../src/providers/http.ts';
import { ProviderError } from '../../src/providers/outcome.ts';
import { eventually } from '../support/eventually.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.stop());

/** No test waits this long. */
const limits = { deadlineMs: 60_000, attemptMs: 60_000, attempts: 3, backoffMs: 60_000 };
const ask = (effect: Effect) =>
  createHttp({ provider: 'bank', host: server.url, headers: {}, limits })
    .exchange({ method: effect === 'none' ? 'GET' : 'POST', path: ['things'], effect })
    .catch((error: unknown) => error);

test.each<[Effect, string]>([
  ['none', 'unreachable'],
  ['repeatable', 'unknown'],
  ['once', 'unknown'],
])('a request with effect %s ends with its activity, as %s, and is not repeated', async (effect, outcome) => {
  let isClosed = false;
  server.answer((response) => {
    response.once('close', () => {
      isClosed = true;
    });
  });
  const environment = new MockActivityEnvironment();
  const running = environment.run(() => untilCancelled(() => ask(effect)));
  await eventually(async () => server.requests.length === 1);
  environment.cancel('TIMED_OUT');
  const end = await running;
  expect(end).toBeInstanceOf(ProviderError);
  expect(end).toMatchObject({ outcome });
  expect(server.requests).toHaveLength(1);
  await eventually(async () => isClosed);
});

test('a pause before the next attempt ends too', async () => {
  server.answer(json(503, {}));
  const environment = new MockActivityEnvironment();
  const running = environment.run(() => untilCancelled(() => ask('none')));
  await eventually(async () => server.requests.length === 1);
  environment.cancel('WORKER_SHUTDOWN');
  expect(await running).toMatchObject({ outcome: 'unreachable' });
});

test('an activity that is not cancelled gets its answer', async () => {
  server.answer(json(200, { ok: true }));
  const environment = new MockActivityEnvironment();
  expect(await environment.run(() => untilCancelled(() => ask('once')))).toMatchObject({ body: { ok: true } });
});
