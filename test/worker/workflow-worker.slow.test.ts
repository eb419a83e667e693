import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { anyFreePort } from '../support/ports.ts';
import { type RoleProcess, startWorkerProcess } from '../support/role-process.ts';

let service: OwnService;
let directory: string;
let bundle: string;
let worker: RoleProcess | undefined;
/** Those of `worker`. */
let settings = '';

beforeAll(async () => {
  service = await ownService({ withWorker: false });
  directory = mkdtempSync(join(tmpdir(), 'workflow-worker-'));
  bundle = join(directory, 'workflows.js');
  const workflowsPath = fileURLToPath(new URL('../support/looping-workflows.ts', import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  writeFileSync(bundle, code);
});
afterAll(async () => {
  await worker?.kill();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The worker of the test before, if it runs with the same settings. */
async function startWorker(env: Record<string, string> = {}): Promise<RoleProcess> {
  const wanted = JSON.stringify(env);
  if (worker !== undefined && wanted === settings) return worker;
  await worker?.kill();
  const started = await startWorkerProcess(service, { WORKFLOW_BUNDLE: bundle, ...env });
  [worker, settings] = [started, wanted];
  void started.exitCode.then(() => {
    if (worker === started) worker = undefined;
  });
  return started;
}

const start = (workflow: string, taskQueue = service.taskQueue) =>
  service.temporal.workflow.start(workflow, {
    taskQueue,
    workflowId: `${workflow}/${randomUUID()}`,
  });

describe('workflow code that never returns', () => {
  const EXIT_CODES = { endlessLoop: 1, endlessSearch: null }; // killed
  /** Side by side, because each holds a worker for the time limit. */
  const held = new Map<string, { process: RoleProcess; run: Awaited<ReturnType<typeof start>> }>();
  beforeAll(async () => {
    const hold = async (workflow: string) => {
      const taskQueue = `${service.taskQueue}-${workflow}`;
      const process = await startWorkerProcess(service, { WORKFLOW_BUNDLE: bundle, TEMPORAL_TASK_QUEUE: taskQueue });
      held.set(workflow, { process, run: await start(workflow, taskQueue) });
    };
    await Promise.all(Object.keys(EXIT_CODES).map(hold));
  });
  afterAll(() => Promise.all([...held.values()].map(({ process }) => process.kill())));

  test.each(Object.entries(EXIT_CODES))(
    '%s is logged with its workflow, and ends the worker with a failure',
    async (workflow, exitCode) => {
      const { process, run } = held.get(workflow) ?? {};
      if (process === undefined || run === undefined) throw new Error(`${workflow} was not started`);
      expect(await process.exitCode).toBe(exitCode);
      expect(process.output).toContain(`"workflowId":"${run.workflowId}"`);
      expect(process.output).toContain('a workflow task held its thread too long');
      await run.terminate();
    },
  );
});

describe('stack traces of workflow code', () => {
  const callStack = async () => {
    const run = await start('waitingWorkflow');
    return run.query<string>('__stack_trace').finally(() => run.terminate());
  };

  test('name the source position of an error', async () => {
    await startWorker();
    const run = await start('failingWorkflow');
    const trace = await run.result().catch((error: unknown) => {
      if (error instanceof WorkflowFailedError) return error.cause?.stack;
      throw error;
    });
    expect(trace).toMatch(/looping-workflows\.ts:\d+/);
  });

  test('are not taken for call stacks by default', async () => {
    await startWorker();
    await expect(callStack()).rejects.toThrow('stack traces are not enabled');
  });

  test('are taken for call stacks if configured', async () => {
    await startWorker({ TEMPORAL_CALL_STACKS: 'true' });
    expect(await callStack()).toMatch(/waitingWorkflow.*looping-workflows\.ts/);
  });
});

test.each([
  [2, 4],
  [5, 10],
])('a worker with %d database connections runs at most %d local activities at once', async (connections, slots) => {
  const port = await anyFreePort();
  await startWorker({ DATABASE_POOL_MAX: String(connections), METRICS_PORT: String(port) });
  const available = await eventually(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return /^temporal_worker_task_slots_available\{[^}]*worker_type="LocalActivityWorker"[^}]*\} (\d+)$/m.exec(
      metrics,
    )?.[1];
  });
  expect(Number(available)).toBe(slots);
});
