import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isOutage } from '../db/core/outage.ts';
import { REFUSAL_TITLES, Refusal, type RefusalCode, type RefusalDetails } from '../domain/errors.ts';
import { mayAct } from '../domain/roles.ts';
import { refusals } from '../observability/metrics.ts';
import { ProviderError } from '../providers/outcome.ts';
import type { ApiEnv, Principal } from './context.ts';

/** The only place that maps problem codes to HTTP statuses. */
export const STATUS_OF = {
  missing_header: 400,
  validation_failed: 400,
  invalid_json: 400,
  invalid_id: 400,
  otp_required: 400,
  api_key_required: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  invalid_refresh_token: 401,
  invalid_signature: 401,
  forbidden: 403,
  company_mismatch: 403,
  owner_protected: 403,
  own_proposal: 403,
  user_blacklisted: 403,
  password_change_required: 403,
  not_found: 404,
  wrong_state: 409,
  already_exists: 409,
  duplicate_reference: 409,
  negotiation_pending: 409,
  idempotency_in_progress: 409,
  payment_charged_back: 409,
  link_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  receivable_open: 422,
  payout_not_backed: 422,
  insufficient_funds: 422,
  return_host_not_listed: 422,
  contrast_too_low: 422,
  split_mismatch: 422,
  split_exceeds_held: 422,
  milestones_must_total_100: 422,
  unknown_item: 422,
  unknown_institution: 422,
  quantity_exceeds_order: 422,
  price_mismatch: 422,
  message_expired: 409,
  account_not_owned: 422,
  account_frozen: 422,
  account_not_freezable: 422,
  currency_mismatch: 422,
  same_party: 422,
  unknown_user: 422,
  unknown_admin: 422,
  otp_invalid: 422,
  otp_expired: 422,
  amount_too_large: 422,
  statement_too_large: 422,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  otp_locked: 429,
  provider_unavailable: 503,
  dependency_unavailable: 503,
} as const satisfies Record<RefusalCode, ContentfulStatusCode>;

/** Refusals that may succeed when retried, and the delay before the retry. */
const RETRY_AFTER_SECONDS: { readonly [Code in RefusalCode]?: number } = {
  idempotency_in_progress: 1,
  too_many_requests: 1,
  provider_unavailable: 5,
  dependency_unavailable: 2,
};

const MAX_DETAIL_CHARACTERS = 1_000;

/** `message` is a sentence for people that includes the field's name. */
export type FieldError = { readonly path: string; readonly message: string };

/** A refused request, with one sentence for each complaint about a field. Equal sentences are kept once. */
export class InvalidRequest extends Refusal {
  readonly errors: readonly FieldError[];

  /** Each message is a predicate such as `must be at least 1`. An empty path means the body as a whole. */
  constructor(code: 'validation_failed' | 'invalid_id', complaints: readonly FieldError[]) {
    const sentences = new Map(
      complaints.map(({ path, message }) => [`${path === '' ? 'the body' : path} ${message}`, path]),
    );
    const errors = [...sentences].map(([message, path]) => ({ path, message }));
    super(
      code,
      errors
        .map(({ message }) => message)
        .join('; ')
        .slice(0, MAX_DETAIL_CHARACTERS),
    );
    this.errors = errors;
  }
}

/** Converts any error to an RFC 9457 problem. Errors that are not refusals are logged in full and disclosed to nobody. */
export function problem(error: Error, c: Context<ApiEnv>): Response {
  const refusal = refusalOf(error);
  if (refusal === null && c.req.raw.signal.aborted) {
    c.var.log.warn({ err: error }, 'the client disconnected'); // nobody reads this response
    return c.body(null, 408);
  }
  if (refusal === null) {
    c.var.log.error({ err: error }, 'request failed');
    return problemResponse(c, 500, 'internal_error', 'Something went wrong on our side', undefined, []);
  }
  if (STATUS_OF[refusal.code] === 503) c.var.log.warn({ err: refusal.cause ?? error }, 'dependency failed');
  const errors = refusal instanceof InvalidRequest ? refusal.errors : [];
  const retryAfterSeconds = refusal.retryAfterSeconds ?? RETRY_AFTER_SECONDS[refusal.code];
  if (retryAfterSeconds !== undefined && c.res.headers.get('retry-after') === null)
    c.header('Retry-After', String(retryAfterSeconds));
  if (STATUS_OF[refusal.code] === 401) c.header('WWW-Authenticate', 'Bearer');
  return problemResponse(
    c,
    STATUS_OF[refusal.code],
    refusal.code,
    REFUSAL_TITLES[refusal.code],
    refusal.message,
    errors,
    refusal.duplicateOf,
    mayReadAmounts(c) ? refusal.details : undefined,
  );
}

/**
 * Amounts can tell a balance. An account in a refusal belongs to the company of the request, so a credential with the permission
 * to read the company may see it. A buyer on the checkout page has no credential: a one-time password permits one payment, and
 * does not permit to read a balance.
 */
function mayReadAmounts(c: Context<ApiEnv>): boolean {
  const principal: Principal | undefined = c.get('principal'); // absent on public operations
  return principal !== undefined && mayAct(principal, 'read');
}

/** The part of an error that clients may see; null if there is none. */
export function refusalOf(error: Error): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new Refusal('invalid_json', 'the body is not valid JSON');
  if (error instanceof ProviderError) return new Refusal('provider_unavailable');
  if (error instanceof HTTPException && error.status === 415) return new Refusal('unsupported_media_type');
  if (error instanceof HTTPException && error.status === 413) return new Refusal('payload_too_large');
  return isOutage(error) ? new Refusal('dependency_unavailable', 'the database cannot be reached') : null;
}

function problemResponse(
  c: Context<ApiEnv>,
  status: ContentfulStatusCode,
  code: string,
  title: string,
  detail: string | undefined,
  errors: readonly FieldError[],
  duplicateOf?: string,
  details?: RefusalDetails,
): Response {
  refusals.inc({ code });
  const body = problemBody({ status, code, title, detail, requestId: c.var.requestId, errors, duplicateOf, details });
  return c.body(JSON.stringify(body), status, { 'Content-Type': 'application/problem+json' });
}

/** The body of a problem response. Fields without a value are left out. */
export function problemBody(problem: {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  readonly duplicateOf?: string | undefined;
  readonly details?: RefusalDetails | undefined;
}) {
  const { status, code, title, detail, requestId, errors = [], duplicateOf, details } = problem;
  return {
    type: `urn:escrow:problem:${code}`,
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    // The request's id instead of its path: a payment link's hash in the path is a credential.
    instance: `urn:request:${requestId}`,
    code,
    requestId,
    ...(errors.length === 0 ? {} : { errors }),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    ...(details === undefined ? {} : { details }),
  };
}
