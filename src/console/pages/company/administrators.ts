import { permits, ROLE_OF_REQUEST } from '../../../domain/roles.ts';
import { statusWords } from '../../components/badge.ts';
import { confirmation, select, textField } from '../../components/form.ts';
import { html, NOTHING } from '../../components/html.ts';
import { time } from '../../components/time.ts';
import { actionField, actions, entered } from '../../entered.ts';
import { apiList, listPages } from '../../list-page.ts';
import { actsOf } from '../../object-links.ts';
import { secretShown } from '../secret.ts';

/** The people who can log in for the company. */

const people = apiList('/v1/core/companies/admins');
export const administrators = listPages({
  path: '/administrators',
  title: 'Administrators',
  lead: 'The people who can log in for the company.',
  who: 'read',
  menu: { section: 'Company', label: 'Administrators' },
  rows: people,
  rowsPerRequest: 1_000,
  filters: [],
  columns: (visit) => [
    {
      title: 'Name',
      cell: ({ firstName, lastName, email }) =>
        html`${firstName} ${lastName}<br><span class="soft breakable">${email}</span>`,
    },
    { title: 'Role', cell: ({ role }) => statusWords(role) },
    { title: 'Since', rank: 'second', cell: ({ created_at }) => time(created_at) },
    { title: 'Audit log', rank: 'second', cell: ({ id }) => actsOf(id, 'What they did') },
    {
      title: 'Action',
      cell: ({ id, role, firstName, lastName }) =>
        role !== 'OWNER' && id !== visit.session.administratorId && permits(visit.session.role, 'manage_company')
          ? confirmation({
              label: 'Remove',
              consequence: `${firstName} ${lastName} is logged out at once, and the keys that they made are revoked.`,
              action: '/console/administrators',
              csrf: visit.csrf,
              fields: html`${actionField('remove')}<input type="hidden" name="id" value="${id}">`,
              confirm: 'Remove',
              tone: 'danger',
            })
          : '–',
    },
  ],
  empty: { title: 'Nobody', text: 'The company has no administrators.' },
  actions: (visit) => {
    if (!permits(visit.session.role, 'manage_company')) return NOTHING;
    const { value, error, isRefused } = entered(visit, 'add');
    const field = (name: string, label: string) =>
      textField({ name, label, isRequired: true, maxLength: 254, value: value(name), error: error(name) });
    return confirmation({
      label: 'New administrator',
      consequence: 'They get a temporary password, which you give them. They choose their own at the first login.',
      action: '/console/administrators',
      csrf: visit.csrf,
      isOpen: isRefused,
      fields: [
        actionField('add'),
        field('firstName', 'First name'),
        field('lastName', 'Last name'),
        field('email', 'E-mail'),
        select({
          name: 'role',
          label: 'Role',
          isRequired: true,
          value: value('role'),
          error: error('role'),
          options: Object.keys(ROLE_OF_REQUEST).map((role) => ({ value: role, label: statusWords(role) })),
        }),
      ],
      confirm: 'Add',
    });
  },
  act: actions({
    add: async ({ api }, sent) => {
      const made = await api.post('/v1/core/companies/admins', {
        body: {
          firstName: sent.text('firstName'),
          lastName: sent.text('lastName'),
          email: sent.text('email'),
          role: sent.text('role') === 'manager' ? 'manager' : 'admin',
        },
      });
      return made.temporaryPassword === undefined
        ? { to: '/administrators', flash: { tone: 'good', text: 'The administrator is added.' } }
        : secretShown('The administrator is added', made.temporaryPassword, '/console/administrators');
    },
    remove: async ({ api }, sent) => {
      const { revokedApiKeys } = await api.post('/v1/core/companies/admins/{id}/remove', {
        path: { id: sent.text('id') },
      });
      const also = revokedApiKeys.length === 0 ? '' : ` ${revokedApiKeys.length} of their keys are revoked.`;
      return { to: '/administrators', flash: { tone: 'good', text: `The administrator is removed.${also}` } };
    },
  }),
});
