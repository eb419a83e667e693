import { createMiddleware } from 'hono/factory';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv, Limiter, RateLimits } from '../context.ts';
import { networkOf } from './client-address.ts';

const WINDOW_SECONDS = 60;

export function createLimiter({ requestsPerMinute, publicRequestsPerMinute }: RateLimits): Limiter {
  const principals = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
  const addresses = new RateLimiterMemory({ points: publicRequestsPerMinute, duration: WINDOW_SECONDS });
  return {
    countPrincipal: (principal) =>
      count(principals, principal.kind === 'api_key' ? principal.apiKeyId : principal.administratorId),
    countAddress: (address) => count(addresses, networkOf(address)),
  };
}

/** For operations without a credential. */
export const limitPublic = createMiddleware<ApiEnv>(async (c, next) => {
  await c.get('limiter').countAddress(c.get('clientAddress'));
  await next();
});

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejected) {
    // The library rejects with a result object, not with an error.
    const waitMs =
      typeof rejected === 'object' && rejected !== null && 'msBeforeNext' in rejected
        ? Number(rejected.msBeforeNext)
        : WINDOW_SECONDS * 1000;
    throw new Refusal('too_many_requests', 'slow down', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
}
