import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';
import { InvalidRequest } from '../problem.ts';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
export const IDEMPOTENCY_KEY = 'x-idempotency-key';

/** Refuses a request whose `x-idempotency-key` is malformed, or missing although it is required. */
export function checkIdempotencyKey(need: 'required' | 'accepted') {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const key = c.req.header(IDEMPOTENCY_KEY);
    if (need === 'required' && (key === undefined || key === ''))
      throw new Refusal('missing_header', `${IDEMPOTENCY_KEY} is required`);
    idempotencyKeyOf(key);
    await next();
  });
}

/** The client's idempotency key, if any. Throws if it is malformed. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined || VISIBLE_ASCII.test(header)) return header;
  throw new InvalidRequest('validation_failed', [
    { path: IDEMPOTENCY_KEY, message: 'must be 1 to 255 visible ASCII characters' },
  ]);
}

/** A code of the caller's second factor. */
export const MFA_CODE = 'x-mfa-code';

export const IF_MATCH = 'if-match';
/** As RFC 9110, 8.8.3: a strong entity tag. */
const VERSION_TAG = /^"([1-9]\d{0,8})"$/;

/** The entity tag of a version. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/**
 * The version that a request names in `If-Match`; undefined if it names none, or any (`*`). Throws for a weak tag, a list, and
 * a tag of another form, because no resource has it.
 */
export function expectedVersion(header: string | undefined): number | undefined {
  const tag = header?.trim();
  if (tag === undefined || tag === '*') return undefined;
  const version = VERSION_TAG.exec(tag)?.[1];
  if (version !== undefined) return Number(version);
  throw new InvalidRequest('validation_failed', [
    { path: IF_MATCH, message: 'must be one entity tag, as the ETag of the resource: "7"' },
  ]);
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Refuses a compressed body: it would be read as if it were plain. */
export function refuseEncoded(contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && !/^\s*(identity)?\s*$/i.test(contentEncoding))
    throw new Refusal('unsupported_media_type', 'the body must have no Content-Encoding');
}

/** Refuses a body whose `Content-Type` is missing or is not JSON in UTF-8 (RFC 8259), and a compressed one. */
export const requireJson = createMiddleware<ApiEnv>(async (c, next) => {
  const hasBody = c.req.header('transfer-encoding') !== undefined || Number(c.req.header('content-length') ?? 0) > 0;
  const type = c.req.header('content-type') ?? (hasBody ? '' : undefined);
  if (type !== undefined && !/^application\/([\w.+-]+\+)?json\b/i.test(type))
    throw new Refusal('unsupported_media_type', 'the body must be application/json');
  const charset = CHARSET.exec(type ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset))
    throw new Refusal('unsupported_media_type', 'the body must be in UTF-8');
  if (hasBody) refuseEncoded(c.req.header('content-encoding'));
  await next();
});
