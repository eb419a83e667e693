import { permits } from '../../../domain/roles.ts';
import type { PayoutView } from '../../api-types.ts';
import { statusWords } from '../../components/badge.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, definitionList, idText, notice, SOURCE_NAMES, timeline } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { actions, oneOf, optional } from '../../entered.ts';
import { onlyIfKnown, sinceKnown } from '../../known-version.ts';
import type { MessageText } from '../../language/languages.ts';
import { joined, t } from '../../language/message.ts';
import type { ConsolePage, Form, FormResult, Visit } from '../../page.ts';
import { newDestinationNotice } from '../ledger/bank-details.ts';
import { ownerOf } from '../ledger/owner.ts';
import { codedFailure, handedOverNotice, orderForms, outcomeForms, payoutBadge } from './outcome.ts';

/** One withdrawal with what the bank said. */

type PayoutConcern = PayoutView['review_reason'];

/** Why a person has to look at a payment, and what to do. */
const CONCERNS: Readonly<Record<NonNullable<PayoutConcern>, MessageText>> = {
  file_refused:
    'The bank refused a file or a batch, but not provably this payment. Look for {reference} in the bank’s statement; platform staff book what it shows.',
  rejection_unattributed:
    'The bank rejected one of several attempts to pay, and did not say which. Look for {reference} in the bank’s statement; platform staff book what it shows.',
  cancelled:
    'The bank reported the payment as cancelled, and may still pay it. Look for {reference} in the bank’s statement; platform staff book what it shows.',
  books_disagree:
    'Our records of this payment do not agree, so nothing was sent to the bank. Look for {reference} in the bank’s statement; platform staff book what it shows.',
  account_frozen:
    'The account was frozen before the bank had the payment {reference}, so it was not sent. Once the freeze is lifted, resume it (the platform alone, if it froze the account), or cancel it.',
  user_blacklisted:
    'The user was blacklisted before the bank had the payment {reference}, so it was not sent. Once the user is cleared, resume it; or cancel it.',
};

function warnings(visit: Visit, payout: PayoutView, owner: string): Html {
  const { failure_reason, review_reason, end_to_end_id, status } = payout;
  const { session } = visit;
  const again = new URLSearchParams({ accountId: payout.accountId, amount: payout.amount });
  const isBack = status === 'FAILED' || status === 'REVERSED';
  const failed =
    failure_reason === null
      ? NOTHING
      : notice({
          tone: 'bad',
          text: html`<p>${codedFailure(failure_reason)}</p>${
            isBack
              ? html`<p>${rich('The money went back to the account of {owner}.', { owner: html`<a href="/console/ledger/accounts/${payout.accountId}">${owner}</a>` })}</p>`
              : NOTHING
          }${
            isBack && permits(session.role, 'manage_money')
              ? html`<p><a class="button small" href="/console/withdrawals/new?${again.toString()}">${t('Pay again to other bank details')}</a></p>`
              : NOTHING
          }`,
        });
  if (review_reason === null) return failed;
  const text = rich(CONCERNS[review_reason], { reference: html`<code>${end_to_end_id}</code>` });
  return html`${failed}${notice({ tone: 'warn', text })}`;
}

/** What the reader of an old page did not know when the form was sent. */
function changedMeanwhile(visit: Visit, { status, timeline: story }: PayoutView): Html {
  const events = sinceKnown(visit, story).map(({ event, actor }) =>
    t('{event} ({actor})', { event: statusWords(event), actor: statusWords(actor) }),
  );
  if (events.length === 0) return NOTHING;
  return notice({
    tone: 'warn',
    text: t('Since the page was shown: {events}. The withdrawal is now: {status}.', {
      events: joined(events),
      status: statusWords(status),
    }),
  });
}

export const one: ConsolePage = {
  path: '/withdrawals/:id',
  title: t('Withdrawal'),
  who: 'read',
  show: async (visit) => {
    const { api, params, session } = visit;
    const payout = await api.get('/v1/treasury/withdrawals/{id}', { path: { id: params.id ?? '' } });
    const { currency, accountId } = payout;
    const account = await api.get('/v1/ledger/accounts/{accountId}', { path: { accountId } });
    const waits = payout.status === 'PROCESSING' && !payout.is_handed_over ? payout.not_before : null;
    return {
      title: t('Withdrawal {reference}', { reference: payout.reference }),
      trail: [[t('Withdrawals'), '/withdrawals']],
      main: html`${changedMeanwhile(visit, payout)}${waits ? newDestinationNotice(account.ledgerId, waits) : NOTHING}${warnings(visit, payout, ownerOf(account))}${handedOverNotice(payout)}
<div class="columns"><div class="stack">
${card({
  title: t('Payment'),
  body: definitionList([
    [t('Status'), payoutBadge(payout)],
    [t('Amount'), money(payout.amount, currency)],
    [t('Transfer tax'), money(payout.taxAmount, currency)],
    [t('From'), html`<a href="/console/ledger/accounts/${accountId}">${ownerOf(account)}, ${currency}</a>`],
    [t('To'), payout.account_name],
    [t('Bank'), t('{bank}, branch {branch}', { bank: payout.bank_name, branch: payout.branch_code })],
    [t('Account number'), payout.account_number],
    [t('Requested'), time(payout.created_at)],
    [t('Last change'), time(payout.updated_at)],
    [t('Reference at the bank'), idText(payout.end_to_end_id)],
    [t('Id'), idText(payout.id)],
  ]),
})}
${permits(session.role, 'manage_money') ? orderForms(visit, payout, account.is_frozen) : NOTHING}${permits(session.role, 'platform') ? outcomeForms(visit, payout) : NOTHING}</div>
${card({
  title: t('What happened'),
  body: timeline(
    payout.timeline.map(({ event, actor, at, source, reason }) => ({
      title: html`${statusWords(event)}`,
      at: time(at),
      by: t('{by} ({source})', { by: statusWords(actor), source: SOURCE_NAMES[source] }),
      detail: reason,
    })),
  ),
})}</div>`,
    };
  },
  act: actions({
    resume: async ({ api, params }, sent) => {
      const { id } = await onlyIfKnown(api, sent).post('/v1/treasury/withdrawals/{id}/resume', asked(params, sent));
      return { to: `/withdrawals/${id}`, flash: { tone: 'good', text: t('The payment goes to the bank.') } };
    },
    cancel: async ({ api, params }, sent) => {
      const body = { reason: optional(sent.text('reason')) };
      const request = { ...asked(params, sent), body };
      const { id } = await onlyIfKnown(api, sent).post('/v1/treasury/withdrawals/{id}/cancel', request);
      const text = t('The withdrawal is cancelled. The money is back on the account.');
      return { to: `/withdrawals/${id}`, flash: { tone: 'good', text } };
    },
    PAID: bookOutcome,
    NOT_PAID: bookOutcome,
  }),
};

const asked = (params: Visit['params'], { idempotencyKey }: Form) => ({
  path: { id: params.id ?? '' },
  idempotencyKey,
});

async function bookOutcome({ api, params, session }: Visit, sent: Form): Promise<FormResult> {
  const outcome = oneOf(sent, 'outcome', ['PAID', 'NOT_PAID']);
  const booked = await onlyIfKnown(api, sent).post('/v1/treasury/withdrawals/{id}/outcome', {
    ...asked(params, sent),
    body: { outcome, adminId: session.administratorId, reason: optional(sent.text('reason')) },
  });
  return {
    to: `/withdrawals/${booked.id}`,
    flash: {
      tone: 'good',
      text: t('The outcome is booked. The withdrawal is now: {status}.', { status: statusWords(booked.status) }),
    },
  };
}
