import { inTenant, readTenant } from '../../db/core/orm.ts';
import type { CommandContent } from '../../db/entities/escrow.ts';
import {
  deleteText,
  type EntityId,
  type EscrowRecord,
  type EscrowSubject,
  findEscrow,
  storeText,
} from '../../db/escrow/escrows.ts';
import { refusalFrom, refuseChanged } from '../../domain/entity.ts';
import { isRefused } from '../../domain/errors.ts';
import {
  type CommandOf,
  ESCROW_COMMANDS,
  type EscrowCommand,
  type EventOf,
  formatCommand,
  type MessageType,
} from '../../domain/escrow/commands.ts';
import { decide } from '../../domain/escrow/decide.ts';
import { type EscrowStatus, isFinal } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, EscrowId } from '../../domain/ids.ts';
import type { Wire } from '../../domain/messages/wire.ts';
import type { EscrowResult } from '../../workflows/messages.ts';
import type { ApiDependencies } from '../context.ts';
import { type CommandSubject, noSuchEscrow } from './idempotency.ts';

/** How the API sends a command to an existing escrow. */

type Dependencies = Pick<ApiDependencies, 'orm' | 'commands' | 'requests'>;

/** Reads the company's escrow. Throws `not_found`. */
export async function requireEscrow(
  { orm }: Pick<Dependencies, 'orm'>,
  companyId: CompanyId,
  id: EscrowId,
): Promise<EscrowRecord> {
  const escrow = await readTenant(orm, companyId, (em) => findEscrow(em, companyId, id));
  if (escrow === null) throw noSuchEscrow();
  return escrow;
}

/**
 * Stores the texts of the command as a row, then sends the command. For an escrow in a final state the answer comes from the
 * database, without waking its workflow. Throws the domain's refusals, and the errors of `Commands.escrow`.
 */
export async function sendEscrowCommand<Type extends MessageType>(
  dependencies: Dependencies,
  escrow: CommandSubject,
  type: Type,
  fields: Omit<CommandOf<Type>, 'type' | 'commandId'> & { readonly commandId: CommandId },
  content: CommandContent = {},
): Promise<{ readonly event: Wire<EventOf<Type>>; readonly status: EscrowStatus }> {
  const { companyId } = escrow.state.terms;
  if (isFinal(escrow.status)) {
    const command = { kind: 'escrow', companyId, entityId: escrow.id, commandId: fields.commandId } as const;
    const decision = await dependencies.requests.findDecision(command);
    if (decision?.kind === 'refused') throw refusalFrom(decision);
    if (decision !== null) return led(type, decision.stored as EscrowResult); // the event of a command on an escrow
    const changed = refuseChanged('escrow', escrow.state.seq, escrow.expectedSeq);
    if (changed !== null) throw refusalFrom(changed);
    throw finalRefusal(escrow, { type, ...fields } as CommandOf<Type>); // `type` and the fields belong together
  }
  const { currency, totalCents: amountCents } = escrow.state.terms;
  const heading = { id: escrow.id, companyId, currency, amountCents };
  const { expectedSeq } = escrow;
  const message = {
    commandId: fields.commandId,
    ...formatCommand(type, fields),
    ...(expectedSeq === undefined ? {} : { expectedSeq }),
  };
  const result = await withText(
    dependencies,
    companyId,
    { commandId: fields.commandId, about: escrow.id },
    content,
    () => dependencies.commands.escrow(heading, type, message),
  );
  return led(type, result);
}

/** The result, with the event that this type of command produces. */
function led<Type extends MessageType>(
  type: Type,
  { event, status }: EscrowResult,
): { readonly event: Wire<EventOf<Type>>; readonly status: EscrowStatus } {
  if (event.type !== ESCROW_COMMANDS[type].event) throw new Error(`${type} led to ${event.type}`);
  return { event: event as Wire<EventOf<Type>>, status }; // checked above
}

/** The refusal for a command to a final escrow. A final escrow refuses every command. */
function finalRefusal(escrow: EscrowSubject, command: EscrowCommand): Error {
  const decision = decide(escrow.state, command, new Date().toISOString());
  if (decision.kind === 'refused') return refusalFrom(decision);
  return new Error(`${command.type} was not refused while the escrow is ${escrow.status}`);
}

/** Stores `content` for the command to `about` while `send` runs, and deletes it if the command is refused. */
export async function withText<T>(
  { orm }: Pick<Dependencies, 'orm'>,
  companyId: CompanyId,
  { commandId, about }: { readonly commandId: CommandId; readonly about: EntityId },
  content: CommandContent,
  send: (kept: CommandContent) => Promise<T>,
): Promise<T> {
  if (Object.values(content).every((value) => value == null)) return send(content);
  const kept = await inTenant(orm, companyId, (em) => storeText(em, companyId, commandId, content, about));
  try {
    return await send(kept);
  } catch (error) {
    if (isRefused(error)) await inTenant(orm, companyId, (em) => deleteText(em, companyId, commandId));
    throw error;
  }
}
