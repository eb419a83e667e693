import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { ACCOUNT_TYPES, type AccountType } from '../../../domain/ledger/accounts.ts';
import { permits, type Role } from '../../../domain/roles.ts';
import { sourceRefusal } from '../../../domain/withdrawal/sources.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { confirmation, form, hidden, reasonField, textField } from '../../components/form.ts';
import { type Html, html, icon, NOTHING, rich } from '../../components/html.ts';
import { amountText, money } from '../../components/money.ts';
import { card, definitionList, emptyState, type Figure, figures, idText, notice } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { dayText, time } from '../../components/time.ts';
import { actionField, actions, entered, oneOf } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Form, Visit } from '../../page.ts';
import { inZone, monthLinks } from '../../time-window.ts';
import { bankDetailsLink, bankDetailsNotice } from './bank-details.ts';
import { ownerOf, withdrawalObstacle } from './owner.ts';

/** One account with its statement, and the statement as a file. */

const FORMATS = [
  ['csv', 'text/csv', 'CSV'],
  ['pdf', 'application/pdf', 'PDF'],
  ['camt', 'application/xml', 'camt.053'],
] as const;

/** The last entries of the window: on the page, and in a file, which the API limits. A statement begins with the first that it has. */
const SHOWN_ENTRIES = 50;
const FILE_ENTRIES = 10_000;

/** The window of a statement, as the address has it: two days of the company's zone, or the API's last 30 days. */
function windowOf({ query }: Pick<Visit, 'query'>): { startDate?: string; endDate?: string } {
  const [startDate, endDate] = [query.get('startDate'), query.get('endDate')];
  return { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
}

export const account: ConsolePage = {
  path: '/ledger/accounts/:accountId',
  title: t('Account'),
  who: 'read',
  show: async (visit) => {
    const { api, params, session, language } = visit;
    const path = { accountId: params.accountId ?? '' };
    const window = windowOf(visit);
    const [found, statement] = await Promise.all([
      api.get('/v1/ledger/accounts/{accountId}', { path }),
      api.get('/v1/ledger/accounts/{accountId}/statement', {
        path,
        query: { ...inZone(window, language.timeZone), lastEntries: SHOWN_ENTRIES, totals: 'window' },
      }),
    ]);
    const { currency } = found;
    const isSource = sourceRefusal(found.type, session.role) === null;
    const obstacle = await withdrawalObstacle(visit, found);
    const mayManage = isSource && permits(session.role, 'manage_money');
    const waiting = mayManage ? await bankDetailsNotice(api, found.ledgerId) : NOTHING;
    const isCut = statement.entries.length >= SHOWN_ENTRIES;
    const entries =
      statement.entries.length === 0
        ? emptyState(t('No entries'), t('Nothing was posted to this account in the window.'))
        : dataTable({
            caption: isCut
              ? t('The last {count} entries of the window', { count: statement.entries.length })
              : t('Statement from {from} to {to}', {
                  from: dayText(statement.startDate),
                  to: dayText(statement.endDate),
                }),
            rows: statement.entries,
            // Without gross: the platform's fee in a transaction of another company.
            href: ({ transactionId, gross }) => (gross === null ? null : `/console/transactions/${transactionId}`),
            columns: [
              { title: t('Time'), cell: ({ created_at }) => time(created_at) },
              { title: t('Type'), rank: 'second', cell: ({ type }) => statusWords(type) },
              { title: t('Text'), rank: 'second', cell: ({ description, reference }) => reference ?? description },
              {
                title: t('Debit'),
                align: 'end',
                cell: ({ direction, amount }) => (direction === 'DEBIT' ? amountText(amount, currency) : ''),
              },
              {
                title: t('Credit'),
                align: 'end',
                cell: ({ direction, amount }) => (direction === 'CREDIT' ? amountText(amount, currency) : ''),
              },
              {
                title: t('Balance'),
                align: 'end',
                rank: 'second',
                cell: ({ balance_after }) => amountText(balance_after, currency),
              },
            ],
          });
    return {
      title: t('{account}, {currency}', { account: statusWords(found.type), currency }),
      trail: [
        [t('Ledger'), '/ledger'],
        [t('Transactions'), `/ledger/${found.ledgerId}`],
      ],
      main: html`<div class="stack">${card({
        title: t('Account'),
        actions:
          mayManage && obstacle === null
            ? html`${bankDetailsLink(found.ledgerId)}<a class="button small" href="/console/withdrawals/new?accountId=${found.id}">${icon('bank')}${t('Withdraw')}</a>`
            : bankDetailsLink(found.ledgerId),
        body: html`${waiting}${obstacle === null ? NOTHING : notice({ tone: 'warn', text: obstacle })}${figures([
          { name: t('Balance'), value: money(found.balance, currency) },
          { name: t('Held'), value: money(found.held_balance, currency) },
          { name: t('Available'), value: money(found.available_balance, currency) },
          ...(isSource ? [withdrawableFigure(found, obstacle !== null)] : []),
        ])}${definitionList([
          [t('Owner'), ownerOf(found)],
          [t('State'), found.is_frozen ? statusBadge('FROZEN') : t('Open')],
          ...found.freezes.map(
            ({ is_by_platform: isByPlatform, reason }) =>
              [isByPlatform ? t('The platform’s reason') : t('Reason'), reason] as const,
          ),
          [t('Opened'), time(found.created_at)],
          [t('Last change'), time(found.updated_at)],
          [t('Id'), idText(found.id)],
        ])}${permits(session.role, 'manage_money') && canBeFrozenOrOpened(found, session.role) ? freezeForm(visit, found) : NOTHING}`,
      })}${card({
        title: t('Statement'),
        body: html`${form({
          className: 'filters',
          id: WINDOW_FORM,
          method: 'get',
          action: `/console/ledger/accounts/${found.id}`,
          submit: t('Show'),
          tone: 'plain',
          fields: [
            textField({
              name: 'startDate',
              label: t('From'),
              type: 'date',
              value: window.startDate?.slice(0, 10) ?? '',
            }),
            textField({ name: 'endDate', label: t('to'), type: 'date', value: window.endDate?.slice(0, 10) ?? '' }),
            monthLinks(visit, `/console/ledger/accounts/${found.id}`, window, ['startDate', 'endDate']),
          ],
        })}${fileButtons(found.id)}${figures([
          { name: t('Opening balance'), value: money(statement.openingBalance, currency) },
          { name: t('Credits'), value: money(statement.totalCredits, currency) },
          { name: t('Debits'), value: money(statement.totalDebits, currency) },
          { name: t('Closing balance'), value: money(statement.closingBalance, currency) },
        ])}${entries}${isCut ? olderEntries(found.id, window, statement.entries[0]?.created_at ?? statement.startDate) : NOTHING}`,
      })}</div>`,
    };
  },
  act: actions({
    freeze: async ({ api, params }, sent) => {
      const isFrozen = oneOf(sent, 'is_frozen', ['true', 'false']) === 'true';
      const { id } = await api.patch('/v1/ledger/accounts/{accountId}', {
        path: { accountId: params.accountId ?? '' },
        idempotencyKey: sent.idempotencyKey,
        body: { is_frozen: isFrozen, reason: sent.text('reason'), known_freeze_at: knownFreeze(sent) },
      });
      return {
        to: `/ledger/accounts/${id}`,
        flash: { tone: 'good', text: isFrozen ? t('The account is frozen.') : t('The account is open again.') },
      };
    },
  }),
};

function withdrawableFigure({ withdrawable_balance: cents, currency }: AccountView, isNothing: boolean): Figure {
  return { name: t('Can be withdrawn'), value: isNothing ? t('Nothing') : money(cents, currency) };
}

type AccountView = AnswerOf<Operation<'get', '/v1/ledger/accounts/{accountId}'>>;
type AccountState = { readonly type: AccountType; readonly is_frozen: boolean };

export function canBeWithdrawn({ type, is_frozen: isFrozen }: AccountState, role: Role): boolean {
  return sourceRefusal(type, role) === null && !isFrozen;
}

/** Contra accounts hold no money, so they are not frozen. The platform alone lifts its freeze. */
function canBeFrozenOrOpened({ type, is_frozen: isFrozen, last_freeze: last }: AccountView, role: Role): boolean {
  if (isFrozen) return role === 'SUPER_ADMIN' || last?.is_by_platform !== true;
  return !ACCOUNT_TYPES[type].mayGoNegative;
}

/** The figures above the entries are those of the entries shown, so the page says how to see the others. */
function olderEntries(id: string, window: ReturnType<typeof windowOf>, before: string): Html {
  const endDate = new Date(Date.parse(before) - 1).toISOString(); // the end of a window belongs to it
  const search = new URLSearchParams({ ...window, endDate });
  return html`<nav class="pages" aria-label="${t('Pages')}"><span class="soft">${rich('The entries begin {time}. Figures and files are of the whole window, up to its last {count} entries.', { time: time(before), count: FILE_ENTRIES })}</span><span class="pages-links"><a class="button small" href="/console/ledger/accounts/${id}?${search.toString()}">${t('Older entries')}${icon('arrowRight')}</a></span></nav>`;
}

const WINDOW_FORM = 'window';

/** Buttons of the form above, so that a file has the days that stand in its fields. After it, because Enter presses the first. */
function fileButtons(id: string): Html {
  const buttons = FORMATS.map(
    ([format, , label]) =>
      html`<button class="button small" form="${WINDOW_FORM}" name="format" value="${format}" formaction="/console/ledger/accounts/${id}/statement">${icon('download')}${label}</button>`,
  );
  return html`<p class="row">${buttons}</p>`;
}

const NEVER = 'NEVER';

/** Nobody opens an account that a colleague has frozen again since the page was shown. */
function knownFreeze(sent: Form): string | null {
  return sent.text('known') === NEVER ? null : sent.text('known');
}

function freezeForm(visit: Visit, { id, is_frozen: isFrozen, last_freeze: last }: AccountView): Html {
  const { value, error, isRefused } = entered(visit, 'freeze');
  return confirmation({
    label: isFrozen ? t('Unfreeze') : t('Freeze'),
    consequence: isFrozen
      ? t('Money can go out and be held again.')
      : t('No money goes out and none is held. Money still comes in, and what was held before is paid or given back.'),
    action: `/console/ledger/accounts/${id}`,
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('freeze'),
      hidden('is_frozen', isFrozen ? 'false' : 'true'),
      hidden('known', last?.at ?? NEVER),
      reasonField(value('reason'), error('reason')),
    ],
    confirm: isFrozen ? t('Unfreeze the account') : t('Freeze the account'),
    tone: isFrozen ? 'primary' : 'danger',
  });
}

export const statementFile: ConsolePage = {
  path: '/ledger/accounts/:accountId/statement',
  title: t('Statement'),
  who: 'read',
  isBackground: true,
  show: async (visit) => {
    const { api, params, query } = visit;
    const [, accept] = FORMATS.find(([format]) => format === query.get('format')) ?? FORMATS[0];
    const file = await api.download('/v1/ledger/accounts/{accountId}/statement', accept, {
      path: { accountId: params.accountId ?? '' },
      query: { ...inZone(windowOf(visit), visit.language.timeZone), lastEntries: FILE_ENTRIES },
    });
    const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    for (const name of ['content-type', 'content-disposition']) headers.set(name, file.headers.get(name) ?? '');
    return new Response(file.body, { headers });
  },
};
