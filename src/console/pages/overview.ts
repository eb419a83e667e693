import { html } from '../components/html.ts';
import type { ConsolePage } from '../page.ts';

export const overviewPage: ConsolePage = {
  path: '/',
  title: 'Overview',
  who: 'read',
  menu: { section: 'Work', label: 'Overview' },
  show: async ({ api }) => {
    const company = await api.get('/v1/core/companies/me');
    return { main: html`<p>${company.name}</p>` };
  },
};
