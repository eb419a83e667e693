import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { historyNames, readHistory, textsOf, workflowIdOf } from '../support/histories.ts';
import { servers } from '../support/servers.ts';
import { unreadableFor } from '../upgrade/released-workflows.ts';

const silent = new DefaultLogger('ERROR', () => undefined);

describe('workflows that run in production', () => {
  beforeAll(() => {
    Runtime.install({ logger: silent, telemetryOptions: { logging: { forward: {} } } });
  });

  describe('replay with this code', () => {
    let unreadable: string[];
    beforeAll(async () => {
      const histories = historyNames().map((name) => ({ workflowId: workflowIdOf(name), history: readHistory(name) }));
      unreadable = await unreadableFor({ codePath: servers().workflowBundleFile }, histories);
    });

    test.each(historyNames())('%s', (name) => {
      expect(unreadable.filter((one) => one.startsWith(`${workflowIdOf(name)}: `))).toEqual([]);
    });
  });

  test('fail to replay with code that takes other steps', async () => {
    const workflowsPath = fileURLToPath(new URL('../support/incompatible-workflows.ts', import.meta.url));
    const incompatible = { workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: silent }) };
    await expect(Worker.runReplayHistory(incompatible, readHistory('released.escrow.json'))).rejects.toMatchObject({
      name: 'DeterminismViolationError',
    });
  });
});

describe('the stored histories', () => {
  test.each(historyNames())('contain no name, no phone number and no text of people: %s', (name) => {
    const text = textsOf(name);
    expect(text).toContain('_01'); // ids, so the payloads are readable
    // A phone number, and not the SDK's build id: worker@1.24.0+95315536…
    for (const personal of [/private/i, /person/i, /maize/i, /(?<!@[\d.]+)\+\d{8}/, /63-1234567/, /@test/])
      expect(text.match(personal)?.[0]).toBeUndefined();
  });
});
