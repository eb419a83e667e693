import {
  ApplicationFailure,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { CommandOf, EscrowCommand } from '../domain/escrow/escrow.ts';
import { type MessageType, parseCommand } from '../domain/escrow/parse-command.ts';
import type { CommandId } from '../domain/ids.ts';
import { fromWire } from '../domain/wire.ts';
import type { Mailbox } from './mailbox.ts';
import {
  ESCROW_MESSAGES,
  type EscrowMessage,
  type EscrowResult,
  INITIATE_UPDATE,
  RUN_IS_CLOSING,
  STATE_QUERY,
  TIMELINE_QUERY,
} from './messages.ts';

type Message = { readonly commandId?: string };

/** Puts every update and signal of the escrow into `mailbox`. Handlers do nothing else. */
export function handleEscrowMessages(
  mailbox: Mailbox<EscrowCommand, EscrowResult>,
  queries: { readonly state: () => unknown; readonly timeline: () => unknown },
): void {
  setHandler(
    defineUpdate<EscrowResult, [EscrowMessage<'initiate'>]>(INITIATE_UPDATE),
    (message) => mailbox.ask(fromWire<CommandOf<'initiate'>>({ type: 'initiate', ...message })),
    { validator: (_message) => refuseWhileClosing() },
  );
  for (const type of ESCROW_MESSAGES) {
    setHandler(
      defineUpdate<EscrowResult, [Message]>(type),
      (message) => mailbox.ask(commandOf(type, message) ?? neverValidated(type)),
      {
        validator: (message) => {
          refuseWhileClosing();
          if (commandOf(type, message) === undefined)
            throw ApplicationFailure.nonRetryable(`this is no ${type}`, 'validation_failed');
        },
      },
    );
    setHandler(defineSignal<[Message]>(type), (message) => {
      const command = commandOf(type, { commandId: uuid4(), ...message });
      if (command === undefined) log.warn('ignored a malformed signal', { signal: type });
      else mailbox.tell(command, (failure) => log.warn('refused a signal', { signal: type, reason: failure.message }));
    });
  }
  setHandler(defineQuery(STATE_QUERY), queries.state);
  setHandler(defineQuery(TIMELINE_QUERY), queries.timeline);
}

function commandOf(type: MessageType, message: Message | undefined): EscrowCommand | undefined {
  if (typeof message?.commandId !== 'string') return undefined;
  return parseCommand(type, message.commandId as CommandId, message); // the caller made it as the command's id
}

/** A history that has grown long takes no more updates, so that it can drain; the next run takes them. */
function refuseWhileClosing(): void {
  if (workflowInfo().continueAsNewSuggested)
    throw ApplicationFailure.nonRetryable('the run is about to continue as new', RUN_IS_CLOSING);
}

function neverValidated(type: MessageType): never {
  throw ApplicationFailure.nonRetryable(`this is no ${type}`, 'validation_failed');
}
