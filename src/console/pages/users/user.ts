import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { permits } from '../../../domain/roles.ts';
import type { EscrowRow } from '../../api-types.ts';
import { statusBadge } from '../../components/badge.ts';
import { type Html, html, icon, NOTHING } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, definitionList, emptyState, idText, jsonText, notice } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { actions, oneOf, optional } from '../../entered.ts';
import { joined, type Message, t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { strangersFile } from '../../responses.ts';
import { bankDetailsLink, bankDetailsNotice } from '../ledger/bank-details.ts';
import { type DocumentState, platformActions } from './decide.ts';
import { kycBadge, nameOf } from './names.ts';
import { personalData } from './personal.ts';

/** One user with accounts, latest escrows and document. */

const SHOWN_ESCROWS = 5;
/** Users whose mobile number contains the one that is looked for. */
const MAX_NAMESAKES = 20;

export const one: ConsolePage = {
  path: '/users/:id',
  title: t('User'),
  who: 'read',
  show: async (visit) => {
    const { api, params, session } = visit;
    const path = { id: params.id ?? '' };
    const escrowsOf = (side: 'buyerId' | 'sellerId') =>
      api.get('/v1/escrow', { query: { [side]: params.id, limit: SHOWN_ESCROWS, maxTotal: 1 } });
    const isPlatform = permits(session.role, 'platform');
    const [user, { accounts, ledgerId }, bought, sold] = await Promise.all([
      api.get('/v1/identity/users/{id}', { path }),
      api.get('/v1/identity/users/{id}/ledger', { path }),
      escrowsOf('buyerId'),
      escrowsOf('sellerId'),
    ]);
    const [changed, institutions, waiting] = await Promise.all([
      isPlatform ? changedSinceApproval(visit, user) : [],
      user.bankAccount === null ? [] : api.get('/v1/identity/financial-institutions'),
      bankDetailsNotice(api, ledgerId),
    ]);
    const name = nameOf(user);
    return {
      title: name,
      trail: [[t('Users'), '/users']],
      main: html`${user.identityStatus === 'BLACKLISTED' ? notice({ tone: 'bad', text: blacklistedText(user.identityStatusReason) }) : NOTHING}${user.blacklistMatch === null ? NOTHING : notice({ tone: 'warn', text: t('The user has the bank account of a blacklisted person. Check whether it is the same person.') })}${waiting}
<div class="stack"><div class="columns"><div class="stack">
${card({
  title: t('Person'),
  body: definitionList([
    [t('Name'), [user.firstName, user.lastName].filter((part) => part !== null).join(' ')],
    [t('Mobile number'), user.mobileNumber],
    [t('E-mail'), user.email],
    [t('National ID'), user.idNumber],
    [t('Identity'), kycBadge(user.kycLevel)],
    [t('Status'), statusBadge(user.identityStatus)],
    [t('Bank reference'), user.customReference],
    [t('Bank account'), bankText(user.bankAccount, institutions)],
    [t('Registered'), time(user.createdAt)],
    [t('Erased'), user.erasedAt === null ? null : time(user.erasedAt)],
    [t('Id'), idText(user.id)],
  ]),
})}
${card({
  title: t('Accounts'),
  actions: html`${bankDetailsLink(ledgerId)}<a class="button small" href="/console/ledger/${ledgerId}">${t('Transactions')}</a>`,
  body: dataTable({
    caption: t('Balances by currency'),
    rows: accounts,
    columns: [
      { title: t('Currency'), cell: ({ currency }) => currency },
      {
        title: t('Available'),
        align: 'end',
        cell: ({ available_balance, currency }) => money(available_balance, currency),
      },
      { title: t('Held'), align: 'end', cell: ({ held_balance, currency }) => money(held_balance, currency) },
      { title: t('State'), rank: 'second', cell: ({ is_frozen }) => (is_frozen ? statusBadge('FROZEN') : '–') },
    ],
    href: ({ id }) => `/console/ledger/accounts/${id}`,
  }),
})}</div><div class="stack">
${isPlatform ? platformActions(visit, { name, changed, document: documentOf(user), isApproved: user.kycLevel >= 2, isBlacklisted: user.identityStatus === 'BLACKLISTED', updatedAt: user.updatedAt }) : NOTHING}
${card({ title: t('Identity document'), body: documentFrame(user) })}
${permits(session.role, 'manage_company') && user.erasedAt === null ? personalData(visit, { id: user.id, name }) : NOTHING}
${Object.keys(user.metadata ?? {}).length === 0 ? NOTHING : card({ title: t('Metadata'), body: jsonText(user.metadata ?? {}) })}</div></div>
${escrowCard(t('Latest escrows as buyer'), `/console/escrows?buyerId=${user.id}`, bought.data, user.identityStatus === 'BLACKLISTED' ? NOTHING : html`<a class="button small" href="/console/links/new?buyerId=${user.id}">${t('New payment link')}</a>`)}
${escrowCard(t('Latest escrows as seller'), `/console/escrows?sellerId=${user.id}`, sold.data)}</div>`,
    };
  },
  act: actions({
    erase: async ({ api, params }, sent) => {
      await api.post('/v1/identity/users/{id}/erase', {
        path: { id: params.id ?? '' },
        body: { reason: sent.text('reason') },
      });
      return done(params, t('The person is erased.'));
    },
    approve: async ({ api, params }, sent) => {
      const approved = oneOf(sent, 'approved', ['true', 'false']) === 'true';
      await api.post('/v1/identity/admin/users/{id}/approve', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
        body: { approved, reviewed: sent.text('reviewed') },
      });
      return done(params, approved ? t('The identity is approved.') : t('The approval is revoked.'));
    },
    blacklist: async ({ api, params }, sent) => {
      const status = oneOf(sent, 'status', ['CLEAR', 'BLACKLISTED']);
      const changed = await api.post('/v1/identity/admin/users/{id}/status', {
        path: { id: params.id ?? '' },
        idempotencyKey: sent.idempotencyKey,
        body: { status, reason: optional(sent.text('reason')), reviewed: sent.text('reviewed') },
      });
      if (status === 'BLACKLISTED') return done(params, t('The user is blacklisted.'));
      return done(
        params,
        changed.identityStatus === 'CLEAR'
          ? t('The user is cleared.')
          : t('Another user with the same national ID or phone number is blacklisted. Search for the number.'),
      );
    },
  }),
};

type UserView = AnswerOf<Operation<'get', '/v1/identity/users/{id}'>>;
type Institution = AnswerOf<Operation<'get', '/v1/identity/financial-institutions'>>[number];

function blacklistedText(reason: string | null): Message {
  return reason === null
    ? t('This user is blacklisted: no escrow is released to them, and they cannot open one, pay or withdraw.')
    : t(
        'This user is blacklisted: no escrow is released to them, and they cannot open one, pay or withdraw. Reason: {reason}',
        { reason },
      );
}

function bankText(account: UserView['bankAccount'], institutions: readonly Institution[]): Message | null {
  if (account === null) return null;
  const { institutionId, branchName, branchCode, accountNumber, accountName } = account;
  const bank = institutions.find(({ id }) => id === institutionId)?.name ?? institutionId;
  const branch = [branchName, branchCode].filter((part) => part !== null).join(' ');
  const parts = [bank, branch === '' ? null : t('branch {branch}', { branch }), accountNumber, accountName];
  return joined(parts.filter((part) => part !== null));
}

/** The platform's list alone has this field, so the user is looked up there by the mobile number. */
async function changedSinceApproval({ api }: Visit, { id, mobileNumber }: UserView): Promise<readonly string[]> {
  if (mobileNumber === null) return [];
  const { data } = await api.get('/v1/identity/admin/users', {
    query: { status: 'ALL', search: mobileNumber, limit: MAX_NAMESAKES },
  });
  return data.find((user) => user.id === id)?.changedSinceApproval ?? [];
}

/** Payments that a customer asks about are found here, or in the whole list behind the link. */
function escrowCard(title: Message, all: string, rows: readonly EscrowRow[], more: Html = NOTHING): Html {
  return card({
    title,
    actions: html`${more}${rows.length === 0 ? NOTHING : html`<a class="button small" href="${all}">${t('All')}</a>`}`,
    body:
      rows.length === 0
        ? html`<p class="soft">${t('None.')}</p>`
        : dataTable<EscrowRow>({
            caption: t('{title}, newest first', { title }),
            rows,
            href: ({ id }) => `/console/escrows/${id}`,
            columns: [
              { title: t('Reference'), cell: ({ externalReference, id }) => externalReference ?? id },
              { title: t('State'), cell: ({ status }) => statusBadge(status) },
              { title: t('Amount'), align: 'end', cell: ({ totalAmount, currency }) => money(totalAmount, currency) },
              { title: t('Created'), rank: 'second', cell: ({ createdAt }) => time(createdAt) },
            ],
          }),
  });
}

const done = (params: Visit['params'], text: Message) => ({
  to: `/users/${params.id ?? ''}`,
  flash: { tone: 'good' as const, text },
});

function documentOf({ documentUrl, isDocumentDeleted, erasedAt }: UserView): DocumentState {
  if (documentUrl !== null) return 'STORED';
  if (erasedAt !== null) return 'ERASED';
  return isDocumentDeleted ? 'DELETED' : 'NONE';
}

const NO_DOCUMENT: Readonly<Record<Exclude<DocumentState, 'STORED'>, Message>> = {
  DELETED: t('It was deleted, because nothing of the user was open for the time of retention.'),
  ERASED: t('The person was erased, and what was stored about them with it.'),
  NONE: t('None is stored.'),
};

/** The document comes from a stranger: a frame without scripts, forms and origin, from an address that allows nothing else. */
function documentFrame(user: UserView): Html {
  const { id } = user;
  const state = documentOf(user);
  if (state !== 'STORED') return emptyState(t('No document'), NO_DOCUMENT[state]);
  const address = `/console/users/${id}/document`;
  return html`<iframe class="document-frame" src="${address}" sandbox title="${t('The identity document of the user')}" loading="lazy"></iframe>
<p><a href="${address}?download" download>${icon('download')} ${t('Download')}</a></p>`;
}

export const document: ConsolePage = {
  path: '/users/:id/document',
  title: t('Identity document'),
  who: 'read',
  isBackground: true,
  show: async ({ api, params, query }) => {
    const file = await api.download('/v1/identity/users/{id}/document', '*/*', { path: { id: params.id ?? '' } });
    return strangersFile(file, !query.has('download'));
  },
};
