import { permits } from '../../../domain/roles.ts';
import { WITHDRAWAL_STATUSES } from '../../../domain/withdrawal/withdrawal.ts';
import { badge } from '../../components/badge.ts';
import { html, icon, NOTHING } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { time } from '../../components/time.ts';
import { t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { STATUS_FILTER, WINDOW } from '../filters.ts';
import { failureText, payoutBadge } from './outcome.ts';

/** Money on its way to bank accounts. */

const withdrawals = apiList('/v1/treasury/withdrawals');
export const list = listPages({
  path: '/withdrawals',
  title: t('Withdrawals'),
  lead: t('Money on its way to bank accounts, and what the bank said about it.'),
  who: 'read',
  menu: { section: 'Money', label: t('Withdrawals') },
  rows: withdrawals,
  rowsPerRequest: 100,
  filters: [STATUS_FILTER(WITHDRAWAL_STATUSES), { name: 'externalReference', label: t('Reference') }, ...WINDOW],
  columns: [
    { title: t('Reference'), cell: ({ reference }) => reference },
    {
      title: t('Status'),
      cell: (payout) =>
        html`${payoutBadge(payout)}${payout.review_reason === null ? NOTHING : html` ${badge(t('Look at this'), 'warn')}`}`,
    },
    { title: t('Amount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    { title: t('To'), rank: 'second', cell: ({ account_name, bank_name }) => `${account_name}, ${bank_name}` },
    {
      title: t('Bank’s reason'),
      rank: 'second',
      cell: ({ failure_reason: code }) => (code === null ? '–' : failureText(code)),
    },
    { title: t('Requested'), rank: 'second', cell: ({ created_at }) => time(created_at) },
  ],
  href: ({ id }) => `/console/withdrawals/${id}`,
  empty: { title: t('No withdrawals yet'), text: t('A withdrawal pays money from an account to a bank.') },
  actions: ({ session }) =>
    permits(session.role, 'manage_money')
      ? html`<a class="button primary" href="/console/withdrawals/new">${icon('plus')}${t('New withdrawal')}</a>`
      : NOTHING,
});
