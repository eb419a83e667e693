import type { SentMessage } from '../domain/messages/sent-message.ts';
import type { Cause } from '../observability/tracing/cause.ts';
import { Bell } from './bell.ts';
import { currentCause } from './cause.ts';
import type { Complaints } from './complaints.ts';

/**
 * Serialises commands. Handlers only put commands in and wait; the workflow's main loop alone takes them out, so commands never
 * interleave, however they arrived.
 */
export type Letter<Command, Result> = {
  readonly command: Command;
  /** The message with the command; null for a command of the run's own clock. */
  readonly sent: SentMessage | null;
  readonly arrivedAtMs: number;
  /** Why it was sent. */
  readonly cause: Cause;
  /** Whether a caller waits for the result: the sender of an update. */
  readonly isAnswered: boolean;
  readonly resolve: (result: Result) => void;
  readonly reject: (failure: Error) => void;
};

export class Mailbox<Command, Result> {
  /** Rings when a letter arrives, and when the mailbox is closed. */
  readonly bell = new Bell();
  readonly #letters: Letter<Command, Result>[] = [];
  #isClosed = false;
  /** Messages that were not carried out and whose senders get no answer. */
  readonly complaints: Complaints;

  constructor(complaints: Complaints) {
    this.complaints = complaints;
  }

  /** Closes the mailbox to updates, so that the run can end; the next run takes them. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isEmpty(): boolean {
    return this.#letters.length === 0;
  }

  /** For updates: settles when the main loop has carried out or refused the command. */
  ask(command: Command, sent: SentMessage): Promise<Result> {
    return new Promise((resolve, reject) => this.#add({ command, sent, isAnswered: true, resolve, reject }));
  }

  /** For signals and timers, which have no waiting caller. `onRefused` receives the refusal. */
  tell(command: Command, onRefused: (failure: Error) => void, sent: SentMessage | null = null): void {
    this.#add({ command, sent, isAnswered: false, resolve: () => undefined, reject: onRefused });
  }

  close(): void {
    this.#isClosed = true;
    this.bell.ring();
  }

  #add(letter: Omit<Letter<Command, Result>, 'arrivedAtMs' | 'cause'>): void {
    this.#letters.push({ ...letter, arrivedAtMs: Date.now(), cause: currentCause() });
    this.bell.ring();
  }

  take(): Letter<Command, Result> | undefined {
    return this.#letters.shift();
  }
}
