/** A line plot as SVG, with a logarithmic horizontal axis: how something changes while sizes grow. */

export type Plot = {
  readonly title: string;
  readonly horizontal: string;
  readonly vertical: string;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
};

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const RIGHT = 24;
const TOP = 48;
const BOTTOM = 56;
const TICKS = 5;
const COLOURS = ['#1f5fa8', '#b4541a', '#2f7d4f', '#7a3f9d'];

export function svgOf({ title, horizontal, vertical, lines }: Plot): string {
  const points = lines.flatMap((line) => line.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const top = niceCeiling(Math.max(...points.map(({ y }) => y)));
  const [least = 1, most = 1] = [xs[0], xs.at(-1)];
  const across = (x: number) =>
    LEFT + (most === least ? 0.5 : Math.log(x / least) / Math.log(most / least)) * (WIDTH - LEFT - RIGHT);
  const up = (y: number) => HEIGHT - BOTTOM - (y / top) * (HEIGHT - TOP - BOTTOM);
  const text = (x: number, y: number, anchor: string, words: string, more = '') =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${more}>${escaped(words)}</text>`;

  const rows = Array.from({ length: TICKS + 1 }, (_, tick) => (top * tick) / TICKS).flatMap((y) => [
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${up(y).toFixed(1)}" y2="${up(y).toFixed(1)}" stroke="#dddddd"/>`,
    text(LEFT - 8, up(y) + 4, 'end', y.toLocaleString('en')),
  ]);
  const columns = xs.map((x) => text(across(x), HEIGHT - BOTTOM + 18, 'middle', x.toLocaleString('en')));
  const drawn = lines.flatMap((line, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = line.points.map(({ x, y }) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`);
    return [
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...path.map((at) => `<circle cx="${at.split(',')[0]}" cy="${at.split(',')[1]}" r="3" fill="${colour}"/>`),
      text(LEFT + 8 + index * 240, TOP - 10, 'start', line.name, ` fill="${colour}"`),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(WIDTH / 2, 20, 'middle', title, ' font-size="14"'),
    ...rows,
    ...columns,
    ...drawn,
    text((WIDTH + LEFT) / 2, HEIGHT - 12, 'middle', horizontal),
    text(
      16,
      (HEIGHT - BOTTOM + TOP) / 2,
      'middle',
      vertical,
      ` transform="rotate(-90 16 ${(HEIGHT - BOTTOM + TOP) / 2})"`,
    ),
    '</svg>',
    '',
  ].join('\n');
}

/** The next of 1, 2 or 5 times a power of ten. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
