import { curveBumpX, line } from 'd3-shape';
import {
  allows,
  ESCROW_STATUSES,
  ESCROW_TRANSITIONS,
  type EscrowCommandType,
  type EscrowStatus,
  isFinal,
} from '../../../domain/escrow/transitions.ts';
import { statusWords } from '../badge.ts';
import { type Html, html } from '../html.ts';

/** The escrow's states and where one stands. The arrows come from the transition table; only the places are set by hand. */

const BOX = { width: 124, height: 34 };
const PLACES: Readonly<Record<EscrowStatus, readonly [column: number, row: number]>> = {
  PENDING: [0, 1],
  ACTIVE: [1, 1],
  DELIVERY_NOTED: [2, 0],
  GOODS_RECEIVED: [2, 1],
  DISPUTED: [2, 2],
  COMPLETED: [3, 0],
  CANCELLED: [3, 1],
  RESOLVED: [3, 2],
};
const COLUMN = 182;
const ROW = 62;
const WIDTH = 3 * COLUMN + BOX.width + 4;
const HEIGHT = 2 * ROW + BOX.height + 4;

const COMMANDS = Object.keys(ESCROW_TRANSITIONS) as readonly EscrowCommandType[]; // Object.keys loses the key types
const ARROWS: readonly (readonly [EscrowStatus, EscrowStatus])[] = ESCROW_STATUSES.flatMap((from) => {
  const reached = new Set<EscrowStatus | null>(
    COMMANDS.filter((command) => allows(command, from)).map((command) => ESCROW_TRANSITIONS[command].to),
  );
  return ESCROW_STATUSES.filter((to) => to !== from && reached.has(to)).map((to) => [from, to] as const);
});

const path = line().curve(curveBumpX);

/** `visited`: the states before, so that the way here can be seen. */
export function stateDiagram(status: EscrowStatus, visited: readonly EscrowStatus[] = []): Html {
  const way = new Set<EscrowStatus>([...visited, status]);
  const forward = ARROWS.filter(([from, to]) => PLACES[to][0] > PLACES[from][0]);
  const label = `The escrow is ${statusWords(status).toLowerCase()}${isFinal(status) ? ', a final state' : ''}.`;
  return html`<figure class="states" tabindex="0"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${forward.map(([from, to]) => html`<path class="arrow${way.has(from) && way.has(to) ? ' taken' : ''}" d="${arrow(from, to)}"/>`)}
${ESCROW_STATUSES.map((state) => box(state, state === status ? 'here' : way.has(state) ? 'visited' : ''))}</svg></figure>`;
}

function arrow(from: EscrowStatus, to: EscrowStatus): string {
  const [x1, y1] = corner(from);
  const [x2, y2] = corner(to);
  return (
    path([
      [x1 + BOX.width, y1 + BOX.height / 2],
      [x2, y2 + BOX.height / 2],
    ]) ?? ''
  );
}

function box(state: EscrowStatus, name: string): Html {
  const [x, y] = corner(state);
  return html`<g class="state ${name}${isFinal(state) ? ' final' : ''}"><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2}" dy="0.35em" text-anchor="middle">${statusWords(state)}</text></g>`;
}

function corner(state: EscrowStatus): readonly [number, number] {
  const [column, row] = PLACES[state];
  return [column * COLUMN + 2, row * ROW + 2];
}
