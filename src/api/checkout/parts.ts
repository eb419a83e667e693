import { html } from 'hono/html';
import { type Html, icon, NOTHING } from './layout.ts';
import { NOTICES, type Notice, TEXTS } from './texts.ts';
import type { CheckoutView } from './view.ts';

/** Parts that several pages share. */

export function amountHead({
  amount,
  buyerName,
  sellerName,
  isThroughCompany,
  companyName,
  ...view
}: CheckoutView): Html {
  const texts = TEXTS.summary;
  const rows: [string, Html | string][] = [
    [texts.seller, sellerName],
    ...(isThroughCompany ? [[texts.through, companyName] as [string, string]] : []),
    ...(buyerName === null ? [] : [[texts.buyer, buyerName] as [string, string]]),
  ];
  const isOpen = view.state === 'open' || view.state === 'processing';
  return html`<section class="head">
<h1><span class="kicker">${view.state === 'paid' ? texts.youPaid : texts.youPay}</span> <span class="amount">${amount}</span></h1>
<dl class="facts">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
${isOpen ? validity(view.validUntil) : NOTHING}
</dl>
</section>`;
}

function validity({ iso, text, left }: CheckoutView['validUntil']): Html {
  return html`<div><dt>${TEXTS.summary.validUntil}</dt><dd><time datetime="${iso}">${text}</time> <span class="left">${left}</span></dd></div>`;
}

export function itemList({ items, amount, state }: CheckoutView): Html {
  return html`<section class="items" aria-labelledby="items">
<h2 id="items">${TEXTS.summary.items}</h2>
<ul>
${items.map(
  ({ name, description, quantity, total }) => html`<li>
<div><span class="item-name">${name}</span>${description === null ? NOTHING : html`<span class="item-note">${description}</span>`}${quantity === null ? NOTHING : html`<span class="item-note">${quantity}</span>`}</div>
<span class="item-total">${total}</span>
</li>`,
)}
</ul>
<p class="total"><span>${state === 'paid' ? TEXTS.summary.paid : TEXTS.summary.total}</span><span>${amount}</span></p>
</section>`;
}

/** Explains escrow to the buyer. `reached`: how many of its steps are complete. */
export function escrowExplained({ companyName, autoReleaseHours }: CheckoutView, reached: 0 | 1): Html {
  const { heading, lead, steps, problem, autoRelease } = TEXTS.escrow;
  return html`<section class="escrow" aria-labelledby="escrow">
<h2 id="escrow">${icon('shield')}${heading}</h2>
<p>${lead(companyName)}</p>
<ol class="steps">
${steps.map(
  ({ title, text }, index) =>
    html`<li class="${index < reached ? 'done' : ''}"><span class="step-title">${title}</span><span class="step-text">${text}</span></li>`,
)}
</ol>
<p class="small">${problem(companyName)}${autoReleaseHours === null ? '' : ` ${autoRelease(autoReleaseHours)}`}</p>
</section>`;
}

export function noticeBox(notice: Notice | null): Html {
  if (notice === null) return NOTHING;
  const { tone, text } = NOTICES[notice];
  return html`<p class="notice ${tone}" role="${tone === 'error' ? 'alert' : 'status'}" id="notice">${icon(tone === 'error' ? 'alert' : 'check')}<span>${text}</span></p>`;
}

export function lateMoneyBox({ hasLateMoney, companyName }: CheckoutView): Html {
  if (!hasLateMoney) return NOTHING;
  return html`<p class="notice info" role="status">${icon('alert')}<span>${TEXTS.lateMoney(companyName)}</span></p>`;
}
