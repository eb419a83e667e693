import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../../domain/ledger/postings.ts';
import { permits } from '../../../domain/roles.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { checkBox, confirmation, reasonField } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { amountText, money } from '../../components/money.ts';
import { card, definitionList, idText, jsonText } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { actionField, actions, entered } from '../../entered.ts';
import { t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { STATUS_FILTER } from '../filters.ts';

/** The transactions of a ledger with their entries, and one transaction. */

const ledgerTransactions = apiList('/v1/ledger/{ledgerId}/transactions', ({ params }) => ({
  path: { ledgerId: params.ledgerId ?? '' },
}));
export const transactions = listPages({
  path: '/ledger/:ledgerId',
  title: t('Transactions of a ledger'),
  lead: t('Every transaction on an account of this ledger, newest first, with its entries.'),
  who: 'read',
  rows: ledgerTransactions,
  rowsPerRequest: 1_000,
  filters: [
    {
      name: 'type',
      label: t('Type'),
      values: TRANSACTION_TYPES.map((value) => ({ value, label: statusWords(value) })),
    },
    STATUS_FILTER(TRANSACTION_STATUSES),
    { name: 'startDate', label: t('From'), type: 'date' },
    { name: 'endDate', label: t('to'), type: 'date' },
  ],
  columns: [
    { title: t('Type'), cell: ({ type }) => statusWords(type) },
    { title: t('Status'), rank: 'second', cell: ({ status }) => statusBadge(status) },
    {
      title: t('Amount'),
      align: 'end',
      cell: ({ amount, currency, createdAt }) =>
        html`${money(amount, currency)}<span class="soft on-phones">${time(createdAt)}</span>`,
    },
    {
      title: t('Entries'),
      rank: 'second',
      cell: ({ entries, currency }) =>
        html`<ul class="entries">${entries.map(
          ({ accountId, direction, amount }) =>
            html`<li>${direction === 'DEBIT' ? t('Debit') : t('Credit')} <span class="money">${amountText(amount, currency)}</span> ${objectLink(accountId)}</li>`,
        )}</ul>`,
    },
    {
      title: t('Created'),
      rank: 'second',
      cell: ({ createdAt, escrowId }) =>
        html`${time(createdAt)}${escrowId === null ? NOTHING : html`<br>${objectLink(escrowId)}`}`,
    },
  ],
  // The platform's fee of another company's escrow: that company has the transaction.
  href: ({ id, type, escrowId }) => (type === 'PAYMENT' && escrowId === null ? null : `/console/transactions/${id}`),
  empty: { title: t('No transactions'), text: t('Nothing was posted to this ledger yet.') },
});

export const transaction: ConsolePage = {
  path: '/transactions/:id',
  title: t('Transaction'),
  who: 'read',
  show: async (visit) => {
    const { api, params, session } = visit;
    const found = await api.get('/v1/payments/transaction/{id}', { path: { id: params.id ?? '' } });
    const isWithdrawal = found.type === 'WITHDRAWAL';
    return {
      title: statusWords(found.type),
      main: html`<div class="stack">${card({
        title: t('Transaction'),
        actions: isWithdrawal
          ? html`<a class="button small" href="/console/withdrawals/${found.id}">${t('The withdrawal')}</a>`
          : NOTHING,
        body: definitionList([
          [t('Status'), statusBadge(found.status)],
          [t('Amount'), money(found.amount, found.currency)],
          [t('Reference'), found.reference],
          [t('Escrow'), objectLink(found.escrowId)],
          [t('Created'), time(found.createdAt)],
          [t('Id'), idText(found.id)],
        ]),
      })}${Object.keys(found.metadata).length === 0 ? NOTHING : card({ title: t('Metadata'), body: jsonText(found.metadata) })}${canBeReversed(found) && permits(session.role, 'manage_money') ? card({ title: t('If it bounced'), body: reverseForm(visit, found.id) }) : NOTHING}</div>`,
    };
  },
  act: actions({
    reverse: async ({ api, params }, sent) => {
      const reversal = await api.post('/v1/payments/transaction/{id}/reverse', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
        body: { reason: sent.text('reason'), isChargeback: sent.text('isChargeback') === 'true' },
      });
      return { to: `/transactions/${reversal.id}`, flash: { tone: 'good', text: t('The transaction is reversed.') } };
    },
  }),
};

type Transaction = AnswerOf<Operation<'get', '/v1/payments/transaction/{id}'>>;

/** Received money that nobody took back yet. A receipt that settled a deposit is reversed with the deposit. */
function canBeReversed({ type, status, metadata }: Transaction): boolean {
  const isReceived = type === 'DEPOSIT' || (type === 'BANK_CAPTURE' && metadata.depositId === undefined);
  return isReceived && (status === 'PROCESSING' || status === 'COMPLETED');
}

function reverseForm(visit: Visit, id: string): Html {
  const { value, error, isRefused } = entered(visit, 'reverse');
  return confirmation({
    label: t('Reverse'),
    consequence: t('The amount is taken back from the account that got it. This cannot be undone.'),
    action: `/console/transactions/${id}`,
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('reverse'),
      reasonField(value('reason'), error('reason')),
      checkBox({
        name: 'isChargeback',
        label: t('The payer’s bank has already taken the money: the missing amount becomes a receivable'),
        isChecked: value('isChargeback') === 'true',
      }),
    ],
    confirm: t('Reverse the transaction'),
    tone: 'danger',
  });
}
