import { EVENT_TYPE_NAMES } from '../../domain/events/event-types.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Query } from '../addresses.ts';
import { html } from '../components/html.ts';
import { card, definitionList, idText, jsonText } from '../components/parts.ts';
import { time } from '../components/time.ts';
import { t } from '../language/message.ts';
import { listPages } from '../list-page.ts';
import { objectLink } from '../object-links.ts';
import type { ConsolePage, Visit } from '../page.ts';

/** The events of the company. */

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
  title: t('Events'),
  lead: t('Everything that happened, in the order in which webhooks get it. Without a filter: the last 24 hours.'),
  who: 'read',
  menu: { section: 'Company', label: t('Events') },
  rows: feed,
  rowsPerRequest: 100,
  filters: [
    { name: 'type', label: t('Type'), values: EVENT_TYPE_NAMES.map((value) => ({ value, label: value })) },
    { name: 'objectId', label: t('About the object') },
    { name: 'createdFrom', label: t('Since'), type: 'date' },
  ],
  columns: ({ session: { role } }) => [
    // Phones may break the line within the name.
    { title: t('Type'), cell: ({ type }) => html`${type.split(/(?<=[._])/).map((part) => html`${part}<wbr>`)}` },
    { title: t('About'), rank: 'second', cell: ({ data }) => objectLink(objectIdOf(data), role) },
    { title: t('Time'), cell: ({ createdAt }) => time(createdAt) },
    { title: t('Id'), rank: 'second', cell: ({ id }) => html`<code class="id">${id}</code>` },
  ],
  href: ({ id }) => `/console/events/${id}`,
  empty: { title: t('No events'), text: t('Nothing happened in the last 24 hours.') },
});

/** The id of the object that an event is about. */
function objectIdOf(data: unknown): string | null {
  const object = typeof data === 'object' && data !== null && 'object' in data ? data.object : data;
  const id = typeof object === 'object' && object !== null && 'id' in object ? object.id : null;
  return typeof id === 'string' ? id : null;
}

const event: ConsolePage = {
  path: '/events/:id',
  title: t('Event'),
  who: 'read',
  show: async ({ api, params, session }) => {
    const found = await api.get('/v1/events/{id}', { path: { id: params.id ?? '' } });
    return {
      title: found.type,
      trail: [[t('Events'), '/events']],
      main: card({
        title: t('As it is sent to webhooks'),
        body: html`${definitionList([
          [t('Time'), time(found.createdAt)],
          [t('About'), objectLink(objectIdOf(found.data), session.role)],
          [t('Id'), idText(found.id)],
        ])}${jsonText(found)}`,
      }),
    };
  },
};

export const eventPages: readonly ConsolePage[] = [...list, event];
