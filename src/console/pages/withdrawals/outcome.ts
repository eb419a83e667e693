import { permits } from '../../../domain/roles.ts';
import { failureSentence } from '../../../domain/withdrawal/failure-reasons.ts';
import type { PayoutView } from '../../api-types.ts';
import { badge, statusBadge } from '../../components/badge.ts';
import { confirmation, hidden, textArea, textField } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { card, notice } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { actionField, entered } from '../../entered.ts';
import { knownVersion } from '../../known-version.ts';
import { type Message, t } from '../../language/message.ts';
import type { Visit } from '../../page.ts';

/** The forms of a withdrawal, and how far its payment is. */

/** The status; while the payment is on its way, whether the bank may have it, because only before that it can be cancelled. */
export function payoutBadge(payout: Pick<PayoutView, 'status' | 'is_handed_over' | 'review_reason'>): Html {
  if (payout.status !== 'PROCESSING') return statusBadge(payout.status);
  if (payout.is_handed_over) return badge(t('At the bank'), 'active');
  return payout.review_reason === null ? badge(t('Not sent yet'), 'quiet') : badge(t('Held back'), 'warn');
}

/** Why the bank did not pay. */
export function failureText(code: string): Message {
  const sentence = failureSentence(code);
  return sentence === null ? t('The bank refused the payment with the code {code}.', { code }) : t(sentence);
}

/** The same with the code, for the person who asks the bank. */
export function codedFailure(code: string): Message {
  const sentence = failureSentence(code);
  return sentence === null
    ? failureText(code)
    : t('{description} The bank’s code is {code}.', { description: t(sentence), code });
}

/** Why the payment can no longer be cancelled. */
export function handedOverNotice({
  status,
  is_handed_over: isHandedOver,
  review_reason: concern,
  timeline,
}: PayoutView): Html {
  if (status !== 'PROCESSING' || !isHandedOver || concern !== null) return NOTHING; // nothing happens by itself while a person decides
  const submitted = timeline.find(({ event }) => event === 'SUBMITTED');
  const text =
    submitted === undefined
      ? t(
          'The payment was handed to the bank, which may pay it, so it can no longer be cancelled. If the bank rejects it, the money comes back by itself.',
        )
      : rich(
          'The bank has the payment since {time}, so it can no longer be cancelled. If the bank rejects it, the money comes back by itself.',
          { time: time(submitted.at) },
        );
  return notice({ tone: 'info', text });
}

/** A payment that the bank does not have is cancelled, and one that is held back is resumed. */
export function orderForms(visit: Visit, payout: PayoutView, isFrozen: boolean): Html {
  const { id, status, review_reason: reason, is_handed_over: isHandedOver, version } = payout;
  const mayResume = !payout.is_held_by_platform || permits(visit.session.role, 'platform');
  if (status !== 'PROCESSING' || isHandedOver) return NOTHING;
  const action = `/console/withdrawals/${id}`;
  const { csrf } = visit;
  const known = knownVersion({ version });
  const { value, error, isRefused } = entered(visit, 'cancel');
  const isHeldBack = reason === 'user_blacklisted' || (reason === 'account_frozen' && !isFrozen);
  return card({
    title: t('Before the bank has the payment'),
    body: html`<div class="actions">${
      isHeldBack && mayResume
        ? confirmation({
            label: t('Resume the payment'),
            consequence: t('The payment goes to the bank, if its account is open and its user is clear.'),
            action,
            csrf,
            fields: html`${actionField('resume')}${known}`,
            confirm: t('Resume'),
          })
        : NOTHING
    }${confirmation({
      label: t('Cancel the withdrawal'),
      consequence: t('The amount and its tax go back to the account.'),
      action,
      csrf,
      isOpen: isRefused,
      fields: [
        actionField('cancel'),
        known,
        textArea({
          name: 'reason',
          label: t('Reason'),
          value: value('reason'),
          error: error('reason'),
          rows: 2,
        }),
      ],
      confirm: t('Cancel it'),
      tone: 'danger',
    })}</div>`,
  });
}

/** Platform staff book what the bank's statement shows. */
export function outcomeForms(visit: Visit, { id, status, version }: PayoutView) {
  const action = `/console/withdrawals/${id}`;
  const { csrf } = visit;
  const known = knownVersion({ version });
  const { value, error, isRefused } = entered(visit, 'NOT_PAID');
  return card({
    title: t('Book what the bank’s statement shows'),
    body: html`<div class="actions">${
      status === 'COMPLETED'
        ? NOTHING
        : confirmation({
            label: t('The bank paid it'),
            consequence: t('The withdrawal is settled. If its money was given back, it is taken again.'),
            action,
            csrf,
            fields: html`${actionField('PAID')}${known}${hidden('outcome', 'PAID')}`,
            confirm: t('Book as paid'),
          })
    }${
      status === 'PROCESSING' || status === 'COMPLETED'
        ? confirmation({
            label: t('The bank did not pay it'),
            consequence: t('The amount and its tax go back to the account.'),
            action,
            csrf,
            isOpen: isRefused,
            fields: [
              actionField('NOT_PAID'),
              known,
              hidden('outcome', 'NOT_PAID'),
              textField({
                name: 'reason',
                label: t('Reason code'),
                hint: t('ISO 20022, four characters: AC04'),
                value: value('reason'),
                error: error('reason'),
                maxLength: 4,
              }),
            ],
            confirm: t('Book as not paid'),
            tone: 'danger',
          })
        : NOTHING
    }</div>`,
  });
}
