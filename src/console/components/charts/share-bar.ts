import { scaleLinear } from 'd3-scale';
import type { Currency } from '../../../domain/money.ts';
import { joined, type Message, t } from '../../language/message.ts';
import { type Html, html } from '../html.ts';
import { type Cents, moneyText } from '../money.ts';

type Share = {
  readonly name: Message;
  readonly cents: Cents;
  readonly kind: 'held' | 'paid' | 'refunded' | 'fees';
};

const WIDTH = 1_000;
const HEIGHT = 18;
/** A share above zero stays visible, however small it is. */
const LEAST = 6;

/** Where the money of an escrow is: one bar, with a list that says the same in exact amounts. */
export function moneyBar(shares: readonly Share[], currency: Currency): Html {
  const there = shares.filter(({ cents }) => BigInt(cents) > 0n);
  const total = there.reduce((sum, { cents }) => sum + BigInt(cents), 0n);
  const width = scaleLinear([0, Math.max(1, Number(total))], [0, WIDTH - LEAST * there.length]);
  let x = 0;
  const parts = there.map((share) => {
    const part = { ...share, x, width: width(Number(BigInt(share.cents))) + LEAST };
    x += part.width;
    return part;
  });
  const words = joined(there.map(({ name, cents }) => joined([name, moneyText(cents, currency)], ' ')));
  return html`<figure class="money-bar"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" height="${HEIGHT}" width="100%" role="img" aria-label="${there.length === 0 ? t('No money yet') : words}"><rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>${parts.map((part) => html`<rect class="share-${part.kind}" x="${part.x.toFixed(1)}" width="${part.width.toFixed(1)}" height="${HEIGHT}"/>`)}</svg>
<ul class="legend">${shares.map(({ name, cents, kind }) => html`<li><svg width="10" height="10" class="key" aria-hidden="true"><rect class="share-${kind}" width="10" height="10" rx="2"/></svg>${name} <span class="money">${moneyText(cents, currency)}</span></li>`)}</ul></figure>`;
}
