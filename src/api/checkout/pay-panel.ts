import { html } from 'hono/html';
import { type Html, icon, NOTHING } from './layout.ts';
import { isError, type LastAttempt, type Method, type Notice } from './notices.ts';
import { noticeBox } from './parts.ts';
import type { Texts } from './texts/english.ts';
import type { CheckoutView } from './view.ts';

/** The ways to pay, with one of them open. Each is a plain form that is answered by a redirect back to the page. */

export function payPanel(shown: CheckoutView, { method, notice, typed = '', root = '' }: LastAttempt): Html {
  // The forms' addresses are relative to the page.
  const view = { ...shown, hash: `${root}${shown.hash}` };
  const { hash, companyName, cancelUrl } = view;
  const { texts } = view.site.language;
  const open = method ?? 'card';
  return html`<section class="panel" aria-labelledby="pay">
<h2 id="pay">${texts.methods.heading}</h2>
${noticeBox(notice, view)}
${methodBox('card', open, cardForm(hash, texts), texts)}
${methodBox('mobile', open, mobileForm(view, notice, typed), texts)}
${methodBox('balance', open, balanceForms(view, method === 'balance' ? notice : null), texts, texts.methods.balance.hint(companyName))}
<details class="refuse">
<summary>${texts.reject.summary}</summary>
<form method="post" action="${hash}/reject">
<p class="small">${texts.reject.text}</p>
<button class="danger">${texts.reject.button}</button>
</form>
</details>
${cancelUrl === null ? NOTHING : html`<p class="small"><a href="${cancelUrl}">${texts.leave(companyName)}</a></p>`}
</section>`;
}

function methodBox(
  method: Method,
  open: Method,
  form: Html,
  { methods }: Texts,
  hint = method === 'balance' ? '' : methods[method].hint,
): Html {
  // The `open` attribute opens a box; boxes with the same name close each other.
  return html`<details class="method" name="method" id="${method}" ${method === open ? html`open` : NOTHING}>
<summary>${icon(method)}<span class="method-name">${methods[method].name}</span><span class="method-hint">${hint}</span></summary>
<div class="method-body">${form}</div>
</details>`;
}

function cardForm(hash: string, { methods: { card: texts } }: Texts): Html {
  return html`<form method="post" action="${hash}/card">
<p class="small">${texts.text}</p>
<button>${texts.button}</button>
</form>`;
}

function mobileForm({ hash, amount, site }: CheckoutView, notice: Notice | null, typed: string): Html {
  const texts = site.language.texts.methods.mobile;
  const isWrong = notice === 'phone_invalid';
  return html`<form method="post" action="${hash}/mobile">
<label for="phone">${texts.label}</label>
<input id="phone" name="phone" type="tel" value="${typed}" inputmode="tel" autocomplete="tel" required maxlength="24" aria-describedby="phone-help${isWrong ? ' notice' : ''}" ${isWrong ? html`aria-invalid="true" autofocus` : NOTHING}>
<p class="small help" id="phone-help">${texts.help}</p>
<button>${texts.button(amount)}</button>
</form>`;
}

const ABOUT_A_CODE: readonly Notice[] = [
  'code_sent',
  'otp_required',
  'otp_invalid',
  'otp_expired',
  'otp_locked',
  'too_many_requests',
  'dependency_unavailable',
];

/** The field for the code is shown only after a code was requested. */
function balanceForms({ hash, amount, companyName, site }: CheckoutView, notice: Notice | null): Html {
  const texts = site.language.texts.methods.balance;
  const hasCode = notice !== null && ABOUT_A_CODE.includes(notice);
  const isWrong = notice !== null && isError(notice);
  const send = html`<form method="post" action="${hash}/code">
<p class="small">${texts.text(companyName)}</p>
<button class="${hasCode ? 'quiet' : ''}">${hasCode ? texts.sendAgain : texts.send}</button>
</form>`;
  if (!hasCode) return send;
  return html`<form method="post" action="${hash}/balance">
<label for="otp">${texts.label}</label>
<input id="otp" name="otp" class="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus aria-describedby="otp-help notice" ${isWrong ? html`aria-invalid="true"` : NOTHING}>
<p class="small help" id="otp-help">${texts.help}</p>
<button>${texts.button(amount)}</button>
</form>
${send}`;
}
