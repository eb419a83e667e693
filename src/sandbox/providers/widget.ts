import { createHash } from 'node:crypto';

/**
 * The script that a checkout page loads, as the gateway's: it turns `form.paymentWidgets` into a form of its own. There is no
 * card to type: three buttons say how the payment ends. The form goes to the gateway, which sends the buyer back to
 * the address that the page gave the form (`shopperResultUrl`).
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

/** What a page writes into `integrity`, so that its browser runs this script and no other. */
export function integrityOf(script: string): string {
  return `sha384-${createHash('sha384').update(script).digest('base64')}`;
}
