import type { ApplyOutcome, Snapshot } from '../activities/contract.ts';
import type { RecordKind } from '../activities/records.ts';
import type { Refused } from '../domain/entity.ts';
import type { CommandId } from '../domain/ids.ts';
import type { SentMessage } from '../domain/messages/sent-message.ts';
import type { Instant } from '../domain/time.ts';
import type { CompanyClock } from './company-clock.ts';
import type { Display } from './details/display.ts';

/**
 * The common part of escrows, payment links and withdrawals. The database stores the events. A run takes one command at a time,
 * lets the domain decide it, and has the step written. An `Entity` describes the differences.
 */

export type AnyCommand = { readonly type: string; readonly commandId: CommandId };
export type AnyEvent = {
  readonly type: string;
  readonly commandId: CommandId;
  readonly actor: string;
  readonly at: Instant;
};
export type AnyState = { readonly status: string; readonly seq: number };

export type Entity<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted> = {
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
  /** Converts a command into one that can be decided, by asking a provider. Most commands are decided unchanged. */
  readonly prepare?: (state: State | null, command: Command) => Promise<Command>;
  /**
   * Whether `prepare` can have an effect at a provider for this command. Then it is not called for a message that came before.
   */
  readonly hasEffect?: (command: Command) => boolean;
  /** The command to try after the database refused this one; null if there is none. */
  readonly fallbackCommand?: (command: Command) => Command | null;
  /** Called when the command of a deadline is refused. It may queue a follow-up command. */
  readonly onDeadlineRefused?: (command: Command, code: string) => void;
  /** Work that follows an event but is not written with it. `notRunning`: ids of workflows that could not be woken. */
  readonly afterEvent?: (state: State, event: Event, notRunning: readonly string[]) => Promise<void>;
  readonly load: () => Promise<Snapshot<State>>;
  readonly kind: RecordKind;
  readonly id: string;
  readonly apply: (
    decision: Accepted & { readonly event: Event },
    next: State,
    summary: string,
    sent: SentMessage | null,
  ) => Promise<ApplyOutcome<State, Event>>;
};

/** The result of a run: the outcome for the entity. Amounts are strings of cents. */
export type RunResult = { readonly id: string; readonly status: string } & Readonly<Record<string, unknown>>;
