import { instantAt } from '../../../domain/time-zone.ts';
import { badge, statusBadge, statusWords } from '../../components/badge.ts';
import { form } from '../../components/form.ts';
import { type Html, html, icon, NOTHING } from '../../components/html.ts';
import { card, definitionList, emptyState, idText, notice } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { editsOf } from '../../edited.ts';
import { actionField, actions, chosenId, oneOf, optional, optionalWholeOf } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import { actsOf } from '../../object-links.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { secretFrom, secretShown } from '../secret.ts';
import { endpointActions } from './actions.ts';
import { deliveryView } from './delivery.ts';
import { eventsOf, MAX_GRACE_HOURS, shownValues } from './fields.ts';

/** One endpoint with its deliveries. */

/** By one click. */
const MAX_RETRIED = 100;

export const endpoint: ConsolePage = {
  path: '/webhooks/:id',
  title: t('Webhook endpoint'),
  who: 'manage_company',
  show: async (visit) => {
    const { api, params, query } = visit;
    const path = { id: params.id ?? '' };
    const status = query.get('status');
    const chosen = (['PENDING', 'DELIVERED', 'FAILED'] as const).find((one) => one === status);
    const [found, deliveries] = await Promise.all([
      api.get('/v1/webhooks/{id}', { path }),
      api.list('/v1/webhooks/{id}/deliveries', {
        path,
        query: { limit: 25, status: chosen, cursor: query.get('cursor') ?? undefined },
      }),
    ]);
    const { data } = deliveries.body;
    return {
      title: found.url,
      trail: [[t('Webhooks'), '/webhooks']],
      main: html`${disabledNotice(found.disabledReason)}
<div class="stack"><div class="columns">${card({
        title: t('Endpoint'),
        body: definitionList([
          [
            t('Status'),
            html`${statusBadge(found.status)}${found.status === 'ENABLED' && found.failingSince !== null ? html` ${badge(t('Failing'), 'warn')}` : NOTHING}`,
          ],
          [t('Events'), found.events.includes('*') ? t('All') : found.events.join(', ')],
          [t('Description'), found.description],
          [t('Failing since'), time(found.failingSince)],
          [t('Registered'), time(found.createdAt)],
          [t('Registered by'), actsOf(found.createdBy)],
          [t('Id'), idText(found.id)],
        ]),
      })}${card({ title: t('Actions'), body: endpointActions(visit, found) })}</div>${card({
        title: t('Deliveries'),
        actions: html`${data.some(({ status: one }) => one !== 'DELIVERED') ? form({ action: `/console/webhooks/${found.id}`, csrf: visit.csrf, fields: actionField('retry-all'), submit: t('Send all waiting now'), tone: 'plain' }) : NOTHING}${[undefined, 'PENDING', 'DELIVERED', 'FAILED'].map((one) => html`<a class="button small" href="/console/webhooks/${found.id}${one === undefined ? '' : `?status=${one}`}"${one === chosen ? html` aria-current="true"` : NOTHING}>${one === undefined ? t('All') : statusWords(one)}</a>`)}`,
        body:
          data.length === 0
            ? emptyState(
                t('No deliveries'),
                chosen === undefined ? t('Nothing was sent yet.') : t('None has this status.'),
              )
            : html`<ul class="deliveries">${data.map((one) => deliveryView(visit, found, one))}</ul>${deliveries.nextCursor === null ? NOTHING : html`<a class="button small" href="/console/webhooks/${found.id}?${new URLSearchParams({ ...(chosen === undefined ? {} : { status: chosen }), cursor: deliveries.nextCursor }).toString()}" rel="next">${t('Next page')}${icon('arrowRight')}</a>`}`,
      })}</div>`,
    };
  },
  act: actions({
    change: async ({ api, params }, sent) => {
      const path = { id: params.id ?? '' };
      const events = eventsOf(sent);
      const isEdited = editsOf(sent, shownValues(await api.get('/v1/webhooks/{id}', { path })));
      await api.patch('/v1/webhooks/{id}', {
        path,
        idempotencyKey: sent.idempotencyKey,
        body: {
          url: isEdited('url') ? sent.text('url') : undefined,
          events: isEdited('events') ? events : undefined,
          description: isEdited('description') ? (optional(sent.text('description')) ?? null) : undefined,
        },
      });
      return back(params, t('The endpoint is changed.'));
    },
    switch: async ({ api, params }, sent) => {
      const status = oneOf(sent, 'status', ['ENABLED', 'DISABLED']);
      await api.patch('/v1/webhooks/{id}', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
        body: { status },
      });
      return back(params, status === 'ENABLED' ? t('The endpoint is enabled.') : t('The endpoint is disabled.'));
    },
    ping: async ({ api, params }, sent) => {
      const answer = await api.post('/v1/webhooks/{id}/ping', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
      });
      const said = answer.status === null ? (answer.error ?? t('no answer')) : `HTTP ${answer.status}`;
      return {
        to: `/webhooks/${params.id ?? ''}`,
        flash: answer.isDelivered
          ? {
              tone: 'good',
              text: t('The receiver took the ping: {answer}, {duration} ms.', {
                answer: said,
                duration: answer.durationMs,
              }),
            }
          : { tone: 'bad', text: t('The receiver did not take the ping: {answer}.', { answer: said }) },
      };
    },
    rotate: async ({ api, params }, sent) => {
      const hours = optionalWholeOf(sent, 'graceHours') ?? 0;
      if (hours > MAX_GRACE_HOURS) sent.refuse('graceHours', t('At most {hours} hours.', { hours: MAX_GRACE_HOURS }));
      const { secret } = await secretFrom(
        api.post('/v1/webhooks/{id}/rotate-secret', {
          path: { id: params.id ?? '' },
          idempotencyKey: sent.idempotencyKey,
          body: { graceSeconds: hours * 3_600 },
        }),
      );
      return secretShown(t('The endpoint has a new secret'), secret, `/console/webhooks/${params.id ?? ''}`);
    },
    replay: async ({ api, params, language }, sent) => {
      const instantOf = (name: string) =>
        instantAt(sent.text(name), language.timeZone) ?? sent.refuse(name, t('Must be a date and a time.'));
      const from = instantOf('from');
      const to = sent.text('to') === '' ? undefined : instantOf('to');
      const { isReplaying } = await api.post('/v1/webhooks/{id}/replay', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
        body: { from, to },
      });
      return back(
        params,
        isReplaying ? t('The events of that time are queued once more.') : t('There are no events of that time.'),
      );
    },
    retry: async ({ api, params }, sent) => {
      await api.post('/v1/webhooks/deliveries/{id}/retry', {
        path: { id: chosenId(sent, 'deliveryId', 'delivery') },
        idempotencyKey: sent.idempotencyKey,
      });
      const { status } = await api.get('/v1/webhooks/{id}', { path: { id: params.id ?? '' } });
      return back(params, queuedText({ count: 1, total: 1, isEnabled: status === 'ENABLED' }));
    },
    'retry-all': async ({ api, params }, sent) => {
      const path = { id: params.id ?? '' };
      const [{ status }, waiting] = await Promise.all([
        api.get('/v1/webhooks/{id}', { path }),
        api.get('/v1/webhooks/{id}/deliveries', {
          path,
          query: { status: 'PENDING,FAILED', sort: 'createdAt', limit: MAX_RETRIED },
        }),
      ]);
      for (const { id } of waiting.data)
        await api.post('/v1/webhooks/deliveries/{id}/retry', {
          path: { id },
          idempotencyKey: `${sent.idempotencyKey}.${id}`,
        });
      const count = waiting.data.length;
      return back(params, queuedText({ count, total: waiting.total, isEnabled: status === 'ENABLED' }));
    },
    remove: async ({ api, params }, sent) => {
      await api.delete('/v1/webhooks/{id}', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
      });
      return { to: '/webhooks', flash: { tone: 'good', text: t('The endpoint is removed.') } };
    },
  }),
};

const DISABLED_TEXTS = {
  REQUESTED: t('Disabled by hand. Once it is enabled, it continues where it stopped.'),
  GONE: t('Disabled: the receiver answered 410 Gone. Fix it and enable the endpoint; it continues where it stopped.'),
  FAILING: t(
    'Disabled: it failed for three days. Fix the receiver and enable the endpoint; it continues where it stopped.',
  ),
} as const;

function disabledNotice(reason: keyof typeof DISABLED_TEXTS | null): Html {
  if (reason === null) return NOTHING;
  return notice({ tone: reason === 'REQUESTED' ? 'warn' : 'bad', text: DISABLED_TEXTS[reason] });
}

/** Nothing was sent yet: the worker sends what is due, and nothing while an earlier one of the same object waits for a retry. */
function queuedText({ count, total, isEnabled }: { count: number; total: number; isEnabled: boolean }): Message {
  const values = { count, total };
  if (count === 0) return t('Nothing waits any more.');
  if (!isEnabled)
    return t(
      '{count, plural, one {# delivery is queued, and sent} other {# deliveries are queued, and sent}} once the endpoint is enabled.',
      values,
    );
  if (count < total)
    return t(
      'The oldest {count} of {total} waiting deliveries are queued. Send the others when these have arrived.',
      values,
    );
  return t(
    '{count, plural, one {# delivery is queued. It is} other {# deliveries are queued. Each is}} sent now, or after the earlier ones of the same object that wait for a retry. Reload the page to see each attempt.',
    values,
  );
}

const back = (params: Visit['params'], text: Message) => ({
  to: `/webhooks/${params.id ?? ''}`,
  flash: { tone: 'good' as const, text },
});
