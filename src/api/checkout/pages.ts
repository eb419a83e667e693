import { html } from 'hono/html';
import { type Html, type Icon, icon, NOTHING, page } from './layout.ts';
import { amountHead, escrowExplained, itemList, lateMoneyBox } from './parts.ts';
import { payPanel } from './pay-panel.ts';
import { type LastAttempt, TEXTS } from './texts.ts';
import type { CheckoutState, CheckoutView } from './view.ts';

/** The pages of the hosted checkout, one function for each state a buyer can meet. */

export function linkPage(view: CheckoutView, lastAttempt: LastAttempt): Html {
  return PAGES[view.state](view, lastAttempt);
}

const PAGES: { readonly [State in CheckoutState]: (view: CheckoutView, lastAttempt: LastAttempt) => Html } = {
  open: openPage,
  processing: (view) => processingPage(view, { heading: view.atWork?.kind ?? 'card', root: '' }),
  paid: paidPage,
  expired: (view) => closedPage(view, TEXTS.title.expired, TEXTS.expired, 'clock'),
  rejected: (view) => closedPage(view, TEXTS.title.rejected, TEXTS.rejected, 'cross'),
};

function openPage(view: CheckoutView, lastAttempt: LastAttempt): Html {
  const { notice, root = '' } = lastAttempt;
  const shown = notice ?? (view.isDeclined ? 'declined' : null);
  return page({
    title: TEXTS.title.open(view.amount, view.companyName),
    root,
    companyName: view.companyName,
    main: html`<div class="columns">
${amountHead(view)}
<div class="action">
${lateMoneyBox(view)}
${payPanel(view, { ...lastAttempt, notice: shown })}
</div>
<div class="about">
${itemList(view)}
${escrowExplained(view, 0)}
</div>
</div>`,
  });
}

/**
 * The gateway's widget replaces the form; the form's address is the URL to which the gateway sends the buyer back. The form's
 * content is shown while the widget loads, and to buyers without JavaScript.
 */
export function cardPage(
  view: CheckoutView,
  widget: { readonly scriptUrl: string; readonly integrity: string; readonly returnUrl: string },
): Html {
  const texts = TEXTS.card;
  return page({
    title: TEXTS.title.card(view.amount, view.companyName),
    root: '../',
    companyName: view.companyName,
    head: html`<script src="${widget.scriptUrl}" integrity="${widget.integrity}" crossorigin="anonymous" defer></script>`,
    main: html`<div class="columns">
${amountHead(view)}
<section class="action panel" aria-labelledby="card">
<h2 id="card">${icon('card')}${texts.heading}</h2>
<form action="${widget.returnUrl}" class="paymentWidgets" data-brands="VISA MASTER"><p class="small">${texts.loading}</p></form>
<p class="small">${texts.trouble}</p>
<p><a href="../${view.hash}">${texts.back}</a></p>
</section>
<div class="about">${escrowExplained(view, 0)}</div>
</div>`,
  });
}

export function processingPage(
  view: CheckoutView,
  { heading, root }: { readonly heading: keyof typeof TEXTS.processing.heading; readonly root: '' | '../' },
): Html {
  const texts = TEXTS.processing;
  const text = texts.text[heading];
  return page({
    title: TEXTS.title.processing(view.amount),
    root,
    companyName: view.companyName,
    main: html`<div class="columns">
${amountHead(view)}
<section class="action panel wait" aria-labelledby="wait">
<span class="badge waiting">${icon(heading === 'mobile_money' ? 'mobile' : 'clock')}</span>
<h2 id="wait">${texts.heading[heading]}</h2>
<p role="status">${typeof text === 'string' ? text : text(view.amount)}</p>
<p class="small">${texts.refresh}</p>
<p><a class="button quiet" href="">${texts.again}</a></p>
${heading === 'checking' ? html`<p class="small"><a href="${root}${view.hash}">${texts.back}</a></p>` : NOTHING}
</section>
<div class="about">
${itemList(view)}
${escrowExplained(view, 0)}
</div>
</div>`,
  });
}

function paidPage(view: CheckoutView): Html {
  const texts = TEXTS.paid;
  return page({
    title: TEXTS.title.paid(view.amount),
    root: '',
    companyName: view.companyName,
    main: html`<div class="columns">
${amountHead(view)}
<section class="action panel done" aria-labelledby="done">
<span class="badge good">${icon('check')}</span>
<h2 id="done">${texts.heading}</h2>
<p>${view.whereMoneyIs}</p>
${lateMoneyBox(view)}
<dl class="facts receipt"><div><dt>${texts.receipt}</dt><dd><code>${view.receipt ?? ''}</code></dd></div></dl>
<p class="small">${texts.keep}</p>
</section>
<div class="about">
${itemList(view)}
${escrowExplained(view, 1)}
</div>
</div>`,
  });
}

function closedPage(
  view: CheckoutView,
  title: string,
  { heading, text }: { readonly heading: string; readonly text: (company: string) => string },
  sign: Icon,
): Html {
  return page({
    title,
    root: '',
    companyName: view.companyName,
    main: html`<div class="alone panel">
<span class="badge">${icon(sign)}</span>
<h1>${heading}</h1>
<p>${text(view.companyName)}</p>
${lateMoneyBox(view)}
<dl class="facts"><div><dt>${TEXTS.summary.amount}</dt><dd>${view.amount}</dd></div><div><dt>${TEXTS.summary.seller}</dt><dd>${view.sellerName}</dd></div></dl>
</div>`,
  });
}

/** The page for everything that cannot be shown. It contains nothing of the link. */
export function errorPage(kind: keyof typeof TEXTS.errors, root: '' | '../'): Html {
  const { title, text } = TEXTS.errors[kind];
  return page({
    title,
    root,
    companyName: null,
    main: html`<div class="alone panel">
<span class="badge">${icon('alert')}</span>
<h1>${title}</h1>
<p>${text}</p>
</div>`,
  });
}
