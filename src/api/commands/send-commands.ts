import { randomUUID } from 'node:crypto';
import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { MessageProof } from '../../db/core/message-proof.ts';
import { currentSource } from '../../db/core/source.ts';
import type { OpenRun } from '../../db/operations/open-runs.ts';
import type { RequestStore } from '../../db/requests/request-store.ts';
import { refusalFrom } from '../../domain/entity.ts';
import { Refusal } from '../../domain/errors.ts';
import { MESSAGE_TYPES, type MessageType } from '../../domain/escrow/commands.ts';
import type { LinkMessageType } from '../../domain/payment-link/link.ts';
import { LINK_MESSAGE_TYPES } from '../../domain/payment-link/parse-command.ts';
import { WITHDRAWAL_MESSAGE_TYPES, type WithdrawalMessageType } from '../../domain/withdrawal/parse-command.ts';
import { commandSeconds, commands, startAtZero } from '../../observability/metrics.ts';
import { GRPC, isNamespaceMissing } from '../../temporal/connection.ts';
import {
  type AnyWorkflow,
  escrowRun,
  type Heading,
  linkRun,
  type Run,
  runOfOpen,
  signalRun,
  startBefore,
  withdrawalRun,
} from '../../temporal/runs.ts';
import {
  CREATE_LINK_UPDATE,
  type EscrowResult,
  INITIATE_UPDATE,
  type LinkResult,
  type Message,
  REFRESH_SIGNAL,
  REQUEST_WITHDRAWAL_UPDATE,
  RUN_IS_CLOSING,
  type WithdrawalResult,
} from '../../workflows/messages.ts';
import { type CommandWaits, MAX_COMMANDS_IN_FLIGHT_PER_RUN } from '../limits.ts';
import { Turnstile } from '../middleware/turnstile.ts';

/**
 * Sends commands to the runs of escrows, payment links and withdrawals, and turns failures into refusals. This folder
 * has the work of routes between a parsed request and its response: sending commands once per key, and rules that several routes need.
 */

const RESEND_DELAY_MS = 50;
const SIGNALS_IN_FLIGHT = 8;

const GRPC_NO_ANSWER: readonly number[] = [GRPC.CANCELLED, GRPC.DEADLINE_EXCEEDED, GRPC.UNAVAILABLE];
/** The run ended or was closing during the call; the next run takes the command. */
const GRPC_RUN_IS_GONE: readonly number[] = [GRPC.NOT_FOUND, GRPC.FAILED_PRECONDITION, GRPC.ABORTED];
/** Failure types: our own, Temporal's for an accepted update whose run ended, and Temporal's for an update that no worker saw. */
const LOST_COMMANDS: readonly string[] = [RUN_IS_CLOSING, 'AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'];

/** The commands that are sent before a run exists. */
const FIRST_UPDATES: readonly string[] = [INITIATE_UPDATE, CREATE_LINK_UPDATE, REQUEST_WITHDRAWAL_UPDATE];

const SENT_TYPES = {
  escrow: [INITIATE_UPDATE, ...MESSAGE_TYPES],
  'payment-link': [CREATE_LINK_UPDATE, ...LINK_MESSAGE_TYPES],
  withdrawal: [REQUEST_WITHDRAWAL_UPDATE, ...WITHDRAWAL_MESSAGE_TYPES],
} satisfies Record<Run['kind'], readonly string[]>;

for (const [entity, type] of Object.entries(SENT_TYPES)) {
  startAtZero(commands, { entity: [entity], type, outcome: ['done', 'refused', 'error'] });
  startAtZero(commandSeconds, { entity: [entity] });
}

export type Commands = {
  /**
   * Runs the command `type` on the escrow, once per `message.commandId`, and starts its workflow if it is not running. Throws
   * the domain's refusal; `dependency_unavailable` if there was no answer in time (the command may still be carried out: send
   * it again with the same id); `too_many_requests` if the escrow has too many commands in flight.
   */
  readonly escrow: (
    heading: Heading<'escrow'>,
    type: MessageType | typeof INITIATE_UPDATE,
    message: Message,
  ) => Promise<EscrowResult>;
  /** Runs a command on a payment link, with the same guarantees. */
  readonly link: (
    heading: Heading<'paymentLink'>,
    type: LinkMessageType | typeof CREATE_LINK_UPDATE,
    message: Message,
  ) => Promise<LinkResult>;
  /** Runs a command on a withdrawal, with the same guarantees. */
  readonly withdrawal: (
    heading: Heading<'transaction'>,
    type: WithdrawalMessageType | typeof REQUEST_WITHDRAWAL_UPDATE,
    message: Message,
  ) => Promise<WithdrawalResult>;
  /** Sends a link a command as a signal: its run carries it out, and nobody waits for the result. Throws `dependency_unavailable`. */
  readonly signalLink: (heading: Heading<'paymentLink'>, type: LinkMessageType, message: Message) => Promise<void>;
  /** Sends a withdrawal a command as a signal. */
  readonly signalWithdrawal: (
    heading: Heading<'transaction'>,
    type: WithdrawalMessageType,
    message: Message,
  ) => Promise<void>;
  /** Tells runs to read their rows again, and starts those that are missing. Throws `dependency_unavailable`. */
  readonly refresh: (open: readonly OpenRun[]) => Promise<void>;
};

/**
 * Every message carries its source and the time at which it was sent, and is signed with `proof`. The answer to a command is what `findDecision`
 * finds under its id, and never what a run says: who reaches Temporal's port can put another program in the run's place.
 */
export function createCommands(
  client: Client,
  taskQueue: string,
  { proof, findDecision }: { readonly proof: MessageProof } & Pick<RequestStore, 'findDecision'>,
  waits: Omit<CommandWaits, 'chargeMs'>,
): Commands {
  const turnstile = new Turnstile(MAX_COMMANDS_IN_FLIGHT_PER_RUN);

  function signed(run: Run, type: string, message: Message): Message {
    const sent = { ...message, source: currentSource(), sentAt: new Date().toISOString() };
    return proof.sign(run.workflowId, { type, message: sent });
  }

  /** Sends an update, and counts its result. */
  async function send<Result>(run: Run, type: string, message: Message): Promise<Result> {
    const stopwatch = commandSeconds.startTimer({ entity: run.kind });
    let outcome = 'done';
    try {
      return await decided<Result>(run, type, message);
    } catch (error) {
      outcome = error instanceof Refusal ? 'refused' : 'error';
      throw error;
    } finally {
      stopwatch();
      commands.inc({ entity: run.kind, type, outcome });
    }
  }

  /**
   * The stored result of a command, once a run says that it is decided. Throws the stored refusal. If nothing is stored, the command
   * is sent again as another update: Temporal repeats what a run that has ended said about the first one.
   */
  async function decided<Result>(run: Run, type: string, message: Message): Promise<Result> {
    const { kind, companyId, entityId } = run;
    let failure: unknown;
    for (const updateId of [message.commandId, randomUUID()]) {
      failure = await sendRepeatedly(run, type, message, updateId);
      const decision = await findDecision({ kind, companyId, entityId, commandId: message.commandId });
      if (decision?.kind === 'refused') throw refusalFrom(decision);
      if (decision !== null) return decision.stored as Result; // the event of a command on an entity of this kind
    }
    throw unavailable(failure ?? new Error(`${run.workflowId} answered a command that is not decided`));
  }

  /** Sends an update, and repeats it until a run says that it is carried out, or fails it. Returns the failure. */
  async function sendRepeatedly(run: Run, type: string, message: Message, updateId: string): Promise<unknown> {
    const deadline = Date.now() + waits.commandMs;
    const turnBefore = Date.now() + waits.turnMs;
    const update = { updateId, args: [signed(run, type, message)] as [Message] };
    // All commands but the first find a running workflow, and a plain update is cheaper than an update with start. A workflow id has one
    // open run: the start makes none beside it, and the update goes to it.
    let isRunning = !FIRST_UPDATES.includes(type);
    const sendOnce = () =>
      isRunning
        ? client.workflow.getHandle(run.workflowId).executeUpdate<unknown, [Message]>(type, update)
        : client.workflow.executeUpdateWithStart<AnyWorkflow, unknown, [Message]>(type, {
            ...update,
            startWorkflowOperation: startBefore(run, taskQueue),
          });
    return turnstile.pass(run.workflowId, turnBefore, async () => {
      for (;;) {
        try {
          await client.withDeadline(deadline, sendOnce);
          return undefined;
        } catch (error) {
          if (error instanceof WorkflowUpdateFailedError && !isLost(error)) return error;
          if (isRunning && error instanceof WorkflowNotFoundError) {
            isRunning = false;
            continue;
          }
          if (!isLost(error) || Date.now() + RESEND_DELAY_MS >= deadline) throw asRefusal(error);
          await new Promise((resolve) => setTimeout(resolve, RESEND_DELAY_MS));
        }
      }
    });
  }

  function signal(run: Run, name: string, message: object): Promise<void> {
    return signalRun(client, taskQueue, run, name, message).catch((error: unknown) => {
      throw asRefusal(error);
    });
  }

  function signalSigned(run: Run, type: string, message: Message): Promise<void> {
    return signal(run, type, signed(run, type, message));
  }

  return {
    escrow: (heading, type, message) => send(escrowRun(heading), type, message),
    link: (heading, type, message) => send(linkRun(heading), type, message),
    withdrawal: (heading, type, message) => send(withdrawalRun(heading), type, message),
    signalLink: (heading, type, message) => signalSigned(linkRun(heading), type, message),
    signalWithdrawal: (heading, type, message) => signalSigned(withdrawalRun(heading), type, message),
    async refresh(open) {
      const waiting = open.values();
      const work = async () => {
        for (const run of waiting) await signal(runOfOpen(run), REFRESH_SIGNAL, {});
      };
      await Promise.all(Array.from({ length: SIGNALS_IN_FLIGHT }, work));
    },
  };
}

function failureOf(error: unknown): ApplicationFailure | undefined {
  return error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure
    ? error.cause
    : undefined;
}

/**
 * Whether the command reached no run, or a run that ended before it. What was written for the command is found when it is sent
 * again.
 */
function isLost(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code === undefined ? LOST_COMMANDS.includes(failureOf(error)?.type ?? '') : GRPC_RUN_IS_GONE.includes(code);
}

/** The gRPC status of an error from Temporal, raw from the connection or wrapped by the client. */
function grpcCodeOf(error: unknown): number | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) ? cause.code : undefined;
}

function asRefusal(error: unknown): unknown {
  const isTimeout = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
  if (isTimeout || isLost(error) || isNamespaceMissing(error)) return unavailable(error);
  const code = grpcCodeOf(error);
  if (code === GRPC.RESOURCE_EXHAUSTED)
    return new Refusal('too_many_requests', 'too many commands are in flight on this resource');
  return code !== undefined && GRPC_NO_ANSWER.includes(code) ? unavailable(error) : error;
}

function unavailable(cause: unknown): Refusal {
  const refusal = new Refusal(
    'dependency_unavailable',
    'the command was not confirmed in time; send it again with the same idempotency key',
  );
  refusal.cause = cause;
  return refusal;
}
