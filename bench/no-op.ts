import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Client, Connection, WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';

/** Workflows that do nothing, on the same Temporal server with a worker of their own: the cost of Temporal itself. */
export type NoOps = {
  readonly start: (count: number) => Promise<WorkflowHandle[]>;
  /** A workflow that is started by its first update and then left alone. */
  readonly startByUpdate: () => Promise<void>;
  readonly client: Client;
  readonly stop: () => Promise<void>;
};

export async function startNoOps(address: string): Promise<NoOps> {
  const taskQueue = `no-op-${randomUUID()}`;
  const child = spawn(process.execPath, ['bench/no-op-worker.ts', address, taskQueue], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  return {
    client,
    start: (count) =>
      Promise.all(
        Array.from({ length: count }, () =>
          client.workflow.start('noOpWorkflow', { taskQueue, workflowId: `no-op/${randomUUID()}` }),
        ),
      ),
    async startByUpdate() {
      const startWorkflowOperation = new WithStartWorkflowOperation('noOpWorkflow', {
        taskQueue,
        workflowId: `no-op/${randomUUID()}`,
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      await client.workflow.executeUpdateWithStart('nothing', { startWorkflowOperation });
    },
    async stop() {
      child.kill();
      await connection.close();
    },
  };
}
