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
import { type HandlerText, handlerText } from './handler-texts.ts';
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
 * Puts every update and signal of `texts` into `mailbox`, and says in the Temporal UI what each does. The API waits for an update's answer; support and callbacks send the same
 * message as a signal. Handlers do nothing else.
 */
export function listen<Type extends string, Command, Result>(
  mailbox: Mailbox<Command, Result>,
  texts: Readonly<Record<Type, HandlerText>>,
  parse: MessageParser<Type, Command>,
): void {
  for (const type of Object.keys(texts) as Type[]) {
    // Object.keys forgets the keys' type
    const description = handlerText(texts[type]);
    const parseType = (commandId: CommandId, message: unknown) => parse(type, commandId, message);
    listenForUpdate<Command, Result>(mailbox, type, parseType, description);
    const onSignal = (message: Message) => {
      const command = read({ commandId: uuid4(), ...message }, parseType);
      if (command === undefined) refuseSignal(mailbox, type, 'validation_failed', `invalid ${type} message`);
      else mailbox.tell(command, (failure) => refuseSignal(mailbox, type, codeOf(failure), failure.message));
    };
    setHandler(defineSignal<[Message]>(type), onSignal, { description });
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

/** The command of a message; undefined where it does not fit. */
function read<Command>(
  message: Message | undefined,
  parse: (commandId: CommandId, message: unknown) => Command | undefined,
): Command | undefined {
  return typeof message?.commandId === 'string' && isUuid(message.commandId)
    ? parse(message.commandId as CommandId, message) // the sender made it as the command's id
    : undefined;
}

/** For what is an update only: creation, which the API alone sends. */
export function listenForUpdate<Command, Result>(
  mailbox: Mailbox<Command, Result>,
  type: string,
  parse: (commandId: CommandId, message: unknown) => Command | undefined,
  description = 'Only the API sends it: it creates the entity.',
): void {
  const refuse = () => ApplicationFailure.nonRetryable(`invalid ${type} message`, 'validation_failed');
  setHandler(
    defineUpdate<Result, [Message]>(type),
    (message) => {
      const command = read(message, parse);
      if (command === undefined) throw refuse();
      return mailbox.ask(command);
    },
    {
      description,
      validator: (message) => {
        if (mailbox.isClosed) throw ApplicationFailure.nonRetryable('the next run takes it', RUN_IS_CLOSING);
        if (read(message, parse) === undefined) throw refuse();
      },
    },
  );
}
