import { badge, statusWords } from '../../components/badge.ts';
import { html } from '../../components/html.ts';
import { time } from '../../components/time.ts';
import { apiList, listPages } from '../../list-page.ts';
import { objectLink } from '../../object-links.ts';

/** The audit log of the company. */

const auditLog = apiList('/v1/core/audit-log');
export const audit = listPages({
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
