import { EVENT_TYPE_NAMES } from '../../domain/events/event-types.ts';
import { badge, statusBadge, statusWords } from '../components/badge.ts';
import { checkBox, confirmation, form, textField } from '../components/form.ts';
import { type Html, html, icon, NOTHING } from '../components/html.ts';
import { card, definitionList, emptyState, idText, jsonText, notice } from '../components/parts.ts';
import { time } from '../components/time.ts';
import { actionField, actions, entered, optional } from '../entered.ts';
import { apiList, listPages, type Query } from '../list-page.ts';
import { objectLink } from '../object-links.ts';
import type { ConsolePage, Form, Visit } from '../page.ts';

/** Events and the endpoints that they are sent to. */

const DAY_MS = 86_400_000;
const MAX_SHOWN_ATTEMPTS = 5;

/** The feed is read from the oldest event on; without a filter the page begins a day ago. */
async function feed({ api, now }: Visit, { limit, after, type, objectId, createdFrom }: Query) {
  const from = createdFrom ?? (objectId === undefined ? new Date(now.getTime() - DAY_MS).toISOString() : undefined);
  const { data, hasMore } = await api.get('/v1/events', {
    query: { limit: Number(limit), after, type, objectId, ...(after === undefined ? { createdFrom: from } : {}) },
  });
  const last = data.at(-1)?.id;
  return { rows: data, total: null, next: hasMore && last !== undefined ? { after: last } : null };
}

const list = listPages({
  path: '/events',
  title: 'Events',
  lead: 'Everything that happened, in the order in which webhooks get it. Without a filter: the last 24 hours.',
  who: 'read',
  menu: { section: 'Company', label: 'Events' },
  rows: feed,
  rowsPerRequest: 100,
  filters: [
    { name: 'type', label: 'Type', values: EVENT_TYPE_NAMES.map((value) => ({ value, label: value })) },
    { name: 'objectId', label: 'About the object' },
    { name: 'createdFrom', label: 'Since', type: 'date' },
  ],
  columns: [
    { title: 'Type', cell: ({ type }) => type },
    { title: 'About', cell: ({ data }) => objectLink(objectIdOf(data)) },
    { title: 'Time', cell: ({ createdAt }) => time(createdAt) },
    { title: 'Id', rank: 'second', cell: ({ id }) => idText(id) },
  ],
  href: ({ id }) => `/console/events/${id}`,
  empty: { title: 'No events', text: 'Nothing happened in the last 24 hours.' },
});

/** The id of the object that an event is about. */
function objectIdOf(data: unknown): string | null {
  const object = typeof data === 'object' && data !== null && 'object' in data ? data.object : data;
  const id = typeof object === 'object' && object !== null && 'id' in object ? object.id : null;
  return typeof id === 'string' ? id : null;
}

const event: ConsolePage = {
  path: '/events/:id',
  title: 'Event',
  who: 'read',
  show: async ({ api, params }) => {
    const found = await api.get('/v1/events/{id}', { path: { id: params.id ?? '' } });
    return {
      title: found.type,
      trail: [['Events', '/events']],
      main: card({
        title: 'As it is sent to webhooks',
        body: html`${definitionList([
          ['Time', time(found.createdAt)],
          ['About', objectLink(objectIdOf(found.data))],
          ['Id', idText(found.id)],
        ])}${jsonText(found)}`,
      }),
    };
  },
};

const webhooks = apiList('/v1/webhooks');
const endpoints = listPages({
  path: '/webhooks',
  title: 'Webhooks',
  lead: 'Your addresses that get the events.',
  who: 'manage_company',
  menu: { section: 'Company', label: 'Webhooks' },
  rows: webhooks,
  rowsPerRequest: 100,
  filters: [],
  columns: [
    { title: 'Address', cell: ({ url }) => url },
    {
      title: 'Status',
      cell: ({ status, failingSince }) =>
        status === 'ENABLED' && failingSince !== null ? badge('Failing', 'warn') : statusBadge(status),
    },
    { title: 'Events', rank: 'second', cell: ({ events }) => (events.includes('*') ? 'All' : events.join(', ')) },
    { title: 'Failing since', rank: 'second', cell: ({ failingSince }) => time(failingSince) },
  ],
  href: ({ id }) => `/console/webhooks/${id}`,
  empty: { title: 'No endpoint yet', text: 'Register an address of yours, and every event is sent to it, signed.' },
  actions: () => html`<a class="button primary" href="/console/webhooks/new">${icon('plus')}New endpoint</a>`,
});

function endpointFields(
  visit: Visit,
  action: string,
  now: { url: string; events: readonly string[]; description: string | null },
): Html[] {
  const { value, error, isRefused } = entered(visit, action);
  const chosen = isRefused ? (visit.attempt?.form.all('events') ?? []) : now.events;
  return [
    actionField(action),
    textField({
      name: 'url',
      label: 'Address',
      type: 'url',
      isRequired: true,
      value: value('url', now.url),
      error: error('url'),
      maxLength: 2_048,
    }),
    textField({
      name: 'description',
      label: 'Description',
      value: value('description', now.description),
      error: error('description'),
      maxLength: 255,
    }),
    html`<fieldset class="checks"><legend>Events</legend>${checkBox({ name: 'events', value: '*', label: 'All events', isChecked: chosen.includes('*') })}${EVENT_TYPE_NAMES.map((name) => checkBox({ name: 'events', value: name, label: name, isChecked: chosen.includes(name) }))}</fieldset>`,
  ];
}

/** The API validates the names. */
function eventsOf(sent: Form): ('*' | (typeof EVENT_TYPE_NAMES)[number])[] {
  const known = ['*' as const, ...EVENT_TYPE_NAMES];
  const chosen = known.filter((name) => sent.all('events').includes(name));
  return chosen.length === 0 ? sent.refuse('events', 'Choose at least one event.') : chosen;
}

const newEndpoint: ConsolePage = {
  path: '/webhooks/new',
  title: 'New endpoint',
  who: 'manage_company',
  show: async (visit) => ({
    trail: [['Webhooks', '/webhooks']],
    main: card({
      title: 'Where to send',
      body: form({
        action: '/console/webhooks/new',
        csrf: visit.csrf,
        submit: 'Register',
        fields: endpointFields(visit, 'register', { url: '', events: ['*'], description: null }),
      }),
    }),
  }),
  act: async ({ api }, sent) => {
    const made = await api.post('/v1/webhooks', {
      body: { url: sent.text('url'), events: eventsOf(sent), description: optional(sent.text('description')) },
    });
    return secretShown('The endpoint is registered', made.secret, `/console/webhooks/${made.id}`);
  },
};

/** A secret is shown once, in the answer to the form; it is kept nowhere. */
export function secretShown(title: string, secret: string, next: string) {
  return {
    title,
    main: card({
      title: 'Your secret',
      body: html`${notice({ tone: 'warn', text: 'Copy it now: it is not shown again, and nobody can look it up.' })}<code class="secret" data-copy>${secret}</code><p><a class="button primary" href="${next}">I have copied it</a></p>`,
    }),
  };
}

const endpoint: ConsolePage = {
  path: '/webhooks/:id',
  title: 'Webhook endpoint',
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
      trail: [['Webhooks', '/webhooks']],
      main: html`${found.disabledReason === null ? NOTHING : notice({ tone: 'bad', text: found.disabledReason === 'GONE' ? 'Disabled: the receiver answered 410 Gone. Mend it and enable the endpoint; it continues where it stopped.' : 'Disabled: it failed for three days. Mend the receiver and enable the endpoint; it continues where it stopped.' })}
<div class="stack"><div class="columns">${card({
        title: 'Endpoint',
        body: definitionList([
          ['Status', statusBadge(found.status)],
          ['Events', found.events.includes('*') ? 'All' : found.events.join(', ')],
          ['Description', found.description],
          ['Failing since', time(found.failingSince)],
          ['Registered', time(found.createdAt)],
          ['Id', idText(found.id)],
        ]),
      })}${card({ title: 'Actions', body: endpointActions(visit, found) })}</div>${card({
        title: 'Deliveries',
        actions: html`${[undefined, 'PENDING', 'DELIVERED', 'FAILED'].map((one) => html`<a class="button small" href="/console/webhooks/${found.id}${one === undefined ? '' : `?status=${one}`}"${one === chosen ? html` aria-current="true"` : NOTHING}>${one === undefined ? 'All' : statusWords(one)}</a>`)}`,
        body:
          data.length === 0
            ? emptyState('No deliveries', 'Nothing was sent yet.')
            : html`<ul class="deliveries">${data.map((one) => deliveryView(visit, found.id, one))}</ul>${deliveries.nextCursor === null ? NOTHING : html`<a class="button small" href="/console/webhooks/${found.id}?${new URLSearchParams({ ...(chosen === undefined ? {} : { status: chosen }), cursor: deliveries.nextCursor }).toString()}" rel="next">Next page${icon('arrowRight')}</a>`}`,
      })}</div>`,
    };
  },
  act: actions({
    change: async ({ api, params }, sent) => {
      await api.patch('/v1/webhooks/{id}', {
        path: { id: params.id ?? '' },
        body: { url: sent.text('url'), events: eventsOf(sent), description: optional(sent.text('description')) },
      });
      return back(params, 'The endpoint is changed.');
    },
    switch: async ({ api, params }, sent) => {
      const status = sent.text('status') === 'ENABLED' ? 'ENABLED' : 'DISABLED';
      await api.patch('/v1/webhooks/{id}', { path: { id: params.id ?? '' }, body: { status } });
      return back(params, status === 'ENABLED' ? 'The endpoint is enabled.' : 'The endpoint is disabled.');
    },
    ping: async ({ api, params }) => {
      const answer = await api.post('/v1/webhooks/{id}/ping', { path: { id: params.id ?? '' } });
      const said = answer.status === null ? (answer.error ?? 'no answer') : `HTTP ${answer.status}`;
      return {
        to: `/webhooks/${params.id ?? ''}`,
        flash: answer.isDelivered
          ? { tone: 'good', text: `The receiver took the ping: ${said}, ${answer.durationMs} ms.` }
          : { tone: 'bad', text: `The receiver did not take the ping: ${said}.` },
      };
    },
    rotate: async ({ api, params }, sent) => {
      const hours = Number(sent.text('graceHours') || '0');
      const { secret } = await api.post('/v1/webhooks/{id}/rotate-secret', {
        path: { id: params.id ?? '' },
        body: { graceSeconds: Math.round(hours * 3_600) },
      });
      return secretShown('The endpoint has a new secret', secret, `/console/webhooks/${params.id ?? ''}`);
    },
    replay: async ({ api, params }, sent) => {
      const from = instantOf(sent, 'from');
      const to = sent.text('to') === '' ? undefined : instantOf(sent, 'to');
      await api.post('/v1/webhooks/{id}/replay', { path: { id: params.id ?? '' }, body: { from, to } });
      return back(params, 'The events of that time are sent once more.');
    },
    retry: async ({ api, params }, sent) => {
      await api.post('/v1/webhooks/deliveries/{id}/retry', { path: { id: sent.text('deliveryId') } });
      return back(params, 'The delivery begins again.');
    },
    remove: async ({ api, params }) => {
      await api.delete('/v1/webhooks/{id}', { path: { id: params.id ?? '' } });
      return { to: '/webhooks', flash: { tone: 'good', text: 'The endpoint is removed.' } };
    },
  }),
};

const back = (params: Visit['params'], text: string) => ({
  to: `/webhooks/${params.id ?? ''}`,
  flash: { tone: 'good' as const, text },
});

/** A date and time in UTC, as the browser's field sends it. */
function instantOf(sent: Form, name: string): string {
  const at = new Date(`${sent.text(name)}Z`);
  return Number.isNaN(at.getTime()) ? sent.refuse(name, 'must be a date and a time') : at.toISOString();
}

type Endpoint = {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly events: readonly string[];
  readonly description: string | null;
};

function endpointActions(visit: Visit, found: Endpoint): Html {
  const action = `/console/webhooks/${found.id}`;
  const { csrf } = visit;
  const isEnabled = found.status === 'ENABLED';
  const replay = entered(visit, 'replay');
  return html`<div class="actions">${form({ action, csrf, fields: actionField('ping'), submit: 'Send a ping', tone: 'plain' })}${form(
    {
      action,
      csrf,
      fields: html`${actionField('switch')}<input type="hidden" name="status" value="${isEnabled ? 'DISABLED' : 'ENABLED'}">`,
      submit: isEnabled ? 'Disable' : 'Enable',
      tone: 'plain',
    },
  )}</div><div class="actions">${confirmation({
    label: 'Change',
    consequence: 'Later events go to the new address.',
    action,
    csrf,
    isOpen: entered(visit, 'change').isRefused,
    fields: endpointFields(visit, 'change', found),
    confirm: 'Save',
  })}${confirmation({
    label: 'Replay',
    consequence: 'The events of that time are sent once more, with the ids that they had.',
    action,
    csrf,
    isOpen: replay.isRefused,
    fields: [
      actionField('replay'),
      textField({
        name: 'from',
        label: 'From, UTC',
        type: 'datetime-local',
        isRequired: true,
        value: replay.value('from'),
        error: replay.error('from'),
      }),
      textField({
        name: 'to',
        label: 'Until, UTC',
        type: 'datetime-local',
        value: replay.value('to'),
        error: replay.error('to'),
      }),
    ],
    confirm: 'Replay',
  })}${confirmation({
    label: 'New secret',
    consequence: 'Signatures are made with the new secret. The old one signs along for the hours that you give.',
    action,
    csrf,
    fields: [
      actionField('rotate'),
      textField({ name: 'graceHours', label: 'Hours', type: 'number', min: 0, max: 24, value: '24', isRequired: true }),
    ],
    confirm: 'Make a new secret',
  })}${confirmation({
    label: 'Remove',
    consequence: 'Nothing is sent to it any more. Events stay in the feed.',
    action,
    csrf,
    fields: actionField('remove'),
    confirm: 'Remove the endpoint',
    tone: 'danger',
  })}</div>`;
}

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

function deliveryView(
  { csrf }: Visit,
  endpointId: string,
  { id, eventId, eventType, status, nextAttemptAt, attempts, createdAt }: Delivery,
): Html {
  return html`<li><details class="delivery"><summary>${statusBadge(status)} <span>${eventType}</span> <span class="soft">${time(createdAt)}, ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}</span></summary>
<div class="stack">${definitionList([
    ['Event', html`<a href="/console/events/${eventId}">${eventId}</a> (what was sent)`],
    ['Next attempt', time(nextAttemptAt)],
  ])}${attempts
    .slice(0, MAX_SHOWN_ATTEMPTS)
    .map(
      (attempt) =>
        html`<div><p><strong>${attempt.status === null ? (attempt.error ?? 'No answer') : `HTTP ${attempt.status}`}</strong> <span class="soft">${time(attempt.at)}, ${attempt.durationMs} ms</span></p>${attempt.answer === null || attempt.answer === '' ? NOTHING : jsonText(attempt.answer)}</div>`,
    )}${form({ action: `/console/webhooks/${endpointId}`, csrf, fields: html`${actionField('retry')}<input type="hidden" name="deliveryId" value="${id}">`, submit: 'Send again', tone: 'plain' })}</div></details></li>`;
}

export const eventPages: readonly ConsolePage[] = [...list, event, ...endpoints, newEndpoint, endpoint];
