import { html } from 'hono/html';
import { type Html, icon, NOTHING } from './layout.ts';
import { isError, type Notice } from './notices.ts';
import type { CheckoutView, Moment } from './view.ts';

/** Parts that several pages share. */

export function amountHead({
  amount,
  buyerName,
  sellerName,
  isThroughCompany,
  companyName,
  ...view
}: CheckoutView): Html {
  const texts = view.site.language.texts.summary;
  const rows: [string, Html | string][] = [
    [texts.seller, sellerName],
    ...(isThroughCompany ? [[texts.through, companyName] as [string, string]] : []),
    ...(buyerName === null ? [] : [[texts.buyer, buyerName] as [string, string]]),
  ];
  const isOpen = view.state === 'open' || view.state === 'processing';
  const { validUntil } = view;
  if (isOpen) rows.push([texts.validUntil, html`${moment(validUntil)} <span class="left">${validUntil.left}</span>`]);
  return html`<section class="head">
<h1><span class="kicker">${view.state === 'paid' ? texts.youPaid : texts.youPay}</span> <span class="amount">${amount}</span></h1>
${facts(rows)}
</section>`;
}

export function facts(rows: readonly (readonly [string, Html | string])[], kind = ''): Html {
  return html`<dl class="facts ${kind}">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`;
}

/** In the company's zone. The page's script adds the time in the buyer's. */
export function moment({ iso, text }: Moment): Html {
  return html`<time datetime="${iso}">${text}</time>`;
}

export function itemList({ items, amount, state, adjustment, fees, site }: CheckoutView): Html {
  const texts = site.language.texts.summary;
  const others: [string, string | null][] = [
    [texts.adjustment, adjustment],
    [texts.fees, fees],
  ];
  return html`<section class="items" aria-labelledby="items">
<h2 id="items">${texts.items}</h2>
<ul>
${items.map(
  ({ name, description, quantity, total }) => html`<li>
<div><span class="item-name">${name}</span>${description === null ? NOTHING : html`<span class="item-note">${description}</span>`}${quantity === null ? NOTHING : html`<span class="item-note">${quantity}</span>`}</div>
<span class="item-total">${total}</span>
</li>`,
)}
${others.map(([name, value]) => (value === null ? NOTHING : html`<li><span>${name}</span><span class="item-total">${value}</span></li>`))}
</ul>
<p class="total"><span>${state === 'paid' ? texts.paid : texts.total}</span><span class="item-total">${amount}</span></p>
</section>`;
}

/** Explains escrow to the buyer, and how far the order is. Requires that its money is held, or will be. */
export function escrowExplained({ companyName, autoReleaseHours, standing, site }: CheckoutView): Html {
  const { heading, lead, steps, problem, autoRelease } = site.language.texts.escrow;
  const { reached, kind } = standing;
  const rule = kind === 'unpaid' || kind === 'held' ? autoReleaseHours : null;
  return html`<section class="escrow" aria-labelledby="escrow">
<h2 id="escrow">${icon('shield')}${heading}</h2>
<p>${lead(companyName)}</p>
<ol class="steps">
${steps.map(
  ({ title, text }, index) =>
    html`<li class="${index < reached ? 'done' : ''}"><span class="step-title">${title}</span><span class="step-text">${text(companyName)}</span></li>`,
)}
</ol>
${kind === 'disputed' ? NOTHING : html`<p class="small">${problem(companyName)}${rule === null ? '' : ` ${autoRelease(rule)}`}</p>`}
</section>`;
}

export function noticeBox(notice: Notice | null, { site }: CheckoutView): Html {
  if (notice === null) return NOTHING;
  const text = site.language.texts.notices[notice];
  const [tone, role, sign] = isError(notice)
    ? (['error', 'alert', 'alert'] as const)
    : (['info', 'status', 'check'] as const);
  return html`<p class="notice ${tone}" role="${role}" id="notice">${icon(sign)}<span>${text}</span></p>`;
}

export function lateMoneyBox({ hasLateMoney, companyName, site }: CheckoutView): Html {
  if (!hasLateMoney) return NOTHING;
  return html`<p class="notice info" role="status">${icon('alert')}<span>${site.language.texts.lateMoney(companyName)}</span></p>`;
}

/** A link to the company's shop. */
export function wayBack(url: string | null, text: string, kind: 'button' | 'button quiet' | ''): Html {
  return url === null ? NOTHING : html`<p><a class="${kind}" href="${url}">${text}</a></p>`;
}
