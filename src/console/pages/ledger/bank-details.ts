import type { AnswerOf, Operation, RowOf } from '../../../../clients/typescript/src/types.ts';
import { permits } from '../../../domain/roles.ts';
import { type ApiClient, ApiProblem } from '../../api-client.ts';
import { confirmation, form, textField } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { card, definitionList, type Fact, notice } from '../../components/parts.ts';
import { type Column, dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { actionField, actions, entered } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { actsOf } from '../../object-links.ts';
import type { ConsolePage, Visit } from '../../page.ts';

/** Where the money of a ledger goes: the bank details in effect, those that wait for it, and all changes. */

type Details = AnswerOf<Operation<'get', '/v1/ledger/{ledgerId}/bank-details'>>;
type Change = RowOf<Operation<'get', '/v1/ledger/{ledgerId}/bank-details/history'>>;

const SHOWN_CHANGES = 5;

const pathOf = ({ params }: Pick<Visit, 'params'>) => ({ ledgerId: params.ledgerId ?? '' });
const addressOf = (ledgerId: string) => `/ledger/${ledgerId}/bank-details`;

const COLUMNS: readonly Column<Change>[] = [
  {
    title: t('In effect from'),
    cell: ({ effective_at }) => (effective_at === null ? t('Never: replaced before') : time(effective_at)),
  },
  {
    title: t('Account'),
    cell: ({ bank_name, account_number, account_name }) =>
      html`${bank_name}, ${account_number}<br><span class="soft">${account_name}</span>`,
  },
  { title: t('Branch code'), rank: 'second', cell: ({ branch_code }) => branch_code },
  { title: t('Set on'), rank: 'second', cell: ({ changed_at }) => time(changed_at) },
  { title: t('Set by'), rank: 'second', cell: ({ changed_by }) => actsOf(changed_by) },
  {
    title: t('Approved by'),
    rank: 'second',
    cell: ({ approved_by }) => (approved_by === null ? '–' : actsOf(approved_by)),
  },
];

export const bankDetails: ConsolePage = {
  path: '/ledger/:ledgerId/bank-details',
  title: t('Bank details'),
  who: 'read',
  show: async (visit) => {
    const { api, session } = visit;
    const path = pathOf(visit);
    const [{ ledger }, details, history] = await Promise.all([
      api.get('/v1/ledger/overview/{ledgerId}', { path }),
      readableDetails(api, path.ledgerId),
      api.get('/v1/ledger/{ledgerId}/bank-details/history', { path, query: { limit: SHOWN_CHANGES } }),
    ]);
    const person = [ledger.user?.first_name, ledger.user?.last_name].filter((part) => part != null).join(' ');
    const owner = person || ledger.name;
    return {
      title: t('Bank details of {owner}', { owner }),
      trail: [
        [t('Ledger'), '/ledger'],
        [t('Transactions'), `/ledger/${path.ledgerId}`],
      ],
      main: html`<div class="stack">${details === null ? unreadableNotice() : waiting(visit, details)}<div class="columns">
${
  details === null
    ? NOTHING
    : card({
        title: t('In effect'),
        body: html`${details.bank_name === null ? html`<p class="soft">${noneText(details)}</p>` : definitionList(factsOf(details))}`,
      })
}${permits(session.role, 'manage_money') ? card({ title: t('New bank details'), body: changeForm(visit) }) : NOTHING}</div>
${card({
  title: t('Changes of the bank details'),
  actions:
    history.total > SHOWN_CHANGES
      ? html`<a class="button small" href="/console${addressOf(path.ledgerId)}/history">${t('All changes')}</a>`
      : NOTHING,
  body:
    history.data.length === 0
      ? html`<p class="soft">${t('No bank details were set yet.')}</p>`
      : dataTable({ caption: t('Changes of the bank details'), rows: history.data, columns: COLUMNS }),
})}</div>`,
    };
  },
  act: actions({
    change: async (visit, sent) => {
      const set = await visit.api.patch('/v1/ledger/{ledgerId}/bank-details', {
        path: pathOf(visit),
        body: {
          bank_name: sent.text('bank_name'),
          branch_code: sent.text('branch_code'),
          account_number: sent.text('account_number'),
          account_name: sent.text('account_name'),
        },
      });
      const text =
        set.pending === null
          ? t('The bank details are in effect.')
          : t('The bank details are stored. They wait until they take effect or another administrator approves them.');
      return { to: addressOf(pathOf(visit).ledgerId), flash: { tone: 'good', text } };
    },
    approve: async (visit, sent) => {
      await visit.api.post('/v1/ledger/{ledgerId}/bank-details/approve', {
        path: pathOf(visit),
        idempotencyKey: sent.idempotencyKey,
      });
      return { to: addressOf(pathOf(visit).ledgerId), flash: { tone: 'good', text: t('The wait has ended.') } };
    },
  }),
};

const changes = apiList('/v1/ledger/{ledgerId}/bank-details/history', (visit) => ({ path: pathOf(visit) }));
export const bankDetailsHistory = listPages({
  path: '/ledger/:ledgerId/bank-details/history',
  title: t('Changes of the bank details'),
  lead: t('Every change of where the money of this ledger goes, newest first.'),
  who: 'read',
  rows: changes,
  rowsPerRequest: 100,
  filters: [],
  columns: COLUMNS,
  empty: { title: t('No changes'), text: t('No bank details were set yet.') },
});

/** Null: they cannot be read, until they are stored again. */
async function readableDetails(api: ApiClient, ledgerId: string): Promise<Details | null> {
  try {
    return await api.get('/v1/ledger/{ledgerId}/bank-details', { path: { ledgerId } });
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'details_unreadable') return null;
    throw error;
  }
}

function unreadableNotice(link: Html = NOTHING): Html {
  const text = rich(
    'The stored bank details cannot be read: they were changed in the database. Nothing is paid to them. Tell the operator of the service, and set them again. {link}',
    { link },
  );
  return notice({ tone: 'bad', text });
}

type Shown = {
  readonly bank_name: string | null;
  readonly branch_code: string | null;
  readonly account_number: string | null;
  readonly account_name: string | null;
};

function factsOf({ bank_name, branch_code, account_number, account_name }: Shown): readonly Fact[] {
  return [
    [t('Bank'), bank_name],
    [t('Branch code'), branch_code],
    [t('Account number'), account_number],
    [t('Name of the account’s owner'), account_name],
  ];
}

function noneText({ payout_details: payout }: Details): Message {
  return payout === null
    ? t('None. A withdrawal has to name a bank account.')
    : t('None. Withdrawals that name no account go to the user’s own: {bank}, {number}.', {
        bank: payout.bank_name,
        number: payout.account_number,
      });
}

/** The details that are not in effect yet, or payments to a new account: until when they wait, and the button that ends it. */
function waiting(visit: Visit, { pending, waiting_payments: payments, may_approve: mayApprove }: Details): Html {
  if (pending === null && payments === 0) return NOTHING;
  const until =
    pending === null
      ? NOTHING
      : html`${definitionList([
          ...factsOf(pending),
          [t('In effect from'), time(pending.effective_at)],
          [t('Set on'), html`${time(pending.changed_at)} · ${actsOf(pending.changed_by)}`],
        ])}`;
  const waits = payments === 0 ? NOTHING : html`<p>${waitingPayments(payments)}</p>`;
  const why = mayApprove
    ? approveForm(visit)
    : html`<p class="soft">${t('Another administrator, who was there before the change, may end the wait.')}</p>`;
  return card({ title: t('Waiting for approval'), body: html`${until}${waits}${why}` });
}

const waitingPayments = (count: number) =>
  t('{count, plural, one {# payment to a new account waits.} other {# payments to new accounts wait.}}', { count });

function approveForm(visit: Visit): Html {
  const { isRefused } = entered(visit, 'approve');
  return confirmation({
    label: t('Approve'),
    consequence: t(
      'Payments to the account go to the bank at once. Before you approve, ask its owner by a number that you knew before.',
    ),
    action: `/console${addressOf(pathOf(visit).ledgerId)}`,
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: actionField('approve'),
    confirm: t('End the wait'),
  });
}

function changeForm(visit: Visit): Html {
  const { value, error } = entered(visit, 'change');
  const field = (name: string, label: Message, maxLength: number) =>
    textField({ name, label, maxLength, isRequired: true, value: value(name), error: error(name) });
  return form({
    action: `/console${addressOf(pathOf(visit).ledgerId)}`,
    csrf: visit.csrf,
    submit: t('Set the bank details'),
    fields: [
      actionField('change'),
      field('bank_name', t('Bank'), 140),
      field('branch_code', t('Branch code'), 35),
      field('account_number', t('Account number'), 34),
      field('account_name', t('Name of the account’s owner'), 140),
    ],
  });
}

function linkTo(ledgerId: string): Html {
  return html`<a href="/console${addressOf(ledgerId)}">${t('Bank details')}</a>`;
}

/** For a payment that waits because its destination is new. */
export function newDestinationNotice(ledgerId: string, notBefore: string): Html {
  const values = { time: time(notBefore), link: linkTo(ledgerId) };
  return notice({
    tone: 'warn',
    text: rich('The destination is new, so the bank gets the payment from {time}. {link}', values),
  });
}

export function bankDetailsLink(ledgerId: string): Html {
  return html`<a class="button small" href="/console${addressOf(ledgerId)}">${t('Bank details')}</a>`;
}

/** A notice for the pages of the ledger's owner and accounts while something waits or is wrong; nothing otherwise. */
export async function bankDetailsNotice(api: ApiClient, ledgerId: string): Promise<Html> {
  const details = await readableDetails(api, ledgerId);
  const link = linkTo(ledgerId);
  if (details === null) return unreadableNotice(link);
  const { pending, waiting_payments: payments } = details;
  if (pending === null && payments === 0) return NOTHING;
  const text =
    pending === null
      ? html`${waitingPayments(payments)} ${link}`
      : rich('New bank details wait until {time}. {link}', { time: time(pending.effective_at), link });
  return notice({ tone: 'warn', text });
}
