import type { Role } from '../../../domain/roles.ts';
import type { Query } from '../../addresses.ts';
import { badge } from '../../components/badge.ts';
import { html, NOTHING, rich } from '../../components/html.ts';
import { SOURCE_NAMES, shortId } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';
import type { Visit } from '../../page.ts';

/** The audit log of the company. */

const auditLog = apiList('/v1/core/audit-log');

const MAX_NAMES = 1_000;
type Names = ReadonlyMap<string, string>;
/** Exports read many pages of the log in one visit, and the names once. */
const namesOfVisits = new WeakMap<Visit, Promise<Names>>();

function namesIn(visit: Visit): Promise<Names> {
  const known = namesOfVisits.get(visit) ?? readNames(visit);
  namesOfVisits.set(visit, known);
  return known;
}

async function readNames({ api, language }: Visit): Promise<Names> {
  const query = { limit: MAX_NAMES };
  const [administrators, keys] = await Promise.all([
    api.get('/v1/core/companies/admins', { query }),
    api.get('/v1/core/companies/api-keys', { query }),
  ]);
  return new Map([
    ...administrators.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`] as const),
    ...keys.map(({ id, name }) => [id, t('Key “{name}”', { name }).in(language)] as const),
  ]);
}

/** With the names of those who acted. Administrators who were removed, and the platform's, are named by their id. */
async function logWithNames(visit: Visit, query: Query) {
  const [found, names] = await Promise.all([auditLog(visit, query), namesIn(visit)]);
  const rows = found.rows.map((entry) => ({ ...entry, actorName: names.get(entry.actor.id ?? '') ?? null }));
  return { ...found, rows };
}

const ROLES_WITHIN_TEXT = {
  SUPER_ADMIN: t('super admin'),
  OWNER: t('owner'),
  ADMIN: t('admin'),
  MANAGER: t('manager'),
} as const satisfies Readonly<Record<Role, Message>>;

type Entry = Awaited<ReturnType<typeof logWithNames>>['rows'][number];

const NAMELESS: Readonly<Record<string, Message>> = {
  unknown: t('Unknown e-mail'),
  temporal: t('A message to Temporal'),
};

function actorText({ actor: { kind, id, role }, actorName }: Entry, reader: Role) {
  if (id === null) return NAMELESS[kind] ?? t('The service');
  const shown =
    kind === 'service'
      ? rich('The service, webhook {webhook}', { webhook: objectLink(id, reader) })
      : (actorName ?? shortId(id));
  return html`${shown}${role === null ? NOTHING : html`<span class="soft">, ${ROLES_WITHIN_TEXT[role]}</span>`}`;
}

export const audit = listPages({
  path: '/audit',
  title: t('Audit log'),
  lead: t('Who did what, from where, and what was refused. Nothing in it can be changed.'),
  who: 'read',
  menu: { section: 'Company', label: t('Audit log') },
  rows: logWithNames,
  rowsPerRequest: 100,
  filters: [
    { name: 'actorId', label: t('By (adm_… or key_…)') },
    { name: 'operation', label: t('Operation') },
    { name: 'startDate', label: t('From'), type: 'date' },
    { name: 'endDate', label: t('to'), type: 'date' },
  ],
  columns: ({ session: { role } }) => [
    {
      title: t('Operation'),
      cell: (entry) => html`<code class="breakable">${entry.operation}</code><br>${actorText(entry, role)}`,
    },
    {
      title: t('Answer'),
      cell: ({ status }) => badge(String(status), status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'),
    },
    {
      title: t('About'),
      rank: 'second',
      cell: ({ resource }) => (resource === null ? '–' : objectLink(resource, role)),
    },
    {
      title: t('From'),
      rank: 'second',
      cell: ({ ip, requestId, source }) =>
        html`${ip ?? NOTHING}${ip === null ? NOTHING : html`<br>`}${SOURCE_NAMES[source]}${requestId === null ? NOTHING : html`<br><span class="soft" title="${requestId}">${t('request …{end}', { end: requestId.slice(-8) })}</span>`}`,
    },
    { title: t('Time'), cell: ({ at }) => time(at) },
  ],
  empty: { title: t('Nothing yet'), text: t('Every act of a key or an administrator appears here.') },
});
