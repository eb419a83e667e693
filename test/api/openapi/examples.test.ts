import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXAMPLES_FILE } from '../../../src/api/openapi/examples.ts';
import { counted } from '../../support/counted.ts';
import { outsideOf } from '../../support/integration/outside.ts';
import { createRecorder, type Recorder } from '../../support/integration/recorder.ts';
import { integrate } from '../../support/integration/story.ts';
import { ownService } from '../../support/own-service.ts';
import type { TestService } from '../../support/service.ts';
import { unauditedChanges, watchChanges } from '../../support/watched-changes.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

/** Compares the examples of the description with what the service accepts and returns. */

type Media = { schema: unknown; examples?: Record<string, { value?: unknown; $ref?: string }> };
type Operation = {
  operationId: string;
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};

let service: TestService;
let operations: Operation[];
let components: { examples: Record<string, { value: { code: string; status: number } }> };
let record: Recorder;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await ownService();
  await watchChanges(service);
  record = await createRecorder(service);
  receiver = await startWebhookReceiver();
  await integrate(record, outsideOf(service, receiver.url));
  if (process.env.RECORD_EXAMPLES) writeFileSync(EXAMPLES_FILE, `${JSON.stringify(record.examples, null, 2)}\n`);
  const { body } = await service.request('GET', '/openapi.json');
  components = body.components;
  operations = Object.values<Record<string, Operation>>(body.paths).flatMap((methods) => Object.values(methods));
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

describe('a first integration, repeated', () => {
  test('gets the documented status for every request example', () => {
    const all = Object.values(record.examples);
    const requests = all.reduce((sum, named) => sum + Object.keys(named).length, 0);
    counted(`examples: ${requests} requests to ${all.length} of ${operations.length} operations, run in order`);
    expect(requests).toBeGreaterThan(100);
    for (const [operationId, named] of Object.entries(record.examples)) {
      const described = operations.find((one) => one.operationId === operationId)?.responses ?? {};
      for (const { status } of Object.values(named))
        expect([operationId, Object.keys(described)]).toEqual([operationId, expect.arrayContaining([String(status)])]);
    }
  });

  test('writes the line of every change in the transaction of the change', async () => {
    const { changes, unaudited } = await unauditedChanges(service);
    counted(`audit: ${changes} transactions that changed something for a request, each with its line`);
    expect(unaudited).toEqual([]);
    expect(changes).toBeGreaterThan(80);
  });

  test('sends and receives the same as the examples: otherwise record them again', () => {
    expect(record.examples).toEqual(JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')));
  });
});

describe('the description has an example', () => {
  const examplesOf = (content?: Record<string, Media>) => Object.values(content?.['application/json']?.examples ?? {});

  test('of every JSON request body', () => {
    const without = operations.filter(
      ({ requestBody }) => requestBody?.content['application/json'] && examplesOf(requestBody.content).length === 0,
    );
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('of every JSON response that is a success', () => {
    const without = operations.filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, { content }]) =>
          Number(status) < 300 && content?.['application/json'] && examplesOf(content).length === 0,
      ),
    );
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('of every problem code that an operation answers, under the status of the code', () => {
    expect(Object.keys(components.examples).length).toBeGreaterThan(40);
    for (const { operationId, responses } of operations)
      for (const [status, { content }] of Object.entries(responses))
        for (const [code, { $ref }] of Object.entries(content?.['application/problem+json']?.examples ?? {})) {
          expect([operationId, $ref]).toEqual([operationId, `#/components/examples/${code}`]);
          expect(components.examples[code]?.value).toMatchObject({ code, status: Number(status) });
        }
  });
});
