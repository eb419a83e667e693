import type { CommandId } from '../ids.ts';
import type { Instant } from '../time.ts';
import type { Escrow, EscrowCommand } from './escrow.ts';
import { isFinal } from './transitions.ts';

/** Something that time alone will do, unless somebody acts before. */
export type Deadline = { readonly at: Instant; readonly command: (commandId: CommandId) => EscrowCommand };

/** The next of the escrow's deadlines: its automatic release, or a proposal that lapses. */
export function nextDeadline(escrow: Escrow): Deadline | null {
  if (isFinal(escrow.status)) return null;
  const lapses = escrow.negotiations
    .filter(({ status }) => status === 'PENDING')
    .map(({ lapsesAt, negotiationId }) => ({
      at: lapsesAt,
      command: (commandId: CommandId): EscrowCommand => ({ type: 'lapse-negotiation', commandId, negotiationId }),
    }));
  const releases =
    escrow.autoReleaseAt === null
      ? []
      : [
          {
            at: escrow.autoReleaseAt,
            command: (commandId: CommandId): EscrowCommand => ({ type: 'auto-release', commandId }),
          },
        ];
  const [first] = [...releases, ...lapses].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return first ?? null;
}
