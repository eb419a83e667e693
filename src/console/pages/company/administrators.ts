import { permits, ROLE_OF_REQUEST } from '../../../domain/roles.ts';
import { statusWords } from '../../components/badge.ts';
import { confirmation, select, textField } from '../../components/form.ts';
import { html, NOTHING } from '../../components/html.ts';
import { time } from '../../components/time.ts';
import { actionField, actions, chosenId, entered, oneOf } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { actsOf } from '../../object-links.ts';
import { secretFrom, secretShown } from '../secret.ts';

/** The people who can log in for the company. */

const people = apiList('/v1/core/companies/admins');
export const administrators = listPages({
  path: '/administrators',
  title: t('Administrators'),
  lead: t('The people who can log in for the company.'),
  who: 'read',
  menu: { section: 'Company', label: t('Administrators') },
  rows: people,
  rowsPerRequest: 1_000,
  filters: [],
  columns: (visit) => [
    {
      title: t('Name'),
      cell: ({ firstName, lastName, email }) =>
        html`${firstName} ${lastName}<br><span class="soft breakable">${email}</span>`,
    },
    { title: t('Role'), cell: ({ role }) => statusWords(role) },
    {
      title: t('Second factor'),
      rank: 'second',
      cell: ({ id, role, has_mfa, firstName, lastName }) => {
        if (!has_mfa) return t('None');
        const isProtected = role === 'OWNER' || role === 'SUPER_ADMIN';
        const mayReset =
          permits(visit.session.role, isProtected ? 'platform' : 'recover_access') &&
          id !== visit.session.administratorId;
        return mayReset
          ? confirmation({
              label: t('Take it away'),
              consequence: t(
                '{name} logs in without a second factor then. All of their sessions end, and they are told by mail. Make sure that it is they who ask.',
                { name: `${firstName} ${lastName}` },
              ),
              action: '/console/administrators',
              csrf: visit.csrf,
              fields: html`${actionField('reset')}<input type="hidden" name="id" value="${id}">`,
              confirm: t('Take the second factor away'),
              tone: 'danger',
            })
          : t('Enabled');
      },
    },
    { title: t('Since'), rank: 'second', cell: ({ created_at }) => time(created_at) },
    { title: t('Audit log'), rank: 'second', cell: ({ id }) => actsOf(id, t('What they did')) },
    {
      title: t('Action'),
      cell: ({ id, role, firstName, lastName }) =>
        role !== 'OWNER' &&
        role !== 'SUPER_ADMIN' &&
        id !== visit.session.administratorId &&
        permits(visit.session.role, 'manage_company')
          ? confirmation({
              label: t('Remove'),
              consequence: t('{name} is logged out at once, and the keys that they made are revoked.', {
                name: `${firstName} ${lastName}`,
              }),
              action: '/console/administrators',
              csrf: visit.csrf,
              fields: html`${actionField('remove')}<input type="hidden" name="id" value="${id}">`,
              confirm: t('Remove'),
              tone: 'danger',
            })
          : '–',
    },
  ],
  empty: { title: t('Nobody'), text: t('The company has no administrators.') },
  actions: (visit) => {
    if (!permits(visit.session.role, 'manage_company')) return NOTHING;
    const { value, error, isRefused } = entered(visit, 'add');
    const field = (name: string, label: Message) =>
      textField({ name, label, isRequired: true, maxLength: 254, value: value(name), error: error(name) });
    return confirmation({
      label: t('New administrator'),
      consequence: t('They get a temporary password, which you give them. They choose their own at the first login.'),
      action: '/console/administrators',
      csrf: visit.csrf,
      isOpen: isRefused,
      fields: [
        actionField('add'),
        field('firstName', t('First name')),
        field('lastName', t('Last name')),
        field('email', t('E-mail')),
        select({
          name: 'role',
          label: t('Role'),
          isRequired: true,
          isDeliberate: true,
          value: value('role'),
          error: error('role'),
          options: Object.keys(ROLE_OF_REQUEST).map((role) => ({ value: role, label: statusWords(role) })),
        }),
      ],
      confirm: t('Add'),
    });
  },
  act: actions({
    add: async ({ api }, sent) => {
      const body = {
        firstName: sent.text('firstName'),
        lastName: sent.text('lastName'),
        email: sent.text('email'),
        role: oneOf(sent, 'role', ['admin', 'manager']),
      };
      const made = await secretFrom(
        api.post('/v1/core/companies/admins', { idempotencyKey: sent.idempotencyKey, body }),
        'password_shown_before',
      );
      return made.temporaryPassword === undefined
        ? { to: '/administrators', flash: { tone: 'good', text: t('The administrator is added.') } }
        : secretShown(t('The administrator is added'), made.temporaryPassword, '/console/administrators');
    },
    reset: async ({ api }, sent) => {
      await api.post('/v1/core/companies/admins/{id}/reset-mfa', {
        path: { id: chosenId(sent, 'id', 'administrator') },
        idempotencyKey: sent.idempotencyKey,
      });
      return {
        to: '/administrators',
        flash: { tone: 'good', text: t('The second factor is taken away. Their sessions have ended.') },
      };
    },
    remove: async ({ api }, sent) => {
      const { revokedApiKeys } = await api.post('/v1/core/companies/admins/{id}/remove', {
        path: { id: chosenId(sent, 'id', 'administrator') },
        idempotencyKey: sent.idempotencyKey,
      });
      return {
        to: '/administrators',
        flash: {
          tone: 'good',
          text: t(
            '{count, plural, =0 {The administrator is removed.} one {The administrator is removed. # of their keys is revoked.} other {The administrator is removed. # of their keys are revoked.}}',
            { count: revokedApiKeys.length },
          ),
        },
      };
    },
  }),
});
