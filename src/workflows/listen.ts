import {
  ApplicationFailure,
  defineSignal,
  defineUpdate,
  log,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import type { CommandId } from '../domain/ids.ts';
import { readEnvelope } from '../domain/messages/sent-message.ts';
import { type HandlerText, handlerText } from './details/handler-texts.ts';
import type { Mailbox } from './mailbox.ts';
import { RUN_IS_CLOSING } from './messages.ts';
import { SignalIds } from './signal-ids.ts';

/** Parses a message of `type`; `undefined` if it is invalid. */
export type MessageParser<Type extends string, Command> = (
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
  texts: Readonly<Record<Type, HandlerText>>,
  parse: MessageParser<Type, Command>,
): void {
  const ids = new SignalIds();
  for (const type of Object.keys(texts) as Type[]) {
    // Object.keys loses the key types
    const description = handlerText(texts[type]);
    const parseType = (commandId: CommandId, message: unknown) => parse(type, commandId, message);
    listenForUpdate<Command, Result>(mailbox, type, parseType, description);
    const onSignal = (raw: unknown) => {
      const sent = readEnvelope(type, raw, (content) => ids.next(type, content));
      const command = sent && parseType(sent.message.commandId, sent.message);
      if (command === undefined) refuseSignal(mailbox, type, 'validation_failed', `invalid ${type} message`);
      else mailbox.tell(command, (failure) => refuseSignal(mailbox, type, codeOf(failure), failure.message), sent);
    };
    setHandler(defineSignal<[unknown]>(type), onSignal, { description });
  }
}

/**
 * Reports every signal without a handler as unknown. Register it after all handlers: a signal that started the run waits for
 * its handler, and would be treated as unknown.
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
  mailbox.complaints.refuseSignal(signal, code, reason);
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
