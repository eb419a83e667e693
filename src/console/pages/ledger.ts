import { TRANSACTION_STATUSES } from '../../domain/ledger/postings.ts';
import { permits } from '../../domain/roles.ts';
import { statusBadge, statusWords } from '../components/badge.ts';
import { confirmation, form, textArea, textField } from '../components/form.ts';
import { type Html, html, icon, NOTHING } from '../components/html.ts';
import { amountText, money } from '../components/money.ts';
import { card, definitionList, emptyState, figures, idText, jsonText } from '../components/parts.ts';
import { dataTable } from '../components/table.ts';
import { time } from '../components/time.ts';
import { actionField, actions, entered } from '../entered.ts';
import { apiList, listPages } from '../list-page.ts';
import { objectLink } from '../object-links.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { STATUS_FILTER } from './links.ts';

/** The ledger: the company's accounts, one account with its statement, the transactions of a ledger with their entries. */

const TRANSACTION_TYPES = [
  'DEPOSIT',
  'ESCROW_HOLD',
  'PAYMENT',
  'REFUND',
  'WITHDRAWAL',
  'REVERSAL',
  'BANK_CAPTURE',
  'ADJUSTMENT',
];

const companyAccounts = apiList('/v1/ledger/company/accounts');
const accounts = listPages({
  path: '/ledger',
  title: 'Ledger',
  lead: 'The company’s own accounts. Accounts of users are on the users’ pages.',
  who: 'read',
  menu: { section: 'Money', label: 'Ledger' },
  rows: companyAccounts,
  rowsPerRequest: 1_000,
  filters: [],
  columns: [
    { title: 'Account', cell: ({ type }) => statusWords(type) },
    { title: 'Currency', cell: ({ currency }) => currency },
    { title: 'Balance', align: 'end', cell: ({ balance, currency }) => money(balance, currency) },
    {
      title: 'Held',
      align: 'end',
      rank: 'second',
      cell: ({ held_balance, currency }) => money(held_balance, currency),
    },
    { title: 'Transactions', rank: 'second', cell: ({ ledgerId }) => objectLink(ledgerId) },
    { title: 'State', rank: 'second', cell: ({ is_frozen }) => (is_frozen ? statusBadge('FROZEN') : '–') },
  ],
  href: ({ id }) => `/console/ledger/accounts/${id}`,
  empty: { title: 'No accounts', text: 'The company has no accounts of its own.' },
});

const ledgerTransactions = apiList('/v1/ledger/{ledgerId}/transactions', ({ params }) => ({
  path: { ledgerId: params.ledgerId ?? '' },
}));
const transactions = listPages({
  path: '/ledger/:ledgerId',
  title: 'Transactions of a ledger',
  lead: 'Every transaction on an account of this ledger, newest first, with its entries.',
  who: 'read',
  rows: ledgerTransactions,
  rowsPerRequest: 1_000,
  filters: [
    { name: 'type', label: 'Type', values: TRANSACTION_TYPES.map((value) => ({ value, label: statusWords(value) })) },
    STATUS_FILTER(TRANSACTION_STATUSES),
    { name: 'startDate', label: 'From', type: 'date' },
    { name: 'endDate', label: 'to', type: 'date' },
  ],
  columns: [
    { title: 'Type', cell: ({ type }) => statusWords(type) },
    { title: 'Status', cell: ({ status }) => statusBadge(status) },
    { title: 'Amount', align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    {
      title: 'Entries',
      rank: 'second',
      cell: ({ entries, currency }) =>
        html`<ul class="entries">${entries.map(
          ({ accountId, direction, amount }) =>
            html`<li>${direction === 'DEBIT' ? 'Debit' : 'Credit'} <span class="money">${amountText(amount, currency)}</span> ${objectLink(accountId)}</li>`,
        )}</ul>`,
    },
    { title: 'Escrow', rank: 'second', cell: ({ escrowId }) => objectLink(escrowId) },
    { title: 'Created', rank: 'second', cell: ({ createdAt }) => time(createdAt) },
  ],
  href: ({ id }) => `/console/transactions/${id}`,
  empty: { title: 'No transactions', text: 'Nothing was posted to this ledger yet.' },
});

const FORMATS = [
  ['csv', 'text/csv', 'CSV'],
  ['pdf', 'application/pdf', 'PDF'],
  ['camt', 'application/xml', 'camt.053'],
] as const;

/** The window of a statement, as the address has it: two days, or the API's last 30 days. */
function windowOf({ query }: Visit): { startDate?: string; endDate?: string } {
  const [startDate, endDate] = [query.get('startDate'), query.get('endDate')];
  return { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
}

const account: ConsolePage = {
  path: '/ledger/accounts/:accountId',
  title: 'Account',
  who: 'read',
  show: async (visit) => {
    const { api, params, session } = visit;
    const path = { accountId: params.accountId ?? '' };
    const window = windowOf(visit);
    const [found, statement] = await Promise.all([
      api.get('/v1/ledger/accounts/{accountId}', { path }),
      api.get('/v1/ledger/accounts/{accountId}/statement', { path, query: window }),
    ]);
    const { currency } = found;
    const search = new URLSearchParams(window);
    const entries =
      statement.entries.length === 0
        ? emptyState('No entries', 'Nothing was posted to this account in the window.')
        : dataTable({
            caption: `Statement from ${statement.startDate.slice(0, 10)} to ${statement.endDate.slice(0, 10)}`,
            rows: statement.entries,
            columns: [
              { title: 'Time', cell: ({ created_at }) => time(created_at) },
              { title: 'Type', cell: ({ type }) => statusWords(type) },
              { title: 'Text', rank: 'second', cell: ({ description, reference }) => reference ?? description },
              {
                title: 'Debit',
                align: 'end',
                cell: ({ direction, amount }) => (direction === 'DEBIT' ? amountText(amount, currency) : ''),
              },
              {
                title: 'Credit',
                align: 'end',
                cell: ({ direction, amount }) => (direction === 'CREDIT' ? amountText(amount, currency) : ''),
              },
              {
                title: 'Balance',
                align: 'end',
                rank: 'second',
                cell: ({ balance_after }) => amountText(balance_after, currency),
              },
              { title: 'Transaction', rank: 'second', cell: ({ transactionId }) => objectLink(transactionId) },
            ],
          });
    return {
      title: `${statusWords(found.type)}, ${currency}`,
      trail: [
        ['Ledger', '/ledger'],
        ['Transactions', `/ledger/${found.ledgerId}`],
      ],
      main: html`<div class="stack">${card({
        title: 'Account',
        actions: permits(session.role, 'manage_money')
          ? html`<a class="button small" href="/console/withdrawals/new?accountId=${found.id}">${icon('bank')}Withdraw</a>`
          : NOTHING,
        body: html`${figures([
          { name: 'Balance', value: money(found.balance, currency) },
          { name: 'Held', value: money(found.held_balance, currency) },
          { name: 'Available', value: money(found.available_balance, currency) },
          { name: 'Can be withdrawn', value: money(found.withdrawable_balance, currency) },
        ])}${definitionList([
          [
            'Owner',
            [found.ledger.user?.first_name, found.ledger.user?.last_name].filter((part) => part != null).join(' ') ||
              found.ledger.name,
          ],
          ['State', found.is_frozen ? statusBadge('FROZEN') : 'Open'],
          ['Id', idText(found.id)],
        ])}${permits(session.role, 'manage_money') ? freezeForm(visit, found) : NOTHING}`,
      })}${card({
        title: 'Statement',
        actions: html`${FORMATS.map(([format, , label]) => html`<a class="button small" href="/console/ledger/accounts/${found.id}/statement?${new URLSearchParams({ ...Object.fromEntries(search), format }).toString()}" download>${icon('download')}${label}</a>`)}`,
        body: html`${form({
          className: 'filters',
          method: 'get',
          action: `/console/ledger/accounts/${found.id}`,
          submit: 'Show',
          tone: 'plain',
          fields: [
            textField({ name: 'startDate', label: 'From', type: 'date', value: statement.startDate.slice(0, 10) }),
            textField({ name: 'endDate', label: 'to', type: 'date', value: window.endDate ?? '' }),
          ],
        })}${figures([
          { name: 'Opening balance', value: money(statement.openingBalance, currency) },
          { name: 'Credits', value: money(statement.totalCredits, currency) },
          { name: 'Debits', value: money(statement.totalDebits, currency) },
          { name: 'Closing balance', value: money(statement.closingBalance, currency) },
        ])}${entries}`,
      })}</div>`,
    };
  },
  act: actions({
    freeze: async ({ api, params }, sent) => {
      const isFrozen = sent.text('is_frozen') === 'true';
      const { id } = await api.patch('/v1/ledger/accounts/{accountId}', {
        path: { accountId: params.accountId ?? '' },
        body: { is_frozen: isFrozen, reason: sent.text('reason') },
      });
      return {
        to: `/ledger/accounts/${id}`,
        flash: { tone: 'good', text: isFrozen ? 'The account is frozen.' : 'The account is open again.' },
      };
    },
  }),
};

function freezeForm(
  visit: Visit,
  { id, is_frozen: isFrozen }: { readonly id: string; readonly is_frozen: boolean },
): Html {
  const { value, error, isRefused } = entered(visit, 'freeze');
  return confirmation({
    label: isFrozen ? 'Unfreeze' : 'Freeze',
    consequence: isFrozen
      ? 'Money can go out and be held again.'
      : 'No money goes out and none is held. Money still comes in, and what was held before is paid or given back.',
    action: `/console/ledger/accounts/${id}`,
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('freeze'),
      html`<input type="hidden" name="is_frozen" value="${isFrozen ? 'false' : 'true'}">`,
      reasonField(value('reason'), error('reason')),
    ],
    confirm: isFrozen ? 'Unfreeze the account' : 'Freeze the account',
    tone: isFrozen ? 'primary' : 'danger',
  });
}

function reasonField(value: string, error: string | undefined): Html {
  return textArea({ name: 'reason', label: 'Reason', isRequired: true, value, error, rows: 2 });
}

const statementFile: ConsolePage = {
  path: '/ledger/accounts/:accountId/statement',
  title: 'Statement',
  who: 'read',
  isBackground: true,
  show: async (visit) => {
    const { api, params, query } = visit;
    const [, accept] = FORMATS.find(([format]) => format === query.get('format')) ?? FORMATS[0];
    const file = await api.download('/v1/ledger/accounts/{accountId}/statement', accept, {
      path: { accountId: params.accountId ?? '' },
      query: windowOf(visit),
    });
    const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    for (const name of ['content-type', 'content-disposition']) headers.set(name, file.headers.get(name) ?? '');
    return new Response(file.body, { headers });
  },
};

const transaction: ConsolePage = {
  path: '/transactions/:id',
  title: 'Transaction',
  who: 'read',
  show: async (visit) => {
    const { api, params, session } = visit;
    const found = await api.get('/v1/payments/transaction/{id}', { path: { id: params.id ?? '' } });
    const isWithdrawal = found.type === 'WITHDRAWAL';
    const canReverse = found.type === 'DEPOSIT' || found.type === 'BANK_CAPTURE';
    return {
      title: statusWords(found.type),
      main: html`<div class="stack">${card({
        title: 'Transaction',
        actions: isWithdrawal
          ? html`<a class="button small" href="/console/withdrawals/${found.id}">The withdrawal</a>`
          : NOTHING,
        body: definitionList([
          ['Status', statusBadge(found.status)],
          ['Amount', money(found.amount, found.currency)],
          ['Reference', found.reference],
          ['Escrow', objectLink(found.escrowId)],
          ['Created', time(found.createdAt)],
          ['Id', idText(found.id)],
        ]),
      })}${Object.keys(found.metadata).length === 0 ? NOTHING : card({ title: 'Metadata', body: jsonText(found.metadata) })}${canReverse && permits(session.role, 'manage_money') ? card({ title: 'If it bounced', body: reverseForm(visit, found.id) }) : NOTHING}</div>`,
    };
  },
  act: actions({
    reverse: async ({ api, params }, sent) => {
      const reversal = await api.post('/v1/payments/transaction/{id}/reverse', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
        body: { reason: sent.text('reason'), isChargeback: sent.text('isChargeback') === 'true' },
      });
      return { to: `/transactions/${reversal.id}`, flash: { tone: 'good', text: 'The money is taken back.' } };
    },
  }),
};

function reverseForm(visit: Visit, id: string): Html {
  const { value, error, isRefused } = entered(visit, 'reverse');
  return confirmation({
    label: 'Reverse',
    consequence: 'The amount is taken back from the account that got it. This cannot be undone.',
    action: `/console/transactions/${id}`,
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('reverse'),
      reasonField(value('reason'), error('reason')),
      html`<label class="check"><input type="checkbox" name="isChargeback" value="true"><span>The payer’s bank has taken the money already: what is missing becomes a receivable</span></label>`,
    ],
    confirm: 'Reverse the transaction',
    tone: 'danger',
  });
}

export const ledgerPages: readonly ConsolePage[] = [...accounts, account, statementFile, ...transactions, transaction];
