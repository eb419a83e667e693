import { statusBadge } from '../../components/badge.ts';
import { form, textField } from '../../components/form.ts';
import { html, icon } from '../../components/html.ts';
import { card } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { actionField, entered, optional } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import type { ConsolePage } from '../../page.ts';
import { kycBadge, nameOf } from './names.ts';

/** The users of the company, and a new one. */

const users = apiList('/v1/identity/users');
export const list = listPages({
  path: '/users',
  title: t('Users'),
  lead: t('Buyers and sellers of the company.'),
  who: 'read',
  menu: { section: 'Work', label: t('Users') },
  rows: users,
  rowsPerRequest: 1_000,
  filters: [
    { name: 'q', label: t('Name or number') },
    { name: 'customReference', label: t('Bank reference') },
    { name: 'createdFrom', label: t('Created from'), type: 'date' },
    { name: 'createdTo', label: t('to'), type: 'date' },
  ],
  columns: [
    { title: t('Name'), cell: nameOf },
    { title: t('Mobile number'), cell: ({ mobileNumber }) => html`<span class="nowrap">${mobileNumber}</span>` },
    { title: t('Identity'), rank: 'second', cell: ({ kycLevel }) => kycBadge(kycLevel) },
    { title: t('Status'), cell: ({ identityStatus }) => statusBadge(identityStatus) },
    { title: t('Registered'), rank: 'second', cell: ({ createdAt }) => time(createdAt) },
  ],
  href: ({ id }) => `/console/users/${id}`,
  empty: { title: t('No users yet'), text: t('Users are registered over the API, in the checkout, or here.') },
  actions: () => html`<a class="button primary" href="/console/users/new">${icon('plus')}${t('New user')}</a>`,
});

export const made: ConsolePage = {
  path: '/users/new',
  title: t('New user'),
  who: 'operate',
  show: async (visit) => {
    const { value, error } = entered(visit, 'register');
    const field = (name: string, label: Message, isRequired = false) =>
      textField({ name, label, isRequired, value: value(name), error: error(name), maxLength: 255 });
    return {
      trail: [[t('Users'), '/users']],
      main: card({
        title: t('Person'),
        body: form({
          action: '/console/users/new',
          csrf: visit.csrf,
          submit: t('Register'),
          fields: [
            actionField('register'),
            field('mobileNumber', t('Mobile number'), true),
            field('idNumber', t('National ID number'), true),
            field('firstName', t('First name')),
            field('lastName', t('Last name')),
            field('email', t('E-mail')),
            field('customReference', t('Bank reference')),
          ],
        }),
      }),
    };
  },
  act: async ({ api }, sent) => {
    const user = await api.post('/v1/identity/users', {
      idempotencyKey: sent.idempotencyKey,
      body: {
        mobileNumber: sent.text('mobileNumber'),
        idNumber: sent.text('idNumber'),
        firstName: optional(sent.text('firstName')),
        lastName: optional(sent.text('lastName')),
        email: optional(sent.text('email')),
        customReference: optional(sent.text('customReference')),
      },
    });
    return { to: `/users/${user.id}`, flash: { tone: 'good', text: t('The user is registered.') } };
  },
};
