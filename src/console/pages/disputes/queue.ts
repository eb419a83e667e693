import { addressOf, type Query } from '../../addresses.ts';
import type { DisputeRow } from '../../api-types.ts';
import { badge } from '../../components/badge.ts';
import { form, select } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { pagination } from '../../components/pagination.ts';
import { emptyState } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { spanText } from '../../components/time.ts';
import { type Text, t } from '../../language/message.ts';
import { apiList, exportLink, exportPage } from '../../list-page.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { CURRENCY_FILTER_OPTIONS } from '../filters.ts';

/** The open disputes, by age or by amount. */

const PAGE_SIZE = 50;
const FILTERS = ['currency', 'sort', 'whose'] as const;
type Asked = Readonly<Record<(typeof FILTERS)[number], string>>;

const SORT_CHOICES = [
  { value: 'openedAt', label: t('Oldest first') },
  { value: '-openedAt', label: t('Newest first') },
  { value: '-amount', label: t('Largest amount first') },
  { value: 'amount', label: t('Smallest amount first') },
];
const WHOSE_CHOICES = [
  { value: '', label: t('Everybody’s') },
  { value: 'mine', label: t('Assigned to me') },
  { value: 'free', label: t('Assigned to nobody') },
];
/** A dispute that waits longer than this is marked. */
const LATE_MS = 7 * 86_400_000;

export const disputesPage: ConsolePage = {
  path: '/disputes',
  title: t('Disputes'),
  who: 'read',
  menu: { section: 'Work', label: t('Disputes') },
  async show(visit) {
    const { api, query, session, companyNow: now } = visit;
    const text = (name: string) => (query.get(name) ?? '').trim();
    const asked: Asked = { currency: text('currency'), sort: text('sort'), whose: text('whose') };
    const cursor = text('cursor');
    const { body, nextCursor } = await api.list('/v1/escrow/disputes', {
      query: { ...filterOf(asked, session.administratorId), limit: PAGE_SIZE, cursor } as object, // the API checks the words
    });
    const address = (more: Record<string, string>) => addressOf('/console/disputes', { ...asked, ...more });
    return {
      main: html`<div class="page-head"><p>${t('Disputes that wait for a decision, with the money they hold.')}</p><div class="actions">${
        body.data.length === 0 ? NOTHING : exportLink('/disputes', visit, asked, body.total)
      }</div></div>
${filters(asked)}
${
  body.data.length === 0
    ? emptyState(t('No open dispute'), t('When a buyer or a seller opens one, it waits here for a decision.'))
    : html`${queue(body.data, now)}${pagination({
        shown: body.data.length,
        total: body.total,
        next: nextCursor === null ? null : address({ cursor: nextCursor }),
        first: cursor === '' ? null : address({}),
      })}`
}`,
    };
  },
};

const disputes = apiList('/v1/escrow/disputes');
export const disputesExport = exportPage({
  path: '/disputes',
  title: t('Disputes'),
  who: 'read',
  rows: (visit, { whose = '', ...query }) =>
    disputes(visit, filterOf({ ...query, whose }, visit.session.administratorId)),
  rowsPerRequest: 100,
  filters: [{ name: 'currency' }, { name: 'sort' }, { name: 'whose' }],
});

function filterOf({ whose, ...asked }: Query & Pick<Asked, 'whose'>, me: string): Record<string, string> {
  if (whose === 'mine') return { ...asked, assignedTo: me };
  return whose === 'free' ? { ...asked, isAssigned: 'false' } : asked;
}

function filters(asked: Asked): Html {
  return form({
    action: '/console/disputes',
    method: 'get',
    className: 'filters',
    submit: t('Show'),
    tone: 'plain',
    fields: html`${select({ name: 'sort', label: t('Order'), options: SORT_CHOICES, value: asked.sort })}
${select({ name: 'currency', label: t('Currency'), options: CURRENCY_FILTER_OPTIONS, value: asked.currency })}
${select({ name: 'whose', label: t('Assignment'), options: WHOSE_CHOICES, value: asked.whose })}`,
  });
}

function queue(rows: readonly DisputeRow[], now: Visit['now']): Html {
  return dataTable<DisputeRow>({
    caption: t('Open disputes'),
    rows,
    href: ({ escrowId }) => `/console/disputes/${escrowId}`,
    columns: [
      { title: t('Reference'), cell: ({ externalReference, escrowId }) => externalReference ?? escrowId },
      { title: t('Open for'), cell: ({ openedAt }) => age(openedAt, now) },
      { title: t('Held'), align: 'end', cell: ({ heldAmount, currency }) => money(heldAmount, currency) },
      {
        title: t('Opened by'),
        cell: ({ openedBy }) => (openedBy === 'BUYER' ? t('Buyer') : t('Seller')),
        rank: 'second',
      },
      { title: t('Buyer'), cell: ({ buyerName }) => buyerName, rank: 'second' },
      { title: t('Seller'), cell: ({ sellerName }) => sellerName, rank: 'second' },
      { title: t('Assigned to'), cell: ({ assignedTo }) => assigneeName(assignedTo), rank: 'second' },
    ],
  });
}

function age(openedAt: string, now: Date): Html | Text {
  const ms = now.getTime() - Date.parse(openedAt);
  return ms > LATE_MS ? badge(spanText(ms), 'warn') : spanText(ms);
}

export function assigneeName(assignedTo: DisputeRow['assignedTo']): Text | null {
  return assignedTo === null ? null : (assignedTo.name ?? t('Platform staff'));
}
