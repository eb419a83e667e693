import { expect, test } from '@jest/globals';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { createWorkflowWorker } from '../../src/worker/workflow-worker.ts';
import { servers } from '../support/servers.ts';
import { testTemporal } from '../support/temporal.ts';

type Native = {
  initiateShutdown: () => void;
  pollWorkflowActivation: () => Promise<Buffer>;
  finalizeShutdown: () => Promise<void>;
};

test('a worker whose poll fails ends with the reason, also if the SDK does not end its own part', async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
  const { address, namespace, taskQueue } = testTemporal();
  const connection = await NativeConnection.connect({ address });
  const worker = await createWorkflowWorker({
    connection,
    namespace,
    taskQueue,
    activities: {},
    workflowBundle: { codePath: servers().workflowBundleFile },
    hasCallStacks: false,
    onStuck: () => undefined,
  });
  const native: Native = Reflect.get(worker, 'nativeWorker');
  const { initiateShutdown, pollWorkflowActivation, finalizeShutdown } = native;
  let end: () => void = () => undefined;
  native.pollWorkflowActivation = () => Promise.reject(new Error('Namespace escrow is not found.'));
  native.finalizeShutdown = () => new Promise((resolve) => (end = resolve));

  await expect(worker.run()).rejects.toThrow('Namespace escrow is not found.');

  expect(worker.getState()).toBe('FAILED');
  initiateShutdown.call(native);
  await expect(pollWorkflowActivation.call(native)).rejects.toThrow();
  await finalizeShutdown.call(native);
  end();
});
