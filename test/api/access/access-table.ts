import type { Role } from '../../../src/domain/roles.ts';

/**
 * Who may call what, said a second time and by hand: an operation that is missing here, and one whose permission changes
 * without this table, fail the matrix.
 */

/** A permission in words → the roles it means; nobody's where no credential is asked for. */
export const MEANING = {
  'anybody, without a credential': [],
  'every role': ['SUPER_ADMIN', 'OWNER', 'ADMIN', 'MANAGER'],
  'every role, with a token': ['SUPER_ADMIN', 'OWNER', 'ADMIN', 'MANAGER'],
  'all but a MANAGER': ['SUPER_ADMIN', 'OWNER', 'ADMIN'],
  'all but a MANAGER, with a token': ['SUPER_ADMIN', 'OWNER', 'ADMIN'],
  'the platform alone': ['SUPER_ADMIN'],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof MEANING;

export const ACCESS: Readonly<Record<string, Permission>> = {
  'GET /health': 'anybody, without a credential',
  'GET /health/ready': 'anybody, without a credential',
  'GET /health/serving': 'anybody, without a credential',

  'POST /v1/auth/login': 'anybody, without a credential',
  'POST /v1/auth/refresh': 'anybody, without a credential',
  'POST /v1/auth/password': 'every role, with a token',
  'POST /v1/auth/logout': 'every role, with a token',

  'POST /v1/core/companies': 'anybody, without a credential',
  'GET /v1/core/companies/me': 'every role',
  'PATCH /v1/core/companies/me': 'all but a MANAGER',
  'PATCH /v1/core/companies/{id}': 'the platform alone',
  'GET /v1/core/companies/admins': 'every role',
  'POST /v1/core/companies/admins': 'all but a MANAGER',
  'POST /v1/core/companies/admins/{id}/remove': 'all but a MANAGER',
  'GET /v1/core/companies/api-keys': 'every role',
  'POST /v1/core/companies/api-keys': 'all but a MANAGER, with a token',
  'POST /v1/core/companies/api-keys/{id}/revoke': 'all but a MANAGER',
  'POST /v1/core/companies/api-keys/roll': 'all but a MANAGER',
  'GET /v1/core/audit-log': 'every role',

  'GET /v1/identity/financial-institutions': 'anybody, without a credential',
  'POST /v1/identity/financial-institutions/seed': 'all but a MANAGER',
  'GET /v1/identity/users': 'every role',
  'POST /v1/identity/users': 'every role',
  'GET /v1/identity/users/{id}': 'every role',
  'GET /v1/identity/users/{id}/ledger': 'every role',
  'GET /v1/identity/users/{id}/document': 'every role',
  'POST /v1/identity/users/{id}/document': 'every role',
  'POST /v1/identity/users/{id}/link-id': 'every role',
  'GET /v1/identity/admin/users': 'the platform alone',
  'POST /v1/identity/admin/users/{id}/approve': 'the platform alone',
  'POST /v1/identity/admin/users/{id}/status': 'the platform alone',

  'POST /v1/payments/deposit': 'all but a MANAGER',
  'GET /v1/payments/transaction/{id}': 'every role',
  'POST /v1/payments/transaction/{id}/reverse': 'all but a MANAGER',
  'POST /v1/payments/generate-escrow-payment-link': 'every role',
  'GET /v1/payments/links': 'every role',
  'GET /v1/payments/links/{id}': 'every role',
  'GET /v1/payments/link-details/{hash}': 'anybody, without a credential',
  'POST /v1/payments/request-checkout-otp': 'anybody, without a credential',
  'POST /v1/payments/register-checkout-user': 'anybody, without a credential',
  'POST /v1/payments/accept-payment': 'anybody, without a credential',
  'POST /v1/payments/reject-payment': 'anybody, without a credential',
  'POST /v1/payments/eft-pay/initiate': 'anybody, without a credential',
  'POST /v1/payments/eft-pay/verify': 'anybody, without a credential',
  'POST /v1/payments/eft-pay/webhook': 'anybody, without a credential',
  'GET /v1/messaging/webhook': 'anybody, without a credential',
  'POST /v1/messaging/webhook': 'anybody, without a credential',

  'GET /v1/ledger/user/{userId}/accounts': 'every role',
  'GET /v1/ledger/company/accounts': 'every role',
  'GET /v1/ledger/accounts/{accountId}': 'every role',
  'PATCH /v1/ledger/accounts/{accountId}': 'all but a MANAGER',
  'GET /v1/ledger/accounts/{accountId}/statement': 'every role',
  'GET /v1/ledger/overview/{ledgerId}': 'every role',
  'GET /v1/ledger/{ledgerId}/transactions': 'every role',
  'GET /v1/ledger/{ledgerId}/bank-details': 'every role',
  'PATCH /v1/ledger/{ledgerId}/bank-details': 'all but a MANAGER',
  'GET /v1/ledger/escrow/history': 'every role',
  'GET /v1/ledger/stats/system': 'every role',
  'GET /v1/ledger/stats/cashflow': 'every role',
  'GET /v1/ledger/verify-ledger-integrity': 'every role',

  'GET /v1/escrow': 'every role',
  'GET /v1/escrow/active': 'every role',
  'GET /v1/escrow/{id}': 'every role',
  'GET /v1/escrow/{id}/progress': 'every role',
  'GET /v1/escrow/{id}/timeline': 'every role',
  'POST /v1/escrow/initiate': 'every role',
  'POST /v1/escrow/quote': 'every role',
  'POST /v1/escrow/{id}/delivery-note': 'every role',
  'POST /v1/escrow/{id}/goods-received': 'every role',
  'POST /v1/escrow/{id}/release': 'every role',
  'POST /v1/escrow/{id}/cancel': 'every role',
  'POST /v1/escrow/{id}/negotiate': 'every role',
  'POST /v1/escrow/{id}/negotiate/{negId}/accept': 'every role',
  'POST /v1/escrow/{id}/negotiate/{negId}/reject': 'every role',
  'POST /v1/escrow/{id}/milestones/{milestoneId}/adjust': 'every role',
  'POST /v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/accept': 'every role',
  'POST /v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/reject': 'every role',
  'POST /v1/escrow/{id}/dispute': 'every role',
  'POST /v1/escrow/{id}/dispute/evidence': 'every role',
  'POST /v1/escrow/{id}/extend': 'every role',
  'POST /v1/escrow/{id}/admin-resolve': 'all but a MANAGER',

  'GET /v1/events': 'every role',
  'GET /v1/events/stream': 'every role',
  'GET /v1/events/{id}': 'every role',

  'POST /v1/treasury/withdraw': 'all but a MANAGER',
  'POST /v1/treasury/quote': 'all but a MANAGER',
  'GET /v1/treasury/withdrawals': 'every role',
  'GET /v1/treasury/withdrawals/{id}': 'every role',
  'POST /v1/treasury/withdrawals/{id}/outcome': 'the platform alone',
  'POST /v1/treasury/bank/capture': 'all but a MANAGER',
  'GET /v1/treasury/captures': 'every role',
  'POST /v1/treasury/captures/{id}/assign': 'all but a MANAGER',
  'GET /v1/treasury/receivables': 'every role',
  'POST /v1/treasury/receivables/{id}/settle': 'all but a MANAGER',
  'POST /v1/treasury/seed-configs': 'all but a MANAGER',
  'GET /v1/treasury/configs': 'every role',
};

/** It ends the session of its caller, so tests that call all operations call it last. */
export const LOGOUT = 'POST /v1/auth/logout';
