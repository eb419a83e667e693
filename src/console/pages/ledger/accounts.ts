import { statusBadge, statusWords } from '../../components/badge.ts';
import { money } from '../../components/money.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';

/** The company’s own accounts. */

const companyAccounts = apiList('/v1/ledger/company/accounts', () => ({}), { isCountedWhole: true });
export const accounts = listPages({
  path: '/ledger',
  title: 'Ledger',
  lead: 'The company’s own accounts. Accounts of users are on the users’ pages.',
  who: 'read',
  menu: { section: 'Money', label: 'Ledger' },
  rows: companyAccounts,
  rowsPerRequest: 1_000,
  filters: [],
  columns: [
    { title: 'Account', cell: ({ type }) => statusWords(type) },
    { title: 'Currency', rank: 'second', cell: ({ currency }) => currency },
    { title: 'Balance', align: 'end', cell: ({ balance, currency }) => money(balance, currency) },
    {
      title: 'Held',
      align: 'end',
      rank: 'second',
      cell: ({ held_balance, currency }) => money(held_balance, currency),
    },
    { title: 'Transactions', rank: 'second', cell: ({ ledgerId }) => objectLink(ledgerId) },
    { title: 'State', rank: 'second', cell: ({ is_frozen }) => (is_frozen ? statusBadge('FROZEN') : '–') },
  ],
  href: ({ id }) => `/console/ledger/accounts/${id}`,
  empty: { title: 'No accounts', text: 'The company has no accounts of its own.' },
});
