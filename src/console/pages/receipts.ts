import { CURRENCY_CODES } from '../../domain/money.ts';
import { permits } from '../../domain/roles.ts';
import { badge, statusBadge, statusWords } from '../components/badge.ts';
import { confirmation, form, select, textField } from '../components/form.ts';
import { type Html, html, icon, NOTHING } from '../components/html.ts';
import { isCurrency, money } from '../components/money.ts';
import { card, definitionList, emptyState, notice } from '../components/parts.ts';
import { time } from '../components/time.ts';
import { actionField, amountOf, entered } from '../entered.ts';
import { apiList, listPages } from '../list-page.ts';
import { objectLink } from '../object-links.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { STATUS_FILTER } from './filters.ts';
import { nameOf } from './users/names.ts';

/** Money that the bank reported, money whose owner is unknown, and money that others owe the company. */

const MATCHES = ['TRANSIT_DEPOSIT', 'USER', 'SUSPENSE'];

const captures = apiList('/v1/treasury/captures');
const list = listPages({
  path: '/receipts',
  title: 'Bank receipts',
  lead: 'Money that the bank reported. A receipt whose owner is unknown waits in suspense until somebody assigns it.',
  who: 'read',
  menu: { section: 'Money', label: 'Bank receipts' },
  rows: captures,
  rowsPerRequest: 100,
  filters: [
    { name: 'matchedTo', label: 'Went to', values: MATCHES.map((value) => ({ value, label: statusWords(value) })) },
    { name: 'reference', label: 'Reference' },
    { name: 'createdFrom', label: 'Created from', type: 'date' },
    { name: 'createdTo', label: 'to', type: 'date' },
  ],
  columns: [
    { title: 'Reference', cell: ({ reference }) => reference },
    { title: 'Amount', align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    {
      title: 'Went to',
      cell: ({ matchedTo: { kind, id } }) =>
        kind === 'SUSPENSE' ? statusBadge('SUSPENSE') : html`${statusWords(kind)} ${objectLink(id)}`,
    },
    {
      title: 'Warning',
      rank: 'second',
      cell: ({ possibleDuplicateOf: other }) =>
        other === null ? '–' : html`${badge('Possible duplicate', 'warn')} ${objectLink(other)}`,
    },
    { title: 'Recorded', rank: 'second', cell: ({ created_at }) => time(created_at) },
  ],
  href: ({ id, reference }) => `/console/receipts/${id}?${new URLSearchParams({ reference })}`,
  empty: { title: 'No receipts yet', text: 'Record what the bank’s statement shows.' },
  actions: ({ session }) =>
    permits(session.role, 'manage_money')
      ? html`<a class="button primary" href="/console/receipts/new">${icon('plus')}Record a receipt</a>`
      : NOTHING,
});

/** The API has no operation for one receipt: the list is searched by its reference. */
async function findCapture({ api, params, query }: Visit) {
  const reference = query.get('reference') ?? '';
  const { data } = await api.get('/v1/treasury/captures', { query: { reference, limit: 100 } });
  return data.find(({ id }) => id === params.id) ?? null;
}

type Suggestion = { readonly id: string; readonly name: string; readonly why: string };
const MAX_WORDS = 5;

/** Users whose bank reference, number or name the receipt's reference contains. */
async function suggestions({ api }: Visit, reference: string): Promise<readonly Suggestion[]> {
  const words = reference.split(/[^\p{L}\p{N}+]+/u).filter((word) => word.length >= 3);
  const usersWith = async (query: { customReference?: string; q?: string }, why: string) =>
    (await api.get('/v1/identity/users', { query: { ...query, limit: 5, maxTotal: 1 } })).map((user) => ({
      id: user.id,
      name: nameOf(user),
      why,
    }));
  const all = await Promise.all([
    usersWith({ customReference: reference }, 'has this bank reference'),
    ...words.slice(0, MAX_WORDS).map((word) => usersWith({ q: word }, `name or number contains “${word}”`)),
  ]);
  // The first reason stays.
  return [
    ...new Map(
      all
        .flat()
        .toReversed()
        .map((one) => [one.id, one]),
    ).values(),
  ].toReversed();
}

const one: ConsolePage = {
  path: '/receipts/:id',
  title: 'Bank receipt',
  who: 'read',
  show: async (visit) => {
    const capture = await findCapture(visit);
    const trail = [['Bank receipts', '/receipts']] as const;
    if (capture === null) return { trail, main: emptyState('Not found', 'Open the receipt from the list.') };
    const { matchedTo, currency, possibleDuplicateOf: other } = capture;
    const isWaiting = matchedTo.kind === 'SUSPENSE' && capture.status === 'COMPLETED';
    return {
      title: `Receipt ${capture.reference}`,
      trail,
      main: html`${other === null ? NOTHING : notice({ tone: 'warn', text: html`The deposit ${objectLink(other)} may report the same money. Compare the bank’s statement before you assign this.` })}<div class="columns">${card(
        {
          title: 'Receipt',
          body: definitionList([
            ['Amount', money(capture.amount, currency)],
            ['Reference', capture.reference],
            ['Status', statusBadge(capture.status)],
            ['Went to', html`${statusWords(matchedTo.kind)} ${objectLink(matchedTo.id)}`],
            ['Recorded', time(capture.created_at)],
            ['Transaction', objectLink(capture.id)],
          ]),
        },
      )}${isWaiting && permits(visit.session.role, 'manage_money') ? card({ title: 'Whose money is it?', body: await assignForms(visit, capture) }) : NOTHING}</div>`,
    };
  },
  act: async ({ api, params }, sent) => {
    const userId = sent.text('userId');
    const done = await api.post('/v1/treasury/captures/{id}/assign', {
      path: { id: params.id ?? '' },
      idempotencyKey: sent.idempotencyKey,
      body: { userId },
    });
    return {
      to: `/users/${done.matchedTo.id}`,
      flash: { tone: 'good', text: 'The receipt is on the user’s account.' },
    };
  },
};

type Waiting = {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: 'USD' | 'ZIG';
};

async function assignForms(visit: Visit, { id, reference, amount, currency }: Waiting): Promise<Html> {
  const action = `/console/receipts/${id}?${new URLSearchParams({ reference })}`;
  const suggested = await suggestions(visit, reference);
  const { value, error, isRefused } = entered(visit, 'assign');
  return html`${
    suggested.length === 0
      ? html`<p class="soft">No user’s reference, name or number is part of this reference.</p>`
      : html`<ul class="choices">${suggested.map(
          ({ id: userId, name, why }) =>
            html`<li><div><a href="/console/users/${userId}"><strong>${name}</strong></a><br><span class="soft">${why}</span></div>${confirmation(
              {
                label: 'Assign',
                consequence: html`${money(amount, currency)} go from suspense to the account of ${name}.`,
                action,
                csrf: visit.csrf,
                fields: html`<input type="hidden" name="userId" value="${userId}">`,
                confirm: 'Assign the receipt',
              },
            )}</li>`,
        )}</ul>`
  }${confirmation({
    label: 'Assign to somebody else',
    consequence: html`${money(amount, currency)} go from suspense to the account of this user.`,
    action,
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('assign'),
      textField({
        name: 'userId',
        label: 'User',
        hint: 'The id of a user, usr_…',
        isRequired: true,
        value: value('userId'),
        error: error('userId'),
      }),
    ],
    confirm: 'Assign the receipt',
  })}`;
}

const made: ConsolePage = {
  path: '/receipts/new',
  title: 'Record a bank receipt',
  who: 'manage_money',
  show: async (visit) => {
    const { value, error } = entered(visit, 'record');
    return {
      trail: [['Bank receipts', '/receipts']],
      main: card({
        title: 'What the bank’s statement shows',
        body: form({
          action: '/console/receipts/new',
          csrf: visit.csrf,
          submit: 'Record',
          fields: [
            actionField('record'),
            select({
              name: 'currency',
              label: 'Currency',
              isRequired: true,
              value: value('currency'),
              error: error('currency'),
              options: CURRENCY_CODES.map((code) => ({ value: code, label: code })),
            }),
            textField({
              name: 'amount',
              label: 'Amount',
              inputMode: 'decimal',
              isRequired: true,
              value: value('amount'),
              error: error('amount'),
            }),
            textField({
              name: 'reference',
              label: 'The bank’s reference',
              isRequired: true,
              maxLength: 255,
              value: value('reference'),
              error: error('reference'),
            }),
          ],
        }),
      }),
    };
  },
  act: async ({ api }, sent) => {
    const currency = sent.text('currency');
    if (!isCurrency(currency)) return sent.refuse('currency', 'must be a currency of the service');
    const capture = await api.post('/v1/treasury/bank/capture', {
      idempotencyKey: sent.idempotencyKey,
      body: { amount: amountOf(sent, 'amount', currency), currency, reference: sent.text('reference') },
    });
    return {
      to: `/receipts/${capture.id}?${new URLSearchParams({ reference: capture.reference })}`,
      flash: { tone: 'good', text: `The receipt is recorded: ${statusWords(capture.matchedTo.kind).toLowerCase()}.` },
    };
  },
};

const receivables = apiList('/v1/treasury/receivables');
const owed = listPages({
  path: '/receivables',
  title: 'Receivables',
  lead: 'What others owe the company: money that was taken back by a payer’s bank after it was spent.',
  who: 'read',
  menu: { section: 'Money', label: 'Receivables' },
  rows: receivables,
  rowsPerRequest: 100,
  filters: [STATUS_FILTER(['OPEN', 'SETTLED'])],
  columns: (visit) => [
    {
      title: 'Why',
      cell: ({ id, reason }) => html`<a href="/console/transactions/${id}">${statusWords(reason)}</a>`,
    },
    { title: 'Owed by', cell: ({ userId, accountId }) => objectLink(userId ?? accountId) },
    { title: 'Status', cell: ({ status }) => statusBadge(status) },
    { title: 'Open', align: 'end', cell: ({ remaining_amount, currency }) => money(remaining_amount, currency) },
    { title: 'Of', align: 'end', rank: 'second', cell: ({ amount, currency }) => money(amount, currency) },
    {
      title: 'Paid back',
      align: 'end',
      rank: 'second',
      cell: ({ collected_amount, currency }) => money(collected_amount, currency),
    },
    {
      title: 'Written off',
      align: 'end',
      rank: 'second',
      cell: ({ written_off_amount, currency }) => money(written_off_amount, currency),
    },
    { title: 'Escrow', rank: 'second', cell: ({ escrowId }) => objectLink(escrowId) },
    { title: 'Deposit', rank: 'second', cell: ({ depositId }) => objectLink(depositId) },
    { title: 'Since', rank: 'second', cell: ({ created_at }) => time(created_at) },
    {
      title: 'Settle',
      cell: ({ id, status }) =>
        status === 'OPEN' && permits(visit.session.role, 'manage_money') ? settleForm(visit, id) : '–',
    },
  ],
  empty: { title: 'Nobody owes anything', text: 'Chargebacks of spent money appear here.' },
  act: async ({ api }, sent) => {
    await api.post('/v1/treasury/receivables/{id}/settle', {
      path: { id: sent.text('id') },
      idempotencyKey: sent.idempotencyKey,
      body: { source: sent.text('source') === 'WRITE_OFF' ? 'WRITE_OFF' : 'BALANCE', reason: sent.text('reason') },
    });
    return { to: '/receivables', flash: { tone: 'good', text: 'The receivable is settled.' } };
  },
});

function settleForm({ csrf }: Visit, id: string): Html {
  return confirmation({
    label: 'Settle',
    consequence:
      'From the balance: the debtor’s account pays what it has. Written off: the company pays, and nobody owes it any more.',
    action: '/console/receivables',
    csrf,
    fields: [
      html`<input type="hidden" name="id" value="${id}">`,
      select({
        name: 'source',
        id: `source-${id}`,
        label: 'Paid by',
        isRequired: true,
        options: [
          { value: 'BALANCE', label: 'The debtor’s balance' },
          { value: 'WRITE_OFF', label: 'The company: write it off' },
        ],
      }),
      textField({ name: 'reason', id: `reason-${id}`, label: 'Reason', isRequired: true, maxLength: 255 }),
    ],
    confirm: 'Settle the receivable',
  });
}

export const receiptPages: readonly ConsolePage[] = [...list, made, one, ...owed];
