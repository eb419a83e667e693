import { createHash } from 'node:crypto';

/**
 * The script that a checkout page loads, in place of the gateway's. It replaces `form.paymentWidgets` with its own form, which
 * has no card fields but three buttons for the result of the payment. The form is submitted to the gateway, which sends the
 * buyer back to the address in the page's form (`shopperResultUrl`).
 */
export function widgetScript(checkoutId: string, label: string): string {
  return `(() => {
  const checkoutId = ${JSON.stringify(checkoutId)};
  const host = new URL(document.currentScript.src).origin;
  const outcomes = [['success', ${JSON.stringify(label)}], ['declined', 'Decline'], ['pending', 'Leave pending']];
  const fill = (form) => {
    const back = document.createElement('input');
    Object.assign(back, { type: 'hidden', name: 'shopperResultUrl', value: form.action });
    form.method = 'post';
    form.action = host + '/v1/checkouts/' + checkoutId + '/payment';
    form.classList.add('wpwl-form');
    form.replaceChildren(back, ...outcomes.map(([outcome, text]) => {
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
