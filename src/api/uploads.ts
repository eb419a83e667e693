import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '../domain/errors.ts';
import type { ApiEnv } from './context.ts';
import { MAX_DOCUMENT_BYTES } from './documents.ts';
import { requireJson } from './middleware/headers.ts';
import { InvalidRequest } from './problem.ts';

/** Bodies that carry a file: larger than JSON may be, read only for those who may send them, and bounded in every way. */

/** A document, and all the fields that come with one. */
const MAX_UPLOAD_BYTES = MAX_DOCUMENT_BYTES + 131_072;
const MAX_PARTS = 16;
/** RFC 2046. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
/** The operations that take files. Everything else is held to the limit of JSON before it is looked at. */
const UPLOAD_PATH = /^\/v1\/identity\/users(\/[^/]+\/document)?$/;

const limit = bodyLimit({
  maxSize: MAX_UPLOAD_BYTES,
  onError: (c) => {
    c.header('Connection', 'close'); // what is left of the body is never read
    throw new Refusal('payload_too_large', 'a document may have at most 10 MiB');
  },
});

export function isMultipart(c: Context<ApiEnv>): boolean {
  return /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '');
}

/** Whether the body is left to `acceptUpload`, which comes after the guard. */
export function isUpload(c: Context<ApiEnv>): boolean {
  return c.req.method === 'POST' && UPLOAD_PATH.test(c.req.path) && isMultipart(c);
}

/**
 * Reads a multipart body whole, into memory and never to disk. `also` says whether JSON will do. Refuses other types, too
 * many bytes or parts, and what cannot be parsed.
 */
export function acceptUpload(also: 'json' | 'nothing') {
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (isMultipart(c)) {
      return limit(c, async () => {
        await parseForm(c);
        await next();
      });
    }
    if (also === 'json') {
      if (c.req.header('content-type') === undefined) throw malformed('is required');
      return requireJson(c, next);
    }
    throw new Refusal('unsupported_media_type', 'the body must be multipart/form-data');
  });
}

async function parseForm(c: Context<ApiEnv>): Promise<void> {
  const [, quoted, plain] = BOUNDARY.exec(c.req.header('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('the content type names no boundary');
  const body = Buffer.from(await c.req.arrayBuffer());
  let parts = 0;
  for (let at = body.indexOf(`--${boundary}`); at !== -1; at = body.indexOf(`--${boundary}`, at + 1)) {
    parts += 1; // the closing one among them
    if (parts > MAX_PARTS + 1) throw malformed(`more than ${MAX_PARTS} parts`);
  }
  try {
    await c.req.formData(); // kept, for the validator and the fingerprint
  } catch {
    throw malformed('the body is not valid multipart/form-data');
  }
}

function malformed(message: string): InvalidRequest {
  return new InvalidRequest('validation_failed', [{ path: 'body', message }]);
}
