import type { AnswerOf, Operation, RowOf } from '../../../../clients/typescript/src/types.ts';
import { permits } from '../../../domain/roles.ts';
import { isDay, startOfDay } from '../../../domain/time-zone.ts';
import { statusWords } from '../../components/badge.ts';
import { confirmation, fileField, form, hidden, select, textField } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { countText } from '../../components/numbers.ts';
import { offsetPage, offsetPages } from '../../components/pagination.ts';
import { card, emptyState } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { daysText, time } from '../../components/time.ts';
import { actionField, actions, chosenId, entered, oneOf } from '../../entered.ts';
import { fileTooLargeText } from '../../forms.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { mayRecordReceipts, recordedByPlatform } from './new.ts';

/** The bank beside the books: what is open on either side, and the matches that a person makes. */

type Found = AnswerOf<Operation<'get', '/v1/treasury/bank/reconciliation'>>;
type Item = Found['open'][number];
type Statement = RowOf<Operation<'get', '/v1/treasury/bank/statements'>>;

const SHOWN_STATEMENTS = 5;
const ITEMS_PER_PAGE = 50;

const KINDS = ['CAPTURE', 'PAYOUT', 'CARD_SETTLEMENT', 'MOBILE_SETTLEMENT', 'FEE'] as const;

export const bank: ConsolePage = {
  path: '/bank',
  title: t('Bank reconciliation'),
  who: 'read',
  menu: { section: 'Money', label: t('Bank reconciliation') },
  show: async (visit) => {
    const day = visit.query.get('at') ?? '';
    const instant = day === '' ? {} : { at: isDay(day) ? startOfDay(day, visit.language.timeZone) : day };
    const query = { ...instant, ...offsetPage(visit.query, ITEMS_PER_PAGE) };
    const [{ at, accounts, open, total, clearing }, statements] = await Promise.all([
      visit.api.get('/v1/treasury/bank/reconciliation', { query }),
      visit.api.get('/v1/treasury/bank/statements', { query: { limit: SHOWN_STATEMENTS } }),
    ]);
    const expected = clearing.filter(({ balance }) => balance !== '0');
    return {
      main: html`<div class="stack"><div>${form({
        className: 'filters',
        method: 'get',
        action: '/console/bank',
        submit: t('Show'),
        tone: 'plain',
        fields: textField({ name: 'at', label: t('At the beginning of'), type: 'date', value: day.slice(0, 10) }),
      })}<p class="soft">${rich('As everything stood right before {time}.', { time: time(at) })}${day === '' ? NOTHING : html` ${t('The statements of the bank are shown as they are now.')}`}</p></div>${
        accounts.length === 0 ? NOTHING : card({ title: t('Bank and books'), body: balances(accounts) })
      }${statementsCard(visit, statements.data)}${
        total === 0
          ? ''
          : card({
              title: t('Open items'),
              body: html`${openItems(visit, open)}${offsetPages(['/console/bank', { at: day }], {
                ...{ offset: query.offset, shown: open.length, total },
              })}`,
            })
      }${
        expected.length === 0
          ? ''
          : card({
              title: t('Expected from the gateway, mobile money and declared deposits'),
              body: dataTable({
                caption: t('Balances of the clearing accounts'),
                columns: [
                  { title: t('Account'), cell: ({ type }) => statusWords(type) },
                  { title: t('Balance'), align: 'end', cell: ({ balance, currency }) => money(balance, currency) },
                ],
                rows: expected,
              }),
            })
      }</div>`,
    };
  },
  takesBankFile: 'manage_money',
  act: actions({
    upload: async ({ api }, sent) => {
      if (sent.file === null) return sent.refuse('file', t('Choose the file of the bank.'));
      const file = { type: 'application/xml', bytes: sent.file };
      const { statements } = await api.upload('/v1/treasury/bank/statements', file, sent.idempotencyKey);
      const sum = (of: (one: Statement) => number) => statements.reduce((total, one) => total + of(one), 0);
      const text = t(
        '{entries, plural, one {# entry} other {# entries}} in the file: {matched, plural, other {# matched}}, {open, plural, other {# open}}, {known, plural, other {# known}} before.',
        {
          entries: sum(({ entries }) => entries),
          matched: sum(({ matched }) => matched),
          open: sum(({ open }) => open),
          known: sum(({ duplicates }) => duplicates),
        },
      );
      return { to: '/bank', flash: { tone: 'good', text } };
    },
    match: async ({ api }, sent) => {
      const kind = oneOf(sent, 'kind', KINDS);
      const named = sent.text('matchedId');
      await api.post('/v1/treasury/bank/entries/{id}/match', {
        path: { id: chosenId(sent, 'id', 'bankEntry') },
        idempotencyKey: sent.idempotencyKey,
        body: { kind, ...(named === '' ? {} : { id: named }) },
      });
      return { to: '/bank', flash: { tone: 'good', text: t('The entry is matched.') } };
    },
  }),
};

function statementsCard(visit: Visit, statements: readonly Statement[]): Html {
  return card({
    title: t('Statements of the bank'),
    body: html`${
      statements.length === 0
        ? emptyState(
            t('No statement of the bank yet'),
            t('Its entries are matched with the books as soon as it is sent.'),
          )
        : dataTable({
            caption: t('The latest statements'),
            columns: [
              { title: t('Days'), cell: ({ from, to }) => (from === to ? to : t('{from} to {to}', { from, to })) },
              { title: t('Account'), rank: 'second', cell: ({ account }) => account },
              { title: t('Entries'), align: 'end', cell: ({ entries }) => countText(entries) },
              { title: t('Matched'), align: 'end', rank: 'second', cell: ({ matched }) => countText(matched) },
              { title: t('Open'), align: 'end', cell: ({ open }) => countText(open) },
              {
                title: t('Known before'),
                align: 'end',
                rank: 'second',
                cell: ({ duplicates }) => countText(duplicates),
              },
              { title: t('Sent'), rank: 'second', cell: ({ created_at }) => time(created_at) },
            ],
            rows: statements,
          })
    }${mayRecordReceipts(visit) ? uploadForm(visit) : recordedByPlatform(visit)}`,
  });
}

function uploadForm(visit: Visit): Html {
  const { maxBytes } = visit.c.var.bankFileForm;
  return form({
    action: '/console/bank',
    csrf: visit.csrf,
    hasFile: true,
    fields: [
      actionField('upload'),
      fileField({
        name: 'file',
        label: t('File of the bank'),
        hint: t('camt.053, version 02 or 08, at most {size} MiB. An entry counts once, in whatever file it comes.', {
          size: maxBytes / 1_048_576,
        }),
        accept: '.xml,application/xml,text/xml',
        maxBytes,
        tooLarge: fileTooLargeText(maxBytes),
        isRequired: true,
        error: entered(visit, 'upload').error('file'),
      }),
    ],
    submit: t('Send the file'),
  });
}

function balances(accounts: Found['accounts']): Html {
  return dataTable({
    caption: t('Balances at the bank and in the books'),
    columns: [
      { title: t('Account'), cell: ({ account, currency }) => account ?? currency },
      { title: t('Bank'), align: 'end', cell: ({ bankBalance, currency }) => money(bankBalance, currency) },
      { title: t('Books'), align: 'end', cell: ({ bookBalance, currency }) => money(bookBalance, currency) },
      { title: t('Difference'), align: 'end', cell: ({ difference, currency }) => money(difference, currency) },
    ],
    rows: accounts,
  });
}

function openItems(visit: Visit, open: readonly Item[]): Html {
  const mayMatch = permits(visit.session.role, 'manage_money');
  return dataTable({
    caption: t('Entries without a counterpart'),
    columns: [
      { title: t('Reference'), cell: ({ reference }) => reference ?? '–' },
      { title: t('Open at'), cell: ({ side }) => (side === 'BANK' ? t('Bank') : t('Books')) },
      { title: t('Kind'), rank: 'second', cell: ({ kind }) => statusWords(kind) },
      {
        title: t('Amount'),
        align: 'end',
        cell: ({ amount, direction, currency }) => money(direction === 'CREDIT' ? amount : `-${amount}`, currency),
      },
      { title: t('Booked'), rank: 'second', cell: ({ date }) => date },
      { title: t('Age'), align: 'end', rank: 'second', cell: ({ ageDays }) => daysText(ageDays) },
      {
        title: t('Match'),
        cell: ({ id, side, kind, direction }) =>
          mayMatch && side === 'BANK' && kind !== 'BALANCE' ? matchForm(visit, id, kindsFor(visit, direction)) : '–',
      },
    ],
    rows: open,
  });
}

/** A credit that is matched as a fee books money that nobody recorded as a receipt. */
const kindsFor = (visit: Visit, direction: Item['direction']) =>
  KINDS.filter((kind) => kind !== 'FEE' || direction === 'DEBIT' || mayRecordReceipts(visit));

function matchForm(visit: Visit, id: string, kinds: readonly (typeof KINDS)[number][]): Html {
  const { value, error, isRefused } = entered(visit, 'match', id);
  return confirmation({
    label: t('Match'),
    consequence: t('A settlement takes the amount from its clearing account. A fee is a cost of the company.'),
    action: '/console/bank',
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('match'),
      hidden('id', id),
      select({
        name: 'kind',
        id: `kind-${id}`,
        label: t('Kind'),
        isRequired: true,
        isDeliberate: true,
        options: kinds.map((kind) => ({ value: kind, label: statusWords(kind) })),
        value: value('kind'),
        error: error('kind'),
      }),
      textField({
        name: 'matchedId',
        id: `matched-${id}`,
        label: t('The capture or the withdrawal, txn_…'),
        maxLength: 255,
        value: value('matchedId'),
        error: error('id'),
      }),
    ],
    confirm: t('Match the entry'),
  });
}
