import type { AnswerOf, Operation } from '../../../clients/typescript/src/types.ts';
import { permits } from '../../domain/roles.ts';
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawal/transitions.ts';
import { badge, statusBadge, statusWords } from '../components/badge.ts';
import { confirmation, form, select, textField } from '../components/form.ts';
import { type Html, html, icon, NOTHING } from '../components/html.ts';
import { amountText, money } from '../components/money.ts';
import { card, definitionList, figures, idText, notice, timeline } from '../components/parts.ts';
import { time } from '../components/time.ts';
import { actionField, amountOf, entered, optional } from '../entered.ts';
import { apiList, listPages } from '../list-page.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { STATUS_FILTER } from './filters.ts';
import { ownerOf } from './ledger/owner.ts';

/** Withdrawals: the list, one with what the bank said, and a new one with its quote. */

type Payout = AnswerOf<Operation<'get', '/v1/treasury/withdrawals/{id}'>>;
type PayoutConcern = Payout['review_reason'];

const withdrawals = apiList('/v1/treasury/withdrawals');
const list = listPages({
  path: '/withdrawals',
  title: 'Withdrawals',
  lead: 'Money on its way to bank accounts, and what the bank said about it.',
  who: 'read',
  menu: { section: 'Money', label: 'Withdrawals' },
  rows: withdrawals,
  rowsPerRequest: 100,
  filters: [
    STATUS_FILTER(WITHDRAWAL_STATUSES),
    { name: 'externalReference', label: 'Reference' },
    { name: 'createdFrom', label: 'Created from', type: 'date' },
    { name: 'createdTo', label: 'to', type: 'date' },
  ],
  columns: [
    { title: 'Reference', cell: ({ reference }) => reference },
    {
      title: 'Status',
      cell: ({ status, review_reason }) =>
        html`${statusBadge(status)}${review_reason === null ? NOTHING : html` ${badge('Look at this', 'warn')}`}`,
    },
    { title: 'Amount', align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    { title: 'To', rank: 'second', cell: ({ account_name, bank_name }) => `${account_name}, ${bank_name}` },
    { title: 'Bank’s reason', rank: 'second', cell: ({ failure_description }) => failure_description ?? '–' },
    { title: 'Requested', rank: 'second', cell: ({ created_at }) => time(created_at) },
  ],
  href: ({ id }) => `/console/withdrawals/${id}`,
  empty: { title: 'No withdrawals yet', text: 'A withdrawal pays money from an account to a bank.' },
  actions: ({ session }) =>
    permits(session.role, 'manage_money')
      ? html`<a class="button primary" href="/console/withdrawals/new">${icon('plus')}New withdrawal</a>`
      : NOTHING,
});

/** Why a person has to look at a payment, as the start of a sentence. */
const CONCERNS: Readonly<Record<NonNullable<PayoutConcern>, string>> = {
  file_refused: 'The bank refused a file or a batch, but not provably this payment',
  rejection_unattributed: 'The bank rejected one of several attempts to pay, and did not say which',
  cancelled: 'The bank reported the payment as cancelled, and may still pay it',
  books_disagree: 'Our records of this payment do not agree, so the bank was told nothing',
};

function warnings({ failure_reason, failure_description, review_reason, end_to_end_id }: Payout): Html {
  const failed =
    failure_reason === null
      ? NOTHING
      : notice({
          tone: 'bad',
          text: `${failure_description ?? 'The bank did not pay it.'} The bank’s code is ${failure_reason}.`,
        });
  if (review_reason === null) return failed;
  const text = html`${CONCERNS[review_reason]}. Look for <code>${end_to_end_id}</code> in the bank’s statement; platform staff book what it shows.`;
  return html`${failed}${notice({ tone: 'warn', text })}`;
}

const one: ConsolePage = {
  path: '/withdrawals/:id',
  title: 'Withdrawal',
  who: 'read',
  show: async (visit) => {
    const { api, params, session } = visit;
    const payout = await api.get('/v1/treasury/withdrawals/{id}', { path: { id: params.id ?? '' } });
    const { currency, accountId } = payout;
    const account = await api.get('/v1/ledger/accounts/{accountId}', { path: { accountId } });
    return {
      title: `Withdrawal ${payout.reference}`,
      trail: [['Withdrawals', '/withdrawals']],
      main: html`${warnings(payout)}
<div class="columns"><div class="stack">
${card({
  title: 'Payment',
  body: definitionList([
    ['Status', statusBadge(payout.status)],
    ['Amount', money(payout.amount, currency)],
    ['Transfer tax', money(payout.taxAmount, currency)],
    ['From', html`<a href="/console/ledger/accounts/${accountId}">${ownerOf(account)}, ${currency}</a>`],
    ['To', payout.account_name],
    ['Bank', `${payout.bank_name}, branch ${payout.branch_code}`],
    ['Account number', payout.account_number],
    ['Requested', time(payout.created_at)],
    ['Last change', time(payout.updated_at)],
    ['Reference at the bank', idText(payout.end_to_end_id)],
    ['Id', idText(payout.id)],
  ]),
})}
${permits(session.role, 'platform') ? outcomeForms(visit, payout) : NOTHING}</div>
${card({
  title: 'What happened',
  body: timeline(
    payout.timeline.map(({ event, actor, at }) => ({
      title: statusWords(event),
      at: time(at),
      by: statusWords(actor),
    })),
  ),
})}</div>`,
    };
  },
  act: async ({ api, params, session }, sent) => {
    const outcome = sent.text('outcome') === 'PAID' ? 'PAID' : 'NOT_PAID';
    const booked = await api.post('/v1/treasury/withdrawals/{id}/outcome', {
      path: { id: params.id ?? '' },
      idempotencyKey: sent.idempotencyKey,
      body: { outcome, adminId: session.administratorId, reason: optional(sent.text('reason')) },
    });
    return {
      to: `/withdrawals/${booked.id}`,
      flash: { tone: 'good', text: `The outcome is booked: ${statusWords(booked.status).toLowerCase()}.` },
    };
  },
};

function outcomeForms(visit: Visit, { id, status }: { readonly id: string; readonly status: string }) {
  const action = `/console/withdrawals/${id}`;
  const { csrf } = visit;
  const { value, error, isRefused } = entered(visit, 'NOT_PAID');
  return card({
    title: 'Book what the bank’s statement shows',
    body: html`<div class="actions">${
      status === 'COMPLETED'
        ? NOTHING
        : confirmation({
            label: 'The bank paid it',
            consequence: 'The withdrawal is settled. If its money was given back, it is taken again.',
            action,
            csrf,
            fields: html`${actionField('PAID')}<input type="hidden" name="outcome" value="PAID">`,
            confirm: 'Book as paid',
          })
    }${
      status === 'PROCESSING' || status === 'COMPLETED'
        ? confirmation({
            label: 'The bank did not pay it',
            consequence: 'The amount and its tax go back to the account.',
            action,
            csrf,
            isOpen: isRefused,
            fields: [
              actionField('NOT_PAID'),
              html`<input type="hidden" name="outcome" value="NOT_PAID">`,
              textField({
                name: 'reason',
                label: 'Reason code',
                hint: 'ISO 20022, four characters: AC04',
                value: value('reason'),
                error: error('reason'),
                maxLength: 4,
              }),
            ],
            confirm: 'Book as not paid',
            tone: 'danger',
          })
        : NOTHING
    }</div>`,
  });
}

const made: ConsolePage = {
  path: '/withdrawals/new',
  title: 'New withdrawal',
  who: 'manage_money',
  show: async (visit) => {
    const accountId = visit.query.get('accountId') ?? '';
    return {
      trail: [['Withdrawals', '/withdrawals']],
      main: accountId === '' ? await chooseAccount(visit) : await request(visit, accountId),
    };
  },
  act: async ({ api, query }, sent) => {
    const accountId = query.get('accountId') ?? '';
    const { currency } = await api.get('/v1/ledger/accounts/{accountId}', { path: { accountId } });
    const amount = amountOf(sent, 'amount', currency);
    if (sent.text('do') === 'quote')
      return { to: `/withdrawals/new?${new URLSearchParams({ accountId, amount: String(amount) })}` };
    const payout = await api.post('/v1/treasury/withdraw', {
      idempotencyKey: sent.idempotencyKey,
      body: {
        accountId,
        amount,
        externalReference: sent.text('externalReference'),
        bank_name: optional(sent.text('bank_name')),
        branch_code: optional(sent.text('branch_code')),
        account_number: optional(sent.text('account_number')),
        account_name: optional(sent.text('account_name')),
      },
    });
    return {
      to: `/withdrawals/${payout.id}`,
      flash: { tone: 'good', text: 'The withdrawal is requested. The bank’s answer appears here.' },
    };
  },
};

async function chooseAccount({ api }: Visit) {
  const accounts = await api.get('/v1/ledger/company/accounts', { query: { limit: 100 } });
  const payable = accounts.filter(({ type }) => type === 'COMPANY' || type === 'SYSTEM_FEE');
  return card({
    title: 'From which account',
    body: html`<p class="soft">For a user’s account, open the user’s page and choose the account there.</p>${form({
      action: '/console/withdrawals/new',
      method: 'get',
      submit: 'Continue',
      fields: select({
        name: 'accountId',
        label: 'Account',
        isRequired: true,
        options: payable.map(({ id, type, currency }) => ({ value: id, label: `${statusWords(type)}, ${currency}` })),
      }),
    })}`,
  });
}

async function request(visit: Visit, accountId: string) {
  const { api, csrf, query } = visit;
  const account = await api.get('/v1/ledger/accounts/{accountId}', { path: { accountId } });
  const { currency } = account;
  const asked = query.get('amount') ?? '';
  const action = `/console/withdrawals/new?${new URLSearchParams({ accountId })}`;
  const from = figures([
    {
      name: 'Account',
      value: html`<a href="/console/ledger/accounts/${accountId}">${ownerOf(account)}</a>`,
      note: `${statusWords(account.type)}, ${currency}`,
    },
    { name: 'Can be withdrawn, tax included', value: money(account.withdrawable_balance, currency) },
  ]);
  if (!/^\d{1,16}$/.test(asked)) {
    const { value, error } = entered(visit, 'quote');
    return html`<div class="stack">${card({ title: 'From', body: from })}${card({
      title: 'How much',
      body: form({
        action,
        csrf,
        submit: 'See what it costs',
        fields: [
          actionField('quote'),
          textField({
            name: 'amount',
            label: 'Amount',
            unit: currency,
            inputMode: 'decimal',
            isRequired: true,
            value: value('amount'),
            error: error('amount'),
          }),
        ],
      }),
    })}</div>`;
  }
  const quote = await api.post('/v1/treasury/quote', { body: { accountId, amount: Number(asked) } });
  const { value, error } = entered(visit, 'withdraw');
  const field = (name: string, label: string, maxLength: number) =>
    textField({ name, label, maxLength, value: value(name), error: error(name) });
  const units = amountText(asked, currency);
  const isTooMuch = BigInt(quote.totalAmount) > BigInt(account.withdrawable_balance);
  const missing = notice({
    tone: 'warn',
    text: 'The account does not have this much now, so the withdrawal would be refused.',
  });
  return html`<div class="stack">${card({
    title: 'What it costs',
    body: html`${isTooMuch ? missing : NOTHING}${from}${figures([
      { name: 'To the bank', value: money(quote.amount, currency) },
      { name: 'Transfer tax', value: money(quote.taxAmount, currency) },
      { name: 'Taken from the account', value: money(quote.totalAmount, currency) },
    ])}`,
  })}${card({
    title: 'Where to',
    body: html`<p class="soft">Leave the four bank fields empty to pay to the bank details of the account’s ledger.</p>${form(
      {
        action: `${action}&amount=${asked}`,
        csrf,
        submit: 'Withdraw',
        fields: [
          actionField('withdraw'),
          html`<input type="hidden" name="amount" value="${units}">`,
          textField({
            name: 'externalReference',
            label: 'Your reference',
            isRequired: true,
            maxLength: 255,
            value: value('externalReference'),
            error: error('externalReference'),
          }),
          field('bank_name', 'Bank', 140),
          field('branch_code', 'Branch code', 35),
          field('account_number', 'Account number', 34),
          field('account_name', 'Name of the account’s owner', 140),
        ],
      },
    )}`,
  })}</div>`;
}

export const withdrawalPages: readonly ConsolePage[] = [...list, made, one];
