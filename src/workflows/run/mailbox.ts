import {
  ApplicationFailure,
  defineSignal,
  defineUpdate,
  log,
  setDefaultSignalHandler,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CommandId } from '../../domain/ids.ts';
import { commandIdFrom } from '../../domain/messages/ids.ts';
import { readEnvelope, type SentMessage } from '../../domain/messages/signed.ts';
import type { Source } from '../../domain/source.ts';
import type { Cause } from '../../observability/tracing/cause.ts';
import { type MessageText, messageText } from '../details/message-texts.ts';
import { RUN_IS_CLOSING } from '../messages.ts';
import { currentCause } from './cause.ts';
import { RefusedMessages } from './refused-messages.ts';
import type { Prepared } from './served-entity.ts';

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
  /** The command as the run decides it, once a provider was asked. */
  readonly prepared?: Prepared<Command>;
  readonly resolve: (result: Result) => void;
  readonly reject: OnRefused;
};

/** `source`: where the refused message came from, if that was verified. */
type OnRefused = (failure: Error, source?: Source) => void;

export class Mailbox<Command, Result> {
  /** Rings when a letter arrives, and when the mailbox is closed. */
  readonly bell = new Bell();
  readonly #letters: Letter<Command, Result>[] = [];
  #isClosed = false;
  /** Messages that were not carried out and whose senders get no answer. */
  readonly refused: RefusedMessages;

  /** `refused` is from the run's input. */
  constructor(refused?: unknown) {
    this.refused = new RefusedMessages(refused);
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
  tell(command: Command, onRefused: OnRefused, sent: SentMessage | null = null): void {
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

/** Parses a message of `type`; `undefined` if it is invalid. */
type MessageParser<Type extends string, Command> = (
  type: Type,
  commandId: CommandId,
  message: unknown,
) => Command | undefined;

/**
 * Puts every update and signal of `texts` into `mailbox`. The Temporal UI shows the texts. The API waits for the answer of an
 * update; support and callbacks send the same message as a signal. Handlers do nothing else.
 */
export function listen<Type extends string, Command, Result>(
  mailbox: Mailbox<Command, Result>,
  texts: Readonly<Record<Type, MessageText>>,
  parse: MessageParser<Type, Command>,
): void {
  const ids = new SignalIds();
  for (const type of Object.keys(texts) as Type[]) {
    // Object.keys loses the key types
    const description = messageText(texts[type]);
    const parseType = (commandId: CommandId, message: unknown) => parse(type, commandId, message);
    listenForUpdate<Command, Result>(mailbox, type, parseType, description);
    const onSignal = (raw: unknown) => {
      const sent = readEnvelope(type, raw, (content) => ids.next(type, content));
      const command = sent && parseType(sent.message.commandId, sent.message);
      if (command === undefined) {
        refuseSignal(
          mailbox,
          { signal: type, code: 'validation_failed', source: 'TEMPORAL' },
          `invalid ${type} message`,
        );
        return;
      }
      const onRefused: OnRefused = (failure, source) =>
        refuseSignal(mailbox, { signal: type, code: codeOf(failure), source }, failure.message);
      mailbox.tell(command, onRefused, sent);
    };
    setHandler(defineSignal<[unknown]>(type), onSignal, { description });
  }
}

/**
 * Reports every signal without a handler as unknown. Register it after all handlers: a signal that started the run waits for
 * its handler, and would be treated as unknown.
 */
export function refuseUnknownSignals<Command, Result>(mailbox: Mailbox<Command, Result>): void {
  setDefaultSignalHandler((signal) =>
    refuseSignal(mailbox, { signal, code: 'not_found', source: 'TEMPORAL' }, 'signal not found'),
  );
}

/** The API sends no invalid signal and none without a handler, so those come from Temporal. */
function refuseSignal<Command, Result>(
  mailbox: Mailbox<Command, Result>,
  refused: { readonly signal: string; readonly code: string; readonly source: Source | undefined },
  reason: string,
): void {
  log.warn('refused a signal', { signal: refused.signal, code: refused.code, reason });
  mailbox.refused.refuseSignal(refused, reason);
}

function codeOf(failure: Error): string {
  return failure instanceof ApplicationFailure ? (failure.type ?? 'unknown') : 'unknown';
}

/** For messages that exist only as updates: creation, which only the API sends. */
export function listenForUpdate<Command, Result>(
  mailbox: Mailbox<Command, Result>,
  type: string,
  parse: (commandId: CommandId, message: unknown) => Command | undefined,
  description = 'Only the API sends it: it creates the entity.',
): void {
  const refuse = () => ApplicationFailure.nonRetryable(`invalid ${type} message`, 'validation_failed');
  setHandler(
    defineUpdate<Result, [unknown]>(type),
    (raw) => {
      const sent = readEnvelope(type, raw);
      const command = sent && parse(sent.message.commandId, sent.message);
      if (sent === undefined || command === undefined) throw refuse();
      return mailbox.ask(command, sent);
    },
    {
      description,
      validator: (raw) => {
        if (mailbox.isClosed) throw ApplicationFailure.nonRetryable('the next run takes it', RUN_IS_CLOSING);
        const sent = readEnvelope(type, raw);
        if (sent === undefined || parse(sent.message.commandId, sent.message) === undefined) throw refuse();
      },
    },
  );
}

/**
 * Ids for signals that carry none. The id is derived from the run, the signal's name and content, and the number of equal
 * signals before it. A reset keeps the original run id and replays the same signals in the same order, so each keeps its id.
 */
class SignalIds {
  readonly #counts = new Map<string, number>();

  next(signal: string, content: string): CommandId {
    const key = `${signal}/${content}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return commandIdFrom(`${workflowInfo().originalExecutionRunId}/${count}/${key}`);
  }
}

/**
 * Wakes the main loop. It replaces Temporal's `condition` in the one place that waits after every command: a condition is
 * evaluated in every activation, each time through a call into the sandbox, and leaves a listener on the run's scope.
 */
class Bell {
  #wake: (() => void) | undefined;

  ring(): void {
    this.#wake?.();
  }

  /** Resolves at the next ring. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
