import type { Operation, RequestOf } from '../../../../clients/typescript/src/types.ts';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../domain/escrow/statuses.ts';
import { addressOf } from '../../addresses.ts';
import { ApiProblem } from '../../api-client.ts';
import type { EscrowRow } from '../../api-types.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { form, select, textField } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { MAX_COUNTED_ROWS, pagination } from '../../components/pagination.ts';
import { emptyState } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { t } from '../../language/message.ts';
import { problemNotice } from '../../layout.ts';
import { apiList, exportLink, exportPage } from '../../list-page.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { inZone, monthLinks } from '../../time-window.ts';

/** All escrows of the company. Every filter is in the address, so that a view can be kept and shared. */

const PAGE_SIZE = 50;
type Query = NonNullable<RequestOf<Operation<'get', '/v1/escrow'>>['query']>;
const FILTERS = [
  'status',
  'externalReference',
  'buyerId',
  'sellerId',
  'startDate',
  'endDate',
  'updatedSince',
  'sort',
] as const satisfies readonly (keyof Query)[];

const STATUS_CHOICES = [
  { value: '', label: t('Any state') },
  { value: 'ACTIVE,DELIVERY_NOTED,GOODS_RECEIVED,DISPUTED', label: t('Open, with money') },
  ...ESCROW_STATUSES.map((status) => ({ value: status, label: statusWords(status) })),
];
const SORT_CHOICES = [
  { value: '-createdAt', label: t('Newest first') },
  { value: 'createdAt', label: t('Oldest first') },
  { value: '-updatedAt', label: t('Changed last') },
  { value: 'updatedAt', label: t('Longest unchanged') },
];

export const escrowsPage: ConsolePage = {
  path: '/escrows',
  title: t('Escrows'),
  who: 'read',
  menu: { section: 'Work', label: t('Escrows') },
  async show(visit) {
    const { api, query, language } = visit;
    const asked = Object.fromEntries(FILTERS.map((name) => [name, (query.get(name) ?? '').trim()]));
    const cursor = query.get('cursor') ?? '';
    const found = await api
      .list('/v1/escrow', {
        query: { ...inZone(asked, language.timeZone), limit: PAGE_SIZE, cursor, maxTotal: MAX_COUNTED_ROWS } as object,
      })
      .catch((error: unknown) => {
        if (error instanceof ApiProblem && error.code === 'validation_failed') return error;
        throw error;
      });
    if (found instanceof ApiProblem)
      return { status: found.status, main: html`${problemNotice(found)}${filters(visit, asked)}` };
    const { body, nextCursor } = found;
    const address = (more: Record<string, string>) => addressOf('/console/escrows', { ...asked, ...more });
    return {
      main: html`<div class="page-head"><p>${t('Every escrow of the company, in any state.')}</p><div class="actions">${
        body.data.length === 0 ? NOTHING : exportLink('/escrows', visit, asked, body.total)
      }</div></div>
${filters(visit, asked)}
${
  body.data.length === 0
    ? emptyState(t('No escrow matches'), t('Change the filters, or take them away.'))
    : html`${table(body.data)}${pagination({
        shown: body.data.length,
        total: body.total,
        next: nextCursor === null ? null : address({ cursor: nextCursor }),
        first: cursor === '' ? null : address({}),
      })}`
}`,
    };
  },
};

export const escrowsExport = exportPage({
  path: '/escrows',
  title: t('Escrows'),
  who: 'read',
  rows: apiList('/v1/escrow'),
  rowsPerRequest: 100,
  filters: FILTERS.map((name) => ({ name })),
});

function filters(visit: Visit, asked: Readonly<Record<string, string>>): Html {
  const isMore = ['buyerId', 'sellerId', 'updatedSince'].some((name) => asked[name] !== '');
  return form({
    action: '/console/escrows',
    method: 'get',
    className: 'filters',
    submit: t('Show'),
    tone: 'plain',
    fields: html`${select({ name: 'status', label: t('State'), options: STATUS_CHOICES, value: asked.status })}
${textField({ name: 'externalReference', label: t('Reference'), value: asked.externalReference })}
${textField({ name: 'startDate', label: t('Created from'), type: 'date', value: asked.startDate })}
${textField({ name: 'endDate', label: t('to'), type: 'date', value: asked.endDate })}
${monthLinks(visit, '/console/escrows', asked, ['startDate', 'endDate'])}
${select({ name: 'sort', label: t('Order'), options: SORT_CHOICES, value: asked.sort })}
<details class="more-filters" ${isMore ? html`open` : NOTHING}><summary>${t('More filters')}</summary><div class="filters">
${textField({ name: 'buyerId', label: t('Buyer id'), value: asked.buyerId })}
${textField({ name: 'sellerId', label: t('Seller id'), value: asked.sellerId })}
${textField({ name: 'updatedSince', label: t('Changed since'), type: 'date', value: asked.updatedSince })}
</div></details>`,
  });
}

export function table(rows: readonly EscrowRow[]): Html {
  return dataTable<EscrowRow>({
    caption: t('Escrows'),
    rows,
    href: ({ id }) => `/console/escrows/${id}`,
    columns: [
      { title: t('Reference'), cell: ({ externalReference, id }) => externalReference ?? id },
      { title: t('State'), cell: ({ status }) => statusBadge(status satisfies EscrowStatus) },
      { title: t('Amount'), align: 'end', cell: ({ totalAmount, currency }) => money(totalAmount, currency) },
      { title: t('Buyer'), cell: ({ buyer }) => buyer.name, rank: 'second' },
      { title: t('Seller'), cell: ({ seller }) => seller.name, rank: 'second' },
      { title: t('Created'), cell: ({ createdAt }) => time(createdAt), rank: 'second' },
    ],
  });
}
