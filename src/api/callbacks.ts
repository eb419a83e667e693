import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';

/**
 * What providers send to us. It is answered whatever its size: a provider that is refused comes again for weeks. So these
 * operations have bounds of their own instead of the one for JSON.
 */

const CALLBACK_PATHS: readonly string[] = ['/v1/payments/eft-pay/webhook', '/v1/messaging/webhook'];

/** Larger than any provider's notification: the messaging platform's have up to 3 MB. */
const MAX_CALLBACK_BYTES = 4 * 1_048_576;
/** So much is read and thrown away, so that the sender gets to read its answer; past that it may not. */
const MAX_DRAINED_BYTES = 32 * 1_048_576;

export function isCallback(c: Context<ApiEnv>): boolean {
  return c.req.method === 'POST' && CALLBACK_PATHS.includes(c.req.path);
}

/** The body as it came; `undefined` where it is larger than any notification. */
export async function readCallback(c: Context<ApiEnv>): Promise<Uint8Array | undefined> {
  const { body } = c.req.raw;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes <= MAX_CALLBACK_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > MAX_DRAINED_BYTES) break;
  }
  return bytes > MAX_CALLBACK_BYTES ? undefined : Buffer.concat(chunks);
}
