import { statusBadge, statusWords } from '../../components/badge.ts';
import { money } from '../../components/money.ts';
import { t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';

/** The company’s own accounts. */

const companyAccounts = apiList('/v1/ledger/company/accounts', () => ({}), { isCountedWhole: true });
export const accounts = listPages({
  path: '/ledger',
  title: t('Ledger'),
  lead: t('The company’s own accounts. Accounts of users are on the users’ pages.'),
  who: 'read',
  menu: { section: 'Money', label: t('Ledger') },
  rows: companyAccounts,
  rowsPerRequest: 1_000,
  filters: [],
  columns: [
    { title: t('Account'), cell: ({ type }) => statusWords(type) },
    { title: t('Currency'), rank: 'second', cell: ({ currency }) => currency },
    { title: t('Balance'), align: 'end', cell: ({ balance, currency }) => money(balance, currency) },
    {
      title: t('Held'),
      align: 'end',
      rank: 'second',
      cell: ({ held_balance, currency }) => money(held_balance, currency),
    },
    { title: t('Transactions'), rank: 'second', cell: ({ ledgerId }) => objectLink(ledgerId) },
    { title: t('State'), rank: 'second', cell: ({ is_frozen }) => (is_frozen ? statusBadge('FROZEN') : '–') },
  ],
  href: ({ id }) => `/console/ledger/accounts/${id}`,
  empty: { title: t('No accounts'), text: t('The company has no accounts of its own.') },
});
