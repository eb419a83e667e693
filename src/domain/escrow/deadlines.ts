import type { CommandId } from '../ids.ts';
import { byInstant, type Instant } from '../time.ts';
import type { CommandSentBy, EscrowCommand } from './commands.ts';
import { type Escrow, isFinal } from './escrow.ts';

/** The events that time alone causes in an escrow, unless a person acts first. */
type Deadline = { readonly at: Instant; readonly command: (commandId: CommandId) => EscrowCommand };

type Deadlines = (escrow: Escrow) => readonly Deadline[];

/** The times at which the run's clock sends each command. */
const DEADLINES = {
  'auto-release': ({ autoReleaseAt }) =>
    autoReleaseAt === null
      ? []
      : [{ at: autoReleaseAt, command: (commandId) => ({ type: 'auto-release', commandId }) }],
  'lapse-negotiation': ({ negotiations }) =>
    negotiations
      .filter(({ status }) => status === 'PENDING')
      .map(({ lapsesAt, negotiationId }) => ({
        at: lapsesAt,
        command: (commandId) => ({ type: 'lapse-negotiation', commandId, negotiationId }),
      })),
  'lapse-stop': ({ stopped }) =>
    (stopped?.by ?? []).map(({ requestId, until }) => ({
      at: until,
      command: (commandId) => ({ type: 'lapse-stop', commandId, requestId }),
    })),
  // Not a deadline: the run sends it after a refused automatic release.
  'block-release': () => [],
} as const satisfies Record<CommandSentBy<'clock'>, Deadlines>;

/** The escrow's next deadline; null if there is none. */
export function nextDeadline(escrow: Escrow): Deadline | null {
  if (isFinal(escrow.status)) return null;
  const all = Object.values<Deadlines>(DEADLINES).flatMap((deadlines) => deadlines(escrow));
  const [first] = all.sort(byInstant);
  return first ?? null;
}
