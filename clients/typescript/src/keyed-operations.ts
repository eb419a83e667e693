/** Generated from the description of the API by `npm run client`. */

/** The operations that take an idempotency key. */
export const KEYED_OPERATIONS: ReadonlySet<string> = new Set([
  'post /v1/escrow/initiate',
  'post /v1/escrow/{id}/admin-resolve',
  'post /v1/escrow/{id}/cancel',
  'post /v1/escrow/{id}/delivery-note',
  'post /v1/escrow/{id}/dispute',
  'post /v1/escrow/{id}/dispute/evidence',
  'post /v1/escrow/{id}/extend',
  'post /v1/escrow/{id}/goods-received',
  'post /v1/escrow/{id}/milestones/{milestoneId}/adjust',
  'post /v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/accept',
  'post /v1/escrow/{id}/milestones/{milestoneId}/negotiate/{negId}/reject',
  'post /v1/escrow/{id}/negotiate',
  'post /v1/escrow/{id}/negotiate/{negId}/accept',
  'post /v1/escrow/{id}/negotiate/{negId}/reject',
  'post /v1/escrow/{id}/release',
  'post /v1/identity/users',
  'post /v1/payments/deposit',
  'post /v1/payments/generate-escrow-payment-link',
  'post /v1/payments/transaction/{id}/reverse',
  'post /v1/treasury/bank/capture',
  'post /v1/treasury/captures/{id}/assign',
  'post /v1/treasury/receivables/{id}/settle',
  'post /v1/treasury/withdraw',
  'post /v1/treasury/withdrawals/{id}/outcome',
]);
