import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { type Rate, summarize } from './measure.ts';
import { type Plot, svgOf } from './plot.ts';

/** The results of one part of the benchmark, and their output as JSON and as a Markdown table. */

/** A throughput and its reference, both measured in turns in the same run. */
export type Figure = {
  readonly what: string;
  readonly rates: readonly Rate[];
  /** The `what` of the reference figure; its own if the figure is a reference itself. */
  readonly reference: string;
  /** The minimum ratio of the medians; 0 if there is none. */
  readonly target: number;
  /** The maximum ratio of the 99th percentiles of latency. */
  readonly targetP99?: number;
};

/** A measured quantity that is not a throughput. */
export type Quantity = {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The maximum value. */
  readonly limit?: number;
  /** What ran at the same time. The documents have a row for it. */
  readonly beside?: string;
};

export type Part = {
  readonly figures?: readonly Figure[];
  readonly quantities?: readonly Quantity[];
  readonly plot?: Plot;
};

const DIRECTORY = 'bench/results';

/** Writes `bench/results/<name>.json` (and `.svg` if there is a plot), and prints it as Markdown. `npm run docs` renders the files. */
export function report(name: string, { figures = [], quantities = [], plot }: Part, how: string): void {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const rows = figures.map((figure) => rowOf(figure, figures));
  const lines = [`${how}, everything on one machine: ${machine}.`, ''];
  if (rows.length > 0)
    lines.push(
      '| what | per second: median (range) | p50 ms | p99 ms | against | ratio | wanted |',
      '|---|---|---|---|---|---|---|',
      ...rows.map(lineOf),
      '',
    );
  if (quantities.length > 0)
    lines.push(
      '| what | measured | wanted |',
      '|---|---|---|',
      ...quantities.map(({ what, value, unit, limit, beside }) => {
        const wanted = limit === undefined ? '' : `≤ ${limit}${value <= limit ? '' : ' (short)'}`;
        const measured = beside === undefined ? what : `${what}, beside ${beside}`;
        return `| ${measured} | ${value.toLocaleString('en', { maximumFractionDigits: 2 })} ${unit} | ${wanted} |`;
      }),
      '',
    );
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(`${DIRECTORY}/${name}.json`, `${JSON.stringify({ machine, how, rows, quantities }, null, 2)}\n`);
  if (plot !== undefined) writeFileSync(`${DIRECTORY}/${name}.svg`, svgOf(plot));
  console.log(lines.join('\n'));
}

type Row = ReturnType<typeof rowOf>;

function rowOf({ what, rates, reference, target, targetP99 }: Figure, all: readonly Figure[]) {
  const base = all.find((figure) => figure.what === reference)?.rates ?? [];
  const median = (of: readonly Rate[], field: keyof Rate) => summarize(of.map((rate) => rate[field])).median;
  return {
    what,
    perSecond: summarize(rates.map(({ perSecond }) => perSecond)),
    p50Ms: median(rates, 'p50Ms'),
    p99Ms: median(rates, 'p99Ms'),
    reference,
    ratio: median(rates, 'perSecond') / median(base, 'perSecond'),
    target,
    ratioP99: median(rates, 'p99Ms') / median(base, 'p99Ms'),
    targetP99: targetP99 ?? null,
  };
}

function lineOf({ what, perSecond, p50Ms, p99Ms, reference, ratio, target, ratioP99, targetP99 }: Row): string {
  const isReference = reference === what;
  const digits = perSecond.median < 20 ? 1 : 0;
  const [median, least, most] = [perSecond.median, perSecond.least, perSecond.most].map((rate) => rate.toFixed(digits));
  const wanted: string[] = [];
  if (!isReference && target > 0) wanted.push(`≥ ${Number(target.toFixed(2))}${ratio >= target ? '' : ' (short)'}`);
  if (targetP99 !== null)
    wanted.push(`p99 ≤ ${targetP99} ×: ${ratioP99.toFixed(2)}${ratioP99 <= targetP99 ? '' : ' (short)'}`);
  const cells = [
    what,
    `${median} (${least}–${most})`,
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    isReference ? '' : reference,
    isReference ? '1' : ratio.toFixed(2),
    wanted.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}
