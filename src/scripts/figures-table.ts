import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The tables of docs/performance.md: the results of the benchmarks in bench/results. */

const FOLDER = new URL('../../bench/results/', import.meta.url);
/** The page on scaling has these. */
const ELSEWHERE = ['scale.json', 'sizing.json'];
const BLOCK = /(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/;

const Row = z.object({
  what: z.string(),
  perSecond: z.object({ median: z.number() }),
  p99Ms: z.number(),
  reference: z.string(),
  ratio: z.number(),
  target: z.number(),
});
type Row = z.infer<typeof Row>;
const Quantity = z.object({ what: z.string(), value: z.number(), unit: z.string(), limit: z.number().optional() });
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
  const parts = files.map((name) => partOf(name.replace('.json', ''), readFileSync(new URL(name, FOLDER), 'utf8')));
  return page.replace(BLOCK, (_block, begin: string, end: string) => `${begin}\n${parts.join('\n')}\n${end}`);
}

function partOf(name: string, json: string): string {
  const { machine, rows, quantities } = Results.parse(JSON.parse(json));
  const lines = [`**${name}** (${machine.replace(/, Node.*/, '')})`, ''];
  const compared = rows.filter(({ what, reference }) => reference !== what);
  if (compared.length > 0)
    lines.push(
      '|what|a second|reference|ratio|goal|p99|',
      '|---|---|---|---|---|---|',
      ...compared.map((row) => rowLine(row, rows)),
      '',
    );
  if (quantities.length > 0)
    lines.push('|what|value|goal|', '|---|---|---|', ...quantities.filter(isSummary).map(quantityLine), '');
  return lines.join('\n');
}

function rowLine(row: Row, all: readonly Row[]): string {
  const { what, perSecond, p99Ms, reference, ratio, target } = row;
  const base = all.find((other) => other.what === reference)?.perSecond.median ?? Number.NaN;
  const goal = target === 0 ? '' : `≥ ${Number(target.toFixed(2))}`;
  const cells = [
    what,
    whole(perSecond.median),
    `${reference}: ${whole(base)}`,
    marked(ratio.toFixed(2), ratio < target),
    goal,
    `${whole(p99Ms)} ms`,
  ];
  return `|${cells.join('|')}|`;
}

function quantityLine({ what, value, unit, limit }: z.infer<typeof Quantity>): string {
  const text = value.toLocaleString('en', { maximumFractionDigits: 2 });
  const shown = marked(unit === '' ? text : `${text} ${unit}`, limit !== undefined && value > limit);
  return `|${what}|${shown}|${limit === undefined ? '' : `≤ ${limit}`}|`;
}

/** Other quantities are parts of these. */
const isSummary = ({ limit, unit }: z.infer<typeof Quantity>) => limit !== undefined || unit === '';
const whole = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });
const marked = (text: string, isMissed: boolean) => (isMissed ? `**${text}**` : text);
