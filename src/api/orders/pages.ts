import { randomUUID } from 'node:crypto';
import { html } from 'hono/html';
import { MAX_EXTENSION_HOURS } from '../../domain/escrow/escrow.ts';
import type { OrderAct } from '../../domain/order-pages.ts';
import { type Html, type Icon, icon, NOTHING, page } from '../checkout/layout.ts';
import { BADGES } from '../checkout/pages.ts';
import { facts, moment } from '../checkout/parts.ts';
import { MAX_DOCUMENT_BYTES, MAX_ORDER_FILES_BYTES } from '../limits.ts';
import type { OrderTexts } from './texts/english.ts';
import { ACTING_MINUTES } from './tokens.ts';
import type { OrderView, PieceField } from './view.ts';

/** The page of a party: where the order stands, what the party can do, what was ordered and what happened. */

export type OrderNotice = keyof OrderTexts['notices'];
const GOOD_NOTICES: readonly OrderNotice[] = ['done', 'asked', 'code_sent'];
/** From a page to the checkout, which has the style sheet and the script. */
const ASSETS = '../checkout/';

export type Asked = {
  /** The act whose form is open. */
  readonly act: OrderAct | null;
  readonly notice: OrderNotice | null;
  /** The last part of the page's address; the addresses of its forms are relative to the page. */
  readonly token: string;
  /** What the party typed into the form of the act, if it is shown again where it was sent to: below the page. */
  readonly typed?: URLSearchParams;
  /** Inside of another page it is only for reading. */
  readonly isInFrame: boolean;
};

/** The acts whose forms take files. */
export const TAKES_FILES: readonly OrderAct[] = ['dispatch', 'dispute', 'evidence', 'confirm_receipt'];

export function orderPage(view: OrderView, asked: Asked): Html {
  const { texts, standing, site } = view;
  const [sign, tone] = BADGES[standing.kind];
  return page({
    ...view,
    title: texts.title(view.companyName),
    root: asked.typed === undefined ? ASSETS : `../${ASSETS}`,
    main: html`<div class="columns">
<section class="head">
<h1><span class="kicker">${texts.you[view.party]}</span> <span class="amount">${view.amount}</span></h1>
${facts([
  [texts.seller, view.sellerName],
  ...(view.buyerName === null ? [] : [[texts.buyer, view.buyerName] as const]),
  ...(view.order === null ? [] : [[texts.order, view.order] as const]),
  ...(view.release === null ? [] : [[texts.untilRelease, html`${view.release.left}`] as const]),
])}
</section>
<div class="action">
<section class="panel done" aria-labelledby="standing">
<span class="badge ${tone}">${icon(sign)}</span>
<h2 id="standing">${standing.heading}</h2>
<p>${standing.sentences.join(' ')}</p>
${view.answerBy === null ? NOTHING : html`<p><strong>${(view.answerBy.isOver ? texts.answerIsLate : texts.answerBy)(view.answerBy.text)}</strong></p>`}
${proposalBox(view)}
${requestBoxes(view)}
${view.hasReceipt ? html`<p><a class="button quiet" href="${asked.token}/receipt" download>${site.language.texts.paid.download}</a></p>` : NOTHING}
</section>
${actPanel(view, asked)}
</div>
<div class="about">
${steps(view)}
${items(view)}
${milestones(view)}
${money(view)}
${story(view, asked.token)}
</div>
</div>`,
  });
}

function proposalBox({ proposal, party, texts }: OrderView): Html {
  if (proposal === null) return NOTHING;
  const { sellerGets, buyerGets, isMine, until } = proposal;
  const split =
    party === 'BUYER'
      ? [texts.proposal.youGet(buyerGets), texts.proposal.sellerGets(sellerGets)]
      : [texts.proposal.youGet(sellerGets), texts.proposal.buyerGets(buyerGets)];
  return html`<p class="notice info" role="status">${icon('alert')}<span><strong>${isMine ? texts.proposal.mine : texts.proposal.theirs}</strong><br>${split.join(' ')} ${texts.proposal.until(until.text)}</span></p>`;
}

function requestBoxes({ requests, texts }: OrderView): Html {
  return html`${requests.map(
    ({ act, status, reason, until }) =>
      html`<p class="notice info" role="status">${icon(status === 'PENDING' ? 'clock' : 'alert')}<span><strong>${texts.acts[act].name}</strong><br>${texts.requests[status](until.text)}${reason === null ? NOTHING : html` ${reason}`}</span></p>`,
  )}`;
}

const ICONS: Readonly<Record<OrderAct, Icon>> = {
  confirm_receipt: 'check',
  release: 'balance',
  extend: 'clock',
  ask_cancel: 'cross',
  dispatch: 'check',
  dispute: 'alert',
  evidence: 'alert',
  propose: 'balance',
  answer: 'balance',
  payout_details: 'card',
  payout: 'balance',
};

function actPanel(view: OrderView, asked: Asked): Html {
  const { texts, acts } = view;
  if (acts.length === 0) return notice(view, asked.notice);
  if (asked.isInFrame)
    return html`<p><a class="button" href="${asked.token}" target="_blank" rel="noopener">${texts.acts.openPage}</a></p>`;
  return html`<section class="panel" aria-labelledby="acts">
<h2 id="acts">${texts.acts.heading}</h2>
${notice(view, asked.notice)}
${acts.map((act) => actBox(view, act, asked))}
<p class="small">${texts.acts.open(ACTING_MINUTES)}</p>
</section>`;
}

function notice({ texts }: OrderView, shown: OrderNotice | null): Html {
  if (shown === null) return NOTHING;
  const isGood = GOOD_NOTICES.includes(shown);
  return html`<p class="notice ${isGood ? 'info' : 'error'}" role="${isGood ? 'status' : 'alert'}" id="notice">${icon(isGood ? 'check' : 'alert')}<span>${texts.notices[shown]}</span></p>`;
}

function actBox(view: OrderView, act: OrderAct, asked: Asked): Html {
  const { name: usualName, hint: usual } = view.texts.acts[act];
  const name = act === 'release' && view.standing.isAgreed ? view.texts.acts.release.asAgreed : usualName;
  const hint = act === 'ask_cancel' ? cancelHint(view) : usual;
  const body = view.mayAct ? actForm(view, act, asked) : codeForms(view, act, asked);
  return html`<details class="method" name="act" id="${act}" ${act === asked.act ? html`open` : NOTHING}>
<summary>${icon(ICONS[act])}<span class="method-name">${name}</span><span class="method-hint">${hint}</span></summary>
<div class="method-body">${body}</div>
</details>`;
}

function cancelHint({ texts: { acts }, isCancelledByConsent, isTakenBack }: OrderView): string {
  if (isCancelledByConsent) return acts.needsConsent;
  return isTakenBack ? acts.settlesFirst : acts.ask_cancel.hint;
}

/** Without a code in time, the act begins with one. The field is shown after a code was requested. */
function codeForms({ texts, phoneEnding }: OrderView, act: OrderAct, asked: Asked): Html {
  const typed = act === asked.act ? [...(asked.typed ?? [])] : [];
  const kept = html`${typed.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
  const isKept =
    typed.length === 0
      ? NOTHING
      : html`<p class="small">${texts.acts.kept} ${TAKES_FILES.includes(act) ? texts.acts.filesAgain : NOTHING}</p>`;
  const isAsked = act === asked.act && asked.notice !== null && asked.notice !== 'code_needed';
  const isWrong = isAsked && asked.notice !== 'code_sent';
  const send = html`<form method="post" action="${asked.token}/code">
<input type="hidden" name="act" value="${act}">${kept}
<p class="small">${texts.acts.codeText(phoneEnding)}</p>
<button class="${isAsked ? 'quiet' : ''}">${isAsked ? texts.acts.sendAgain : texts.acts.send}</button>
</form>`;
  if (!isAsked) return html`${isKept}${send}`;
  return html`${isKept}<form method="post" action="${asked.token}/unlock">
<input type="hidden" name="act" value="${act}">${kept}
<label for="otp-${act}">${texts.acts.label}</label>
<input id="otp-${act}" name="otp" class="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus aria-describedby="notice" ${isWrong ? html`aria-invalid="true"` : NOTHING}>
<button>${texts.acts.unlock}</button>
</form>
${send}`;
}

function actForm(view: OrderView, act: OrderAct, asked: Asked): Html {
  const typed: Typed = (name) => (act === asked.act ? (asked.typed?.get(name) ?? null) : null);
  const { acts: texts } = view.texts;
  const { button } = texts[act];
  const isDanger = act === 'ask_cancel' || act === 'dispute';
  const takesFiles = TAKES_FILES.includes(act) && !(act === 'confirm_receipt' && openMilestones(view).length > 0);
  return html`<form method="post" action="${asked.token}/act" ${takesFiles ? html`enctype="multipart/form-data"` : NOTHING}>
<input type="hidden" name="act" value="${act}">
<input type="hidden" name="key" value="${randomUUID()}">
${FIELDS[act](view, typed)}
${takesFiles ? fileField(view, act, act === asked.act && asked.typed !== undefined) : NOTHING}
${view.mustAsk.includes(act) ? html`<p class="small">${texts.mustAsk}</p>` : NOTHING}
${
  act === 'answer'
    ? html`${view.proposal?.isAcceptable === false ? html`<p class="small">${view.texts.notices.payment_charged_back}</p>` : html`<button name="answer" value="accept">${button}</button> `}<button class="quiet" name="answer" value="reject">${texts.answer.reject}</button>`
    : html`<button class="${isDanger ? 'danger' : ''}">${button}</button>`
}
</form>`;
}

/** What was typed into the field of this name, in a form that is shown again; null in a new form. */
type Typed = (name: string) => string | null;

const FIELDS: { readonly [Act in OrderAct]: (view: OrderView, typed: Typed) => Html } = {
  confirm_receipt: (view, typed) =>
    openMilestones(view).length > 0
      ? html`${milestoneField(view, 'receipt', typed)}<p class="small">${view.texts.acts.paysPart}</p>`
      : html`${pieces(view, view.pieces.confirm_receipt, typed)}${noteField(view, typed)}`,
  dispatch: (view, typed) => {
    const { texts } = view;
    return html`${pieces(view, view.pieces.dispatch, typed)}${line('carrier', texts.acts.carrier, typed, false)}${line('tracking-number', texts.acts.trackingNumber, typed, false)}
<label for="tracking-url">${texts.acts.trackingUrl}</label>
<input id="tracking-url" name="tracking-url" type="url" maxlength="255" value="${typed('tracking-url') ?? ''}">${noteField(view, typed)}`;
  },
  release: (view, typed) => (openMilestones(view).length > 0 ? milestoneField(view, 'release', typed) : NOTHING),
  extend: ({ texts }, typed) => html`<label for="hours">${texts.acts.hours}</label>
<input id="hours" name="hours" type="number" min="1" max="${MAX_EXTENSION_HOURS}" value="${typed('hours') ?? '72'}" required>`,
  ask_cancel: (view, typed) =>
    html`${view.isCancelledByConsent ? html`<p class="small">${view.texts.acts.askedAsProposal}</p>` : NOTHING}${words('cancel-reason', 'reason', view.texts.acts.cancelReason, true, typed)}`,
  dispute: ({ texts }, typed) => words('dispute-reason', 'reason', texts.acts.reason, true, typed),
  evidence: ({ texts }, typed) => words('evidence-text', 'reason', texts.acts.evidenceText, true, typed),
  propose: (view, typed) => html`<label for="amount">${view.texts.acts.amount(view.currency)}</label>
<input id="amount" name="amount" inputmode="decimal" required maxlength="20" value="${typed('amount') ?? ''}" aria-describedby="amount-help">
<p class="small help" id="amount-help">${view.texts.acts.most(view.most)}</p>${noteField(view, typed)}`,
  payout_details: ({ texts }, typed) =>
    html`${line('bank_name', texts.acts.bankName, typed, true)}${line('branch_code', texts.acts.branchCode, typed, true)}${line('account_number', texts.acts.accountNumber, typed, true)}${line('account_name', texts.acts.accountName, typed, true)}`,
  payout: ({ texts, money: shown, currency }, typed) =>
    line('amount', texts.acts.payoutAmount(currency), (name) => typed(name) ?? shown?.amount ?? null, true),
  answer: ({ proposal }) =>
    proposal === null ? NOTHING : html`<input type="hidden" name="proposal" value="${proposal.id}">`,
};

function openMilestones({ milestones }: OrderView): OrderView['milestones'] {
  return milestones.filter(({ status }) => status === 'PENDING');
}

function milestoneField(view: OrderView, of: 'receipt' | 'release', typed: Typed): Html {
  const { acts: texts } = view.texts;
  const selected = (value: string) => (typed('milestone') === value ? html`selected` : NOTHING);
  return html`<label for="milestone-${of}">${texts.part}</label>
<select id="milestone-${of}" name="milestone">${openMilestones(view).map(({ id, name, amount }) => html`<option value="${id}" ${selected(id)}>${name} ${amount}</option>`)}${of === 'release' ? html`<option value="" ${selected('')}>${texts.all}</option>` : NOTHING}</select>`;
}

function pieces({ texts }: OrderView, fields: readonly PieceField[], typed: Typed): Html {
  return html`${fields.map(
    ({ itemId, name, most }) => html`<label for="p-${itemId}">${texts.acts.pieces(name, String(most))}</label>
<input id="p-${itemId}" name="pieces-${itemId}" type="number" min="0" max="${most}" value="${typed(`pieces-${itemId}`) ?? String(most)}" required>`,
  )}`;
}

function noteField({ texts, acts }: OrderView, typed: Typed): Html {
  return words(`note-${acts.length}-${randomUUID().slice(0, 8)}`, 'note', texts.acts.note, false, typed);
}

function fileField({ texts }: OrderView, act: OrderAct, isAgain: boolean): Html {
  return html`<label for="file-${act}">${texts.acts.files}</label>
<input id="file-${act}" name="file" type="file" multiple accept="image/*,application/pdf" data-each="${MAX_DOCUMENT_BYTES}" data-all="${MAX_ORDER_FILES_BYTES}" data-too-large="${texts.notices.payload_too_large}" aria-describedby="file-help-${act}">
<p class="small help" id="file-help-${act}">${isAgain ? html`<strong>${texts.acts.filesAgain}</strong> ` : NOTHING}${texts.acts.filesHelp}</p>`;
}

function line(name: string, label: string, typed: Typed, isRequired: boolean): Html {
  return html`<label for="f-${name}">${label}</label>
<input id="f-${name}" name="${name}" value="${typed(name) ?? ''}" maxlength="255" autocomplete="off" ${isRequired ? html`required` : NOTHING}>`;
}

function words(id: string, name: string, label: string, isRequired: boolean, typed: Typed): Html {
  return html`<label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="3" maxlength="2000" ${isRequired ? html`required` : NOTHING}>${typed(name) ?? ''}</textarea>`;
}

/** Explains escrow to the buyer. */
function steps({ party, standing, site, companyName }: OrderView): Html {
  const { heading, lead, steps: all } = site.language.texts.escrow;
  if (party === 'SELLER' || !standing.isHeld || standing.isAgreed) return NOTHING;
  return html`<section class="escrow" aria-labelledby="escrow">
<h2 id="escrow">${icon('shield')}${heading}</h2>
<p>${lead(companyName)}</p>
<ol class="steps">
${all.map(
  ({ title, text }, index) =>
    html`<li class="${index < standing.reached ? 'done' : ''}"><span class="step-title">${title}</span><span class="step-text">${text(companyName)}</span></li>`,
)}
</ol>
</section>`;
}

function items({ texts, items: all, fees, amount, site }: OrderView): Html {
  return html`<section class="items" aria-labelledby="items">
<h2 id="items">${texts.items}</h2>
<ul>
${all.map(
  ({ name, note, total }) =>
    html`<li><div><span class="item-name">${name}</span>${note === null ? NOTHING : html`<span class="item-note">${note}</span>`}</div><span class="item-total">${total}</span></li>`,
)}
${fees === null ? NOTHING : html`<li><span>${site.language.texts.summary.fees}</span><span class="item-total">${fees}</span></li>`}
</ul>
<p class="total"><span>${texts.total}</span><span class="item-total">${amount}</span></p>
</section>`;
}

function milestones({ texts, milestones: all, standing }: OrderView): Html {
  if (all.length === 0) return NOTHING;
  return html`<section class="items" aria-labelledby="milestones">
<h2 id="milestones">${texts.milestones.heading}</h2>
<ul>${all.map(({ name, amount, status }) => html`<li><div><span class="item-name">${name}</span>${status === 'PENDING' && !standing.isHeld ? NOTHING : html`<span class="item-note">${texts.milestones[status]}</span>`}</div><span class="item-total">${amount}</span></li>`)}</ul>
</section>`;
}

function money({ texts, money: shown }: OrderView): Html {
  if (shown === null) return NOTHING;
  const { available, to, isUnusable, isStopped, notBefore, next, payouts } = shown;
  const nowhere = isUnusable ? texts.money.unusable : next === null ? texts.money.nowhere : NOTHING;
  const later = html`${notBefore === null ? NOTHING : html` ${texts.money.notBefore(notBefore.text)}`}${next === null ? NOTHING : html` ${texts.money.next(next.to, next.from.text)}`}`;
  return html`<section class="items" aria-labelledby="money">
<h2 id="money">${texts.money.heading}</h2>
<p>${texts.money.available(available)} ${to === null ? nowhere : texts.money.to(to)}${later}</p>
${isStopped ? html`<p>${texts.notices.receivable_open}</p>` : NOTHING}
${payouts.length === 0 ? NOTHING : html`<ul>${payouts.map(({ amount, status, at }) => html`<li><div><span class="item-name">${texts.money.statuses[status]}</span><span class="item-note">${moment(at)}</span></div><span class="item-total">${amount}</span></li>`)}</ul>`}
</section>`;
}

function fileLink(
  { id, isImage, size }: OrderView['story'][number]['files'][number],
  token: string,
  texts: OrderTexts,
): Html {
  const url = `${token}/files/${id}`;
  const name = `${texts.story.file} (${size})`;
  return html`<p><a href="${url}" download>${isImage ? html`<img class="photo" src="${url}" alt="${name}" loading="lazy">` : name}</a></p>`;
}

function story({ texts, story: entries }: OrderView, token: string): Html {
  return html`<section class="story" aria-labelledby="story">
<h2 id="story">${texts.story.heading}</h2>
<ol>
${entries.map(
  ({ title, by, text, parcel, url, files, at }) =>
    html`<li><span class="story-title">${title}</span> <span class="item-note">${by === '' ? NOTHING : html`${by} · `}${moment(at)}</span>${text === null ? NOTHING : html`<p>${text}</p>`}${parcel === null ? NOTHING : html`<p>${parcel}</p>`}${url === null ? NOTHING : html`<p><a href="${url}" rel="noreferrer nofollow" target="_blank">${texts.story.link}</a></p>`}${files.map((file) => fileLink(file, token, texts))}</li>`,
)}
</ol>
</section>`;
}
