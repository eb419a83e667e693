import { KYC_STATUSES } from '../../../domain/users.ts';
import type { Query } from '../../addresses.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { html } from '../../components/html.ts';
import { time } from '../../components/time.ts';
import { joined, t } from '../../language/message.ts';
import { listPages } from '../../list-page.ts';
import type { Visit } from '../../page.ts';
import { STATUS_FILTER } from '../filters.ts';
import { nameOf } from './names.ts';

/** The identities that wait for the platform’s approval. */

async function identities({ api }: Visit, { status = 'PENDING', search, limit, page = '1' }: Query) {
  const chosen = [...KYC_STATUSES, 'ALL' as const].find((one) => one === status) ?? 'PENDING';
  const { data, total, ...at } = await api.get('/v1/identity/admin/users', {
    query: { status: chosen, search, limit: Number(limit), page: Number(page) },
  });
  return { rows: data, total, next: at.page * at.limit < total ? { page: String(at.page + 1) } : null };
}

export const queue = listPages({
  path: '/identities',
  title: t('Identities to approve'),
  lead: t('Users of the company that is shown, and whether the platform has approved their identity.'),
  who: 'platform',
  menu: { section: 'Platform', label: t('Identities') },
  rows: identities,
  rowsPerRequest: 100,
  filters: [STATUS_FILTER([...KYC_STATUSES, 'ALL']), { name: 'search', label: t('Name or number') }],
  columns: [
    { title: t('Name'), cell: nameOf },
    {
      title: t('Mobile number'),
      rank: 'second',
      cell: ({ mobileNumber }) => html`<span class="nowrap">${mobileNumber}</span>`,
    },
    { title: t('State'), cell: ({ kycStatus }) => statusBadge(kycStatus) },
    {
      title: t('Changed since approval'),
      rank: 'second',
      cell: (user) =>
        user.changedSinceApproval.length === 0 ? '–' : joined(user.changedSinceApproval.map(statusWords)),
    },
    { title: t('Registered'), rank: 'second', cell: ({ createdAt }) => time(createdAt) },
  ],
  href: ({ id }) => `/console/users/${id}`,
  actions: () => html`<a class="button" href="/console/work?kind=IDENTITY">${t('Identities of all companies')}</a>`,
  empty: { title: t('Nobody waits'), text: t('Every identity of this company has been checked.') },
});
