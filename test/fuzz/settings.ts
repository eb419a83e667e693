import type { Fixtures } from './fixtures.ts';

/** The configuration of Schemathesis: real values for parameters, and the credential of each operation. */

/** How often a real value replaces a generated one. */
const PROBABILITY = 0.7;

/** The start of an operation's path → its parameters and their kinds. All matches apply; the last one wins. */
const PARAMETERS: readonly (readonly [path: string, Readonly<Record<string, string>>])[] = [
  ['/v1/identity/users/', { 'path.id': 'user' }],
  ['/v1/identity/users', { 'body.bankAccount.institutionId': 'institution' }],
  ['/v1/identity/users/{id}/erase', { 'path.id': 'spareUser' }],
  ['/v1/identity/admin/users/', { 'path.id': 'spareUser' }],
  ['/v1/core/companies/admins/', { 'path.id': 'administrator' }],
  ['/v1/core/companies/api-keys/', { 'path.id': 'key' }],
  ['/v1/core/companies/{id}', { 'path.id': 'company' }],
  ['/v1/core/companies/me', { 'body.default_seller_id': 'user' }],
  ['/v1/payments/transaction/', { 'path.id': 'transaction' }],
  ['/v1/payments/deposit', { 'body.userId': 'user' }],
  ['/v1/payments/generate-escrow-payment-link', { 'body.buyerId': 'user', 'body.sellerId': 'user' }],
  ['/v1/payments/link-details/', { 'path.hash': 'hash' }],
  ['/v1/payments/register-checkout-user', { 'body.paymentSlug': 'hash' }],
  ['/v1/payments/accept-payment', { 'body.paymentSlug': 'hash' }],
  ['/v1/payments/reject-payment', { 'body.paymentSlug': 'hash' }],
  ['/v1/payments/eft-pay/initiate', { 'body.paymentSlug': 'hash' }],
  ['/v1/ledger/user/', { 'path.userId': 'user' }],
  ['/v1/ledger/accounts/{accountId}', { 'path.accountId': 'spareAccount' }],
  ['/v1/ledger/accounts/{accountId}/statement', { 'path.accountId': 'account' }],
  ['/v1/ledger/overview/', { 'path.ledgerId': 'ledger' }],
  ['/v1/ledger/{ledgerId}/', { 'path.ledgerId': 'ledger' }],
  ['/v1/escrow/initiate', { 'body.buyerId': 'user', 'body.sellerId': 'user', 'body.buyerAccountId': 'account' }],
  ['/v1/escrow/{id}', { 'path.id': 'escrow' }],
  ['/v1/escrow/{id}/delivery-note', { 'body.items[*].itemId': 'item' }],
  ['/v1/escrow/{id}/goods-received', { 'body.items[*].itemId': 'item' }],
  ['/v1/escrow/{id}/negotiate/', { 'path.id': 'bargained', 'path.negId': 'negotiation' }],
  ['/v1/escrow/{id}/milestones/{milestoneId}/adjust', { 'path.id': 'staged', 'path.milestoneId': 'nextMilestone' }],
  [
    '/v1/escrow/{id}/milestones/{milestoneId}/negotiate/',
    { 'path.id': 'staged', 'path.milestoneId': 'milestone', 'path.negId': 'milestoneNegotiation' },
  ],
  ['/v1/escrow/{id}/dispute/', { 'path.id': 'disputed' }],
  ['/v1/escrow/{id}/admin-resolve', { 'path.id': 'disputed', 'body.adminId': 'owner' }],
  ['/v1/treasury/withdraw', { 'body.accountId': 'account' }],
  ['/v1/treasury/withdrawals/', { 'path.id': 'withdrawal' }],
  ['/v1/treasury/receivables/', { 'path.id': 'receivable' }],
  ['/v1/treasury/intercompany/', { 'path.companyId': 'company' }],
  ['/v1/treasury/captures/', { 'path.id': 'capture', 'body.userId': 'user' }],
];

/** The configuration file, for these operations. */
export function toml(fixtures: Fixtures, operations: readonly string[]): string {
  const lines = ['request-timeout = 60', '[warnings]', 'enabled = false'];
  for (const [name, values] of Object.entries(fixtures))
    if (values.length > 0) lines.push(`[dictionaries.${name}]`, `values = ${JSON.stringify(values)}`);
  for (const operation of operations) {
    const path = operation.slice(operation.indexOf(' ') + 1);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`);
    const parameters = Object.entries(
      Object.assign({}, ...PARAMETERS.filter(([start]) => path.startsWith(start)).map(([, these]) => these)),
    ).filter(([name]) => !name.startsWith('path.') || names.includes(name));
    if (parameters.length === 0) continue;
    lines.push('[[operations]]', `include-name = ${JSON.stringify(operation)}`, '[operations.parameters]');
    for (const [name, dictionary] of parameters)
      lines.push(`"${name}" = { dictionary = "${dictionary}", probability = ${PROBABILITY} }`);
  }
  return `${lines.join('\n')}\n`;
}

export type Credential =
  | 'owner key'
  | 'key of a new owner'
  | 'token of a new owner'
  | 'platform key'
  | 'throw-away key';
export type Act = {
  readonly name: string;
  readonly credential: Credential;
  readonly matches: (operation: string) => boolean;
};

/** Its settings would change what the other acts may do: a required second factor ends the tokens of the owner. */
const CHANGES_ITS_COMPANY = ['PATCH /v1/core/companies/me'];

/** They include revoking: Schemathesis takes ids from answers, and the list of keys contains the key that it uses. Too many
 * failed logins lock out the valid ones. */
const ENDS_ITS_CREDENTIAL = [
  'POST /v1/core/companies/api-keys/{id}/revoke',
  'POST /v1/core/companies/api-keys/roll',
  'POST /v1/auth/logout',
  'POST /v1/auth/password',
  'POST /v1/auth/login',
  'DELETE /v1/auth/sessions/{id}',
];
/** New keys would use up the number that the demo company may have. */
const FOR_TOKENS = [
  'POST /v1/core/companies/api-keys',
  'GET /v1/auth/sessions',
  'POST /v1/auth/totp',
  'POST /v1/auth/totp/confirm',
  'POST /v1/auth/totp/disable',
];

/** Each makes the ones before it fail. */
const ENDS_AN_ESCROW = [
  '/release',
  '/accept',
  '/reject',
  '/dispute',
  '/dispute/evidence',
  '/admin-resolve',
  '/cancel',
].map((end) => (operation: string) => operation.startsWith('POST /v1/escrow/') && operation.endsWith(end));

/**
 * They run one after the other, each with its own fixtures. An operation that ends an escrow or its own credential runs alone, so
 * that the other operations can still succeed.
 */
export const ACTS: readonly Act[] = [
  {
    name: 'what an owner does with a key and nothing ends',
    credential: 'owner key',
    matches: (operation) =>
      ![...ENDS_ITS_CREDENTIAL, ...FOR_TOKENS, ...CHANGES_ITS_COMPANY].includes(operation) &&
      !ENDS_AN_ESCROW.some((ends) => ends(operation)),
  },
  ...ENDS_AN_ESCROW.map((matches): Act => ({ name: 'what ends an escrow', credential: 'owner key', matches })),
  {
    name: 'what needs a token',
    credential: 'token of a new owner',
    matches: (operation) => FOR_TOKENS.includes(operation),
  },
  {
    name: 'the settings of a company',
    credential: 'key of a new owner',
    matches: (operation) => CHANGES_ITS_COMPANY.includes(operation),
  },
  {
    name: 'the platform alone',
    credential: 'platform key',
    matches: (operation) =>
      operation.includes('/v1/identity/admin/') ||
      operation.includes('/v1/platform/') ||
      operation.endsWith('/outcome') ||
      operation.includes('/v1/treasury/intercompany') ||
      operation.endsWith('/v1/core/companies/{id}'),
  },
  ...ENDS_ITS_CREDENTIAL.map(
    (ending): Act => ({
      name: 'what ends its own credential',
      credential: ending.includes('/auth/') ? 'token of a new owner' : 'throw-away key',
      matches: (operation) => operation === ending,
    }),
  ),
];
