import { permits } from '../../domain/roles.ts';
import { KYC_STATUSES } from '../../domain/users.ts';
import { badge, statusBadge, statusWords } from '../components/badge.ts';
import { confirmation, form, textField } from '../components/form.ts';
import { type Html, html, icon, NOTHING } from '../components/html.ts';
import { money } from '../components/money.ts';
import { card, definitionList, emptyState, idText, jsonText, notice } from '../components/parts.ts';
import { dataTable } from '../components/table.ts';
import { time } from '../components/time.ts';
import { actionField, actions, entered, optional } from '../entered.ts';
import { apiList, listPages, type Query } from '../list-page.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { STATUS_FILTER } from './links.ts';

/** Users: search, one user with accounts and document, the queue of identities to approve. */

type Named = { readonly firstName: string | null; readonly lastName: string | null; readonly mobileNumber: string };

export function nameOf({ firstName, lastName, mobileNumber }: Named): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  return name === '' ? mobileNumber : name;
}

const kycBadge = (level: number) => (level >= 2 ? badge('Verified', 'good') : badge(`Level ${level}`, 'quiet'));

const users = apiList('/v1/identity/users');
const list = listPages({
  path: '/users',
  title: 'Users',
  lead: 'Buyers and sellers of the company.',
  who: 'read',
  menu: { section: 'Work', label: 'Users' },
  rows: users,
  rowsPerRequest: 1_000,
  filters: [
    { name: 'q', label: 'Name or number' },
    { name: 'customReference', label: 'Bank reference' },
    { name: 'createdFrom', label: 'Created from', type: 'date' },
    { name: 'createdTo', label: 'to', type: 'date' },
  ],
  columns: [
    { title: 'Name', cell: nameOf },
    { title: 'Mobile number', cell: ({ mobileNumber }) => html`<span class="nowrap">${mobileNumber}</span>` },
    { title: 'Identity', cell: ({ kycLevel }) => kycBadge(kycLevel) },
    { title: 'Status', cell: ({ identityStatus }) => statusBadge(identityStatus) },
    { title: 'Registered', rank: 'second', cell: ({ createdAt }) => time(createdAt) },
  ],
  href: ({ id }) => `/console/users/${id}`,
  empty: { title: 'No users yet', text: 'Users are registered over the API, in the checkout, or here.' },
  actions: () => html`<a class="button primary" href="/console/users/new">${icon('plus')}New user</a>`,
});

async function identities({ api }: Visit, { status = 'PENDING', search, limit, page = '1' }: Query) {
  const chosen = [...KYC_STATUSES, 'ALL' as const].find((one) => one === status) ?? 'PENDING';
  const { data, total, ...at } = await api.get('/v1/identity/admin/users', {
    query: { status: chosen, search, limit: Number(limit), page: Number(page) },
  });
  return { rows: data, total, next: at.page * at.limit < total ? { page: String(at.page + 1) } : null };
}

const queue = listPages({
  path: '/identities',
  title: 'Identities to approve',
  lead: 'Users of the company that is shown, and whether the platform has approved their identity.',
  who: 'platform',
  menu: { section: 'Platform', label: 'Identities' },
  rows: identities,
  rowsPerRequest: 100,
  filters: [STATUS_FILTER([...KYC_STATUSES, 'ALL']), { name: 'search', label: 'Name or number' }],
  columns: [
    { title: 'Name', cell: nameOf },
    { title: 'Mobile number', cell: ({ mobileNumber }) => html`<span class="nowrap">${mobileNumber}</span>` },
    { title: 'State', cell: ({ kycStatus }) => statusBadge(kycStatus) },
    { title: 'Changed since approval', cell: (user) => user.changedSinceApproval.map(statusWords).join(', ') || '–' },
    { title: 'Registered', rank: 'second', cell: ({ createdAt }) => time(createdAt) },
  ],
  href: ({ id }) => `/console/users/${id}`,
  empty: { title: 'Nobody waits', text: 'Every identity of this company was looked at.' },
});

const one: ConsolePage = {
  path: '/users/:id',
  title: 'User',
  who: 'read',
  show: async (visit) => {
    const { api, params, session } = visit;
    const path = { id: params.id ?? '' };
    const [user, { accounts, ledgerId }] = await Promise.all([
      api.get('/v1/identity/users/{id}', { path }),
      api.get('/v1/identity/users/{id}/ledger', { path }),
    ]);
    const name = nameOf(user);
    return {
      title: name,
      trail: [['Users', '/users']],
      main: html`${user.identityStatus === 'BLACKLISTED' ? notice({ tone: 'bad', text: 'This user is blacklisted: no escrow is released to them, and they cannot open one, pay or withdraw.' }) : NOTHING}
<div class="columns"><div class="stack">
${card({
  title: 'Person',
  body: definitionList([
    ['Name', [user.firstName, user.lastName].filter((part) => part !== null).join(' ')],
    ['Mobile number', user.mobileNumber],
    ['E-mail', user.email],
    ['National ID', user.idNumber],
    ['Identity', kycBadge(user.kycLevel)],
    ['Status', statusBadge(user.identityStatus)],
    ['Bank reference', user.customReference],
    [
      'Bank account',
      user.bankAccount === null
        ? null
        : [user.bankAccount.accountNumber, user.bankAccount.accountName].filter((part) => part != null).join(', '),
    ],
    ['Registered', time(user.createdAt)],
    ['Id', idText(user.id)],
  ]),
})}
${permits(session.role, 'platform') ? platformActions(visit, { name, isApproved: user.kycLevel >= 2, isBlacklisted: user.identityStatus === 'BLACKLISTED' }) : NOTHING}
${card({
  title: 'Accounts',
  actions: html`<a class="button small" href="/console/ledger/${ledgerId}">Transactions</a>`,
  body: dataTable({
    caption: 'Balances by currency',
    rows: accounts,
    columns: [
      { title: 'Currency', cell: ({ currency }) => currency },
      {
        title: 'Available',
        align: 'end',
        cell: ({ available_balance, currency }) => money(available_balance, currency),
      },
      { title: 'Held', align: 'end', cell: ({ held_balance, currency }) => money(held_balance, currency) },
      { title: 'State', cell: ({ is_frozen }) => (is_frozen ? statusBadge('FROZEN') : '–') },
    ],
    href: ({ id }) => `/console/ledger/accounts/${id}`,
  }),
})}
${card({
  title: 'Escrows',
  body: html`<div class="actions"><a class="button small" href="/console/escrows?buyerId=${user.id}">As buyer</a><a class="button small" href="/console/escrows?sellerId=${user.id}">As seller</a><a class="button small" href="/console/links/new?buyerId=${user.id}">New payment link</a></div>`,
})}</div><div class="stack">
${card({ title: 'Identity document', body: documentFrame(user) })}
${Object.keys(user.metadata).length === 0 ? NOTHING : card({ title: 'Metadata', body: jsonText(user.metadata) })}</div></div>`,
    };
  },
  act: actions({
    approve: async ({ api, params }, sent) => {
      const approved = sent.text('approved') === 'true';
      await api.post('/v1/identity/admin/users/{id}/approve', { path: { id: params.id ?? '' }, body: { approved } });
      return done(params, approved ? 'The identity is approved.' : 'The approval is revoked.');
    },
    blacklist: async ({ api, params }, sent) => {
      const status = sent.text('status') === 'CLEAR' ? 'CLEAR' : 'BLACKLISTED';
      await api.post('/v1/identity/admin/users/{id}/status', {
        path: { id: params.id ?? '' },
        body: { status },
      });
      return done(params, status === 'CLEAR' ? 'The user is cleared.' : 'The user is blacklisted.');
    },
  }),
};

const done = (params: Visit['params'], text: string) => ({
  to: `/users/${params.id ?? ''}`,
  flash: { tone: 'good' as const, text },
});

/** The document comes from a stranger: a frame without scripts, forms and origin, from an address that allows nothing else. */
function documentFrame({ id, documentUrl }: { readonly id: string; readonly documentUrl: string | null }): Html {
  if (documentUrl === null) return emptyState('No document', 'The user has sent none yet.');
  const address = `/console/users/${id}/document`;
  return html`<iframe class="document-frame" src="${address}" sandbox title="The identity document of the user" loading="lazy"></iframe>
<p><a href="${address}?download" download>${icon('download')} Download</a></p>`;
}

function platformActions(
  { csrf, params }: Visit,
  {
    name,
    isApproved,
    isBlacklisted,
  }: { readonly name: string; readonly isApproved: boolean; readonly isBlacklisted: boolean },
): Html {
  const action = `/console/users/${params.id ?? ''}`;
  return card({
    title: 'Decide',
    body: html`<div class="actions">${confirmation({
      label: isApproved ? 'Revoke the approval' : 'Approve the identity',
      consequence: isApproved
        ? `${name} goes back to level 1.`
        : `You have compared the document with the name and number of ${name}.`,
      action,
      csrf,
      fields: html`${actionField('approve')}<input type="hidden" name="approved" value="${isApproved ? 'false' : 'true'}">`,
      confirm: isApproved ? 'Revoke' : 'Approve',
      tone: isApproved ? 'danger' : 'primary',
    })}${confirmation({
      label: isBlacklisted ? 'Clear the user' : 'Blacklist the user',
      consequence: isBlacklisted
        ? `${name} can trade and be paid again.`
        : `No escrow is released to ${name} from now on, and ${name} cannot withdraw. Automatic releases to them stop. Money that is held stays held. Deciding a dispute can still pay them.`,
      action,
      csrf,
      fields: html`${actionField('blacklist')}<input type="hidden" name="status" value="${isBlacklisted ? 'CLEAR' : 'BLACKLISTED'}">`,
      confirm: isBlacklisted ? 'Clear' : 'Blacklist',
      tone: isBlacklisted ? 'primary' : 'danger',
    })}</div>`,
  });
}

const document: ConsolePage = {
  path: '/users/:id/document',
  title: 'Identity document',
  who: 'read',
  isBackground: true,
  show: async ({ api, params, query }) => {
    const file = await api.download('/v1/identity/users/{id}/document', '*/*', { path: { id: params.id ?? '' } });
    const headers = new Headers({
      'Content-Type': file.headers.get('content-type') ?? 'application/octet-stream',
      'Content-Security-Policy':
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'SAMEORIGIN',
      'Cache-Control': 'private, no-store',
      'Content-Disposition': query.has('download')
        ? (file.headers.get('content-disposition') ?? 'attachment')
        : 'inline',
    });
    return new Response(file.body, { headers });
  },
};

const made: ConsolePage = {
  path: '/users/new',
  title: 'New user',
  who: 'operate',
  show: async (visit) => {
    const { value, error } = entered(visit, 'register');
    const field = (name: string, label: string, isRequired = false) =>
      textField({ name, label, isRequired, value: value(name), error: error(name), maxLength: 255 });
    return {
      trail: [['Users', '/users']],
      main: card({
        title: 'Person',
        body: form({
          action: '/console/users/new',
          csrf: visit.csrf,
          submit: 'Register',
          fields: [
            actionField('register'),
            field('mobileNumber', 'Mobile number', true),
            field('idNumber', 'National ID number', true),
            field('firstName', 'First name'),
            field('lastName', 'Last name'),
            field('email', 'E-mail'),
            field('customReference', 'Bank reference'),
          ],
        }),
      }),
    };
  },
  act: async ({ api }, sent) => {
    const user = await api.post('/v1/identity/users', {
      body: {
        mobileNumber: sent.text('mobileNumber'),
        idNumber: sent.text('idNumber'),
        firstName: optional(sent.text('firstName')),
        lastName: optional(sent.text('lastName')),
        email: optional(sent.text('email')),
        customReference: optional(sent.text('customReference')),
      },
    });
    return { to: `/users/${user.id}`, flash: { tone: 'good', text: 'The user is registered.' } };
  },
};

export const userPages: readonly ConsolePage[] = [...list, made, document, one, ...queue];
