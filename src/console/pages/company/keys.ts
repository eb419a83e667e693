import type { Operation, RowOf } from '../../../../clients/typescript/src/types.ts';
import {
  isAbove,
  KEY_ROLE_OF_REQUEST,
  KEY_ROLES,
  MAX_KEY_LIFETIME_DAYS,
  PERMISSION_NAMES,
  permissionsOf,
  permits,
  ROLES,
  type Role,
} from '../../../domain/roles.ts';
import type { Query } from '../../addresses.ts';
import { badge, statusWords } from '../../components/badge.ts';
import { checkBoxes, confirmation, select, textField } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { shortId } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { actionField, actions, chosenId, entered, oneOf, optional, optionalWholeOf } from '../../entered.ts';
import { joined, type Text, t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { actsOf } from '../../object-links.ts';
import type { Visit } from '../../page.ts';
import { secretFrom, secretShown } from '../secret.ts';

/** Keys of the company’s servers. */

type ApiKeyView = RowOf<Operation<'get', '/v1/core/companies/api-keys'>>;

const MAX_ADMINISTRATORS = 1_000;

const apiKeys = apiList('/v1/core/companies/api-keys');

/** With the names of those who made them. Administrators who were removed, and the platform's, are named by their id. */
async function keysWithMakers(visit: Visit, query: Query) {
  const [found, administrators] = await Promise.all([
    apiKeys(visit, query),
    visit.api.get('/v1/core/companies/admins', { query: { limit: MAX_ADMINISTRATORS } }),
  ]);
  const names = new Map(administrators.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  const rows = found.rows.map((key) => ({ ...key, maker: names.get(key.created_by ?? '') ?? null }));
  return { ...found, rows };
}

export const keys = listPages({
  path: '/keys',
  title: t('API keys'),
  lead: t('Keys of your servers. A key is shown once, when it is created.'),
  who: 'read',
  menu: { section: 'Company', label: t('API keys') },
  rows: keysWithMakers,
  rowsPerRequest: 1_000,
  filters: [],
  columns: (visit) => [
    {
      title: t('Name'),
      cell: ({ name, note, key_prefix }) =>
        html`${name}<br><span class="soft">${rich('Begins with {prefix}', { prefix: html`<code>${key_prefix}</code>` })}</span>${note === null ? NOTHING : html`<br><span class="soft">${note}</span>`}`,
    },
    {
      title: t('State'),
      cell: (key) => {
        const [state, more] = stateOf(key);
        return html`${state}${more === null ? NOTHING : html`<br><span class="soft">${more}</span>`}`;
      },
    },
    {
      title: t('May'),
      rank: 'second',
      cell: ({ role, permissions }) =>
        html`${statusWords(role)}<br><span class="soft">${permittedText(role, permissions)}</span>`,
    },
    {
      title: t('Last used'),
      rank: 'second',
      cell: ({ id, last_used_at }) =>
        html`${last_used_at === null ? t('Never') : time(last_used_at)}<br>${actsOf(id, t('What it did'))}`,
    },
    {
      title: t('Made'),
      rank: 'second',
      cell: ({ created_at, created_by, maker, expires_at: expiry }) =>
        html`${time(created_at)}<br><span class="soft">${maker ?? (created_by === null ? '–' : shortId(created_by))}</span>${expiry === null ? NOTHING : html`<br><span class="soft">${rich('Expires {time}', { time: time(expiry) })}</span>`}`,
    },
    {
      title: t('Action'),
      cell: ({ id, name, role, is_active, active_until }) =>
        is_active && permits(visit.session.role, 'manage_company') && !isAbove(role, visit.session.role)
          ? html`<div class="actions">${active_until === null ? replacement(visit, id, name) : NOTHING}${confirmation({
              label: t('Revoke'),
              consequence: t('Requests with the key “{name}” are refused at once. This cannot be undone.', { name }),
              action: '/console/keys',
              csrf: visit.csrf,
              fields: html`${actionField('revoke')}<input type="hidden" name="id" value="${id}">`,
              confirm: t('Revoke the key'),
              tone: 'danger',
            })}</div>`
          : '–',
    },
  ],
  empty: { title: t('No keys yet'), text: t('Your server needs one to call the API.') },
  actions: (visit) => {
    if (!permits(visit.session.role, 'manage_company')) return NOTHING;
    const { value, error, isRefused } = entered(visit, 'make');
    return confirmation({
      label: t('New key'),
      consequence: t('Give the key no more than its server needs. It is shown once.'),
      action: '/console/keys',
      csrf: visit.csrf,
      isOpen: isRefused,
      fields: [
        actionField('make'),
        textField({
          name: 'name',
          label: t('Name'),
          hint: t('What uses it: shop server'),
          isRequired: true,
          maxLength: 255,
          value: value('name'),
          error: error('name'),
        }),
        select({
          name: 'role',
          label: t('Role'),
          isRequired: true,
          value: value('role', 'manager'),
          error: error('role'),
          options: rolesWithin(visit.session.role).map((role) => ({ value: role, label: statusWords(role) })),
        }),
        checkBoxes({
          name: 'permissions',
          label: t('Permissions'),
          hint: t('None chosen: all that the role permits.'),
          options: PERMISSION_NAMES.filter((permission) => permits(visit.session.role, permission)).map(
            (permission) => ({
              value: permission,
              label: statusWords(permission),
            }),
          ),
          chosen: isRefused ? (visit.refused?.form.all('permissions') ?? []) : [],
          error: error('permissions'),
        }),
        textField({
          name: 'expiresInDays',
          label: t('Valid for days'),
          hint: t('Empty: until it is revoked'),
          type: 'number',
          min: 1,
          max: MAX_KEY_LIFETIME_DAYS,
          value: value('expiresInDays'),
          error: error('expiresInDays'),
        }),
        textField({
          name: 'note',
          label: t('Note'),
          hint: t('Who to ask about it'),
          maxLength: 2_000,
          value: value('note'),
          error: error('note'),
        }),
      ],
      confirm: t('Create key'),
    });
  },
  act: actions({
    make: async ({ api }, sent) => {
      const role = oneOf(sent, 'role', KEY_ROLES);
      const permissions = PERMISSION_NAMES.filter((permission) => sent.all('permissions').includes(permission));
      const { key } = await secretFrom(
        api.post('/v1/core/companies/api-keys', {
          idempotencyKey: sent.idempotencyKey,
          body: {
            name: sent.text('name'),
            role,
            permissions: permissions.length === 0 ? undefined : permissions,
            expiresInDays: optionalWholeOf(sent, 'expiresInDays'),
            note: optional(sent.text('note')),
          },
        }),
      );
      return secretShown(t('The key is created'), key, '/console/keys');
    },
    roll: async ({ api }, sent) => {
      const made = await api.post('/v1/core/companies/api-keys/roll', {
        body: {
          id: chosenId(sent, 'id', 'apiKey'),
          name: sent.text('name'),
          graceSeconds: GRACE_HOURS[oneOf(sent, 'grace', GRACES)] * 3_600,
        },
      });
      return secretShown(t('The key is replaced'), made.secret_key, '/console/keys');
    },
    revoke: async ({ api }, sent) => {
      await api.post('/v1/core/companies/api-keys/{id}/revoke', {
        path: { id: chosenId(sent, 'id', 'apiKey') },
        idempotencyKey: sent.idempotencyKey,
      });
      return { to: '/keys', flash: { tone: 'good', text: t('The key is revoked.') } };
    },
  }),
});

/** How long the old key works on, in hours. */
const GRACE_HOURS = { day: 24, hour: 1, none: 0 } as const;
const GRACES = Object.keys(GRACE_HOURS) as (keyof typeof GRACE_HOURS)[]; // Object.keys loses the key types
const GRACE_WORDS = { day: t('For 24 hours'), hour: t('For an hour'), none: t('Not any more') } as const;

/** The form that replaces a key. */
function replacement(visit: Visit, id: string, name: string): Html {
  const { value, error, isRefused } = entered(visit, 'roll', id);
  return confirmation({
    label: t('Replace'),
    consequence: t('A new key may do what the key “{name}” may. It is shown once.', { name }),
    action: '/console/keys',
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('roll'),
      html`<input type="hidden" name="id" value="${id}">`,
      textField({
        name: 'name',
        id: `name-${id}`,
        label: t('Name of the new key'),
        isRequired: true,
        maxLength: 255,
        value: value('name', name),
        error: error('name'),
      }),
      select({
        name: 'grace',
        id: `grace-${id}`,
        label: t('The old key still works'),
        isRequired: true,
        value: value('grace'),
        error: error('grace'),
        options: GRACES.map((grace) => ({ value: grace, label: GRACE_WORDS[grace] })),
      }),
    ],
    confirm: t('Replace the key'),
  });
}

/** Whether the key works; otherwise why not, and since when. A key that expires in its grace period ends with that. */
function stateOf({ is_active: isActive, ...key }: ApiKeyView): readonly [state: Html, more: Html | null] {
  const { revoked_at: revoked, active_until: graceEnd, expires_at: expiry } = key;
  const isReplaced = graceEnd !== null && (revoked === null || graceEnd <= revoked);
  const end = { time: time(isReplaced && expiry !== null && expiry < graceEnd ? expiry : graceEnd) };
  if (isActive)
    return [badge(t('Active'), 'good'), isReplaced ? rich('Replaced by a new key, works until {time}', end) : null];
  if (isReplaced) return [badge(t('Replaced'), 'quiet'), rich('Replaced by a new key, worked until {time}', end)];
  if (revoked !== null) return [badge(t('Revoked'), 'quiet'), time(revoked)];
  return [badge(t('Expired'), 'quiet'), time(expiry)];
}

/** The roles that somebody with `own` may give a key. */
function rolesWithin(own: Role): readonly string[] {
  return KEY_ROLES.filter((role) => ROLES.indexOf(KEY_ROLE_OF_REQUEST[role]) >= ROLES.indexOf(own));
}

function permittedText(role: Role, permissions: readonly string[]): Text {
  const isAll = permissions.length === permissionsOf({ role, permissions: null }).length;
  return isAll ? t('All that the role permits') : joined(permissions.map(statusWords));
}
