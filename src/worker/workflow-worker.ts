import { Worker as Thread } from 'node:worker_threads';
import { type Logger, ShutdownError, Worker, type WorkerOptions } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options.js';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm.js';
import type { WorkflowBundleWithSourceMapAndFilename } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js';
import { createTaskBoard, type TaskBoard, watchTasks } from './task-watch.ts';

/**
 * The SDK's worker with threads of our own for workflow code (workflow-thread.ts). The SDK limits the time of every call into
 * workflow code, for which Node starts and joins a thread each time. Here one watch for each thread replaces these limits: a
 * workflow task that holds its thread too long is logged and ends the thread, and with it the worker (docs/adr/0019).
 */

export type ThreadSettings = {
  readonly board: TaskBoard;
  readonly hasCallStacks: boolean;
};

type WorkflowWorkerOptions = WorkerOptions & {
  /** Whether workflows answer the query for their call stacks, which the Temporal UI shows. Each promise then costs a trace. */
  readonly hasCallStacks: boolean;
  /** Called before the worker ends because of this workflow. */
  readonly onStuck: (workflowId: string) => void;
};

/** The SDK's type requires a number, but Node's `vm` has no limit only if the option is undefined. */
const NO_TIMEOUT = undefined as unknown as number;

/**
 * A thread that is not ended within this time runs a function of the JavaScript engine, which nothing interrupts. Node would wait
 * for it at an orderly exit, so the process kills itself.
 */
const TERMINATION_MS = 5_000;

/** The SDK ends its own part of a worker that failed within this time, or never: it may wait for tasks that nobody completes. */
const ENDS_WITHIN_MS = 3_000;

/** Fails as `Worker.create` does. The worker's run always ends soon after the worker failed, with the reason. */
export function createWorkflowWorker({ hasCallStacks, onStuck, ...options }: WorkflowWorkerOptions): Promise<Worker> {
  class WorkflowWorker extends Worker {
    protected static override createWorkflowCreator(
      bundle: WorkflowBundleWithSourceMapAndFilename,
      { workflowThreadPoolSize, activities }: CompiledWorkerOptions,
      logger: Logger,
    ): Promise<WorkflowCreator> {
      const threads = Array.from({ length: workflowThreadPoolSize }, () => startThread(hasCallStacks, onStuck));
      return workflowCreator(threads, bundle, new Set(activities.keys()), logger);
    }

    #pollFailure: unknown;

    protected override pollLoop$<T>(poll: () => Promise<T>) {
      return super.pollLoop$(() =>
        poll().catch((error: unknown) => {
          if (!(error instanceof ShutdownError)) this.#pollFailure ??= error;
          throw error;
        }),
      );
    }

    override run(): Promise<void> {
      const ended = super.run().catch((error: unknown) => {
        throw this.#pollFailure ?? error; // the SDK may fail to end its own part too, which hides why
      });
      return Promise.race([ended, this.#failsToEnd()]);
    }

    #failsToEnd(): Promise<never> {
      const reason = () => this.#pollFailure ?? new Error('the worker failed, and did not end');
      return new Promise((_, reject) => {
        this.stateSubject.subscribe((state) => {
          if (state === 'FAILED') setTimeout(() => reject(reason()), ENDS_WITHIN_MS).unref();
        });
      });
    }
  }
  return WorkflowWorker.create(options);
}

/** Loads a bundle into threads. The SDK then runs workflows in them. */
export async function workflowCreator(
  threads: readonly Thread[],
  workflowBundle: WorkflowBundleWithSourceMapAndFilename,
  registeredActivityNames: Set<string>,
  logger: Logger,
): Promise<WorkflowCreator> {
  const clients = threads.map((thread) => new WorkerThreadClient(thread, logger));
  for (const client of clients)
    await client.send({
      type: 'init',
      workflowBundle,
      isolateExecutionTimeoutMs: NO_TIMEOUT,
      reuseV8Context: true,
      registeredActivityNames,
      hasPatchActivationCallback: false,
    });
  return new ThreadedVMWorkflowCreator(clients);
}

export function startThread(hasCallStacks: boolean, onStuck: (workflowId: string) => void): Thread {
  const board = createTaskBoard();
  const workerData: ThreadSettings = { board, hasCallStacks };
  const thread = new Thread(new URL('./workflow-thread.ts', import.meta.url), { workerData });
  const endWatch = watchTasks(board, (workflowId) => {
    onStuck(workflowId);
    const forced = setTimeout(() => process.kill(process.pid, 'SIGKILL'), TERMINATION_MS);
    void thread.terminate().then(() => clearTimeout(forced));
  });
  thread.once('exit', endWatch);
  return thread;
}
