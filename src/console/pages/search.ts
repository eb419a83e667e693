import { ApiProblem } from '../api-client.ts';
import { badge, statusBadge } from '../components/badge.ts';
import { type Html, html, NOTHING } from '../components/html.ts';
import { money } from '../components/money.ts';
import { card, emptyState } from '../components/parts.ts';
import { t } from '../language/message.ts';
import { pathOf } from '../object-links.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { redirectTo } from '../responses.ts';
import { table as escrowTable } from './escrows/list.ts';
import { receiptPath } from './receipts/list.ts';
import { payoutBadge } from './withdrawals/outcome.ts';

/**
 * Any id leads to its page. Other words are looked up as a reference, an invoice number, a phone number, an e-mail, a national id
 * and a name.
 */

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
          t(
            'Type an id, a reference, an invoice number, a phone number, an e-mail, a national id or a name. The key / leads to the field.',
          ),
        ),
      };
    const target = await pageOfId(visit, words);
    if (target !== null) return redirectTo(visit.c, target);
    const [escrows, users, withdrawals, receipts] = await Promise.all([
      escrowsWith(visit, words),
      usersWith(visit, words),
      withdrawalsWith(visit, words),
      receiptsWith(visit, words),
    ]);
    const links = [
      ...escrows.map(({ id }) => `/escrows/${id}`),
      ...users.map(({ id }) => `/users/${id}`),
      ...withdrawals.map(({ id }) => `/withdrawals/${id}`),
      ...receipts.map(receiptPath),
    ];
    const [only] = links;
    // A number, an address or a reference that one object has leads to it. A name leads to the list: there may be namesakes.
    if (only !== undefined && links.length === 1 && /\d{4}|@|^(?=.*\d)\S{8,}$/.test(words))
      return redirectTo(visit.c, only);
    const found = [
      escrows.length === 0 ? NOTHING : card({ title: t('Escrows'), body: escrowTable(escrows) }),
      users.length === 0 ? NOTHING : card({ title: t('Users'), body: userList(users) }),
      withdrawals.length === 0 ? NOTHING : card({ title: t('Withdrawals'), body: withdrawalList(withdrawals) }),
      receipts.length === 0 ? NOTHING : card({ title: t('Bank receipts'), body: receiptList(receipts) }),
    ];
    return {
      title: t('Search: {words}', { words }),
      main:
        links.length === 0
          ? emptyState(t('Nothing found'), t('References have to be whole. Names and phone numbers may be parts.'))
          : html`<div class="stack">${found}</div>`,
    };
  },
};

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

const NONE = { data: [], total: 0, limit: LIMIT, offset: 0 };

async function escrowsWith({ api }: Visit, q: string) {
  return (await unlessRefused(api.get('/v1/escrow', { query: { q, limit: LIMIT, maxTotal: 1 } }), NONE)).data;
}

async function withdrawalsWith({ api }: Visit, q: string) {
  return (await unlessRefused(api.get('/v1/treasury/withdrawals', { query: { q, limit: LIMIT, maxTotal: 1 } }), NONE))
    .data;
}

async function receiptsWith({ api }: Visit, q: string) {
  return (await unlessRefused(api.get('/v1/treasury/captures', { query: { q, limit: LIMIT, maxTotal: 1 } }), NONE))
    .data;
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

function withdrawalList(found: Awaited<ReturnType<typeof withdrawalsWith>>): Html {
  return html`<ul class="plain" data-rows>${found.map(
    (payout) =>
      html`<li><a class="row-link" href="/console/withdrawals/${payout.id}">${payout.reference}</a> ${money(payout.amount, payout.currency)} ${payoutBadge(payout)}${payout.review_reason === null ? NOTHING : html` ${badge(t('Look at this'), 'warn')}`}</li>`,
  )}</ul>`;
}

function receiptList(found: Awaited<ReturnType<typeof receiptsWith>>): Html {
  return html`<ul class="plain" data-rows>${found.map(
    (receipt) =>
      html`<li><a class="row-link" href="/console${receiptPath(receipt)}">${receipt.reference}</a> ${money(receipt.amount, receipt.currency)} ${statusBadge(receipt.matchedTo.kind)}</li>`,
  )}</ul>`;
}
