import { allows, ESCROW_COMMANDS, type EscrowCommandType } from '../domain/escrow/commands.ts';
import { ESCROW_STATUSES, type EscrowStatus, FINAL_STATUSES } from '../domain/escrow/escrow.ts';

/** Renders the transition table for docs/architecture.md: a mermaid state diagram, and a line on the commands that change no status. */

const COMMANDS = Object.keys(ESCROW_COMMANDS) as readonly EscrowCommandType[]; // Object.keys loses the key types
/** Statuses that accept the same commands, drawn as one state around them. */
const GROUP = 'RUNNING';
const members = ESCROW_STATUSES.filter((status) => commandsFrom(status) === commandsFrom('ACTIVE'));
const nameOf = (status: EscrowStatus) => (members.includes(status) ? GROUP : status);

/** Mermaid in a code fence, and the commands that it cannot show. Ends without a line break. */
export function escrowDiagram(): string {
  return ['```mermaid', 'stateDiagram-v2', ...lines().map((line) => `  ${line}`), '```', '', ...loops()].join('\n');
}

function lines(): string[] {
  const led = new Set<EscrowStatus | null>(COMMANDS.map((command) => ESCROW_COMMANDS[command].to));
  const begun = ESCROW_STATUSES.filter((status) => !led.has(status)).map((status) => `[*] --> ${status}: payment link`);
  return [
    ...begun,
    ...arrows(COMMANDS.filter((command) => isBeginning(command)).map((command) => [command, '[*]'] as const)),
    ...arrows(steps().filter(([command, from]) => !isWithin(command, from))),
    `state ${GROUP} {`,
    '  [*] --> ACTIVE',
    ...arrows(
      steps().filter(([command, from]) => isWithin(command, from)),
      (status) => status,
    ).map((line) => `  ${line}`),
    '}',
    ...FINAL_STATUSES.map((status) => `${status} --> [*]`),
  ];
}

/** Commands that lead from one status to another, with their start statuses. */
function steps(): (readonly [EscrowCommandType, EscrowStatus])[] {
  return ESCROW_STATUSES.flatMap((from) =>
    COMMANDS.filter((command) => ESCROW_COMMANDS[command].to !== null && allows(command, from)).map(
      (command) => [command, from] as const,
    ),
  );
}

/** One arrow for each pair of states, with all commands between them. */
function arrows(
  from: readonly (readonly [EscrowCommandType, EscrowStatus | '[*]'])[],
  name: (status: EscrowStatus) => string = nameOf,
): string[] {
  const labels = new Map<string, Set<string>>();
  for (const [command, status] of from) {
    const { to } = ESCROW_COMMANDS[command];
    if (to === null) continue;
    const arrow = `${status === '[*]' ? status : name(status)} --> ${name(to)}`;
    labels.set(arrow, (labels.get(arrow) ?? new Set()).add(command));
  }
  return [...labels].map(([arrow, commands]) => `${arrow}: ${[...commands].join(', ')}`);
}

function isBeginning(command: EscrowCommandType): boolean {
  return ESCROW_COMMANDS[command].from.length === 0;
}

function isWithin(command: EscrowCommandType, from: EscrowStatus): boolean {
  const { to } = ESCROW_COMMANDS[command];
  return to !== null && members.includes(from) && members.includes(to);
}

/** Commands that leave the status unchanged, grouped by the statuses in which they are allowed. */
function loops(): string[] {
  const stay = COMMANDS.filter((command) => ESCROW_COMMANDS[command].to === null);
  const places = new Map<string, Set<string>>();
  for (const status of ESCROW_STATUSES)
    for (const command of stay.filter((one) => allows(one, status)))
      places.set(nameOf(status), (places.get(nameOf(status)) ?? new Set()).add(`\`${command}\``));
  const named = [...places].map(([place, commands]) => `in ${place} ${[...commands].join(', ')}`);
  return [
    `These leave the status as it is: ${named.join('; ')}.`,
    'Releasing the last milestone leads to COMPLETED; accepting a proposal in a dispute leads to RESOLVED; only an administrator can cancel a disputed escrow.',
  ];
}

function commandsFrom(status: EscrowStatus): string {
  return COMMANDS.filter((command) => allows(command, status)).join();
}
