import { workerData } from 'node:worker_threads';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { taskRunner } from './task-watch.ts';
import type { ThreadSettings } from './workflow-worker.ts';

/**
 * The thread in which a worker runs workflow code: the SDK's own thread with two changes (docs/adr/0019). Each task is marked for
 * the parent's watch, and promises have no stack traces unless they are configured.
 */

const { board, hasCallStacks }: ThreadSettings = workerData;
const runTask = taskRunner(board);

// The SDK takes a stack trace with source maps for every promise of workflow code, for the "Call Stack" query alone.
if (!hasCallStacks) Object.assign(globalHandlers, { setPromiseHook: () => undefined });

const { createWorkflow } = ReusableVMWorkflowCreator.prototype;
ReusableVMWorkflowCreator.prototype.createWorkflow = async function (options) {
  const { workflowId } = options.info;
  const workflow = await runTask(workflowId, () => createWorkflow.call(this, options));
  const activate = workflow.activate.bind(workflow);
  workflow.activate = (activation) => runTask(workflowId, () => activate(activation));
  return workflow;
};

// It begins to answer messages once it is loaded.
await import('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
