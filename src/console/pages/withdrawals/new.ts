import { statusWords } from '../../components/badge.ts';
import { form, select, textField } from '../../components/form.ts';
import { html, NOTHING } from '../../components/html.ts';
import { amountText, money } from '../../components/money.ts';
import { card, figures, notice } from '../../components/parts.ts';
import { actionField, actions, amountOf, entered, optional } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsolePage, Form, Visit } from '../../page.ts';
import { canBeWithdrawn } from '../ledger/account.ts';
import { newDestinationNotice } from '../ledger/bank-details.ts';
import { ownerOf, withdrawalObstacle } from '../ledger/owner.ts';

/** A new withdrawal with its quote. */

export const made: ConsolePage = {
  path: '/withdrawals/new',
  title: t('New withdrawal'),
  who: 'manage_money',
  show: async (visit) => {
    const accountId = visit.query.get('accountId') ?? '';
    return {
      trail: [[t('Withdrawals'), '/withdrawals']],
      main: accountId === '' ? await chooseAccount(visit) : await request(visit, accountId),
    };
  },
  act: actions({
    quote: async (visit, sent) => {
      const { accountId, amount } = await takenFrom(visit, sent);
      return { to: `/withdrawals/new?${new URLSearchParams({ accountId, amount: String(amount) })}` };
    },
    withdraw: async (visit, sent) => {
      const payout = await visit.api.post('/v1/treasury/withdraw', {
        idempotencyKey: sent.idempotencyKey,
        body: {
          ...(await takenFrom(visit, sent)),
          externalReference: sent.text('externalReference'),
          bank_name: optional(sent.text('bank_name')),
          branch_code: optional(sent.text('branch_code')),
          account_number: optional(sent.text('account_number')),
          account_name: optional(sent.text('account_name')),
        },
      });
      return {
        to: `/withdrawals/${payout.id}`,
        flash: { tone: 'good', text: t('The withdrawal is requested. The bank’s answer appears here.') },
      };
    },
  }),
};

async function takenFrom({ api, query }: Visit, sent: Form) {
  const accountId = query.get('accountId') ?? '';
  const { currency } = await api.get('/v1/ledger/accounts/{accountId}', { path: { accountId } });
  return { accountId, amount: amountOf(sent, 'amount', currency) };
}

async function chooseAccount({ api, session }: Visit) {
  const accounts = await api.get('/v1/ledger/company/accounts', { query: { limit: 100 } });
  const payable = accounts.filter((account) => canBeWithdrawn(account, session.role));
  return card({
    title: t('From which account'),
    body: html`<p class="soft">${t('For a user’s account, open the user’s page and choose the account there.')}</p>${form(
      {
        action: '/console/withdrawals/new',
        method: 'get',
        submit: t('Continue'),
        fields: select({
          name: 'accountId',
          label: t('Account'),
          isRequired: true,
          isDeliberate: true,
          options: payable.map(({ id, type, currency }) => ({
            value: id,
            label: t('{account}, {currency}', { account: statusWords(type), currency }),
          })),
        }),
      },
    )}`,
  });
}

async function request(visit: Visit, accountId: string) {
  const { api, csrf, query } = visit;
  const account = await api.get('/v1/ledger/accounts/{accountId}', { path: { accountId } });
  const { currency } = account;
  const obstacle = await withdrawalObstacle(visit, account);
  const asked = query.get('amount') ?? '';
  const action = `/console/withdrawals/new?${new URLSearchParams({ accountId })}`;
  const from = figures([
    {
      name: t('Account'),
      value: html`<a href="/console/ledger/accounts/${accountId}">${ownerOf(account)}</a>`,
      note: t('{account}, {currency}', { account: statusWords(account.type), currency }),
    },
    {
      name: t('Can be withdrawn, tax included'),
      value: obstacle === null ? money(account.withdrawable_balance, currency) : t('Nothing'),
    },
  ]);
  if (obstacle !== null)
    return card({ title: t('From'), body: html`${notice({ tone: 'warn', text: obstacle })}${from}` });
  if (!/^\d{1,16}$/.test(asked)) {
    const { value, error } = entered(visit, 'quote');
    return html`<div class="stack">${card({ title: t('From'), body: from })}${card({
      title: t('How much'),
      body: form({
        action,
        csrf,
        submit: t('See what it costs'),
        fields: [
          actionField('quote'),
          textField({
            name: 'amount',
            label: t('Amount'),
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
  const field = (name: string, label: Message, maxLength: number) =>
    textField({ name, label, maxLength, value: value(name), error: error(name) });
  const units = amountText(asked, currency);
  const isTooMuch = BigInt(quote.totalAmount) > BigInt(account.withdrawable_balance);
  const isOnBalance = BigInt(quote.totalAmount) <= BigInt(account.available_balance);
  const missing = notice({
    tone: 'warn',
    text: isOnBalance
      ? t('The company has not received enough money for this, so the withdrawal would be refused.')
      : t('The balance does not cover this now, so the withdrawal would be refused.'),
  });
  return html`<div class="stack">${card({
    title: t('What it costs'),
    body: html`${isTooMuch ? missing : NOTHING}${quote.not_before === null ? NOTHING : newDestinationNotice(account.ledgerId, quote.not_before)}${from}${figures(
      [
        { name: t('To the bank'), value: money(quote.amount, currency) },
        { name: t('Transfer tax'), value: money(quote.taxAmount, currency) },
        { name: t('Taken from the account'), value: money(quote.totalAmount, currency) },
      ],
    )}`,
  })}${card({
    title: t('Where to'),
    body: html`<p class="soft">${t('Leave the four bank fields empty to pay to the bank details of the account’s ledger.')}</p>${form(
      {
        action: `${action}&amount=${asked}`,
        csrf,
        submit: t('Withdraw'),
        fields: [
          actionField('withdraw'),
          html`<input type="hidden" name="amount" value="${units}">`,
          textField({
            name: 'externalReference',
            label: t('Your reference'),
            isRequired: true,
            maxLength: 255,
            value: value('externalReference'),
            error: error('externalReference'),
          }),
          field('bank_name', t('Bank'), 140),
          field('branch_code', t('Branch code'), 35),
          field('account_number', t('Account number'), 34),
          field('account_name', t('Name of the account’s owner'), 140),
        ],
      },
    )}`,
  })}</div>`;
}
