import type { Operation, RequestOf } from '../../../../clients/typescript/src/types.ts';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../domain/escrow/escrow.ts';
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
/** Pages, the words of the search, and times within a day. */
type NotOffered = 'limit' | 'offset' | 'cursor' | 'maxTotal' | 'q' | 'createdFrom' | 'createdTo';
type Filter = Exclude<keyof Query, NotOffered>;
type Typed = { readonly name: Filter; readonly value: string | undefined };

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

const FIELDS: Readonly<Record<Filter, (typed: Typed, months: Html) => Html>> = {
  status: (typed) => select({ ...typed, label: t('State'), options: STATUS_CHOICES }),
  externalReference: (typed) => textField({ ...typed, label: t('Reference') }),
  startDate: (typed) => textField({ ...typed, label: t('Created from'), type: 'date' }),
  endDate: (typed, months) => html`${textField({ ...typed, label: t('to'), type: 'date' })}\n${months}`,
  sort: (typed) => select({ ...typed, label: t('Order'), options: SORT_CHOICES }),
  buyerId: (typed) => textField({ ...typed, label: t('Buyer id') }),
  sellerId: (typed) => textField({ ...typed, label: t('Seller id') }),
  updatedSince: (typed) => textField({ ...typed, label: t('Changed since'), type: 'date' }),
};
const FILTERS = Object.keys(FIELDS) as Filter[]; // its only keys
/** Folded, unless one of them is asked for. */
const FOLDED: readonly Filter[] = ['buyerId', 'sellerId', 'updatedSince'];

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
  const months = monthLinks(visit, '/console/escrows', asked, ['startDate', 'endDate']);
  const fields = (isFolded: boolean) =>
    FILTERS.filter((name) => FOLDED.includes(name) === isFolded).map((name) =>
      FIELDS[name]({ name, value: asked[name] }, months),
    );
  return form({
    action: '/console/escrows',
    method: 'get',
    className: 'filters',
    submit: t('Show'),
    tone: 'plain',
    fields: html`${fields(false)}
<details class="more-filters" ${FOLDED.some((name) => asked[name] !== '') ? html`open` : NOTHING}><summary>${t('More filters')}</summary><div class="filters">
${fields(true)}
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
