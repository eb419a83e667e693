import { LINK_STATUSES } from '../../../domain/payment-link/link.ts';
import { statusBadge } from '../../components/badge.ts';
import { html, icon, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { shortId } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';
import { STATUS_FILTER, WINDOW } from '../filters.ts';

/** The company’s payment links. */

const links = apiList('/v1/payments/links');
export const list = listPages({
  path: '/links',
  title: t('Payment links'),
  lead: t('A link takes one payment and funds its escrow.'),
  who: 'read',
  menu: { section: 'Work', label: t('Payment links') },
  rows: links,
  rowsPerRequest: 100,
  filters: [STATUS_FILTER(LINK_STATUSES), { name: 'externalReference', label: t('Reference') }, ...WINDOW],
  columns: [
    { title: t('Reference'), cell: ({ externalReference, id }) => externalReference ?? id },
    { title: t('Status'), cell: ({ status }) => statusBadge(status) },
    {
      title: t('Buyer'),
      cell: ({ buyer: { id, name } }) => html`<a href="/console/users/${id}">${name ?? shortId(id)}</a>`,
    },
    { title: t('Amount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    { title: t('Escrow'), rank: 'second', cell: ({ escrowId }) => objectLink(escrowId) },
    {
      title: t('Created'),
      rank: 'second',
      cell: ({ createdAt, expiresAt }) =>
        html`${time(createdAt)}<br><span class="soft">${rich('Expires {time}', { time: time(expiresAt) })}</span>`,
    },
  ],
  href: ({ id }) => `/console/links/${id}`,
  empty: { title: t('No payment links yet'), text: t('Create one and send its address or QR code to the buyer.') },
  actions: () => html`<a class="button primary" href="/console/links/new">${icon('plus')}${t('New link')}</a>`,
});
