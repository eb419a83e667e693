import type { ApplyOutcome, Snapshot } from '../activities/contract.ts';
import type { RecordKind } from '../activities/records.ts';
import type { Refused } from '../domain/entity.ts';
import type { CommandId } from '../domain/ids.ts';
import type { SentMessage } from '../domain/sent-message.ts';
import type { Wire } from '../domain/wire.ts';
import type { Display } from './display.ts';

/**
 * What escrows, payment links and withdrawals have in common. The database holds what happened. A run takes one command at a
 * time, has the domain decide it, and has the step written. An `Entity` describes what differs.
 */

export type AnyCommand = { readonly type: string; readonly commandId: CommandId };
export type AnyEvent = {
  readonly type: string;
  readonly commandId: CommandId;
  readonly actor: string;
  readonly at: string;
};
export type AnyState = { readonly status: string; readonly seq: number };

export type Entity<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted> = {
  /** What people call it. */
  readonly noun: string;
  /** The id that clients see. */
  readonly publicId: string;
  readonly display: Display<State, Event>;
  readonly decide: (
    state: State | null,
    command: Command,
    now: string,
  ) => (Accepted & { readonly kind: 'accepted'; readonly event: Event }) | Refused;
  readonly evolve: (state: State | null, event: Event) => State;
  /** Nothing more can happen: the run ends. */
  readonly isOver: (state: State) => boolean;
  /** What time alone will do next. */
  readonly nextDeadline: (
    state: State,
  ) => { readonly at: string; readonly command: (commandId: CommandId) => Command } | null;
  /** Turns a command into one that can be decided, by asking a provider. Most commands are decided as they are. */
  readonly prepare?: (state: State | null, command: Command) => Promise<Command>;
  /** The command to try where the database refused this one; null for none. */
  readonly fallbackCommand?: (command: Command) => Command | null;
  /** Tells the mailbox what follows where a deadline's command was refused. */
  readonly onDeadlineRefused?: (command: Command, code: string) => void;
  /** Work that follows an event and is not written with it. `notRunning`: workflow ids that could not be woken. */
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

export type EntityResult<Event> = { readonly event: Wire<Event>; readonly status: string };

/** What a run answers when it ends: what became of the entity. Amounts are strings of cents. */
export type RunResult = { readonly id: string; readonly status: string } & Readonly<Record<string, unknown>>;
