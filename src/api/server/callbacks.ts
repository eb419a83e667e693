import type { Context } from 'hono';
import type { ApiEnv } from '../context.ts';
import { BODY_LIMITS, MAX_DRAINED_BYTES } from '../limits.ts';

/**
 * What providers send to us. It is answered whatever its size: a provider that is refused comes again for weeks. So these
 * operations have bounds of their own instead of the one for JSON.
 */

/** The body as it came; `undefined` where it is larger than any notification. */
export async function readCallback(c: Context<ApiEnv>): Promise<Uint8Array | undefined> {
  const { body } = c.req.raw;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes <= BODY_LIMITS.callback.maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > MAX_DRAINED_BYTES) break;
  }
  return bytes > BODY_LIMITS.callback.maxBytes ? undefined : Buffer.concat(chunks);
}
