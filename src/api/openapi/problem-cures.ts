import type { RefusalCode } from '../../domain/errors.ts';

/** What a client does about each problem code. Shown in the description and in docs/guides/idempotency-and-errors.md. */
export const PROBLEM_CURES = {
  missing_header: 'Send the header that `detail` names: `x-company-id`, or `x-idempotency-key` where money moves.',
  validation_failed: 'Change the fields that `errors` names. The same request never succeeds.',
  invalid_json: 'Send a body that is valid JSON.',
  invalid_id: 'Send the id of the right kind: a UUID, or the prefix of its kind and a UUID.',
  otp_required: 'Send `messagingNumber` and `otp`, or `phoneNumber` to pay by mobile money.',
  api_key_required: 'Call with the API key that is to be rolled, not with a session.',
  unauthenticated:
    'Log in again, or use a key that is active. Where `detail` says that the operation takes no API key, send the access token of a login.',
  invalid_credentials: 'Ask for e-mail and password again.',
  invalid_refresh_token: 'Log in again. A refresh token works only once.',
  invalid_signature: 'For the messaging platform: sign the raw body with the secret of the app.',
  forbidden: 'Use a credential whose role permits the operation; `x-roles` of the operation lists them.',
  company_mismatch: 'Send the company of the credential in `x-company-id`.',
  owner_protected: 'Remove another administrator. The owner stays.',
  own_proposal: 'Have the other party answer the proposal.',
  user_blacklisted: 'Stop. Only the platform can clear the user.',
  password_change_required: 'Change the temporary password with `POST /v1/auth/password`.',
  not_found: "Check the id and the company. Another company's resources are not found either.",
  wrong_state: 'Read the resource: it changed before the request, or the operation does not apply to its status.',
  precondition_failed:
    'Nothing was changed. Read the resource again, check whether the command is still right, and send the new `ETag` in `If-Match`.',
  already_exists:
    'Use the existing one, or another slug, e-mail, mobile number or reference. A secret that a first request made is not shown again: remove what `duplicateOf` names, and make another.',
  duplicate_reference:
    'Find the resource with this reference: it is probably the same order. Otherwise use another reference.',
  negotiation_pending: 'Have the open proposal answered, or wait until it lapses.',
  idempotency_in_progress: 'Repeat with the same key after `Retry-After`.',
  payment_charged_back: 'Do not ship. Cancel the escrow, or settle with the buyer.',
  link_expired: 'Make a new payment link.',
  payload_too_large: 'Send less: `x-max-body-bytes` of the operation is the limit.',
  unsupported_media_type: 'Send `application/json`, or a form where the operation takes one.',
  receivable_open: 'Settle what the user owes: `GET /v1/treasury/receivables?status=OPEN`.',
  payout_not_backed:
    'Wait until the money of the company has come in, or ask the platform for a limit. `details` says how much can be paid out.',
  insufficient_funds: 'Add money to the account, or request a smaller amount. `details` says how much is available.',
  return_host_not_listed:
    'Use an https address, and add its host to `checkout_hosts` with `PATCH /v1/core/companies/me`.',
  contrast_too_low: 'Choose a darker colour: white text needs a contrast of 4.5 to 1 on it (WCAG AA).',
  split_mismatch: 'Make the fields of the split plan sum to the amount, which is `available` in `details`.',
  split_exceeds_held: 'Propose at most `available` in `details`: `heldAmount`, or what the milestone holds.',
  milestones_must_total_100: 'Make the percentages total 100.',
  unknown_item: 'Send the item ids of this escrow.',
  unknown_institution: 'Send an id from `GET /v1/identity/financial-institutions`.',
  quantity_exceeds_order: 'Send at most the quantity that was ordered.',
  price_mismatch: 'Send the price that was ordered, which is `available` in `details`.',
  message_expired: 'For signals of operators: send the message again. It was older than a day.',
  account_not_owned: "Send an account of that user, or of your company's own for a withdrawal.",
  account_frozen: 'Ask an administrator of the company why it is frozen, and have it unfrozen.',
  account_not_freezable:
    'Freeze the accounts of users, or of the company. TRANSIT, BANK, RECEIVABLE and INTERCOMPANY hold no money.',
  currency_mismatch: 'Use accounts of one currency.',
  same_party: 'Name two different users.',
  unknown_user: 'Send the id of a user of this company.',
  unknown_admin:
    "Send the id of an active administrator of the company; with an API key, of the key's company. A platform administrator must log in to be named as the decider.",
  otp_invalid: 'Ask for the code again. After several wrong attempts, request a new one.',
  otp_expired: 'Request a new code.',
  amount_too_large: 'Split the amount. The total exceeds the limit of an account.',
  statement_too_large: 'Ask for a shorter window.',
  idempotency_key_reused: 'Use a fresh key for another request.',
  too_many_requests: 'Repeat after `Retry-After`.',
  otp_locked: 'Request a new code.',
  provider_unavailable: 'Repeat after `Retry-After`, or let the buyer choose another way to pay.',
  dependency_unavailable: 'Repeat after `Retry-After`, with the same key.',
} as const satisfies Record<RefusalCode, string>;
