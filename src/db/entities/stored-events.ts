import type { EntityManager } from '@mikro-orm/postgresql';
import type { CommandResult, EntityKind } from '../../domain/entity.ts';
import type { CommandId, CompanyId } from '../../domain/ids.ts';
import type { Wire } from '../../domain/messages/wire.ts';
import { currentSource } from '../core/source.ts';

/** The tables of escrows, payment links and withdrawals: a folded state, and its events. */
export const ENTITY_TABLES = {
  escrow: { rows: 'escrow', events: 'escrow_event', reference: 'escrow_id' },
  'payment-link': { rows: 'payment_link', events: 'payment_link_event', reference: 'link_id' },
  withdrawal: { rows: 'withdrawal', events: 'withdrawal_event', reference: 'withdrawal_id' },
} as const satisfies Record<EntityKind, unknown>;

/** The event of a command, and the status that it led to; null if the command was never carried out. */
export async function findEventOf<Event, Status extends string = string>(
  em: EntityManager,
  kind: EntityKind,
  companyId: CompanyId,
  id: string,
  commandId: string,
): Promise<CommandResult<Event, Status> | null> {
  const { events, reference } = ENTITY_TABLES[kind];
  const [row] = await em.execute<{ data: Wire<Event>; status: Status }[]>(
    `select data, status from ${events} where company_id = ? and ${reference} = ? and command_id = ?`,
    [companyId, id, commandId],
  );
  return row === undefined ? null : { event: row.data, status: row.status };
}

/** The columns that all event tables share, except the event's data. The source is that of the current work. */
export function eventColumns<
  Event extends { readonly commandId: CommandId; readonly type: string; readonly actor: string; readonly at: string },
  State extends { readonly seq: number; readonly status: string },
>(companyId: CompanyId, event: Event, state: State) {
  return {
    seq: state.seq,
    companyId,
    commandId: event.commandId,
    type: event.type as Event['type'], // its own type, not the constraint's
    actor: event.actor as Event['actor'], // as above
    at: new Date(event.at),
    status: state.status as State['status'], // as above
    source: currentSource(),
  };
}
