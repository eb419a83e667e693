import { statusBadge } from '../../components/badge.ts';
import { form, textField } from '../../components/form.ts';
import { html, icon } from '../../components/html.ts';
import { card } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { actionField, entered, optional } from '../../entered.ts';
import { apiList, listPages } from '../../list-page.ts';
import type { ConsolePage } from '../../page.ts';
import { kycBadge, nameOf } from './names.ts';

/** The users of the company, and a new one. */

const users = apiList('/v1/identity/users');
export const list = listPages({
  path: '/users',
  title: 'Users',
  lead: 'Buyers and sellers of the company.',
  who: 'read',
  menu: { section: 'Work', label: 'Users' },
  rows: users,
  rowsPerRequest: 1_000,
  filters: [
    { name: 'q', label: 'Name or number' },
    { name: 'customReference', label: 'Bank reference' },
    { name: 'createdFrom', label: 'Created from', type: 'date' },
    { name: 'createdTo', label: 'to', type: 'date' },
  ],
  columns: [
    { title: 'Name', cell: nameOf },
    { title: 'Mobile number', cell: ({ mobileNumber }) => html`<span class="nowrap">${mobileNumber}</span>` },
    { title: 'Identity', rank: 'second', cell: ({ kycLevel }) => kycBadge(kycLevel) },
    { title: 'Status', cell: ({ identityStatus }) => statusBadge(identityStatus) },
    { title: 'Registered', rank: 'second', cell: ({ createdAt }) => time(createdAt) },
  ],
  href: ({ id }) => `/console/users/${id}`,
  empty: { title: 'No users yet', text: 'Users are registered over the API, in the checkout, or here.' },
  actions: () => html`<a class="button primary" href="/console/users/new">${icon('plus')}New user</a>`,
});

export const made: ConsolePage = {
  path: '/users/new',
  title: 'New user',
  who: 'operate',
  show: async (visit) => {
    const { value, error } = entered(visit, 'register');
    const field = (name: string, label: string, isRequired = false) =>
      textField({ name, label, isRequired, value: value(name), error: error(name), maxLength: 255 });
    return {
      trail: [['Users', '/users']],
      main: card({
        title: 'Person',
        body: form({
          action: '/console/users/new',
          csrf: visit.csrf,
          submit: 'Register',
          fields: [
            actionField('register'),
            field('mobileNumber', 'Mobile number', true),
            field('idNumber', 'National ID number', true),
            field('firstName', 'First name'),
            field('lastName', 'Last name'),
            field('email', 'E-mail'),
            field('customReference', 'Bank reference'),
          ],
        }),
      }),
    };
  },
  act: async ({ api }, sent) => {
    const user = await api.post('/v1/identity/users', {
      body: {
        mobileNumber: sent.text('mobileNumber'),
        idNumber: sent.text('idNumber'),
        firstName: optional(sent.text('firstName')),
        lastName: optional(sent.text('lastName')),
        email: optional(sent.text('email')),
        customReference: optional(sent.text('customReference')),
      },
    });
    return { to: `/users/${user.id}`, flash: { tone: 'good', text: 'The user is registered.' } };
  },
};
