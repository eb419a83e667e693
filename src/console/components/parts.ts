import { encode } from 'uqr';
import type { Source } from '../../domain/source.ts';
import { LANGUAGES } from '../language/languages.ts';
import { Message, type Text, t } from '../language/message.ts';
import { type Html, html, type Icon, icon, NOTHING } from './html.ts';

/** Small parts that all areas of the console share. */

export type Fact = readonly [name: Message, value: Html | Text | number | null];

/** Names and values. A fact without a value shows a dash. */
export function definitionList(facts: readonly Fact[]): Html {
  return html`<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value === null || value === '' ? html`<span class="none">–</span>` : value}</dd></div>\n`)}</dl>`;
}

export type Moment = {
  readonly title: Html | Message;
  readonly at: Html;
  readonly by: Text | null;
  /** What people wrote and which amounts moved. */
  readonly detail?: Html | Text | null;
  readonly tone?: 'good' | 'bad' | 'warn';
};

/** What happened, in its order. */
export function timeline(moments: readonly Moment[]): Html {
  return html`<ol class="timeline">
${moments.map(
  ({ title, at, by, detail, tone }) =>
    html`<li class="${tone ?? ''}"><div class="moment"><strong>${title}</strong><span class="soft">${by === null ? NOTHING : html`${by} · `}${at}</span></div>${detail == null ? NOTHING : html`<div class="moment-detail">${detail}</div>`}</li>\n`,
)}</ol>`;
}

/** In place of a list without rows: what would stand here, and the first step. */
export function emptyState(title: Message, text: Html | Message, action: Html = NOTHING): Html {
  return html`<div class="empty">${icon('empty')}<p class="empty-title">${title}</p><p class="soft">${text}</p>${action}</div>`;
}

type Card = {
  readonly title: Message;
  readonly body: Html;
  /** Beside the title: links and buttons. */
  readonly actions?: Html;
  /** Of the heading, for links to it. */
  readonly id?: string;
};

export function card({ title, body, actions = NOTHING, id }: Card): Html {
  const headingId =
    id ??
    new Message(() =>
      title
        .in(LANGUAGES.en)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-'),
    );
  return html`<section class="card" aria-labelledby="${headingId}"><header class="card-head"><h2 id="${headingId}">${title}</h2><div class="actions">${actions}</div></header>
${body}</section>`;
}

type Notice = {
  readonly tone: 'good' | 'bad' | 'warn' | 'info';
  readonly text: Html | Text;
  /** Gets the focus when the page opens, so that the keyboard and screen readers begin with it. */
  readonly isFirst?: boolean;
};

const NOTICE_ICONS = { good: 'check', bad: 'cross', warn: 'alert', info: 'question' } as const satisfies Record<
  Notice['tone'],
  Icon
>;

/** The result of the last action, or what a reader must know first. */
export function notice({ tone, text, isFirst = false }: Notice): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"${isFirst ? html` tabindex="-1" autofocus` : NOTHING}>${icon(NOTICE_ICONS[tone])}<div>${text}</div></div>`;
}

export type Figure = { readonly name: Text; readonly value: Html | Text; readonly note?: Html | Text };

/** Large figures in a row. */
export function figures(all: readonly Figure[]): Html {
  return html`<dl class="figures">${all.map(
    ({ name, value, note }) =>
      html`<div><dt>${name}</dt><dd><span class="figure">${value}</span>${note === undefined ? NOTHING : html`<span class="soft">${note}</span>`}</dd></div>`,
  )}</dl>`;
}

/** An id in full, in a fixed-width font. The script offers to copy what has `data-copy`, under the name that stands there. */
export function idText(id: string): Html {
  return html`<code class="id" data-copy>${id}</code>`;
}

/** The last characters of an id, for tables; the title has all of it. */
export function shortId(id: string): Html {
  const [prefix = '', rest = ''] = id.split('_');
  return html`<code class="id" title="${id}">${prefix}_…${rest.slice(-8)}</code>`;
}

/** JSON as it was sent or received, indented if it is JSON. */
export function jsonText(value: unknown): Html {
  return html`<pre class="code" tabindex="0">${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>`;
}

/** Where an act came from, for people. */
export const SOURCE_NAMES = {
  API: t('API'),
  CONSOLE: t('Console'),
  CHECKOUT: t('Checkout'),
  ORDER_PAGE: t('Order page'),
  TEMPORAL: t('Temporal, past the API'),
  TIMER: t('Deadline'),
  PROVIDER: t('Payment provider'),
  SYSTEM: t('The service'),
} as const satisfies Readonly<Record<Source, Message>>;

/** A quiet zone of four modules, as ISO/IEC 18004 asks. */
const BORDER_MODULES = 4;

/** `text` as a QR code: one path of unit squares. Black on white in both themes, because scanners need that. */
export function qrCode(text: string, label: Message): Html {
  const { size, data } = encode(text, { border: BORDER_MODULES, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="200" height="200" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
