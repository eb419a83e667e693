import type { Context } from 'hono';
import type { ApiEnv } from '../context.ts';
import { MAX_DRAINED_BYTES } from '../limits.ts';

/**
 * Callbacks of providers. They are answered whatever their size: a provider that is refused tries again for weeks. So these operations
 * have bounds of their own instead of the one for JSON.
 */

/** The body as it came; `undefined` where it has more than `maxBytes`. The rest is read and dropped, so that the sender gets an answer. */
export async function readCallback(c: Context<ApiEnv>, maxBytes: number): Promise<Uint8Array | undefined> {
  const { body } = c.req.raw;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > MAX_DRAINED_BYTES) break;
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}
