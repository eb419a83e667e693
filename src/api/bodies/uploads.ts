import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';
import { MAX_UPLOAD_PARTS } from '../limits.ts';
import { refuseEncoded, requireJson } from '../middleware/headers.ts';
import { InvalidRequest } from '../problem.ts';
import { isMultipart, limitBodyOf } from './body-limits.ts';

/**
 * Bodies that carry a file. They may be larger than JSON bodies, are read only after authorization, and are limited in size,
 * parts and time.
 */

/** RFC 2046. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const LIMITS = { upload: limitBodyOf('upload'), logo: limitBodyOf('logo') };

/**
 * Reads a multipart body completely, into memory and never to disk. `also` says whether JSON is accepted too. Refuses other
 * types, bodies with too many bytes or parts, and bodies that cannot be parsed.
 */
export function acceptUpload(also: 'json' | 'nothing', kind: keyof typeof LIMITS = 'upload') {
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (isMultipart(c)) {
      refuseEncoded(c.req.header('content-encoding'));
      return LIMITS[kind](c, async () => {
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
  if (boundary === undefined) throw malformed('has a content type without a boundary');
  const body = Buffer.from(await c.req.arrayBuffer());
  let parts = 0;
  for (let at = body.indexOf(`--${boundary}`); at !== -1; at = body.indexOf(`--${boundary}`, at + 1)) {
    parts += 1; // the closing boundary included
    if (parts > MAX_UPLOAD_PARTS + 1) throw malformed(`has more than ${MAX_UPLOAD_PARTS} parts`);
  }
  try {
    await c.req.formData(); // cached for the validator and the fingerprint
  } catch {
    throw malformed('is not valid multipart/form-data');
  }
}

function malformed(message: string): InvalidRequest {
  return new InvalidRequest('validation_failed', [{ path: '', message }]);
}
