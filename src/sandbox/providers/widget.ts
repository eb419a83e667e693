import { createHash } from 'node:crypto';

/** The texts of the form, in the languages of the checkout. */
const TEXTS = {
  en: {
    note: 'Sandbox: choose the result. No card is charged.',
    pay: 'Pay',
    decline: 'Decline',
    wait: 'Leave pending',
  },
  fr: {
    note: 'Bac à sable\u00a0: choisissez le résultat. Aucune carte n’est débitée.',
    pay: 'Payer',
    decline: 'Refuser',
    wait: 'Laisser en attente',
  },
  pt: {
    note: 'Ambiente de testes: escolha o resultado. Nenhum cartão é cobrado.',
    pay: 'Pagar',
    decline: 'Recusar',
    wait: 'Deixar pendente',
  },
} as const;

/**
 * The script that a checkout page loads, in place of the gateway's. It replaces `form.paymentWidgets` with its own form, which
 * has no card fields but three buttons for the result of the payment. The form is submitted to the gateway, which sends the
 * buyer back to the address in the page's form (`shopperResultUrl`). Its language is `wpwlOptions.locale`, as at the gateway.
 */
export function widgetScript(checkoutId: string, amount: string): string {
  return `(() => {
  const checkoutId = ${JSON.stringify(checkoutId)};
  const host = new URL(document.currentScript.src).origin;
  const all = ${JSON.stringify(TEXTS)};
  const texts = all[globalThis.wpwlOptions?.locale] ?? all.en;
  const outcomes = [['success', texts.pay + ' ' + ${JSON.stringify(amount)}], ['declined', texts.decline], ['pending', texts.wait]];
  const fill = (form) => {
    const back = document.createElement('input');
    Object.assign(back, { type: 'hidden', name: 'shopperResultUrl', value: form.action });
    const note = document.createElement('p');
    note.textContent = texts.note;
    note.classList.add('wpwl-sandbox');
    form.method = 'post';
    form.action = host + '/v1/checkouts/' + checkoutId + '/payment';
    form.classList.add('wpwl-form');
    form.replaceChildren(back, note, ...outcomes.map(([outcome, text]) => {
      const button = document.createElement('button');
      Object.assign(button, { type: 'submit', name: 'outcome', value: outcome, textContent: text });
      button.classList.add('wpwl-button', 'wpwl-button-' + outcome);
      return button;
    }));
  };
  const start = () => document.querySelectorAll('form.paymentWidgets').forEach(fill);
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
`;
}

/** The value of `integrity` in the page, so that the browser runs only this script. */
export function integrityOf(script: string): string {
  return `sha384-${createHash('sha384').update(script).digest('base64')}`;
}
