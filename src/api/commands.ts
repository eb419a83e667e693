import {
  type Client,
  isGrpcServiceError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { isRefusalCode, Refusal } from '../domain/errors.ts';
import type { EscrowCommand } from '../domain/escrow/escrow.ts';
import { type EscrowHeading, startBefore } from '../temporal/escrow-run.ts';
import { type EscrowInput, type EscrowMessage, type EscrowResult, RUN_IS_CLOSING } from '../workflows/messages.ts';

/** How long a caller waits for a command before it is told to come again with the same key. */
const COMMAND_DEADLINE_MS = 9_000;
const RESEND_DELAY_MS = 50;

const GRPC_RESOURCE_EXHAUSTED = 8;
const GRPC_UNAVAILABLE = 14;
/** The run ended or was closing under the call: the next run takes it. */
const GRPC_RUN_IS_GONE: readonly number[] = [5, 10];

export type Commands = {
  /**
   * Has `type` carried out on the escrow, once per `message.commandId`, starting its workflow where none runs.
   * Throws the refusal of the domain; `dependency_unavailable` where nothing answered in time (the command may still be
   * carried out: send it again with the same id); `too_many_requests` where the escrow is overrun.
   */
  readonly escrow: <Type extends EscrowCommand['type']>(
    heading: EscrowHeading,
    type: Type,
    message: EscrowMessage<Type>,
  ) => Promise<EscrowResult>;
};

export function createCommands(client: Client, taskQueue: string): Commands {
  return {
    async escrow(heading, type, message) {
      const deadline = Date.now() + COMMAND_DEADLINE_MS;
      for (;;) {
        try {
          return await client.withDeadline(deadline, () =>
            client.workflow.executeUpdateWithStart<
              (input: EscrowInput) => Promise<void>,
              EscrowResult,
              [typeof message]
            >(type, {
              updateId: message.commandId,
              args: [message],
              startWorkflowOperation: startBefore(heading, taskQueue),
            }),
          );
        } catch (error) {
          if (!isRunGone(error) || Date.now() + RESEND_DELAY_MS >= deadline) throw refusalOf(error);
          await new Promise((resolve) => setTimeout(resolve, RESEND_DELAY_MS));
        }
      }
    },
  };
}

function failureOf(error: unknown): ApplicationFailure | undefined {
  return error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure
    ? error.cause
    : undefined;
}

function isRunGone(error: unknown): boolean {
  if (isGrpcServiceError(error)) return GRPC_RUN_IS_GONE.includes(error.code);
  const type = failureOf(error)?.type;
  // An accepted update whose run ended before it was done: nothing was written for it, or the retry finds what was.
  return type === RUN_IS_CLOSING || type === 'AcceptedUpdateCompletedWorkflow';
}

function refusalOf(error: unknown): unknown {
  const failure = failureOf(error);
  if (isRefusalCode(failure?.type)) return new Refusal(failure.type, failure.message);
  const isTimeout = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
  if (isTimeout || isRunGone(error)) return unavailable(error);
  if (!isGrpcServiceError(error)) return error;
  if (error.code === GRPC_RESOURCE_EXHAUSTED)
    return new Refusal('too_many_requests', 'the escrow has too many commands in flight');
  return error.code === GRPC_UNAVAILABLE || error.code === 4 || error.code === 1 ? unavailable(error) : error;
}

function unavailable(cause: unknown): Refusal {
  const refusal = new Refusal(
    'dependency_unavailable',
    'the command was not confirmed in time; send it again with the same idempotency key',
  );
  refusal.cause = cause;
  return refusal;
}
