import { badge, statusBadge } from '../../components/badge.ts';
import { form } from '../../components/form.ts';
import { html, icon } from '../../components/html.ts';
import { card } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { optional } from '../../entered.ts';
import { t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import type { ConsolePage } from '../../page.ts';
import { secretFrom, secretShown } from '../secret.ts';
import { endpointFields, eventsOf } from './fields.ts';

/** The company’s webhook endpoints, and a new one. */

const webhooks = apiList('/v1/webhooks');
export const endpoints = listPages({
  path: '/webhooks',
  title: t('Webhooks'),
  lead: t('Your addresses that get the events.'),
  who: 'manage_company',
  menu: { section: 'Company', label: t('Webhooks') },
  rows: webhooks,
  rowsPerRequest: 100,
  filters: [],
  columns: [
    { title: t('Address'), cell: ({ url }) => url },
    {
      title: t('Status'),
      cell: ({ status, failingSince }) =>
        status === 'ENABLED' && failingSince !== null ? badge(t('Failing'), 'warn') : statusBadge(status),
    },
    { title: t('Events'), rank: 'second', cell: ({ events }) => (events.includes('*') ? t('All') : events.join(', ')) },
    { title: t('Failing since'), rank: 'second', cell: ({ failingSince }) => time(failingSince) },
  ],
  href: ({ id }) => `/console/webhooks/${id}`,
  empty: {
    title: t('No endpoint yet'),
    text: t('Register an address of yours, and every event is sent to it, signed.'),
  },
  actions: () => html`<a class="button primary" href="/console/webhooks/new">${icon('plus')}${t('New endpoint')}</a>`,
});

export const newEndpoint: ConsolePage = {
  path: '/webhooks/new',
  title: t('New endpoint'),
  who: 'manage_company',
  show: async (visit) => ({
    trail: [[t('Webhooks'), '/webhooks']],
    main: card({
      title: t('Where to send'),
      body: form({
        action: '/console/webhooks/new',
        csrf: visit.csrf,
        submit: t('Register'),
        fields: endpointFields(visit, 'register', { url: '', events: ['*'], description: null }),
      }),
    }),
  }),
  act: async ({ api }, sent) => {
    const made = await secretFrom(
      api.post('/v1/webhooks', {
        idempotencyKey: sent.idempotencyKey,
        body: { url: sent.text('url'), events: eventsOf(sent), description: optional(sent.text('description')) },
      }),
    );
    return secretShown(t('The endpoint is registered'), made.secret, `/console/webhooks/${made.id}`);
  },
};
