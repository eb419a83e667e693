import { badge, statusBadge, statusWords } from '../../components/badge.ts';
import { html, icon } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { time } from '../../components/time.ts';
import { t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';
import { WINDOW } from '../filters.ts';
import { mayRecordReceipts, recordedByPlatform } from './new.ts';

/** The money that the bank reported. */

const MATCHES = ['TRANSIT_DEPOSIT', 'USER', 'SUSPENSE'];

/** The page below /console of a receipt. The API finds receipts by their reference. */
export const receiptPath = ({ id, reference }: { readonly id: string; readonly reference: string }): string =>
  `/receipts/${id}?${new URLSearchParams({ reference })}`;

const captures = apiList('/v1/treasury/captures');
export const list = listPages({
  path: '/receipts',
  title: t('Bank receipts'),
  lead: t(
    'Money that the bank reported. A receipt whose owner is unknown waits in suspense until somebody assigns it.',
  ),
  who: 'read',
  menu: { section: 'Money', label: t('Bank receipts') },
  rows: captures,
  rowsPerRequest: 100,
  filters: [
    { name: 'matchedTo', label: t('Went to'), values: MATCHES.map((value) => ({ value, label: statusWords(value) })) },
    { name: 'reference', label: t('Reference') },
    ...WINDOW,
  ],
  columns: [
    { title: t('Reference'), cell: ({ reference }) => reference },
    { title: t('Amount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    {
      title: t('Went to'),
      cell: ({ matchedTo: { kind, id } }) =>
        kind === 'SUSPENSE' ? statusBadge('SUSPENSE') : html`${statusWords(kind)} ${objectLink(id)}`,
    },
    {
      title: t('Warning'),
      rank: 'second',
      cell: ({ possibleDuplicateOf: other }) =>
        other === null ? '–' : html`${badge(t('Possible duplicate'), 'warn')} ${objectLink(other)}`,
    },
    { title: t('Recorded'), rank: 'second', cell: ({ created_at }) => time(created_at) },
  ],
  href: (receipt) => `/console${receiptPath(receipt)}`,
  empty: { title: t('No receipts yet'), text: t('What the bank’s statement shows appears here once it is recorded.') },
  actions: (visit) =>
    mayRecordReceipts(visit)
      ? html`<a class="button primary" href="/console/receipts/new">${icon('plus')}${t('Record a receipt')}</a>`
      : recordedByPlatform(visit),
});
