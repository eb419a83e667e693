import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { untilCancelled } from '../../src/activities/index.ts';
import { createHttp, type Effect } from '../../src/providers/http.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { eventually } from '../support/eventually.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.stop());

/** No test waits this long, not even for a random part of a pause. */
const A_DAY_MS = 86_400_000;
const limits = { deadlineMs: 10 * A_DAY_MS, attemptMs: A_DAY_MS, attempts: 3, backoffMs: 10 * A_DAY_MS };
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
  let isAnswered = false;
  server.answer((response, attempt) => {
    response.once('finish', () => {
      isAnswered = true;
    });
    json(503, {})(response, attempt);
  });
  const environment = new MockActivityEnvironment();
  const running = environment.run(() => untilCancelled(() => ask('none')));
  await eventually(async () => isAnswered);
  environment.cancel('WORKER_SHUTDOWN');
  expect(await running).toMatchObject({ outcome: 'unreachable' });
});

test('an activity that is not cancelled gets its answer', async () => {
  server.answer(json(200, { ok: true }));
  const environment = new MockActivityEnvironment();
  expect(await environment.run(() => untilCancelled(() => ask('once')))).toMatchObject({ body: { ok: true } });
});
