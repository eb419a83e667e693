import { ApiProblem } from '../api-client.ts';
import { type Html, html } from '../components/html.ts';
import { card, emptyState } from '../components/parts.ts';
import { t } from '../language/message.ts';
import { pathOf } from '../object-links.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { redirectTo } from '../responses.ts';
import { table as escrowTable } from './escrows/list.ts';

/** Any id leads to its page. Other words are looked up as a reference, a phone number and a name. */

const ID = /^([a-z]{3,4})_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LIMIT = 10;

export const searchPage: ConsolePage = {
  path: '/search',
  title: t('Search'),
  who: 'read',
  async show(visit) {
    const words = (visit.query.get('q') ?? '').trim().slice(0, 255);
    if (words === '')
      return {
        main: emptyState(
          t('Search'),
          t('Type an id, a reference, a phone number or a name. The key / leads to the field.'),
        ),
      };
    const target = await pageOfId(visit, words);
    if (target !== null) return redirectTo(visit.c, target);
    const [escrows, users] = await Promise.all([escrowsWith(visit, words), usersWith(visit, words)]);
    const only = onlyResult(words, escrows, users);
    if (only !== null) return redirectTo(visit.c, only);
    const isEmpty = escrows.length === 0 && users.length === 0;
    return {
      title: t('Search: {words}', { words }),
      main: isEmpty
        ? emptyState(t('Nothing found'), t('References have to be whole. Names and phone numbers may be parts.'))
        : html`<div class="stack">${escrows.length === 0 ? '' : card({ title: t('Escrows'), body: escrowTable(escrows) })}${users.length === 0 ? '' : card({ title: t('Users'), body: userList(users) })}</div>`,
    };
  },
};

/** A phone number or a reference that belongs to one object leads to it. A name leads to the list: there may be namesakes. */
function onlyResult(
  words: string,
  escrows: readonly { readonly id: string }[],
  users: readonly { readonly id: string }[],
): string | null {
  if (!/\d{4}/.test(words) || escrows.length + users.length !== 1) return null;
  const [escrow] = escrows;
  return escrow === undefined ? `/users/${users[0]?.id}` : `/escrows/${escrow.id}`;
}

async function pageOfId({ api }: Visit, words: string): Promise<string | null> {
  const id = words.toLowerCase();
  const [, prefix = ''] = ID.exec(id) ?? [];
  if (prefix === 'txn') {
    // A withdrawal and its transaction have one id.
    const found = await unlessRefused(api.get('/v1/treasury/withdrawals/{id}', { path: { id } }), null);
    return found === null ? `/transactions/${id}` : `/withdrawals/${id}`;
  }
  return prefix === '' ? null : (pathOf(id)?.replace(/^\/console/, '') ?? null);
}

async function escrowsWith({ api }: Visit, externalReference: string) {
  const { data } = await unlessRefused(
    api.get('/v1/escrow', { query: { externalReference, limit: LIMIT, maxTotal: 1 } }),
    {
      data: [],
      total: 0,
    },
  );
  return data;
}

async function usersWith({ api }: Visit, q: string) {
  return unlessRefused(api.get('/v1/identity/users', { query: { q, limit: LIMIT, maxTotal: 1 } }), []);
}

/** Words that are not a valid filter match nothing. */
function unlessRefused<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  return asked.catch((error: unknown) => {
    if (error instanceof ApiProblem && (error.status === 400 || error.status === 404)) return otherwise;
    throw error;
  });
}

function userList(users: Awaited<ReturnType<typeof usersWith>>): Html {
  return html`<ul class="plain" data-rows>${users.map(
    ({ id, firstName, lastName, mobileNumber }) =>
      html`<li><a class="row-link" href="/console/users/${id}">${[firstName, lastName].filter((part) => part !== null).join(' ') || mobileNumber}</a> <span class="soft">${mobileNumber}</span></li>`,
  )}</ul>`;
}
