import { ESCROW_STATUSES, type EscrowStatus } from '../../../domain/escrow/transitions.ts';
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
import { problemNotice } from '../../layout.ts';
import { addressOf, apiList, exportLink, exportPage } from '../../list-page.ts';
import type { ConsolePage } from '../../page.ts';

/** All escrows of the company. Every filter is in the address, so that a view can be kept and shared. */

const PAGE_SIZE = 50;
const FILTERS = [
  'status',
  'externalReference',
  'buyerId',
  'sellerId',
  'startDate',
  'endDate',
  'updatedSince',
  'sort',
] as const;

const STATUS_CHOICES = [
  { value: '', label: 'Any state' },
  { value: 'ACTIVE,DELIVERY_NOTED,GOODS_RECEIVED,DISPUTED', label: 'Open, with money' },
  ...ESCROW_STATUSES.map((status) => ({ value: status, label: statusWords(status) })),
];
const SORT_CHOICES = [
  { value: '-createdAt', label: 'Newest first' },
  { value: 'createdAt', label: 'Oldest first' },
  { value: '-updatedAt', label: 'Changed last' },
  { value: 'updatedAt', label: 'Longest unchanged' },
];

export const escrowsPage: ConsolePage = {
  path: '/escrows',
  title: 'Escrows',
  who: 'read',
  menu: { section: 'Work', label: 'Escrows' },
  async show(visit) {
    const { api, query } = visit;
    const asked = Object.fromEntries(FILTERS.map((name) => [name, (query.get(name) ?? '').trim()]));
    const cursor = query.get('cursor') ?? '';
    const found = await api
      .list('/v1/escrow', { query: { ...asked, limit: PAGE_SIZE, cursor, maxTotal: MAX_COUNTED_ROWS } as object })
      .catch((error: unknown) => {
        if (error instanceof ApiProblem && error.code === 'validation_failed') return error;
        throw error;
      });
    if (found instanceof ApiProblem)
      return { status: found.status, main: html`${problemNotice(found)}${filters(asked)}` };
    const { body, nextCursor } = found;
    const address = (more: Record<string, string>) => addressOf('/console/escrows', { ...asked, ...more });
    return {
      main: html`<div class="page-head"><p>Every escrow of the company, in any state.</p><div class="actions">${
        body.data.length === 0 ? NOTHING : exportLink('/escrows', visit, asked, body.total)
      }</div></div>
${filters(asked)}
${
  body.data.length === 0
    ? emptyState('No escrow matches', 'Change the filters, or take them away.')
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
  title: 'Escrows',
  who: 'read',
  rows: apiList('/v1/escrow'),
  rowsPerRequest: 100,
  filters: FILTERS.map((name) => ({ name })),
});

function filters(asked: Readonly<Record<string, string>>): Html {
  const isMore = ['buyerId', 'sellerId', 'updatedSince'].some((name) => asked[name] !== '');
  return form({
    action: '/console/escrows',
    method: 'get',
    className: 'filters',
    submit: 'Show',
    tone: 'plain',
    fields: html`${select({ name: 'status', label: 'State', options: STATUS_CHOICES, value: asked.status })}
${textField({ name: 'externalReference', label: 'Reference', value: asked.externalReference })}
${textField({ name: 'startDate', label: 'Created from', type: 'date', value: asked.startDate })}
${textField({ name: 'endDate', label: 'to', type: 'date', value: asked.endDate })}
${select({ name: 'sort', label: 'Order', options: SORT_CHOICES, value: asked.sort })}
<details class="more-filters" ${isMore ? html`open` : NOTHING}><summary>More filters</summary><div class="filters">
${textField({ name: 'buyerId', label: 'Buyer id', value: asked.buyerId })}
${textField({ name: 'sellerId', label: 'Seller id', value: asked.sellerId })}
${textField({ name: 'updatedSince', label: 'Changed since', type: 'date', value: asked.updatedSince })}
</div></details>`,
  });
}

export function table(rows: readonly EscrowRow[]): Html {
  return dataTable<EscrowRow>({
    caption: 'Escrows',
    rows,
    href: ({ id }) => `/console/escrows/${id}`,
    columns: [
      { title: 'Reference', cell: ({ externalReference, id }) => externalReference ?? id },
      { title: 'State', cell: ({ status }) => statusBadge(status satisfies EscrowStatus) },
      { title: 'Amount', align: 'end', cell: ({ totalAmount, currency }) => money(totalAmount, currency) },
      { title: 'Buyer', cell: ({ buyer }) => buyer.name, rank: 'second' },
      { title: 'Seller', cell: ({ seller }) => seller.name, rank: 'second' },
      { title: 'Created', cell: ({ createdAt }) => time(createdAt), rank: 'second' },
    ],
  });
}
