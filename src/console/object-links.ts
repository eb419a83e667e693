import { permits, type Role } from '../domain/roles.ts';
import { type Html, html } from './components/html.ts';
import { shortId } from './components/parts.ts';
import type { Text } from './language/message.ts';

/** The page of an object, by the prefix of its id. */
const PATHS: Readonly<Record<string, string>> = {
  esc: '/escrows/',
  pay: '/links/',
  usr: '/users/',
  acc: '/ledger/accounts/',
  ldg: '/ledger/',
  txn: '/transactions/',
  evt: '/events/',
  whe: '/webhooks/',
};

/** The address of an object's page; null for an id of another kind. */
export function pathOf(id: string): string | null {
  const path = PATHS[id.split('_')[0] ?? ''];
  return path === undefined ? null : `/console${path}${encodeURIComponent(id)}`;
}

/** An administrator or a key, with a link to what it did: neither has a page of its own. */
export function actsOf(id: string, label: Html | Text = shortId(id)): Html {
  return html`<a href="/console/audit?${new URLSearchParams({ actorId: id }).toString()}">${label}</a>`;
}

/** An id, short, and a link to its page if there is one. `reader` is needed where the id may be of any kind. */
export function objectLink(id: string | null | undefined, reader?: Role): Html {
  if (id == null) return html`<span class="none">–</span>`;
  const path = id.startsWith('whe_') && reader !== undefined && !permits(reader, 'manage_company') ? null : pathOf(id);
  return path === null ? shortId(id) : html`<a href="${path}">${shortId(id)}</a>`;
}
