import {
  type ActivityOptions,
  ApplicationFailure,
  type LocalActivityOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { Arrival, ProviderAnswer, Snapshot, StepResult } from '../../activities/contract.ts';
import type { EntityKind, Refused } from '../../domain/entity.ts';
import { DENIED_BY_DATABASE } from '../../domain/errors.ts';
import { type CommandId, type CompanyId, type Id, type IdKind, parseId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/time.ts';
import { COMPANY_ATTRIBUTE } from '../search-attributes.ts';
import type { CompanyClock } from './waiting.ts';

/**
 * How a run serves an escrow, a payment link or a withdrawal. The database stores the events. A run takes one command at a time,
 * lets the domain decide it, and has the step written (serve.ts, carry-out.ts). A `ServedEntity` describes the differences.
 */

export type AnyCommand = { readonly type: string; readonly commandId: CommandId };
export type AnyEvent = {
  readonly type: string;
  readonly commandId: CommandId;
  readonly actor: string;
  readonly at: Instant;
};
export type AnyState = { readonly status: string; readonly seq: number };

export type ServedEntity<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted> = {
  /** The name for people. */
  readonly noun: string;
  /** The public id. */
  readonly publicId: string;
  readonly display: Display<State, Event>;
  /** Decides and waits by this clock. */
  readonly clock: CompanyClock;
  readonly decide: (
    state: State | null,
    command: Command,
    now: Instant,
  ) => (Accepted & { readonly kind: 'accepted'; readonly event: Event }) | Refused;
  readonly evolve: (state: State | null, event: Event) => State;
  /** Whether no further event is possible: the run then ends. */
  readonly isOver: (state: State) => boolean;
  /** The next event that time alone causes. */
  readonly nextDeadline: (
    state: State,
  ) => { readonly at: Instant; readonly command: (commandId: CommandId) => Command } | null;
  /**
   * Converts a command into one that can be decided, by asking a provider: `askProvider` (ask-provider.ts) of links, `answerQuestion`
   * of withdrawals. Most commands are decided unchanged.
   */
  readonly prepare?: (state: State | null, command: Command) => Promise<Prepared<Command>>;
  /**
   * Whether `prepare` can have an effect at a provider for this command. Then it is not called for a message that came before.
   */
  readonly hasEffect?: (command: Command) => boolean;
  /** The command to try after the database refused this one; null if there is none. */
  readonly fallbackCommand?: (command: Command) => Command | null;
  /** The command that follows when the command of a deadline is refused; null if there is none. */
  readonly afterRefusedDeadline?: (command: Command, code: string) => ((commandId: CommandId) => Command) | null;
  /** Work that follows an event but is not written with it. `notRunning`: ids of workflows that could not be woken. */
  readonly afterEvent?: (state: State, event: Event, notRunning: readonly string[]) => Promise<void>;
  readonly kind: EntityKind;
  readonly id: string;
  readonly load: () => Promise<Snapshot<State>>;
  /** Writes the step: the local activity `applyEscrowEvent`, `applyLinkEvent` or `applyWithdrawalEvent`. */
  readonly apply: (
    decision: Accepted & { readonly event: Event },
    next: State,
    summary: string,
    arrival: Arrival,
    /** The step if the answer in `arrival` is not proven; null if there is none then. */
    instead: { readonly decision: Accepted & { readonly event: Event }; readonly next: State } | null,
  ) => Promise<StepResult<State, Event>>;
  /** The input of the next run, if this run continues as new: the id, and what the database does not have. */
  readonly nextInput: () => object;
};

/**
 * `told`: the answer from which the command follows. `unanswered`: the command that would follow without an answer.
 *
 * Any client of Temporal can complete an activity, so a worker signs what a provider answered, for one command, and the proof comes in
 * the metadata of the result. The run cannot verify it: `apply` does, and writes nothing that follows from an unproven answer. It then
 * writes the step of `unanswered` for a link, and refuses the command of a withdrawal.
 */
export type Prepared<Command> = {
  readonly command: Command;
  readonly told?: { readonly answer: ProviderAnswer; readonly unanswered: Command } | undefined;
};

/** The result of a run. Amounts are strings of cents. */
export type RunResult = { readonly id: string; readonly status: string } & Readonly<Record<string, unknown>>;

/** The texts for one kind of entity. Every text is Markdown or one line. */
export type Display<State, Event extends { readonly type: string }> = {
  /** The current state, in paragraphs. */
  readonly describe: (state: State | null) => readonly string[];
  /** The database step: `resolve 200.00 USD to the seller`. `next` is the state after the step. */
  readonly request: (next: State, event: Event) => string;
  /** The event: `RESOLVED 200.00 USD`. */
  readonly eventLine: (next: State, event: Event) => string;
  readonly facts: (state: State) => Facts;
  /** The commands that the run accepts now, and the other writers that may change its state. */
  readonly waitingFor: (state: State) => readonly string[];
  /** The result of the run when it ends. */
  readonly result: (state: State) => object;
  /** The events that the worker's log shows, because a person should look at them. */
  readonly logs?: EventLogs<Event>;
};

/** The filters of lists, besides status and deadline. */
export type Facts = {
  readonly amountCents: bigint;
  /** Public ids. */
  readonly buyer?: string;
  readonly seller?: string;
  readonly attention: readonly string[];
};

export type EventLogLine<Event> = {
  readonly level: 'warn' | 'error';
  readonly text: string;
  /** Ids and codes of the event. */
  readonly fields: (event: Event) => Readonly<Record<string, unknown>>;
};
export type EventLogs<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]?: EventLogLine<Extract<Event, { readonly type: Type }>>;
};

/**
 * The bare id from the field of a workflow's input that contains the public id. Any client of Temporal can start a workflow. The
 * run fails if its input has no such id, or if its workflow id names another entity: clients would reach the wrong one.
 */
export function requireId<K extends IdKind>(
  kind: K,
  input: object | undefined,
  field: string,
  workflowIdOf: (id: Id<K>) => string,
): Id<K> {
  const text: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, field) : undefined;
  const id = typeof text === 'string' ? parseId(kind, text) : undefined;
  if (id === undefined) throw invalid(`the input holds no id of a ${kind}`);
  if (workflowInfo().workflowId !== workflowIdOf(id)) throw invalid('the input and the workflow id name different ids');
  return id;
}

function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'invalid_id');
}

/** The company for which the run was started; null if the caller did not name it. The row names it too, once it exists. */
export function companyOfRun(): CompanyId | null {
  return parseId('company', workflowInfo().typedSearchAttributes.get(COMPANY_ATTRIBUTE) ?? '') ?? null;
}

/**
 * After this many events a run continues as new. Temporal suggests it only at 4,096, and a worker that takes over such a run
 * would need longer to replay it than WORKFLOW_TASK_TIMEOUT allows. The run would never proceed again.
 */
const MAX_HISTORY_EVENTS = 250;
/** An entity's limit is up to this many events lower. Entities that work at the same pace then continue one after the other. */
const SPREAD_EVENTS = 50;

/**
 * Whether a run of the entity with this id should continue as new as soon as no caller waits for it. The limit follows from the
 * id, so it is the same in each of the entity's runs.
 */
export function isHistoryLong(id = ''): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  const codes = Array.from(id, (character) => character.charCodeAt(0));
  const earlier = codes.reduce((sum, code) => sum + code, 0) % SPREAD_EVENTS;
  return continueAsNewSuggested || historyLength >= MAX_HISTORY_EVENTS - earlier;
}

/**
 * Database work runs as a local activity: inside the workflow task, without a round trip through a task queue. Short outages
 * are retried immediately; past the threshold the retry waits on a durable timer instead of holding the task. A denied
 * statement is retried by the workflow, which shows the denial (waiting.ts).
 */
export const LOCAL_ACTIVITY = {
  startToCloseTimeout: '5 seconds',
  localRetryThreshold: '3 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '15 seconds',
    nonRetryableErrorTypes: [DENIED_BY_DATABASE],
  },
} as const satisfies LocalActivityOptions;

/** One call to a provider, without retries. The workflow decides whether and when to call again. */
export const PROVIDER_ACTIVITY = {
  startToCloseTimeout: '8 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 1 },
} as const satisfies ActivityOptions;
