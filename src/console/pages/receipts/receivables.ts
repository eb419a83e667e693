import type { Operation, RowOf } from '../../../../clients/typescript/src/types.ts';
import { permits } from '../../../domain/roles.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { confirmation, hidden, select, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { money, moneyText } from '../../components/money.ts';
import { time } from '../../components/time.ts';
import { actionField, actions, chosenId, entered, oneOf } from '../../entered.ts';
import { joined, t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';
import type { Visit } from '../../page.ts';
import { STATUS_FILTER } from '../filters.ts';

/** What others owe the company. */

const receivables = apiList('/v1/treasury/receivables');
export const owed = listPages({
  path: '/receivables',
  title: t('Receivables'),
  lead: t('What others owe the company, mostly for payments that were taken back.'),
  who: 'read',
  menu: { section: 'Money', label: t('Receivables') },
  rows: receivables,
  rowsPerRequest: 100,
  filters: [STATUS_FILTER(['OPEN', 'SETTLED'])],
  columns: (visit) => [
    {
      title: t('Why'),
      cell: ({ id, reason, created_at }) =>
        html`<a href="/console/transactions/${id}">${statusWords(reason)}</a><div class="soft">${time(created_at)}</div>`,
    },
    { title: t('Owed by'), cell: ({ userId, accountId }) => objectLink(userId ?? accountId) },
    { title: t('Status'), cell: ({ status }) => statusBadge(status) },
    { title: t('Open'), align: 'end', cell: ({ remaining_amount, currency }) => money(remaining_amount, currency) },
    { title: t('Of'), align: 'end', rank: 'second', cell: amountCell },
    {
      title: joined([t('Escrow'), t('Deposit')]),
      rank: 'second',
      cell: ({ escrowId, depositId }) => html`<div>${objectLink(escrowId)}</div><div>${objectLink(depositId)}</div>`,
    },
    {
      title: t('Settle'),
      cell: ({ id, status }) =>
        status === 'OPEN' && permits(visit.session.role, 'manage_money') ? settleForm(visit, id) : '–',
    },
  ],
  empty: { title: t('Nobody owes anything'), text: t('Payments that were taken back appear here.') },
  act: actions({
    settle: async ({ api }, sent) => {
      const { remaining_amount: owed, currency } = await api.post('/v1/treasury/receivables/{id}/settle', {
        path: { id: chosenId(sent, 'id', 'transaction') },
        idempotencyKey: sent.idempotencyKey,
        body: { source: oneOf(sent, 'source', ['BALANCE', 'WRITE_OFF']), reason: sent.text('reason') },
      });
      const text =
        owed === '0'
          ? t('The receivable is settled.')
          : t('A part was paid. {amount} is still owed.', { amount: moneyText(owed, currency) });
      return { to: '/receivables', flash: { tone: 'good', text } };
    },
  }),
});

export type Receivable = RowOf<Operation<'get', '/v1/treasury/receivables'>>;

/** The amount, and what was settled of it. */
function amountCell(receivable: Receivable): Html {
  return html`${money(receivable.amount, receivable.currency)}${settledParts(receivable)}`;
}

/** What was settled of a receivable, a line for each way. */
export function settledParts({ collected_amount, written_off_amount, currency }: Receivable): Html {
  const settled = [
    { name: t('Paid back'), cents: collected_amount },
    { name: t('Written off'), cents: written_off_amount },
  ].filter(({ cents }) => cents !== '0');
  return html`${settled.map(({ name, cents }) => html`<div class="soft">${name} ${money(cents, currency)}</div>`)}`;
}

function settleForm(visit: Visit, id: string): Html {
  const { value, error, isRefused } = entered(visit, 'settle', id);
  return confirmation({
    label: t('Settle'),
    consequence: t(
      'From the balance: the debtor’s account pays what it has. Written off: the company pays, and nobody owes it any more.',
    ),
    action: '/console/receivables',
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('settle'),
      hidden('id', id),
      select({
        name: 'source',
        id: `source-${id}`,
        label: t('Paid by'),
        isRequired: true,
        isDeliberate: true,
        options: [
          { value: 'BALANCE', label: t('The debtor’s balance') },
          { value: 'WRITE_OFF', label: t('The company: write it off') },
        ],
        value: value('source'),
        error: error('source'),
      }),
      textField({
        name: 'reason',
        id: `reason-${id}`,
        label: t('Reason'),
        isRequired: true,
        maxLength: 255,
        value: value('reason'),
        error: error('reason'),
      }),
    ],
    confirm: t('Settle the receivable'),
  });
}
