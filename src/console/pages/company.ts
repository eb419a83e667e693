import { permits, ROLE_OF_REQUEST } from '../../domain/roles.ts';
import { badge, statusBadge, statusWords } from '../components/badge.ts';
import { confirmation, form, select, textField } from '../components/form.ts';
import { html, NOTHING } from '../components/html.ts';
import { card, definitionList, idText, shortId } from '../components/parts.ts';
import { dataTable } from '../components/table.ts';
import { time } from '../components/time.ts';
import { actionField, actions, entered, optional } from '../entered.ts';
import { apiList, listPages } from '../list-page.ts';
import { objectLink } from '../object-links.ts';
import type { ConsolePage, Form } from '../page.ts';
import { secretShown } from './events.ts';

/** The company: its keys, administrators, settings, fees and audit log. */

const apiKeys = apiList('/v1/core/companies/api-keys');
const keys = listPages({
  path: '/keys',
  title: 'API keys',
  lead: 'Keys of your servers. A key is shown once, when it is made.',
  who: 'read',
  menu: { section: 'Company', label: 'API keys' },
  rows: apiKeys,
  rowsPerRequest: 1_000,
  filters: [],
  columns: (visit) => [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Begins with', cell: ({ key_prefix }) => html`<code>${key_prefix}</code>` },
    { title: 'State', cell: ({ is_active }) => (is_active ? badge('Active', 'good') : statusBadge('REVOKED')) },
    { title: 'Made by', rank: 'second', cell: ({ created_by }) => (created_by === null ? '–' : shortId(created_by)) },
    { title: 'Made', rank: 'second', cell: ({ created_at }) => time(created_at) },
    {
      title: 'Action',
      cell: ({ id, name, is_active }) =>
        is_active && permits(visit.session.role, 'manage_company')
          ? confirmation({
              label: 'Revoke',
              consequence: `Requests with the key “${name}” are refused at once. This cannot be undone.`,
              action: '/console/keys',
              csrf: visit.csrf,
              fields: html`${actionField('revoke')}<input type="hidden" name="id" value="${id}">`,
              confirm: 'Revoke the key',
              tone: 'danger',
            })
          : '–',
    },
  ],
  empty: { title: 'No keys yet', text: 'Your server needs one to call the API.' },
  actions: (visit) => {
    if (!permits(visit.session.role, 'manage_company')) return NOTHING;
    const { value, error, isRefused } = entered(visit, 'make');
    return confirmation({
      label: 'New key',
      consequence: 'The key may do what your own role may do.',
      action: '/console/keys',
      csrf: visit.csrf,
      isOpen: isRefused,
      fields: [
        actionField('make'),
        textField({
          name: 'name',
          label: 'Name',
          hint: 'What uses it: shop server',
          isRequired: true,
          maxLength: 255,
          value: value('name'),
          error: error('name'),
        }),
      ],
      confirm: 'Make the key',
    });
  },
  act: actions({
    make: async ({ api }, sent) => {
      const { key } = await api.post('/v1/core/companies/api-keys', { body: { name: sent.text('name') } });
      return secretShown('The key is made', key, '/console/keys');
    },
    revoke: async ({ api }, sent) => {
      await api.post('/v1/core/companies/api-keys/{id}/revoke', { path: { id: sent.text('id') } });
      return { to: '/keys', flash: { tone: 'good', text: 'The key is revoked.' } };
    },
  }),
});

const people = apiList('/v1/core/companies/admins');
const administrators = listPages({
  path: '/administrators',
  title: 'Administrators',
  lead: 'The people who can log in for the company.',
  who: 'read',
  menu: { section: 'Company', label: 'Administrators' },
  rows: people,
  rowsPerRequest: 1_000,
  filters: [],
  columns: (visit) => [
    { title: 'Name', cell: ({ firstName, lastName }) => `${firstName} ${lastName}` },
    { title: 'E-mail', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => statusWords(role) },
    { title: 'Since', rank: 'second', cell: ({ created_at }) => time(created_at) },
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

const percent = (basisPoints: number) => `${(basisPoints / 100).toFixed(2)} %`;

const settings: ConsolePage = {
  path: '/settings',
  title: 'Settings and fees',
  who: 'read',
  menu: { section: 'Company', label: 'Settings and fees' },
  show: async (visit) => {
    const { api, session } = visit;
    const [company, fees] = await Promise.all([api.get('/v1/core/companies/me'), api.get('/v1/treasury/configs')]);
    const { value, error } = entered(visit, 'change');
    const canChange = permits(session.role, 'manage_company');
    return {
      main: html`<div class="columns"><div class="stack">${card({
        title: 'Company',
        body: definitionList([
          ['Name', company.name],
          ['Slug', company.slug],
          ['Fee of the platform', percent(company.system_fee_basis_points)],
          ['Fee of the company', percent(company.service_fee_basis_points)],
          [
            'Automatic release',
            company.auto_release_hours === null ? 'Off' : `After ${company.auto_release_hours} hours`,
          ],
          [
            'Default seller',
            company.default_seller_id === null ? 'The company' : objectLink(company.default_seller_id),
          ],
          ['Phone region', company.default_phone_region],
          ['Id', idText(company.id)],
        ]),
      })}${card({
        title: 'Fees and taxes in force',
        actions: permits(session.role, 'manage_money')
          ? form({
              action: '/console/settings',
              csrf: visit.csrf,
              fields: actionField('seed'),
              submit: 'Add missing defaults',
              tone: 'plain',
            })
          : NOTHING,
        body: dataTable({
          caption: 'Fees and taxes',
          rows: fees.configs,
          columns: [
            { title: 'Kind', cell: ({ kind }) => statusWords(kind) },
            { title: 'Currency', cell: ({ currency }) => currency },
            { title: 'Rate', align: 'end', cell: ({ basis_points }) => percent(basis_points) },
            { title: 'Since', rank: 'second', cell: ({ effective_from }) => time(effective_from) },
          ],
        }),
      })}</div>${
        canChange
          ? card({
              title: 'Change',
              body: html`<p class="soft">New fees apply to later escrows.</p>${form({
                action: '/console/settings',
                csrf: visit.csrf,
                submit: 'Save',
                fields: [
                  actionField('change'),
                  textField({
                    name: 'name',
                    label: 'Name',
                    isRequired: true,
                    maxLength: 255,
                    value: value('name', company.name),
                    error: error('name'),
                  }),
                  textField({
                    name: 'service_fee_basis_points',
                    label: 'Fee of the company, in basis points',
                    hint: '100 are 1 %',
                    type: 'number',
                    min: 0,
                    max: 5_000,
                    isRequired: true,
                    value: value('service_fee_basis_points', String(company.service_fee_basis_points)),
                    error: error('service_fee_basis_points'),
                  }),
                  textField({
                    name: 'auto_release_hours',
                    label: 'Automatic release after hours',
                    hint: 'Empty: never',
                    type: 'number',
                    min: 1,
                    value: value(
                      'auto_release_hours',
                      company.auto_release_hours === null ? '' : String(company.auto_release_hours),
                    ),
                    error: error('auto_release_hours'),
                  }),
                  textField({
                    name: 'default_seller_id',
                    label: 'Default seller',
                    hint: 'The id of a user; empty: the company',
                    value: value('default_seller_id', company.default_seller_id),
                    error: error('default_seller_id'),
                  }),
                  textField({
                    name: 'default_phone_region',
                    label: 'Phone region',
                    hint: 'Two letters: ZW',
                    isRequired: true,
                    maxLength: 2,
                    value: value('default_phone_region', company.default_phone_region),
                    error: error('default_phone_region'),
                  }),
                ],
              })}`,
            })
          : NOTHING
      }</div>`,
    };
  },
  act: actions({
    change: async ({ api }, sent) => {
      await api.patch('/v1/core/companies/me', {
        body: {
          name: sent.text('name'),
          service_fee_basis_points: wholeOf(sent, 'service_fee_basis_points'),
          auto_release_hours: sent.text('auto_release_hours') === '' ? null : wholeOf(sent, 'auto_release_hours'),
          default_seller_id: (optional(sent.text('default_seller_id')) ?? null) as string, // null clears it; the description of ids does not say so
          default_phone_region: sent.text('default_phone_region'),
        },
      });
      return { to: '/settings', flash: { tone: 'good', text: 'The settings are saved.' } };
    },
    seed: async ({ api }) => {
      const { message } = await api.post('/v1/treasury/seed-configs');
      return { to: '/settings', flash: { tone: 'good', text: `${message}.` } };
    },
  }),
};

function wholeOf(sent: Form, name: string): number {
  const text = sent.text(name);
  return /^\d{1,9}$/.test(text) ? Number(text) : sent.refuse(name, 'must be a whole number');
}

const auditLog = apiList('/v1/core/audit-log');
const audit = listPages({
  path: '/audit',
  title: 'Audit log',
  lead: 'Who did what, from where, and what was refused. Nothing in it can be changed.',
  who: 'read',
  menu: { section: 'Company', label: 'Audit log' },
  rows: auditLog,
  rowsPerRequest: 100,
  filters: [
    { name: 'actorId', label: 'By (adm_… or key_…)' },
    { name: 'operation', label: 'Operation' },
    { name: 'startDate', label: 'From', type: 'date' },
    { name: 'endDate', label: 'to', type: 'date' },
  ],
  columns: [
    { title: 'Operation', cell: ({ operation }) => html`<code>${operation}</code>` },
    {
      title: 'Answer',
      cell: ({ status }) => badge(String(status), status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'),
    },
    {
      title: 'By',
      cell: ({ actor }) =>
        actor.kind === 'unknown'
          ? 'Unknown e-mail'
          : html`${actor.role === null ? '' : statusWords(actor.role)} ${objectLink(actor.id)}`,
    },
    { title: 'About', rank: 'second', cell: ({ resource }) => (resource === null ? '–' : objectLink(resource)) },
    { title: 'From', rank: 'second', cell: ({ ip }) => ip ?? '–' },
    { title: 'Time', cell: ({ at }) => time(at) },
  ],
  empty: { title: 'Nothing yet', text: 'Every act of a key or an administrator appears here.' },
});

export const companyPages: readonly ConsolePage[] = [...keys, ...administrators, settings, ...audit];
