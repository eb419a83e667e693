import { badge } from '../components/badge.ts';
import { deviceText } from '../components/device.ts';
import { form, hidden } from '../components/form.ts';
import { html, NOTHING } from '../components/html.ts';
import { dataTable } from '../components/table.ts';
import { time } from '../components/time.ts';
import { t } from '../language/message.ts';
import type { ConsolePage } from '../page.ts';

/** Where the reader is logged in. Each session can be ended. */

export const sessionsPage: ConsolePage = {
  path: '/sessions',
  title: t('Sessions'),
  who: 'read',
  isAboutReader: true,
  show: async ({ api, csrf }) => {
    const rows = await api.get('/v1/auth/sessions');
    return {
      main: html`<p>${t('Where you are logged in. End what you do not know, and change your password then.')}</p>
${dataTable({
  caption: t('Sessions'),
  rows,
  columns: [
    {
      title: t('Device'),
      cell: ({ userAgent, current }) =>
        html`${userAgent === null ? '–' : html`<span title="${userAgent}">${deviceText(userAgent)}</span>`}${current ? html`<br>${badge(t('This session'), 'good')}` : NOTHING}`,
    },
    { title: t('Address'), rank: 'second', cell: ({ ip }) => ip ?? '–' },
    { title: t('Last used'), cell: ({ lastUsedAt }) => time(lastUsedAt) },
    { title: t('Logged in'), rank: 'second', cell: ({ createdAt }) => time(createdAt) },
    {
      title: t('Action'),
      cell: ({ id, current }) =>
        current
          ? '–'
          : form({
              action: '/console/sessions',
              csrf,
              fields: hidden('id', id),
              submit: t('End the session'),
              tone: 'plain',
              className: 'inline',
            }),
    },
  ],
})}`,
    };
  },
  act: async ({ api }, { text }) => {
    await api.delete('/v1/auth/sessions/{id}', { path: { id: text('id') } });
    return { to: '/sessions', flash: { tone: 'good', text: t('The session has ended.') } };
  },
};
