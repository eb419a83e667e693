import type { AnswerOf, Operation } from '../../../clients/typescript/src/types.ts';
import { WORK_KINDS, type WorkKind } from '../../domain/work.ts';
import { badge } from '../components/badge.ts';
import { type Html, html } from '../components/html.ts';
import { money } from '../components/money.ts';
import { countText } from '../components/numbers.ts';
import { card } from '../components/parts.ts';
import { type Column, dataTable } from '../components/table.ts';
import { spanText } from '../components/time.ts';
import { type Message, type Text, t } from '../language/message.ts';
import { apiList, listPages } from '../list-page.ts';
import type { Visit } from '../page.ts';
import { openFor } from './act-for.ts';

/** What needs a person, each row one click from where it is done. */

export type WorkView = AnswerOf<Operation<'get', '/v1/work'>>;
type Row = WorkView['data'][number];

const KIND_NAMES: Readonly<Record<WorkKind, Message>> = {
  DISPUTE: t('Disputes'),
  PAYOUT: t('Payouts to decide'),
  WEBHOOK: t('Endpoints that fail'),
  SUSPENSE: t('Receipts in suspense'),
  LATE_MONEY: t('Late payments'),
  IDENTITY: t('Identities'),
  PROPOSAL: t('Proposals that lapse'),
  CHARGEBACK: t('Payments taken back'),
  BANK_DETAILS: t('New bank details'),
  REQUEST: t('Requests of buyers and sellers'),
};

const TITLES: Readonly<Record<WorkKind, (reference: string, reason: string | null) => Message>> = {
  DISPUTE: (reference, reason) =>
    reason === 'SELLER'
      ? t('The seller disputes {reference}', { reference })
      : t('The buyer disputes {reference}', { reference }),
  PAYOUT: (reference, reason) =>
    reason === 'account_frozen' || reason === 'user_blacklisted'
      ? t('Payout {reference} was held back', { reference })
      : t('Payout {reference}: the bank’s answer is unclear', { reference }),
  WEBHOOK: (reference, reason) =>
    reason === null
      ? t('{reference} does not take events', { reference })
      : t('{reference} was disabled, because it failed', { reference }),
  SUSPENSE: (reference) => t('Whose money is {reference}?', { reference }),
  LATE_MONEY: (reference) => t('Payment for {reference} came too late and is on the buyer’s balance', { reference }),
  IDENTITY: (reference, reason) =>
    reason === 'BLACKLIST_MATCH'
      ? t('{reference} has the bank account of a blacklisted person', { reference })
      : reason === 'NO_DOCUMENT'
        ? t('{reference} has no identity document yet: nothing to approve', { reference })
        : reason === 'CHANGED'
          ? t('{reference} changed after the approval', { reference })
          : t('Check {reference}', { reference }),
  PROPOSAL: (reference) => t('Nobody has answered the proposal about {reference}', { reference }),
  CHARGEBACK: (reference) => t('Payment for {reference} was taken back', { reference }),
  BANK_DETAILS: (reference, reason) =>
    reason === null
      ? t('New bank details of {reference}', { reference })
      : t('Payout {reference} to a new bank account', { reference }),
  REQUEST: (reference) => t('A request about {reference}', { reference }),
};

/** The API names the page in full; of another company, through the page that switches to it. */
export function opener(visit: Visit, row: Row, label: Text = titleOf(row)): Html {
  const { pathname, search, searchParams } = new URL(row.url);
  const next = searchParams.get('next') ?? `${pathname}${search}`.replace(/^.*?\/console/, '');
  return openFor(visit, { companyId: row.companyId, next, label });
}

function titleOf({ kind, reference, reason, subject }: Row): Message {
  return TITLES[kind](reference ?? subject.id, reason);
}

/** How long it has waited; with a limit, how long there is left. */
function waiting({ ageSeconds, since, dueAt }: Row): Html | Text {
  if (dueAt === null) return spanText(ageSeconds * 1_000);
  const left = Date.parse(dueAt) - Date.parse(since) - ageSeconds * 1_000;
  return badge(left <= 0 ? t('now') : t('{span} left', { span: spanText(left) }), 'warn');
}

type Shown = { readonly hasAmounts: boolean; readonly hasCompanies: boolean };

export function workColumns(visit: Visit, { hasAmounts, hasCompanies }: Shown): readonly Column<Row>[] {
  const amount: Column<Row> = {
    title: t('Amount'),
    align: 'end',
    cell: (row) => (row.amount === null || row.currency === null ? '' : money(row.amount, row.currency)),
  };
  const company: Column<Row> = { title: t('Company'), rank: 'second', cell: ({ companyName }) => companyName };
  return [
    { title: t('What'), cell: (row) => opener(visit, row) },
    ...(hasAmounts ? [amount] : []),
    { title: t('Waits'), cell: waiting },
    ...(hasCompanies ? [company] : []),
  ];
}

function columnsOf(visit: Visit): readonly Column<Row>[] {
  const { role, companyId, homeCompanyId } = visit.session;
  return workColumns(visit, { hasAmounts: true, hasCompanies: role === 'SUPER_ADMIN' && companyId === homeCompanyId });
}

const work = apiList('/v1/work');
export const workPages = listPages({
  path: '/work',
  title: t('Needs you'),
  lead: t('What waits for a person, the most urgent first.'),
  who: 'read',
  menu: { section: 'Work', label: t('Needs you') },
  rows: work,
  rowsPerRequest: 100,
  filters: [
    { name: 'kind', label: t('Kind'), values: WORK_KINDS.map((value) => ({ value, label: KIND_NAMES[value] })) },
  ],
  columns: columnsOf,
  empty: {
    title: t('Nothing waits for you'),
    text: t('Disputes, payouts, money and requests that need a person appear here.'),
  },
});

const SHOWN_OF_A_KIND = 3;
const MOST_COUNTED = 1_000;

export const workQuery = { perKind: SHOWN_OF_A_KIND, limit: 100, maxTotal: MOST_COUNTED } as const;

/** The first part of the overview: the most urgent of each kind, and how many there are. */
export function workCard(visit: Visit, { data, counts }: WorkView): Html {
  if (data.length === 0)
    return card({ title: t('Needs you'), body: html`<p class="soft">${t('Nothing waits for a person now.')}</p>` });
  return card({
    title: t('Needs you'),
    actions: html`<a href="/console/work">${t('See everything')}</a>`,
    body: html`<ul class="work-kinds">${counts.map(({ kind, count }) => html`<li><a href="/console/work?kind=${kind}"><strong>${count >= MOST_COUNTED ? `${MOST_COUNTED - 1}+` : countText(count)}</strong> ${KIND_NAMES[kind]}</a></li>`)}</ul>${dataTable({ caption: t('The most urgent of each kind'), rows: data, columns: columnsOf(visit) })}`,
  });
}
