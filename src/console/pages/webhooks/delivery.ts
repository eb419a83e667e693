import { badge, statusBadge } from '../../components/badge.ts';
import { form } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { definitionList, jsonText } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { actionField } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { Visit } from '../../page.ts';

/** One delivery with its attempts. */

const MAX_SHOWN_ATTEMPTS = 5;

type Delivery = {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: string;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly attempts: readonly {
    readonly at: string;
    readonly durationMs: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly answer: string | null;
  }[];
};

export function deliveryView(
  { csrf }: Visit,
  endpoint: { readonly id: string; readonly status: string },
  { id, eventId, eventType, status, nextAttemptAt, attempts, createdAt }: Delivery,
): Html {
  return html`<li><details class="delivery"><summary>${statusBadge(status)} <span>${eventType}</span> ${lastAnswer(attempts)}<span class="soft">${rich('{time}, {count, plural, =0 {not sent yet} one {# attempt} other {# attempts}}', { time: time(createdAt), count: attempts.length })}</span></summary>
<div class="stack">${definitionList([
    [t('Event'), rich('{event} (what is sent)', { event: html`<a href="/console/events/${eventId}">${eventId}</a>` })],
    [t('Next attempt'), endpoint.status === 'ENABLED' ? time(nextAttemptAt) : null],
  ])}${attempts
    .slice(0, MAX_SHOWN_ATTEMPTS)
    .map(
      (attempt) =>
        html`<div><p><strong>${attempt.status === null ? (attempt.error ?? t('No answer')) : `HTTP ${attempt.status}`}</strong> <span class="soft">${rich('{time}, {duration} ms', { time: time(attempt.at), duration: attempt.durationMs })}</span></p>${attempt.answer === null || attempt.answer === '' ? NOTHING : jsonText(attempt.answer)}</div>`,
    )}${attempts.length <= MAX_SHOWN_ATTEMPTS ? NOTHING : html`<p class="soft">${t('{count, plural, one {# earlier attempt is not shown.} other {# earlier attempts are not shown.}}', { count: attempts.length - MAX_SHOWN_ATTEMPTS })}</p>`}${form({ action: `/console/webhooks/${endpoint.id}`, csrf, fields: html`${actionField('retry')}<input type="hidden" name="deliveryId" value="${id}">`, submit: attempts.length === 0 ? t('Send now') : t('Send again'), tone: 'plain' })}</div></details></li>`;
}

/** What the receiver answered last, unless it took the event. */
function lastAnswer([last]: Delivery['attempts']): Html {
  if (last === undefined || (last.status !== null && last.status < 300)) return NOTHING;
  return html`${badge(last.status === null ? t('No answer') : `HTTP ${last.status}`, 'bad')} `;
}
