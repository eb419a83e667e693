import type { Currency } from './money.ts';
import { type RefusalReason, reasonSentence } from './refusal-reasons.ts';

/** The kinds of refusals. They carry no HTTP: api/problem.ts maps each kind to a status. */
export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'wrong_method'
  | 'conflict'
  | 'gone'
  | 'outdated'
  | 'too_large'
  | 'unsupported_type'
  | 'unprocessable'
  | 'throttled'
  | 'unavailable';

type RefusalRow = {
  readonly kind: RefusalKind;
  readonly title: string;
  /** What a client does about it. Shown in the description and in docs/guides/idempotency-and-errors.md. */
  readonly cure: string;
  /** The delay before a retry, if a retry may succeed. */
  readonly retryAfterSeconds?: number;
  /**
   * For refusals about money: the meaning of the amounts in `details`, which are absent if an amount is not known, or if the
   * caller may not read it.
   */
  readonly amounts?: { readonly available: string; readonly requested: string };
};

/** All problem codes of the service: one stable row for each. The console translates the titles. */
export const REFUSALS = {
  missing_header: {
    kind: 'malformed',
    title: 'A required header is missing',
    cure: 'Send the header that `detail` names: `x-company-id`, or `x-idempotency-key` where money moves.',
  },
  validation_failed: {
    kind: 'malformed',
    title: 'The request is not valid',
    cure: 'Change the fields that `errors` names. The same request never succeeds.',
  },
  invalid_json: {
    kind: 'malformed',
    title: 'The body is not valid JSON',
    cure: 'Send a body that is valid JSON.',
  },
  invalid_id: {
    kind: 'malformed',
    title: 'The id in the path is malformed or of the wrong type',
    cure: 'Send the id of the right kind: a UUID, or the prefix of its kind and a UUID.',
  },
  otp_required: {
    kind: 'malformed',
    title: 'A one-time password is required',
    cure: 'Send `messagingNumber` and `otp`, or `phoneNumber` to pay by mobile money.',
  },
  api_key_required: {
    kind: 'malformed',
    title: 'This operation needs an API key',
    cure: 'Call with the API key that is to be rolled, not with a session.',
  },
  unauthenticated: {
    kind: 'unauthenticated',
    title: 'The credential is missing, unknown, revoked or expired',
    cure: 'Log in again, or use a key that is active. Where `detail` says that the operation takes no API key, send the access token of a login.',
  },
  invalid_credentials: {
    kind: 'unauthenticated',
    title: 'E-mail, password or code is wrong',
    cure: 'Ask for e-mail and password, or for the code, again.',
  },
  invalid_refresh_token: {
    kind: 'unauthenticated',
    title: 'The refresh token is unknown, used or expired',
    cure: 'Log in again. A refresh token works only once.',
  },
  invalid_signature: {
    kind: 'unauthenticated',
    title: 'The signature does not match',
    cure: 'For the messaging platform: sign the raw body with the secret of the app.',
  },
  forbidden: {
    kind: 'forbidden',
    title: 'The credential does not permit this',
    cure: 'Use a credential whose role permits the operation; `x-roles` of the operation lists them.',
  },
  company_mismatch: {
    kind: 'forbidden',
    title: 'The credential belongs to another company',
    cure: 'Send the company of the credential in `x-company-id`.',
  },
  owner_protected: {
    kind: 'forbidden',
    title: 'The owner and the keys of the owner are protected',
    cure: 'Remove another administrator. The owner stays.',
  },
  own_proposal: {
    kind: 'forbidden',
    title: 'Only the other party can answer a proposal',
    cure: 'Have the other party answer the proposal.',
  },
  user_blacklisted: {
    kind: 'forbidden',
    title: 'The user is blacklisted',
    cure: 'Stop. Only the platform can clear the user.',
  },
  password_change_required: {
    kind: 'forbidden',
    title: 'Change the temporary password first',
    cure: 'Change the temporary password with `POST /v1/auth/password`.',
  },
  mfa_required: {
    kind: 'forbidden',
    title: 'A second factor is required',
    cure: 'Send a code of the second factor in `x-mfa-code`, or set one up with `POST /v1/auth/totp`, as `detail` says.',
  },
  not_found: {
    kind: 'not_found',
    title: 'Resource not found',
    cure: "Check the id and the company. Another company's resources are not found either.",
  },
  method_not_allowed: {
    kind: 'wrong_method',
    title: 'The path does not have this method',
    cure: 'Send one of the methods that the header `Allow` lists.',
  },
  wrong_state: {
    kind: 'conflict',
    title: 'The resource is in the wrong state for this',
    cure: 'Read the resource: it changed before the request, or the operation does not apply to its status.',
    amounts: { available: 'the remaining debt, if the request pays more', requested: 'the payment' },
  },
  already_exists: {
    kind: 'conflict',
    title: 'The resource already exists',
    cure: 'Use the existing one, or another slug, e-mail, mobile number or reference. A secret that a first request made is not shown again: remove what `duplicateOf` names, and make another.',
  },
  duplicate_reference: {
    kind: 'conflict',
    title: 'The reference is already used',
    cure: 'Find the resource with this reference: it is probably the same order. Otherwise use another reference.',
  },
  negotiation_pending: {
    kind: 'conflict',
    title: 'Another proposal is waiting for an answer',
    cure: 'Have the open proposal answered, or wait until it lapses.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    title: 'The first request with this idempotency key is still in progress',
    cure: 'Repeat with the same key after `Retry-After`.',
    retryAfterSeconds: 1,
  },
  payment_charged_back: {
    kind: 'conflict',
    title: 'The payment of the escrow was charged back',
    cure: 'Do not ship. Cancel the escrow, or settle with the buyer.',
  },
  details_unreadable: {
    kind: 'conflict',
    title: 'The stored bank details cannot be read',
    cure: 'Tell the operator of the service: the account number was changed in the database. Store the bank details again.',
  },
  message_expired: {
    kind: 'conflict',
    title: 'The message was sent more than a day ago',
    cure: 'For signals of operators: send the message again. It was older than a day.',
  },
  link_expired: {
    kind: 'gone',
    title: 'The payment link has expired',
    cure: 'Create a new payment link.',
  },
  precondition_failed: {
    kind: 'outdated',
    title: 'The resource has changed since the version in If-Match',
    cure: 'Nothing was changed. Read the resource again, check whether the command is still right, and send the new `ETag` in `If-Match`.',
  },
  payload_too_large: {
    kind: 'too_large',
    title: 'The body is too large',
    cure: 'Send less: `x-max-body-bytes` of the operation is the limit.',
  },
  unsupported_media_type: {
    kind: 'unsupported_type',
    title: 'The media type is not supported',
    cure: 'Send `application/json`, or a form where the operation takes one.',
  },
  receivable_open: {
    kind: 'unprocessable',
    title: 'The owner of the account has an open debt',
    cure: 'Settle what the user owes: `GET /v1/treasury/receivables?status=OPEN`.',
  },
  bank_details_cooling: {
    kind: 'unprocessable',
    title: 'The bank details are not in effect yet',
    cure: 'Wait until their `effective_at`, have a second administrator approve them, or send bank fields with the withdrawal.',
  },
  payout_not_backed: {
    kind: 'unprocessable',
    title: 'The company has not received enough money for the payout',
    cure: 'Wait until the money of the company has come in, or ask the platform for a limit. `details` says how much can be paid out.',
    amounts: {
      available: 'the amount that the company may still pay out; negative if it has paid out more than it received',
      requested: 'the payout',
    },
  },
  insufficient_funds: {
    kind: 'unprocessable',
    title: 'The available balance does not cover the amount',
    cure: 'Add money to the account, or request a smaller amount. `details` says how much is available.',
    amounts: {
      available: 'the available balance of the account that pays, as `available_balance`',
      requested: 'the amount of the request, with tax',
    },
  },
  return_host_not_listed: {
    kind: 'unprocessable',
    title: 'The company has not listed the host of this address',
    cure: 'Use an https address, and add its host to `checkout_hosts` with `PATCH /v1/core/companies/me`.',
  },
  contrast_too_low: {
    kind: 'unprocessable',
    title: 'White text is not readable on this colour',
    cure: 'Choose a darker colour: white text needs a contrast of 4.5 to 1 on it (WCAG AA).',
  },
  split_mismatch: {
    kind: 'unprocessable',
    title: 'The split plan does not sum to the amount',
    cure: 'Make the fields of the split plan sum to the amount, which is `available` in `details`.',
    amounts: { available: 'the amount to divide', requested: 'the sum of the plan' },
  },
  split_exceeds_held: {
    kind: 'unprocessable',
    title: 'The split plan exceeds the held amount',
    cure: 'Propose at most `available` in `details`: `heldAmount`, or what the milestone holds.',
    amounts: { available: 'the held amount that can be divided', requested: 'the sum of the plan' },
  },
  milestones_must_total_100: {
    kind: 'unprocessable',
    title: 'Milestone percentages do not total 100',
    cure: 'Make the percentages total 100.',
  },
  unknown_item: {
    kind: 'unprocessable',
    title: 'The escrow has no such item',
    cure: 'Send the item ids of this escrow.',
  },
  unknown_institution: {
    kind: 'unprocessable',
    title: 'Financial institution not found',
    cure: 'Send an id from `GET /v1/identity/financial-institutions`.',
  },
  limit_reached: {
    kind: 'unprocessable',
    title: 'The company has reached the maximum number of these',
    cure: 'Revoke unused ones, or replace one: an API key can always be rolled.',
  },
  quantity_exceeds_order: {
    kind: 'unprocessable',
    title: 'The quantity exceeds the order',
    cure: 'Send at most the quantity that was ordered.',
  },
  price_mismatch: {
    kind: 'unprocessable',
    title: 'The price differs from the order',
    cure: 'Send the price that was ordered, which is `available` in `details`.',
    amounts: { available: 'the price that was ordered', requested: 'the price in the request' },
  },
  account_not_owned: {
    kind: 'unprocessable',
    title: 'The account does not belong to that party',
    cure: "Send an account of that user, or of your company's own for a withdrawal.",
  },
  account_frozen: {
    kind: 'unprocessable',
    title: 'The account is frozen',
    cure: 'Ask an administrator of the company why it is frozen, and have it unfrozen.',
  },
  account_not_freezable: {
    kind: 'unprocessable',
    title: 'The account is a contra account and cannot be frozen',
    cure: 'Freeze the accounts of users, or of the company. TRANSIT, BANK, clearing accounts, RECEIVABLE and INTERCOMPANY hold no money.',
  },
  currency_mismatch: {
    kind: 'unprocessable',
    title: 'The currencies differ',
    cure: 'Use accounts of one currency.',
  },
  same_party: {
    kind: 'unprocessable',
    title: 'Buyer and seller are the same',
    cure: 'Name two different users.',
  },
  unknown_user: {
    kind: 'unprocessable',
    title: 'User not found',
    cure: 'Send the id of a user of this company.',
  },
  unknown_admin: {
    kind: 'unprocessable',
    title: 'Administrator not found',
    cure: "Send the id of an active administrator of the company; with an API key, of the key's company. A platform administrator must log in to be named as the decider.",
  },
  otp_invalid: {
    kind: 'unprocessable',
    title: 'The one-time password is wrong',
    cure: 'Ask for the code again. After several wrong attempts, request a new one.',
  },
  otp_expired: {
    kind: 'unprocessable',
    title: 'The one-time password has expired',
    cure: 'Request a new code.',
  },
  amount_too_large: {
    kind: 'unprocessable',
    title: 'The amount is too large',
    cure: 'Split the amount. The total exceeds the limit of an account.',
    amounts: { available: 'the largest total of the ledger', requested: 'the total of the request' },
  },
  statement_too_large: {
    kind: 'unprocessable',
    title: 'The statement has too many entries',
    cure: 'Ask for a shorter window. Send a bank statement in several files.',
  },
  statement_invalid: {
    kind: 'unprocessable',
    title: 'The file is not a valid bank statement',
    cure: "Send the bank's own file: camt.053.001.02 or 001.08, each statement with its opening and closing balance.",
  },
  idempotency_key_reused: {
    kind: 'unprocessable',
    title: 'The idempotency key was used for another request',
    cure: 'Use a new key for a different request.',
  },
  too_many_requests: {
    kind: 'throttled',
    title: 'Too many requests',
    cure: 'Repeat after `Retry-After`.',
    retryAfterSeconds: 1,
  },
  otp_locked: {
    kind: 'throttled',
    title: 'Too many wrong one-time passwords',
    cure: 'Request a new code.',
  },
  provider_unavailable: {
    kind: 'unavailable',
    title: 'A provider cannot be reached',
    cure: 'Repeat after `Retry-After`, or let the buyer choose another way to pay.',
    retryAfterSeconds: 5,
  },
  dependency_unavailable: {
    kind: 'unavailable',
    title: 'A part of the service cannot be reached',
    cure: 'Repeat after `Retry-After`, with the same key.',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, RefusalRow>;

export type RefusalCode = keyof typeof REFUSALS;
export type RefusalTitle = (typeof REFUSALS)[RefusalCode]['title'];

// Object.keys loses the key types.
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[];

export function refusalRow(code: RefusalCode): RefusalRow {
  return REFUSALS[code];
}

/** The refusals about money, with the meaning of their amounts. */
export const AMOUNT_REFUSALS = REFUSAL_CODES.flatMap((code) => {
  const { amounts } = refusalRow(code);
  return amounts === undefined ? [] : [{ code, ...amounts }];
});

/** Whether `text` is one of our codes: errors from another process arrive as strings. */
export function isRefusalCode(text: string | null | undefined): text is RefusalCode {
  return typeof text === 'string' && Object.hasOwn(REFUSALS, text);
}

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
  readonly reason?: RefusalReason | undefined;
};

/** Thrown if a request is refused. `detail` is for the caller and never contains personal data. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  /** Set if a retry makes sense and its time is known. */
  readonly retryAfterSeconds: number | undefined;

  /** The public id of the object that the request would create or change again. */
  readonly duplicateOf: string | undefined;

  /** The amounts of a refusal about money. They can reveal a balance, so only callers who may read the company get them. */
  readonly details: RefusalDetails | undefined;

  /** Why, where the code leaves that open. The console says it in the reader's language. */
  readonly reason: RefusalReason | undefined;

  constructor(code: RefusalCode, detail?: string, options: RefusalOptions = {}) {
    super(detail ?? REFUSALS[code].title);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.duplicateOf = options.duplicateOf;
    this.details = options.details;
    this.reason = options.reason;
  }
}

/** Refused for a reason that has its own sentence. */
export function refusedFor(code: RefusalCode, reason: RefusalReason): Refusal {
  return new Refusal(code, reasonSentence(reason), { reason });
}

/** Refusals of a request whose command was not decided: the service could not, or had no time to. */
/** In how many seconds the request may be repeated; undefined if a repetition makes no sense. */
export function retryAfterSecondsOf({ code, retryAfterSeconds }: Refusal): number | undefined {
  return retryAfterSeconds ?? refusalRow(code).retryAfterSeconds;
}

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
