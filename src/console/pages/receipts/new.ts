import { permits } from '../../../domain/roles.ts';
import { statusWords } from '../../components/badge.ts';
import { form, select, textField } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { isCurrency } from '../../components/money.ts';
import { card } from '../../components/parts.ts';
import { actionField, amountOf, entered } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Screen, Visit } from '../../page.ts';
import { CURRENCY_OPTIONS } from '../filters.ts';

/** Recording what the bank's statement shows. */

/** Whether the API lets the reader say what the bank received: a receipt, or its file. */
export const mayRecordReceipts = ({ session, settings }: Visit): boolean =>
  permits(session.role, settings.mayOnlyPlatformCapture ? 'platform' : 'manage_money');

/** For those whose role would permit it, where only the platform does it. */
export function recordedByPlatform({ session, settings }: Visit): Html {
  const isToldSo = settings.mayOnlyPlatformCapture && permits(session.role, 'manage_money');
  if (!isToldSo || permits(session.role, 'platform')) return NOTHING;
  return html`<p class="soft">${t('Only the platform records what the bank received, because it backs payouts. Ask its staff.')}</p>`;
}

export const made: ConsolePage = {
  path: '/receipts/new',
  title: t('Record a bank receipt'),
  who: 'manage_money',
  show: async (visit) => {
    const { value, error } = entered(visit, 'record');
    const trail: Screen['trail'] = [[t('Bank receipts'), '/receipts']];
    if (!mayRecordReceipts(visit)) return { trail, main: recordedByPlatform(visit) };
    return {
      trail,
      main: card({
        title: t('What the bank’s statement shows'),
        body: form({
          action: '/console/receipts/new',
          csrf: visit.csrf,
          submit: t('Record'),
          fields: [
            actionField('record'),
            select({
              name: 'currency',
              label: t('Currency'),
              isRequired: true,
              value: value('currency'),
              error: error('currency'),
              options: CURRENCY_OPTIONS,
            }),
            textField({
              name: 'amount',
              label: t('Amount'),
              inputMode: 'decimal',
              isRequired: true,
              value: value('amount'),
              error: error('amount'),
            }),
            textField({
              name: 'reference',
              label: t('The bank’s reference'),
              isRequired: true,
              maxLength: 255,
              value: value('reference'),
              error: error('reference'),
            }),
          ],
        }),
      }),
    };
  },
  act: async ({ api }, sent) => {
    const currency = sent.text('currency');
    if (!isCurrency(currency)) return sent.refuse('currency', t('Choose a currency of the service.'));
    const capture = await api.post('/v1/treasury/bank/capture', {
      idempotencyKey: sent.idempotencyKey,
      body: { amount: amountOf(sent, 'amount', currency), currency, reference: sent.text('reference') },
    });
    return {
      to: `/receipts/${capture.id}?${new URLSearchParams({ reference: capture.reference })}`,
      flash: {
        tone: 'good',
        text: t('The receipt is recorded. It went to: {place}.', { place: statusWords(capture.matchedTo.kind) }),
      },
    };
  },
};
