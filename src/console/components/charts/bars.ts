import { scaleBand, scaleLinear } from 'd3-scale';
import { stack, stackOffsetDiverging } from 'd3-shape';
import { numberFormat } from '../../language/formats.ts';
import { Message, type Text, t } from '../../language/message.ts';
import { type Html, html, NOTHING } from '../html.ts';
import { countText } from '../numbers.ts';

/**
 * Bars in SVG, made on the server. Amounts become numbers for positions only: every text is made from the cents themselves.
 * Colours are classes (`series-1` …), so one style sheet serves light, dark and print.
 */

type Series = { readonly name: Message; readonly values: readonly bigint[] };

type BarChart = {
  /** What the chart shows; the caption of the table behind it. */
  readonly title: Message;
  readonly labels: readonly Text[];
  readonly series: readonly Series[];
  /** Grouped: side by side. Stacked: on top of each other, negative values below the line. */
  readonly arrangement: 'grouped' | 'stacked';
  /** The text of a value: `1,250.00`, or `12`. */
  readonly format: (value: bigint) => Text;
  /** How many make one of the axis: 100 for cents. */
  readonly perUnit: 1 | 100;
  /** The heading of the labels' column in the table: `Day`. */
  readonly labelTitle: Message;
};

const WIDTH = 720;
const HEIGHT = 240;
const MARGIN = { top: 10, right: 8, bottom: 28, left: 72 };
const TICKS = 4;
const MAX_LABELS = 6;

type Bar = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly series: number;
  readonly title: Text;
};

export function barChart(chart: BarChart): Html {
  const { title, labels, series } = chart;
  const bounds = boundsOf(chart);
  const y = scaleLinear(bounds, [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  const x = scaleBand(
    labels.map((_, index) => index),
    [MARGIN.left, WIDTH - MARGIN.right],
  ).padding(0.25);
  const bars = chart.arrangement === 'stacked' ? stacked(chart, x, y) : grouped(chart, x, y);
  const every = Math.max(1, Math.ceil(labels.length / MAX_LABELS));
  return html`<figure class="chart"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
${y
  .ticks(TICKS)
  .map(
    (tick) =>
      html`<line class="grid${tick === 0 ? ' zero' : ''}" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${px(y(tick))}" y2="${px(y(tick))}"/><text class="tick" x="${MARGIN.left - 8}" y="${px(y(tick))}" dy="0.32em" text-anchor="end">${short(chart, tick)}</text>`,
  )}
${bars.map((bar) => html`<rect class="series-${bar.series + 1}" x="${px(bar.x)}" y="${px(bar.y)}" width="${px(bar.width)}" height="${px(bar.height)}" rx="1.5"><title>${bar.title}</title></rect>`)}
${labels.map((label, index) =>
  index % every === 0
    ? html`<text class="tick" x="${px((x(index) ?? 0) + x.bandwidth() / 2)}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`
    : NOTHING,
)}</svg>
${series.length > 1 ? legend(series) : NOTHING}
${chartTable(chart)}</figure>`;
}

function legend(series: readonly Series[]): Html {
  return html`<ul class="legend" aria-hidden="true">${series.map(({ name }, index) => html`<li><svg width="10" height="10" class="key"><rect class="series-${index + 1}" width="10" height="10" rx="2"/></svg>${name}</li>`)}</ul>`;
}

/** The same values as text, in a closed box that screen readers and keyboards can open. */
function chartTable({ title, labels, series, format, labelTitle }: BarChart): Html {
  return html`<details class="chart-table"><summary>${t('Show as a table')}</summary><div class="table-frame" role="region" aria-label="${title}" tabindex="0"><table class="table"><caption>${title}</caption><thead><tr><th scope="col">${labelTitle}</th>${series.map(({ name }) => html`<th scope="col" class="end">${name}</th>`)}</tr></thead><tbody>
${labels.map((label, index) => html`<tr><th scope="row">${label}</th>${series.map(({ values }) => html`<td class="end">${format(values[index] ?? 0n)}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

type X = ReturnType<typeof scaleBand<number>>;
type Y = ReturnType<typeof scaleLinear<number, number>>;

function grouped({ labels, series, format }: BarChart, x: X, y: Y): Bar[] {
  const inner = scaleBand(
    series.map((_, index) => index),
    [0, x.bandwidth()],
  ).padding(0.08);
  return labels.flatMap((label, index) =>
    series.map(({ name, values }, which) => {
      const value = values[index] ?? 0n;
      const left = (x(index) ?? 0) + (inner(which) ?? 0);
      const title = barTitle(label, name, format(value));
      return { x: left, width: inner.bandwidth(), series: which, title, ...between(y(0), y(Number(value))) };
    }),
  );
}

function stacked({ labels, series, format }: BarChart, x: X, y: Y): Bar[] {
  const layers = stack<number, number>()
    .keys(series.map((_, which) => which))
    .value((index, which) => Number(series[which]?.values[index] ?? 0n))
    .offset(stackOffsetDiverging)(labels.map((_, index) => index));
  return layers.flatMap((layer, which) =>
    layer.map((point, index) => {
      const value = series[which]?.values[index] ?? 0n;
      const title = barTitle(labels[index] ?? '', series[which]?.name ?? '', format(value));
      return { x: x(index) ?? 0, width: x.bandwidth(), series: which, title, ...between(y(point[0]), y(point[1])) };
    }),
  );
}

function between(one: number, other: number) {
  return { y: Math.min(one, other), height: Math.abs(one - other) };
}

/** The lowest and the highest value that has to fit, zero included; an empty chart has a scale too. */
function boundsOf({ labels, series, arrangement }: BarChart): [number, number] {
  const columns = labels.map((_, index) => series.map(({ values }) => Number(values[index] ?? 0n)));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const ends = columns.flatMap((column) =>
    arrangement === 'stacked'
      ? [sum(column.filter((value) => value > 0)), sum(column.filter((value) => value < 0))]
      : column,
  );
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  return low === high ? [0, 1] : [low, high];
}

/** Ticks show thousands and millions: nobody reads an exact amount from them. */
function short({ perUnit }: BarChart, tick: number): Text {
  if (!Number.isInteger(tick)) return '';
  return new Message(({ locale }) => numberFormat(locale, { notation: 'compact' }).format(tick / perUnit));
}

function barTitle(label: Text, name: Text, value: Text): Text {
  return t('{label}: {name} {value}', { label, name, value });
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

type AgeBucket = { readonly label: Text; readonly count: bigint };

/** The number of things by age: `up to 1 day`, `2 to 7 days`, … */
export function ageHistogram(title: Message, buckets: readonly AgeBucket[], name: Message): Html {
  return barChart({
    title,
    labels: buckets.map(({ label }) => label),
    series: [{ name, values: buckets.map(({ count }) => count) }],
    arrangement: 'grouped',
    format: countText,
    perUnit: 1,
    labelTitle: t('Age'),
  });
}
