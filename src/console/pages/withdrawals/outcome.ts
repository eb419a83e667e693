import type { PayoutView } from '../../api-types.ts';
import { confirmation, hidden, textField } from '../../components/form.ts';
import { html, NOTHING } from '../../components/html.ts';
import { card } from '../../components/parts.ts';
import { actionField, entered } from '../../entered.ts';
import { knownVersion } from '../../known-version.ts';
import { t } from '../../language/message.ts';
import type { Visit } from '../../page.ts';

/** Platform staff book what the bank's statement shows. */

export function outcomeForms(visit: Visit, { id, status, version }: PayoutView) {
  const action = `/console/withdrawals/${id}`;
  const { csrf } = visit;
  const known = knownVersion({ version });
  const { value, error, isRefused } = entered(visit, 'NOT_PAID');
  return card({
    title: t('Book what the bank’s statement shows'),
    body: html`<div class="actions">${
      status === 'COMPLETED'
        ? NOTHING
        : confirmation({
            label: t('The bank paid it'),
            consequence: t('The withdrawal is settled. If its money was given back, it is taken again.'),
            action,
            csrf,
            fields: html`${actionField('PAID')}${known}${hidden('outcome', 'PAID')}`,
            confirm: t('Book as paid'),
          })
    }${
      status === 'PROCESSING' || status === 'COMPLETED'
        ? confirmation({
            label: t('The bank did not pay it'),
            consequence: t('The amount and its tax go back to the account.'),
            action,
            csrf,
            isOpen: isRefused,
            fields: [
              actionField('NOT_PAID'),
              known,
              hidden('outcome', 'NOT_PAID'),
              textField({
                name: 'reason',
                label: t('Reason code'),
                hint: t('ISO 20022, four characters: AC04'),
                value: value('reason'),
                error: error('reason'),
                maxLength: 4,
              }),
            ],
            confirm: t('Book as not paid'),
            tone: 'danger',
          })
        : NOTHING
    }</div>`,
  });
}
