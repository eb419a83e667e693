import {
  ApplicationFailure,
  defineSignal,
  defineUpdate,
  log,
  setDefaultSignalHandler,
  setHandler,
  uuid4,
} from '@temporalio/workflow';
import { type CommandId, isUuid } from '../domain/ids.ts';
import type { Mailbox } from './mailbox.ts';
import { RUN_IS_CLOSING } from './messages.ts';

type Message = { readonly commandId?: string };

/** Reads a message of `type`; `undefined` where it does not fit. */
export type MessageParser<Type extends string, Command> = (
  type: Type,
  commandId: CommandId,
  message: unknown,
) => Command | undefined;

/**
 * Puts every update and signal of `types` into `mailbox`: the API waits for an update's answer, ops and internal callbacks send
 * the same as a signal. Handlers do nothing else.
 */
export function listen<Type extends string, Command, Result>(
  mailbox: Mailbox<Command, Result>,
  types: readonly Type[],
  parse: MessageParser<Type, Command>,
  parseSignal: MessageParser<Type, Command> = parse,
): void {
  const read = (type: Type, message: Message | undefined, parser = parse): Command | undefined =>
    typeof message?.commandId === 'string' && isUuid(message.commandId)
      ? parser(type, message.commandId as CommandId, message) // the sender made it as the command's id
      : undefined;
  for (const type of types) {
    listenForUpdate<Command, Result>(mailbox, type, (message) => read(type, message));
    setHandler(defineSignal<[Message]>(type), (message) => {
      const command = read(type, { commandId: uuid4(), ...message }, parseSignal);
      if (command === undefined) refuseSignal(mailbox, type, 'validation_failed', `this is no ${type}`);
      else mailbox.tell(command, (failure) => refuseSignal(mailbox, type, codeOf(failure), failure.message));
    });
  }
}

/**
 * Says of every signal without a handler that there is no such one. Only once all handlers are set: a signal that started the run
 * waits for its handler, and would be taken for an unknown one.
 */
export function refuseUnknownSignals<Command, Result>(mailbox: Mailbox<Command, Result>): void {
  setDefaultSignalHandler((signal) => refuseSignal(mailbox, signal, 'not_found', 'there is no such signal'));
}

function refuseSignal<Command, Result>(
  mailbox: Mailbox<Command, Result>,
  signal: string,
  code: string,
  reason: string,
): void {
  log.warn('refused a signal', { signal, code, reason });
  mailbox.complain(`Refused the signal \`${signal}\` at ${new Date().toISOString()}: ${code}, ${reason}`);
}

function codeOf(failure: Error): string {
  return failure instanceof ApplicationFailure ? (failure.type ?? 'unknown') : 'unknown';
}

/** For what is an update only: creation, which comes from our own code. */
export function listenForUpdate<Command, Result>(
  mailbox: Mailbox<Command, Result>,
  type: string,
  read: (message: Message) => Command | undefined,
): void {
  const refuse = () => ApplicationFailure.nonRetryable(`this is no ${type}`, 'validation_failed');
  setHandler(
    defineUpdate<Result, [Message]>(type),
    (message) => {
      const command = read(message);
      if (command === undefined) throw refuse();
      return mailbox.ask(command);
    },
    {
      validator: (message) => {
        if (mailbox.isClosed) throw ApplicationFailure.nonRetryable('the next run takes it', RUN_IS_CLOSING);
        if (read(message) === undefined) throw refuse();
      },
    },
  );
}
