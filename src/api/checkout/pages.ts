import { html } from 'hono/html';
import { PROMPT_LIFETIME_MINUTES } from '../../domain/payment-link/link.ts';
import { type Frame, type Html, type Icon, icon, NOTHING, page, type Site } from './layout.ts';
import type { LastAttempt } from './notices.ts';
import { amountHead, escrowExplained, facts, itemList, lateMoneyBox, moment, wayBack } from './parts.ts';
import { payPanel } from './pay-panel.ts';
import type { StandingKind } from './standing.ts';
import type { Texts } from './texts/english.ts';
import type { CheckoutState, CheckoutView } from './view.ts';

/** The pages of the hosted checkout, one function for each state a buyer can meet. */

export function linkPage(view: CheckoutView, lastAttempt: LastAttempt): Html {
  return PAGES[view.state](view, lastAttempt);
}

const PAGES: { readonly [State in CheckoutState]: (view: CheckoutView, lastAttempt: LastAttempt) => Html } = {
  open: openPage,
  processing: (view) => processingPage(view, { heading: view.atWork?.kind ?? 'card', root: '' }),
  paid: paidPage,
  expired: (view) => closedPage(view, textsOf(view).expired, 'clock'),
  rejected: (view) => closedPage(view, textsOf(view).rejected, 'cross'),
  cancelled: (view) => closedPage(view, textsOf(view).cancelled, 'cross'),
};

function textsOf({ site }: CheckoutView): Texts {
  return site.language.texts;
}

function openPage(view: CheckoutView, lastAttempt: LastAttempt): Html {
  const { notice, root = '' } = lastAttempt;
  return page({
    ...view,
    title: textsOf(view).title.open(view.amount, view.companyName),
    root,
    main: html`<div class="columns">
${amountHead(view)}
<div class="action">
${lateMoneyBox(view)}
${payPanel(view, { ...lastAttempt, notice: notice ?? view.lastNotice })}
</div>
<div class="about">
${itemList(view)}
${escrowExplained(view)}
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
  const texts = textsOf(view).card;
  return page({
    ...view,
    title: textsOf(view).title.card(view.amount, view.companyName),
    root: '../',
    head: html`<script src="${widget.scriptUrl}" integrity="${widget.integrity}" crossorigin="anonymous" defer></script>`,
    main: html`<div class="columns">
${amountHead(view)}
<section class="action panel" aria-labelledby="card">
<h2 id="card">${icon('card')}${texts.heading}</h2>
<form action="${widget.returnUrl}" class="paymentWidgets" data-brands="VISA MASTER"><p class="small">${texts.loading}</p></form>
<p class="small">${texts.trouble}</p>
<p><a href="../${view.hash}">${texts.back}</a></p>
</section>
<div class="about">${escrowExplained(view)}</div>
</div>`,
  });
}

export function processingPage(
  view: CheckoutView,
  { heading, root }: { readonly heading: keyof Texts['processing']['heading']; readonly root: '' | '../' },
): Html {
  const texts = textsOf(view).processing;
  const isPhone = heading === 'mobile_money';
  return page({
    ...view,
    title: textsOf(view).title.processing(view.amount),
    root,
    main: html`<div class="columns">
${amountHead(view)}
<section class="action panel wait" aria-labelledby="wait">
<span class="badge waiting">${icon(isPhone ? 'mobile' : 'clock')}</span>
<h2 id="wait">${texts.heading[heading]}</h2>
<p role="status">${isPhone ? texts.mobile(view.amount, view.phoneEnding) : texts[heading]}</p>
${isPhone ? html`<p class="small">${texts.lapse(PROMPT_LIFETIME_MINUTES)}</p>` : NOTHING}
<p class="small">${texts.refresh}</p>
<p><a class="button quiet" href="">${texts.again}</a></p>
${heading === 'checking' ? html`<p class="small"><a href="${root}${view.hash}">${texts.back}</a></p>` : NOTHING}
</section>
<div class="about">
${itemList(view)}
${escrowExplained(view)}
</div>
</div>`,
  });
}

function paidPage(view: CheckoutView): Html {
  const texts = textsOf(view).paid;
  const { standing } = view;
  const [sign, tone] = BADGES[standing.kind];
  return page({
    ...view,
    title: textsOf(view).title.paid(view.amount),
    root: '',
    main: html`<div class="columns">
${amountHead(view)}
<section class="action panel done" aria-labelledby="done">
<span class="badge ${tone}">${icon(sign)}</span>
<h2 id="done">${standing.heading}</h2>
<p>${standing.sentences.join(' ')}</p>
${lateMoneyBox(view)}
${paymentFacts(view)}
${wayBack(view.successUrl, textsOf(view).backTo(view.companyName), 'button')}
<p><a class="button quiet" href="${view.hash}/receipt" download>${texts.download}</a></p>
</section>
<div class="about">
${itemList(view)}
${standing.isHeld && !standing.isAgreed ? escrowExplained(view) : NOTHING}
</div>
</div>`,
  });
}

const GOOD = ['check', 'good'] as const;
export const BADGES: Readonly<Record<StandingKind, readonly [sign: Icon, tone: 'good' | 'waiting' | '']>> = {
  unpaid: ['clock', 'waiting'],
  held: GOOD,
  partly_sent: GOOD,
  sent: GOOD,
  partly_received: GOOD,
  received: GOOD,
  disputed: ['alert', 'waiting'],
  taken_back: ['alert', 'waiting'],
  released: GOOD,
  divided: GOOD,
  refunded: ['cross', ''],
  never_paid: ['cross', ''],
  returned: ['cross', ''],
  resolved: GOOD,
};

function paymentFacts(view: CheckoutView): Html {
  const { payment, order } = view;
  const texts = textsOf(view);
  if (payment === null) return NOTHING;
  return facts(
    [
      [texts.paid.at, moment(payment.at)],
      [texts.paid.method, texts.paid.methods[payment.with]],
      ...(order === null ? [] : [[texts.summary.order, order] as const]),
      [texts.paid.receipt, html`<code>${payment.receipt}</code>`],
    ],
    'receipt',
  );
}

function closedPage(
  view: CheckoutView,
  { heading, text }: { readonly heading: string; readonly text: (company: string) => string },
  sign: Icon,
): Html {
  const { summary, backTo } = textsOf(view);
  return page({
    ...view,
    title: heading,
    root: '',
    main: html`<div class="alone panel">
<span class="badge">${icon(sign)}</span>
<h1>${heading}</h1>
<p>${text(view.companyName)}</p>
${lateMoneyBox(view)}
${facts([
  [summary.amount, view.amount],
  [summary.seller, view.sellerName],
])}
${wayBack(view.cancelUrl, backTo(view.companyName), 'button quiet')}
</div>`,
  });
}

/** The page for everything that cannot be shown. It contains nothing of the link. */
export function errorPage(
  site: Site,
  { title, text }: Texts['errors'][keyof Texts['errors']],
  root: Frame['root'],
): Html {
  return page({
    site,
    title,
    root,
    shop: null,
    main: html`<div class="alone panel">
<span class="badge">${icon('alert')}</span>
<h1>${title}</h1>
<p>${text}</p>
</div>`,
  });
}
