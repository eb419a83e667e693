import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The table of docs/performance.md: the results of the benchmarks in bench/results. */

const FOLDER = new URL('../../bench/results/', import.meta.url);
/** The page on scaling has these. */
const ELSEWHERE = ['scale.json', 'sizing.json', 'verify-1000000.json'];
const BLOCK = /(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/;

const Row = z.object({
  what: z.string(),
  perSecond: z.object({ median: z.number() }),
  p99Ms: z.number(),
  reference: z.string(),
  ratio: z.number(),
  target: z.number(),
  ratioP99: z.number(),
  targetP99: z.number().nullable(),
});
type Row = z.infer<typeof Row>;
const Quantity = z.object({
  what: z.string(),
  value: z.number(),
  unit: z.string(),
  limit: z.number().optional(),
  beside: z.string().optional(),
});
const Results = z.object({ machine: z.string(), rows: z.array(Row), quantities: z.array(Quantity) });

/** The quantities of a benchmark by their names; undefined where it has not been recorded. */
export function recorded(name: string): ReadonlyMap<string, number> | undefined {
  const file = new URL(`${name}.json`, FOLDER);
  if (!existsSync(file)) return undefined;
  return new Map(
    Results.parse(JSON.parse(readFileSync(file, 'utf8'))).quantities.map(({ what, value }) => [what, value]),
  );
}

/** `page` with the figures of bench/results. Throws if the block for them is missing. */
export function withFigures(page: string): string {
  if (!BLOCK.test(page)) throw new Error('the page has no block <!-- figures --> … <!-- /figures -->');
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && !ELSEWHERE.includes(name));
  const parts = files.map((name) => ({
    name: name.replace('.json', ''),
    ...Results.parse(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))),
  }));
  const table = [
    '|part|what|a second|reference|ratio|goal|p99 ms|',
    '|---|---|---|---|---|---|---|',
    ...parts.flatMap(linesOf),
  ];
  return page.replace(BLOCK, (_block, begin: string, end: string) =>
    [`${begin}\n${machinesOf(parts)}\n`, ...table, '', ...parts.flatMap(tableOfNeighbours), end].join('\n'),
  );
}

type Part = z.infer<typeof Results> & { readonly name: string };

/** A sentence for each machine, with the parts that it measured. The machine of most parts has all others. */
function machinesOf(parts: readonly Part[]): string {
  const machineOf = ({ machine }: Part) => machine.replace(/, Node.*/, '');
  return [...Map.groupBy(parts, machineOf)]
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([machine, measured], index, { length }) =>
      index === length - 1 ? `Others: ${machine}.` : `${measured.map(({ name }) => name).join(', ')}: ${machine}.`,
    )
    .join(' ');
}

/** The rows of a part, of which the first one names it. */
function linesOf({ name, rows, quantities }: Part): string[] {
  const lines = [
    ...rows
      .filter(({ what, reference }) => reference !== what)
      .map((row, index, shown) => rowLine(row, rows, shown[index - 1])),
    ...quantities.filter(isSummary).map(quantityLine),
  ];
  return lines.map((line, index) => `|${index === 0 ? name : ''}|${line}|`);
}

/** What a part measured beside other work: the goals in the head, a row for each work that misses one, and the most of all others. */
function tableOfNeighbours({ name, quantities }: Part): string[] {
  const measured = quantities.filter(({ beside }) => beside !== undefined);
  if (measured.length === 0) return [];
  const head = [...Map.groupBy(measured, ({ what }) => what)].map(
    ([what, [first]]) => `${what} (≤${first?.limit}${first?.unit === '×' ? '' : ' '}${first?.unit})`,
  );
  const works = [...Map.groupBy(measured, ({ beside }) => beside)];
  const met = works.filter(([, values]) => !values.some(isMissed)).map(([, values]) => values);
  const others = met.length > 1 ? met : []; // one has a row with its name
  const named = works.filter(([, values]) => !others.includes(values));
  const most = head.map((_, column) => Math.max(...others.map((values) => values[column]?.value ?? 0)));
  const rest = named.length === 0 ? `all ${others.length}` : `${others.length} others`;
  const rows = [
    ...named.map(([beside, values]) => `|${beside}|${values.map(shownValue).join('|')}|`),
    ...(others.length === 0 ? [] : [`|${rest}, at most|${most.map(shownNumber).join('|')}|`]),
  ];
  return [`|${name}: beside|${head.join('|')}|`, `|---|${'---|'.repeat(head.length)}`, ...rows, ''];
}

const isMissed = ({ value, limit = value }: z.infer<typeof Quantity>) => value > limit;
const shownNumber = (value: number) => (value < 10 ? value.toFixed(2) : whole(value));
const shownValue = (quantity: z.infer<typeof Quantity>) => marked(shownNumber(quantity.value), isMissed(quantity));

function rowLine(row: Row, all: readonly Row[], above?: Row): string {
  const { what, perSecond, p99Ms, reference, ratio, target, ratioP99, targetP99 } = row;
  const base = all.find((other) => other.what === reference)?.perSecond.median ?? Number.NaN;
  const goal = target === 0 ? '' : `≥${Number(target.toFixed(2))}`;
  const [where = ''] = /, [^,]*$/.exec(what) ?? [];
  const shownReference = reference.endsWith(where) ? reference.slice(0, reference.length - where.length) : reference;
  const cells = [
    what,
    whole(perSecond.median),
    reference === above?.reference ? 'same' : `${shownReference}: ${whole(base)}`,
    marked(ratio.toFixed(2), ratio < target),
    goal,
    targetP99 === null
      ? whole(p99Ms)
      : `${whole(p99Ms)} (${marked(`${ratioP99.toFixed(2)}×`, ratioP99 > targetP99)}, ≤${targetP99})`,
  ];
  return cells.join('|');
}

function quantityLine({ what, value, unit, limit }: z.infer<typeof Quantity>): string {
  const text = value.toLocaleString('en', { maximumFractionDigits: 2 });
  const shown = marked(unit === '' ? text : `${text} ${unit}`, limit !== undefined && value > limit);
  return `${what}|${shown}|||${limit === undefined ? '' : `≤${limit}`}|`;
}

/** Other quantities are parts of these. */
const isSummary = ({ limit, unit, beside }: z.infer<typeof Quantity>) =>
  beside === undefined && (limit !== undefined || unit === '');
const whole = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });
const marked = (text: string, isMissed: boolean) => (isMissed ? `**${text}**` : text);
