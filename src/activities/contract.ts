import type { CommandResult, Refused } from '../domain/entity.ts';
import type { CommandId } from '../domain/ids.ts';
import type { SentMessage, SignedAnswer } from '../domain/messages/signed.ts';
import type { Wire } from '../domain/messages/wire.ts';
import type { Source } from '../domain/source.ts';
import type { Instant } from '../domain/time.ts';

/** The results that the activities of all entities return to their workflows. */

/** The maximum number of timeline entries that a run keeps: it starts with the latest ones. PostgreSQL has all of them. */
export const MAX_TIMELINE_ENTRIES = 100;

/** An audit whose worker does not report for this long is given to another worker. */
export const AUDIT_HEARTBEAT_TIMEOUT_MS = 60_000;

/** What an activity said that a provider answered, about which attempt or withdrawal, and its proof. */
export type ProviderAnswer = SignedAnswer & {
  readonly activity: 'checkAttempt' | 'checkPayment' | 'refundAttempt' | 'checkPayout';
  readonly subjectId: string;
};

/** An answer to a question that the run asked for a command. */
export type AskedAnswer = { readonly commandId: CommandId; readonly answer: ProviderAnswer };

/** How a command reached its run. */
export type Arrival = {
  /** The message with the command; null for a command of the run's own clock. */
  readonly sent: SentMessage | null;
  /** Whether the message was a signal; false: an update. */
  readonly isSignal: boolean;
  /** Whether the command is what a provider said when the run asked it. */
  readonly isAnswer: boolean;
  /** The answer from which the command follows; absent if no activity asked for it. */
  readonly answer?: ProviderAnswer | undefined;
};

/** `REFUSED` entries contain the signal, the code of its refusal, and where it came from, if that is known. */
export type TimelineEntry = {
  readonly event: string;
  readonly actor: string;
  readonly at: Instant;
  readonly source?: Source;
  readonly signal?: string;
  readonly code?: string;
};

/** The data with which a run starts: the folded state (null if the entity does not exist yet) and the latest entries. */
export type Snapshot<State> = {
  readonly state: Wire<State> | null;
  readonly timeline: readonly TimelineEntry[];
  /** How far the company's test clock is ahead of real time, in milliseconds. */
  readonly clockAheadMs: number;
};

/**
 * The result of writing a step. `isUnproven`: the answer from which the command follows was not given to a worker. Workers of release
 * 1.0.0-rc.1 may continue the run, so it has no kind that they do not know.
 */
export type StepResult<State, Event> =
  /**
   * `at`: the time of the event in the database. `wake`: ids of workflows whose rows were written in the same transaction; they
   * are told to read their rows again.
   */
  | { readonly kind: 'applied'; readonly at: Instant; readonly wake: readonly string[] }
  /** The command was carried out before; this is its result. */
  | { readonly kind: 'repeated'; readonly stored: CommandResult<Event>; readonly isUnproven?: true }
  | (Refused & { readonly isUnproven?: true })
  /** Another writer was first: decide again from this state. */
  | { readonly kind: 'behind'; readonly snapshot: Snapshot<State> };
