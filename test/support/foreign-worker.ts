import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { eventually } from './eventually.ts';
import type { TestService, WithTemporal } from './service.ts';

const POLL_MS = 30_000;
const { CommandType } = proto.temporal.api.enums.v1;
const { Acceptance, Request, Response } = proto.temporal.api.update.v1;

/**
 * Calls an activity of the service's task queue from a workflow of its own, as any client of Temporal's port can do. Returns the
 * failure's type, or `completed`.
 */
export async function callActivityFromOutside(
  service: TestService & WithTemporal,
  name: string,
  input: unknown,
): Promise<string> {
  const { workflow, workflowService, connection, options } = service.temporal;
  const { namespace } = options;
  const taskQueue = `foreign-${randomUUID()}`;
  const handle = await workflow.start('foreignWorkflow', { workflowId: taskQueue, taskQueue });
  const { taskToken } = await connection.withDeadline(Date.now() + POLL_MS, () =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
  );
  await workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken,
    commands: [
      {
        commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
        scheduleActivityTaskCommandAttributes: {
          activityId: '1',
          activityType: { name },
          taskQueue: { name: service.taskQueue },
          input: {
            payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(input)) }],
          },
          startToCloseTimeout: { seconds: 10 as unknown as Long }, // the type of the wire; a number does as well
          retryPolicy: { maximumAttempts: 1 },
        },
      },
    ],
  });
  const outcome = await eventually(async () => {
    const { events } = await handle.fetchHistory();
    for (const event of events ?? []) {
      if (event.activityTaskCompletedEventAttributes != null) return 'completed';
      const failed = event.activityTaskFailedEventAttributes;
      if (failed != null) return String(failed.failure?.applicationFailureInfo?.type);
    }
    return undefined;
  });
  await handle.terminate();
  return outcome;
}

/** Completes the activity that a run waits for with `answer`, as any client of Temporal's port can do. */
export async function completeInstead(
  { temporal }: WithTemporal,
  workflowId: string,
  activity: string,
  answer: unknown,
): Promise<void> {
  const { workflow, workflowService, options } = temporal;
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(answer)) };
  await eventually(async () => {
    const { raw } = await workflow.getHandle(workflowId).describe();
    const pending = raw.pendingActivities?.find(({ activityType }) => activityType?.name === activity);
    if (pending === undefined) return false;
    const { activityId } = pending;
    return workflowService
      .respondActivityTaskCompletedById({
        namespace: options.namespace,
        workflowId,
        activityId: activityId ?? null,
        result: { payloads: [payload] },
      })
      .then(
        () => true,
        () => false, // the worker was faster
      );
  });
}

/** What a foreign worker answers to an update: a result, or the failure type of a refusal. */
export type ForeignAnswer = { readonly result: unknown } | { readonly failure: string };

/**
 * Puts a workflow that no code of the service serves in the place of a run, as any client of Temporal's port can do, and runs
 * `work` while a foreign worker answers the updates of that run. Without the answer of `work` it answers for POLL_MS at most.
 */
export async function withForeignRun<T>(
  service: TestService & WithTemporal,
  workflowId: string,
  answer: ForeignAnswer,
  work: () => Promise<T>,
): Promise<T> {
  const { workflow, workflowService, connection, options } = service.temporal;
  const { namespace } = options;
  const taskQueue = `foreign-${randomUUID()}`;
  await workflow.getHandle(workflowId).terminate();
  const handle = await workflow.start('foreignWorkflow', { workflowId, taskQueue });
  const outcome =
    'result' in answer
      ? {
          success: {
            payloads: [
              { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(answer.result)) },
            ],
          },
        }
      : { failure: { message: 'refused', applicationFailureInfo: { type: answer.failure, nonRetryable: true } } };
  const isDone = new AbortController();
  const serve = async () => {
    while (!isDone.signal.aborted) {
      const { taskToken, messages } = await connection.withAbortSignal(isDone.signal, () =>
        connection.withDeadline(Date.now() + POLL_MS, () =>
          workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
        ),
      );
      const answers = (messages ?? []).flatMap(({ id, protocolInstanceId, eventId, body }) => {
        const request = Request.decode(body?.value ?? new Uint8Array());
        const accepted = Acceptance.encode({
          acceptedRequestMessageId: id ?? null,
          acceptedRequestSequencingEventId: eventId ?? null,
          acceptedRequest: request,
        }).finish();
        const completed = Response.encode({ meta: request.meta ?? null, outcome }).finish();
        const packed = (name: string, value: Uint8Array) => ({
          id: `${id}/${name}`,
          protocolInstanceId: protocolInstanceId ?? null,
          body: { type_url: `type.googleapis.com/temporal.api.update.v1.${name}`, value },
        });
        return [packed('Acceptance', accepted), packed('Response', completed)];
      });
      await workflowService.respondWorkflowTaskCompleted({
        namespace,
        taskToken,
        messages: answers,
        commands: answers.map(({ id }) => ({
          commandType: CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE,
          protocolMessageCommandAttributes: { messageId: id },
        })),
      });
    }
  };
  const serving = serve().catch((error: unknown) => {
    if (!isDone.signal.aborted) throw error;
  });
  try {
    return await work();
  } finally {
    isDone.abort();
    await serving;
    await handle.terminate();
  }
}
