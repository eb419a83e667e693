import type { Currency } from './money.ts';

/** All problem codes of the service. Codes are stable and carry no HTTP; api/problem.ts alone maps them to statuses. */
export const REFUSAL_TITLES = {
  missing_header: 'A required header is missing',
  validation_failed: 'The request is not valid',
  invalid_json: 'The body is not valid JSON',
  invalid_id: 'The id in the path is malformed or of the wrong type',
  otp_required: 'A one-time password is required',
  api_key_required: 'This operation needs an API key',
  unauthenticated: 'The credential is missing, unknown, revoked or expired',
  invalid_credentials: 'E-mail or password is wrong',
  invalid_refresh_token: 'The refresh token is unknown, used or expired',
  invalid_signature: 'The signature does not match',
  forbidden: 'The credential does not permit this',
  company_mismatch: 'The credential belongs to another company',
  owner_protected: 'The owner and the keys of the owner are protected',
  own_proposal: 'Only the other party can answer a proposal',
  user_blacklisted: 'The user is blacklisted',
  password_change_required: 'Change the temporary password first',
  not_found: 'Resource not found',
  wrong_state: 'The resource is in the wrong state for this',
  precondition_failed: 'The resource has changed since the version in If-Match',
  already_exists: 'The resource already exists',
  duplicate_reference: 'The reference is already used',
  negotiation_pending: 'Another proposal is waiting for an answer',
  idempotency_in_progress: 'The first request with this idempotency key is still in progress',
  payment_charged_back: 'The payment of the escrow was charged back',
  link_expired: 'The payment link has expired',
  payload_too_large: 'The body is too large',
  unsupported_media_type: 'The media type is not supported',
  receivable_open: 'The owner of the account has an open debt',
  payout_not_backed: 'The company has not received enough money for the payout',
  insufficient_funds: 'The available balance does not cover the amount',
  return_host_not_listed: 'The company has not listed the host of this address',
  contrast_too_low: 'White text is not readable on this colour',
  split_mismatch: 'The split plan does not sum to the amount',
  split_exceeds_held: 'The split plan exceeds the held amount',
  milestones_must_total_100: 'Milestone percentages do not total 100',
  unknown_item: 'The escrow has no such item',
  unknown_institution: 'Financial institution not found',
  quantity_exceeds_order: 'The quantity exceeds the order',
  price_mismatch: 'The price differs from the order',
  message_expired: 'The message was sent more than a day ago',
  account_not_owned: 'The account does not belong to that party',
  account_frozen: 'The account is frozen',
  account_not_freezable: 'The account is a contra account and cannot be frozen',
  currency_mismatch: 'The currencies differ',
  same_party: 'Buyer and seller are the same',
  unknown_user: 'User not found',
  unknown_admin: 'Administrator not found',
  otp_invalid: 'The one-time password is wrong',
  otp_expired: 'The one-time password has expired',
  amount_too_large: 'The amount is too large',
  statement_too_large: 'The statement has too many entries',
  idempotency_key_reused: 'The idempotency key was used for another request',
  too_many_requests: 'Too many requests',
  otp_locked: 'Too many wrong one-time passwords',
  provider_unavailable: 'A provider cannot be reached',
  dependency_unavailable: 'A part of the service cannot be reached',
} as const;

export type RefusalCode = keyof typeof REFUSAL_TITLES;

/** Whether `text` is one of our codes: errors from another process arrive as strings. */
export function isRefusalCode(text: string | null | undefined): text is RefusalCode {
  return typeof text === 'string' && Object.hasOwn(REFUSAL_TITLES, text);
}

/**
 * The refusals about money, and the meaning of their amounts. Their `details` are absent if an amount is not known, or if the
 * caller may not read it.
 */
export const AMOUNT_REFUSALS = {
  insufficient_funds: {
    available: 'the available balance of the account that pays, as `available_balance`',
    requested: 'the amount of the request, with tax',
  },
  payout_not_backed: {
    available: 'the amount that the company may still pay out; negative if it has paid out more than it received',
    requested: 'the payout',
  },
  split_mismatch: { available: 'the amount to divide', requested: 'the sum of the plan' },
  split_exceeds_held: { available: 'the held amount that can be divided', requested: 'the sum of the plan' },
  price_mismatch: { available: 'the price that was ordered', requested: 'the price in the request' },
  amount_too_large: { available: 'the largest total of the ledger', requested: 'the total of the request' },
  wrong_state: { available: 'the remaining debt, if the request pays more', requested: 'the payment' },
} as const satisfies { readonly [Code in RefusalCode]?: { readonly available: string; readonly requested: string } };

/** The amounts of a refusal about money. Amounts are integer cents, in strings. */
export type RefusalDetails = {
  /** The largest amount that would have been accepted; for a plan that has to match exactly, that amount. */
  readonly available: string;
  readonly requested: string;
  readonly currency: Currency;
};

export function amountDetails(availableCents: bigint, requestedCents: bigint, currency: Currency): RefusalDetails {
  return { available: availableCents.toString(), requested: requestedCents.toString(), currency };
}

type RefusalOptions = {
  readonly retryAfterSeconds?: number;
  readonly duplicateOf?: string;
  readonly details?: RefusalDetails | undefined;
};

/** Thrown if a request is refused. `detail` is for the caller and never contains personal data. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  /** Set if a retry makes sense and its time is known. */
  readonly retryAfterSeconds: number | undefined;

  /** The public id of the entity that the request would create or change again. */
  readonly duplicateOf: string | undefined;

  /** The amounts of a refusal about money. They can reveal a balance, so only callers who may read the company get them. */
  readonly details: RefusalDetails | undefined;

  constructor(code: RefusalCode, detail?: string, options: RefusalOptions = {}) {
    super(detail ?? REFUSAL_TITLES[code]);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.duplicateOf = options.duplicateOf;
    this.details = options.details;
  }
}

/** Refusals of a request whose command was not decided: the service could not, or had no time to. */
const UNDECIDED: readonly RefusalCode[] = ['dependency_unavailable', 'too_many_requests'];

/**
 * Whether the command certainly had no effect. Any other error leaves this open, because an undecided attempt may follow one
 * whose answer was lost.
 */
export function isRefused(error: unknown): error is Refusal {
  return error instanceof Refusal && !UNDECIDED.includes(error.code);
}

/** Failure type of an activity whose statement PostgreSQL denied, because the role lacks a privilege (SQLSTATE 42501). */
export const DENIED_BY_DATABASE = 'insufficient_privilege';

/** For the end of an exhaustive switch: the compiler proves that it is never reached. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
