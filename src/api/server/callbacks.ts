import type { Context } from 'hono';
import { concatInTurns } from '../../turns/turns.ts';
import type { ApiEnv } from '../context.ts';
import { MAX_DRAINED_BYTES } from '../limits.ts';

/**
 * Callbacks of providers. A callback of any size gets an answer, because a provider retries a refused callback for weeks. These
 * operations therefore have their own limits instead of the JSON limit.
 */

/** The raw body; `undefined` if it exceeds `maxBytes`. The rest is read and dropped, so that the sender gets a response. */
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
  return bytes > maxBytes ? undefined : concatInTurns(chunks);
}
