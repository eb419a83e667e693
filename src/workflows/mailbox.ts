import type { SentMessage } from '../domain/sent-message.ts';
import type { Cause } from '../observability/tracing/cause.ts';
import { Bell } from './bell.ts';
import { currentCause } from './cause.ts';

/**
 * One command at a time. Handlers only put commands in and wait; the workflow's main loop alone takes them out, so no two
 * commands ever interleave, however they arrived.
 */
export type Letter<Command, Result> = {
  readonly command: Command;
  /** The message that brought it; null for a command of the run's own clock. */
  readonly sent: SentMessage | null;
  readonly arrivedAtMs: number;
  /** Why it was sent. */
  readonly cause: Cause;
  readonly resolve: (result: Result) => void;
  readonly reject: (failure: Error) => void;
};

export type RefusedSignal = { readonly signal: string; readonly code: string };

export class Mailbox<Command, Result> {
  /** Rings when a letter comes, and when the mailbox is closed. */
  readonly bell = new Bell();
  readonly #letters: Letter<Command, Result>[] = [];
  #isClosed = false;
  #complaint: string | null = null;
  /** Called when there is a new complaint, with the signal it is about. */
  onComplaint: (refused?: RefusedSignal) => void = () => undefined;

  /** No more updates are let in, so that the run can come to its end; the next run takes them. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Why the latest signal that failed was not carried out. */
  get complaint(): string | null {
    return this.#complaint;
  }

  /** Keeps, for ops to read, why a signal was not carried out: whoever sent it waits for no answer. */
  complain(text: string, refused?: RefusedSignal): void {
    this.#complaint = text;
    this.onComplaint(refused);
  }

  get isEmpty(): boolean {
    return this.#letters.length === 0;
  }

  /** For updates: settles when the main loop has carried the command out or refused it. */
  ask(command: Command, sent: SentMessage): Promise<Result> {
    return new Promise((resolve, reject) => this.#add(command, sent, resolve, reject));
  }

  /** For signals and timers: nobody waits. `onRefused` hears why it was not carried out. */
  tell(command: Command, onRefused: (failure: Error) => void, sent: SentMessage | null = null): void {
    this.#add(command, sent, () => undefined, onRefused);
  }

  close(): void {
    this.#isClosed = true;
    this.bell.ring();
  }

  #add(
    command: Command,
    sent: SentMessage | null,
    resolve: (result: Result) => void,
    reject: (failure: Error) => void,
  ): void {
    this.#letters.push({ command, sent, resolve, reject, arrivedAtMs: Date.now(), cause: currentCause() });
    this.bell.ring();
  }

  take(): Letter<Command, Result> | undefined {
    return this.#letters.shift();
  }
}
