import type { CommandId, CompanyId } from '../../domain/ids.ts';
import { currentSource } from '../core/source.ts';

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
