import { permits } from '../../../domain/roles.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { html, NOTHING, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, definitionList, emptyState, notice } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { t } from '../../language/message.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { assignForms } from './assign.ts';

/** One receipt. Money whose owner is unknown is assigned here. */

/** The API has no operation for one receipt: the list is searched by its reference. */
async function findCapture({ api, params, query }: Visit) {
  const reference = query.get('reference') ?? '';
  const { data } = await api.get('/v1/treasury/captures', { query: { reference, limit: 100 } });
  return data.find(({ id }) => id === params.id) ?? null;
}

export const one: ConsolePage = {
  path: '/receipts/:id',
  title: t('Bank receipt'),
  who: 'read',
  show: async (visit) => {
    const capture = await findCapture(visit);
    const trail = [[t('Bank receipts'), '/receipts']] as const;
    if (capture === null) return { trail, main: emptyState(t('Not found'), t('Open the receipt from the list.')) };
    const { matchedTo, currency, possibleDuplicateOf: other } = capture;
    const isWaiting = matchedTo.kind === 'SUSPENSE' && capture.status === 'COMPLETED';
    return {
      title: t('Receipt {reference}', { reference: capture.reference }),
      trail,
      main: html`${other === null ? NOTHING : notice({ tone: 'warn', text: rich('The deposit {deposit} may report the same money. Compare the bank’s statement before you assign this.', { deposit: objectLink(other) }) })}<div class="columns">${card(
        {
          title: t('Receipt'),
          body: definitionList([
            [t('Amount'), money(capture.amount, currency)],
            [t('Reference'), capture.reference],
            [t('Status'), statusBadge(capture.status)],
            [t('Went to'), html`${statusWords(matchedTo.kind)} ${objectLink(matchedTo.id)}`],
            [t('Recorded'), time(capture.created_at)],
            [t('Transaction'), objectLink(capture.id)],
          ]),
        },
      )}${isWaiting && permits(visit.session.role, 'manage_money') ? card({ title: t('Assign to an owner'), body: await assignForms(visit, capture) }) : NOTHING}</div>`,
    };
  },
  act: async ({ api, params }, sent) => {
    const userId = sent.text('userId');
    const done = await api.post('/v1/treasury/captures/{id}/assign', {
      path: { id: params.id ?? '' },
      idempotencyKey: sent.idempotencyKey,
      body: { userId },
    });
    return {
      to: `/users/${done.matchedTo.id}`,
      flash: { tone: 'good', text: t('The receipt is on the user’s account.') },
    };
  },
};
