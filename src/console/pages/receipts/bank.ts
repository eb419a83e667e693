import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { permits } from '../../../domain/roles.ts';
import { isDay, startOfDay } from '../../../domain/time-zone.ts';
import { statusWords } from '../../components/badge.ts';
import { confirmation, form, hidden, select, textField } from '../../components/form.ts';
import { type Html, html, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, emptyState } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { daysText, time } from '../../components/time.ts';
import { actionField, actions, chosenId, entered, oneOf } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';

/** The bank beside the books: what is open on either side, and the matches that a person makes. */

type Found = AnswerOf<Operation<'get', '/v1/treasury/bank/reconciliation'>>;
type Item = Found['open'][number];

const KINDS = ['CAPTURE', 'PAYOUT', 'CARD_SETTLEMENT', 'MOBILE_SETTLEMENT', 'FEE'] as const;

export const bank: ConsolePage = {
  path: '/bank',
  title: t('Bank reconciliation'),
  who: 'read',
  menu: { section: 'Money', label: t('Bank reconciliation') },
  show: async (visit) => {
    const day = visit.query.get('at') ?? '';
    const query = day === '' ? {} : { at: isDay(day) ? startOfDay(day, visit.language.timeZone) : day };
    const { at, accounts, open, clearing } = await visit.api.get('/v1/treasury/bank/reconciliation', { query });
    const expected = clearing.filter(({ balance }) => balance !== '0');
    return {
      main: html`<div class="stack"><div>${form({
        className: 'filters',
        method: 'get',
        action: '/console/bank',
        submit: t('Show'),
        tone: 'plain',
        fields: textField({ name: 'at', label: t('At the beginning of'), type: 'date', value: day.slice(0, 10) }),
      })}<p class="soft">${rich('As everything stood right before {time}.', { time: time(at) })}</p></div>${
        accounts.length === 0
          ? emptyState(t('No statement of the bank yet'), t('Send the bank’s camt.053 file over the API.'))
          : card({ title: t('Bank and books'), body: balances(accounts) })
      }${open.length === 0 ? '' : card({ title: t('Open items'), body: openItems(visit, open) })}${
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
  act: actions({
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
        cell: ({ id, side, kind }) => (mayMatch && side === 'BANK' && kind !== 'BALANCE' ? matchForm(visit, id) : '–'),
      },
    ],
    rows: open,
  });
}

function matchForm(visit: Visit, id: string): Html {
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
        options: KINDS.map((kind) => ({ value: kind, label: statusWords(kind) })),
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
