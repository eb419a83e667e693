import { badge, statusWords } from '../../components/badge.ts';
import { html, NOTHING } from '../../components/html.ts';
import { shortId } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { apiList, listPages, type Query } from '../../list-page.ts';
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

async function readNames({ api }: Visit): Promise<Names> {
  const query = { limit: MAX_NAMES };
  const [administrators, keys] = await Promise.all([
    api.get('/v1/core/companies/admins', { query }),
    api.get('/v1/core/companies/api-keys', { query }),
  ]);
  return new Map([
    ...administrators.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`] as const),
    ...keys.map(({ id, name }) => [id, `Key “${name}”`] as const),
  ]);
}

/** With the names of those who acted. Administrators who were removed, and the platform's, are named by their id. */
async function logWithNames(visit: Visit, query: Query) {
  const [found, names] = await Promise.all([auditLog(visit, query), namesIn(visit)]);
  const rows = found.rows.map((entry) => ({ ...entry, actorName: names.get(entry.actor.id ?? '') ?? null }));
  return { ...found, rows };
}

function actorText({ actor: { kind, id, role }, actorName }: Awaited<ReturnType<typeof logWithNames>>['rows'][number]) {
  if (id === null) return kind === 'unknown' ? 'Unknown e-mail' : 'The service';
  const shown = kind === 'service' ? html`The service, webhook ${objectLink(id)}` : (actorName ?? shortId(id));
  return html`${shown}${role === null ? NOTHING : html`<span class="soft">, ${statusWords(role).toLowerCase()}</span>`}`;
}

export const audit = listPages({
  path: '/audit',
  title: 'Audit log',
  lead: 'Who did what, from where, and what was refused. Nothing in it can be changed.',
  who: 'read',
  menu: { section: 'Company', label: 'Audit log' },
  rows: logWithNames,
  rowsPerRequest: 100,
  filters: [
    { name: 'actorId', label: 'By (adm_… or key_…)' },
    { name: 'operation', label: 'Operation' },
    { name: 'startDate', label: 'From', type: 'date' },
    { name: 'endDate', label: 'to', type: 'date' },
  ],
  columns: [
    {
      title: 'Operation',
      cell: (entry) => html`<code class="breakable">${entry.operation}</code><br>${actorText(entry)}`,
    },
    {
      title: 'Answer',
      cell: ({ status }) => badge(String(status), status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'),
    },
    { title: 'About', rank: 'second', cell: ({ resource }) => (resource === null ? '–' : objectLink(resource)) },
    {
      title: 'From',
      rank: 'second',
      cell: ({ ip, requestId }) =>
        html`${ip ?? '–'}${requestId === null ? NOTHING : html`<br><span class="soft" title="${requestId}">request …${requestId.slice(-8)}</span>`}`,
    },
    { title: 'Time', cell: ({ at }) => time(at) },
  ],
  empty: { title: 'Nothing yet', text: 'Every act of a key or an administrator appears here.' },
});
