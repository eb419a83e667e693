import { curveBumpX, curveBumpY, line } from 'd3-shape';
import { allows, ESCROW_COMMANDS, type EscrowCommandType } from '../../../domain/escrow/commands.ts';
import { ESCROW_STATUSES, type EscrowStatus, isFinal } from '../../../domain/escrow/escrow.ts';
import { t } from '../../language/message.ts';
import { statusWords } from '../badge.ts';
import { type Html, html } from '../html.ts';

/**
 * The escrow's states and where one stands. The arrows come from the transition table; only the places are set by hand. Wide
 * screens get the diagram from left to right, phones the same one from top to bottom. The style sheet shows one of them.
 */

/** How far a state is from the beginning, and its lane. */
const PLACES: Readonly<Record<EscrowStatus, readonly [step: number, lane: number]>> = {
  PENDING: [0, 1],
  ACTIVE: [1, 1],
  DELIVERY_NOTED: [2, 0],
  GOODS_RECEIVED: [2, 1],
  DISPUTED: [2, 2],
  COMPLETED: [3, 0],
  CANCELLED: [3, 1],
  RESOLVED: [3, 2],
};
const LAST_STEP = 3;
const LAST_LANE = 2;

type Point = [x: number, y: number];
type Layout = {
  readonly className: 'wide' | 'tall';
  readonly boxWidth: number;
  readonly size: Point;
  readonly corner: (state: EscrowStatus) => Point;
  /** To a later step, from the middle of the side that faces it. */
  readonly forward: (from: Point, to: Point) => string | null;
  /** To the next lane of the same step. */
  readonly across: (from: Point, to: Point) => string;
};

const MARGIN = 2;
const BOX_HEIGHT = 34;
const rightwards = line().curve(curveBumpX);
const downwards = line().curve(curveBumpY);

/** Pixels: the width of a box, and the distances between the corners of two steps and of two lanes. */
type Grid = { readonly box: number; readonly step: number; readonly lane: number };
const WIDE_GRID: Grid = { box: 124, step: 182, lane: 62 };
const TALL_GRID: Grid = { box: 104, step: 72, lane: 112 };

const WIDE: Layout = {
  className: 'wide',
  boxWidth: WIDE_GRID.box,
  size: [LAST_STEP * WIDE_GRID.step + WIDE_GRID.box, LAST_LANE * WIDE_GRID.lane + BOX_HEIGHT],
  corner: (state) => [PLACES[state][0] * WIDE_GRID.step + MARGIN, PLACES[state][1] * WIDE_GRID.lane + MARGIN],
  forward: ([x1, y1], [x2, y2]) =>
    rightwards([
      [x1 + WIDE_GRID.box, y1 + BOX_HEIGHT / 2],
      [x2, y2 + BOX_HEIGHT / 2],
    ]),
  across: ([x, y1], [, y2]) => `M${x + WIDE_GRID.box / 2} ${y1 + BOX_HEIGHT}V${y2}`,
};
const TALL: Layout = {
  className: 'tall',
  boxWidth: TALL_GRID.box,
  size: [LAST_LANE * TALL_GRID.lane + TALL_GRID.box, LAST_STEP * TALL_GRID.step + BOX_HEIGHT],
  corner: (state) => [PLACES[state][1] * TALL_GRID.lane + MARGIN, PLACES[state][0] * TALL_GRID.step + MARGIN],
  forward: ([x1, y1], [x2, y2]) =>
    downwards([
      [x1 + TALL_GRID.box / 2, y1 + BOX_HEIGHT],
      [x2 + TALL_GRID.box / 2, y2],
    ]),
  across: ([x1, y], [x2]) => `M${x1 + TALL_GRID.box} ${y + BOX_HEIGHT / 2}H${x2}`,
};

/** In a later step, or in a later lane of the same step. */
function isAhead(from: EscrowStatus, to: EscrowStatus): boolean {
  const [steps, lanes] = [PLACES[to][0] - PLACES[from][0], PLACES[to][1] - PLACES[from][1]];
  return steps > 0 || (steps === 0 && lanes > 0);
}

const COMMANDS = Object.keys(ESCROW_COMMANDS) as readonly EscrowCommandType[]; // Object.keys loses the key types
const ARROWS: readonly (readonly [EscrowStatus, EscrowStatus])[] = ESCROW_STATUSES.flatMap((from) => {
  const reached = new Set<EscrowStatus | null>(
    COMMANDS.filter((command) => allows(command, from)).map((command) => ESCROW_COMMANDS[command].to),
  );
  return ESCROW_STATUSES.filter((to) => isAhead(from, to) && reached.has(to)).map((to) => [from, to] as const);
});

/** `visited`: the states before, so that the way here can be seen. */
export function stateDiagram(status: EscrowStatus, visited: readonly EscrowStatus[] = []): Html {
  return html`<figure class="states">${drawing(WIDE, status, visited)}${drawing(TALL, status, visited)}</figure>`;
}

function drawing(layout: Layout, status: EscrowStatus, visited: readonly EscrowStatus[]): Html {
  const { className, size } = layout;
  const way = new Set<EscrowStatus>([...visited, status]);
  const values = { status: statusWords(status) };
  const label = isFinal(status)
    ? t('State of the escrow: {status}. It is final.', values)
    : t('State of the escrow: {status}', values);
  const [right, bottom] = size;
  return html`<svg class="${className}" viewBox="0 0 ${right + 2 * MARGIN} ${bottom + 2 * MARGIN}" role="img" aria-label="${label}">
${ARROWS.map(([from, to]) => html`<path class="arrow${way.has(from) && way.has(to) ? ' taken' : ''}" d="${arrow(layout, from, to)}"/>`)}
${ESCROW_STATUSES.map((state) => box(layout, state, state === status ? 'here' : way.has(state) ? 'visited' : ''))}</svg>`;
}

function arrow({ corner, forward, across }: Layout, from: EscrowStatus, to: EscrowStatus): string {
  const isSameStep = PLACES[from][0] === PLACES[to][0];
  return (isSameStep ? across : forward)(corner(from), corner(to)) ?? '';
}

function box({ boxWidth, corner }: Layout, state: EscrowStatus, name: string): Html {
  const [x, y] = corner(state);
  return html`<g class="state ${name}${isFinal(state) ? ' final' : ''}"><rect x="${x}" y="${y}" width="${boxWidth}" height="${BOX_HEIGHT}" rx="8"/><text x="${x + boxWidth / 2}" y="${y + BOX_HEIGHT / 2}" dy="0.35em" text-anchor="middle">${statusWords(state)}</text></g>`;
}
