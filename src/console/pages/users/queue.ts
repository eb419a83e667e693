import { KYC_STATUSES } from '../../../domain/users.ts';
import type { Query } from '../../addresses.ts';
import { badge, statusBadge, statusWords } from '../../components/badge.ts';
import { html } from '../../components/html.ts';
import { time } from '../../components/time.ts';
import { joined, t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import type { Visit } from '../../page.ts';
import { STATUS_FILTER } from '../filters.ts';
import { workColumns } from '../work.ts';
import { nameOf } from './names.ts';

/** Identities for the platform: those of all companies that wait for it or for a document, and all of one company. */

const work = apiList('/v1/work', () => ({ query: { kind: 'IDENTITY' } }));
const waiting = listPages({
  path: '/identities',
  title: t('Identities'),
  lead: t('Identities to check, and users whose document has not arrived yet: of all companies, the oldest first.'),
  who: 'platform',
  menu: { section: 'Platform', label: t('Identities') },
  // The list of all companies is that of the platform’s own company, whichever the pages show.
  rows: (visit, query) => work({ ...visit, api: visit.apiFor(visit.session.homeCompanyId) }, query),
  rowsPerRequest: 100,
  filters: [],
  columns: (visit) => workColumns(visit, { hasAmounts: false, hasCompanies: true }),
  actions: () => html`<a class="button" href="/console/identities/company">${t('All identities of one company')}</a>`,
  empty: { title: t('Nobody waits'), text: t('No identity waits for the platform now.') },
});

async function identities({ api }: Visit, { status = 'PENDING', search, limit, page = '1' }: Query) {
  const chosen = [...KYC_STATUSES, 'ALL' as const].find((one) => one === status) ?? 'PENDING';
  const { data, total, ...at } = await api.get('/v1/identity/admin/users', {
    query: { status: chosen, search, limit: Number(limit), page: Number(page) },
  });
  return { rows: data, total, next: at.page * at.limit < total ? { page: String(at.page + 1) } : null };
}

const ofCompany = listPages({
  path: '/identities/company',
  title: t('Identities of the company'),
  lead: t('Users of the company that is shown, and whether the platform has approved their identity.'),
  who: 'platform',
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
      title: t('Document'),
      cell: ({ documentUrl }) => (documentUrl === null ? badge(t('No document'), 'warn') : t('Sent')),
    },
    {
      title: t('Changed since approval'),
      rank: 'second',
      cell: (user) =>
        user.changedSinceApproval.length === 0 ? '–' : joined(user.changedSinceApproval.map(statusWords)),
    },
    { title: t('Registered'), rank: 'second', cell: ({ createdAt }) => time(createdAt) },
  ],
  href: ({ id }) => `/console/users/${id}`,
  actions: () => html`<a class="button" href="/console/identities">${t('Identities of all companies')}</a>`,
  empty: { title: t('Nobody waits'), text: t('No identity of this company waits now.') },
});

export const identityPages = [...waiting, ...ofCompany];
