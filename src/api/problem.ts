import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isDenied, isOutage } from '../db/core/database-errors.ts';
import {
  REFUSALS,
  Refusal,
  type RefusalCode,
  type RefusalDetails,
  type RefusalKind,
  refusalRow,
  retryAfterSecondsOf,
} from '../domain/errors.ts';
import type { RefusalReason } from '../domain/refusal-reasons.ts';
import { mayAct } from '../domain/roles.ts';
import { databaseDenials, refusals, startAtZero } from '../observability/metrics.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { isClientGone } from './bodies/body-limits.ts';
import type { ApiEnv, Principal } from './context.ts';

/** The label of denials in requests, beside the names of activities. */
const DENIED_REQUEST = { activity: 'request' };
startAtZero(databaseDenials, { activity: [DENIED_REQUEST.activity] });
startAtZero(refusals, { code: [...Object.keys(REFUSALS), 'internal_error'] });

/** The only place that maps refusals to HTTP statuses. */
const STATUS_OF_KIND = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  conflict: 409,
  gone: 410,
  outdated: 412,
  too_large: 413,
  unsupported_type: 415,
  unprocessable: 422,
  throttled: 429,
  unavailable: 503,
} as const satisfies Record<RefusalKind, ContentfulStatusCode>;

export const statusOf = (code: RefusalCode) => STATUS_OF_KIND[REFUSALS[code].kind];

const MAX_DETAIL_CHARACTERS = 1_000;
/** Paths contain names that the client chose, and a message contains its path. */
const MAX_PATH_CHARACTERS = 100;
/** A body has a complaint about each of its items. A person does not read more. */
const MAX_FIELD_ERRORS = 50;

/** `message` is a sentence for people that includes the field's name. */
export type FieldError = { readonly path: string; readonly message: string };

/** A refused request, with one sentence for each complaint about a field. Equal sentences are kept once. */
export class InvalidRequest extends Refusal {
  readonly errors: readonly FieldError[];

  /** Each message is a predicate such as `must be at least 1`. An empty path means the body as a whole. */
  constructor(code: 'validation_failed' | 'invalid_id', complaints: readonly FieldError[]) {
    const sentences = new Map<string, string>();
    for (const { path: whole, message } of complaints) {
      const path = beginningOf(whole, MAX_PATH_CHARACTERS);
      sentences.set(beginningOf(`${path === '' ? 'the body' : path} ${message}`, MAX_DETAIL_CHARACTERS), path);
      if (sentences.size === MAX_FIELD_ERRORS) break;
    }
    const errors = [...sentences].map(([message, path]) => ({ path, message }));
    super(code, errors.map(({ message }) => message).join('; '));
    this.errors = errors;
  }
}

function beginningOf(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

/** An outage is logged this often; the line of each request has its status. */
const OUTAGE_LINE_EVERY_MS = 10_000;
const lastOutageLineMs = new Map<RefusalCode, number>();

function isFirstFor(code: RefusalCode): boolean {
  const now = performance.now();
  const isFirst = now - (lastOutageLineMs.get(code) ?? Number.NEGATIVE_INFINITY) > OUTAGE_LINE_EVERY_MS;
  if (isFirst) lastOutageLineMs.set(code, now);
  return isFirst;
}

/** For a request whose client has disconnected. That is not a failure of the service. */
export function answerToNobody(error: Error, c: Context<ApiEnv>): Response {
  c.var.log.warn({ err: error }, 'the client disconnected');
  return c.body(null, 408);
}

/** Converts any error to an RFC 9457 problem. Errors that are not refusals are logged in full and disclosed to nobody. */
export function problem(error: Error, c: Context<ApiEnv>): Response {
  const refusal = refusalOf(error);
  if (refusal === null) {
    if (isClientGone(c)) return answerToNobody(error, c);
    if (isDenied(error)) databaseDenials.inc(DENIED_REQUEST);
    c.var.log.error({ err: error }, 'request failed');
    return problemResponse(c, 500, 'internal_error', 'Something went wrong on our side', undefined, []);
  }
  const { kind, title } = refusalRow(refusal.code);
  if (kind === 'unavailable' && isFirstFor(refusal.code))
    c.var.log.warn({ err: refusal.cause ?? error }, 'dependency failed');
  const errors = refusal instanceof InvalidRequest ? refusal.errors : [];
  const retryAfterSeconds = retryAfterSecondsOf(refusal);
  if (retryAfterSeconds !== undefined && c.res.headers.get('retry-after') === null)
    c.header('Retry-After', String(retryAfterSeconds));
  if (kind === 'unauthenticated') c.header('WWW-Authenticate', 'Bearer');
  return problemResponse(
    c,
    STATUS_OF_KIND[kind],
    refusal.code,
    title,
    refusal.message,
    errors,
    refusal.duplicateOf,
    mayReadAmounts(c) ? refusal.details : undefined,
    refusal.reason,
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
  reason?: RefusalReason,
): Response {
  refusals.inc({ code });
  const { requestId } = c.var;
  const body = problemBody({ status, code, title, detail, requestId, errors, duplicateOf, details, reason });
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
  readonly reason?: RefusalReason | undefined;
}) {
  const { status, code, title, detail, requestId, errors = [], duplicateOf, details, reason } = problem;
  return {
    type: `urn:escrow:problem:${code}`,
    title,
    status,
    ...(detail === undefined ? {} : { detail: beginningOf(detail, MAX_DETAIL_CHARACTERS) }),
    // The request's id instead of its path: a payment link's hash in the path is a credential.
    instance: `urn:request:${requestId}`,
    code,
    requestId,
    ...(errors.length === 0 ? {} : { errors }),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    ...(details === undefined ? {} : { details }),
    ...(reason === undefined ? {} : { reason }),
  };
}
