import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { inPieces } from '../../db/core/tenant-read.ts';
import { Refusal } from '../../domain/errors.ts';
import { Places } from '../../turns/places.ts';
import { uploadSizeOf, whenSent } from '../bodies/body-limits.ts';
import {
  type Allowance,
  type ApiEnv,
  isFromConsole,
  type Limiter,
  type Principal,
  type RateLimits,
  type UploadSize,
} from '../context.ts';
import { DOWNLOAD_LIMITS, WAIT_LIMITS } from '../limits.ts';
import { networkOf } from './client-address.ts';
import { Turnstile } from './turnstile.ts';

const WINDOW_SECONDS = 60;
/** Between two long requests of a company, and between two pages of a long file, PostgreSQL serves others. */
const LONG_REST_MS = 20;
const UPLOADS = 'other files of the company are being received';
const DOWNLOADS = 'other documents of the company are being sent';

/** `turnMs`: how long a request waits for its turn. */
export function createLimiter(limits: RateLimits, turnMs: number = WAIT_LIMITS.turnMs): Limiter {
  const windowOf = (points: number) => new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  const principals = windowOf(limits.requestsPerMinute);
  const companies = windowOf(limits.companyRequestsPerMinute);
  const addresses = windowOf(limits.publicRequestsPerMinute);
  const turns = new Turnstile(limits.companyRequestsAtOnce);
  const uploads = {
    short: new Turnstile(limits.companyRequestsAtOnce, 0, UPLOADS),
    document: new Turnstile(limits.companyLargeUploadsAtOnce, 0, UPLOADS),
    bankFile: new Turnstile(limits.companyLongRequestsAtOnce, 0, UPLOADS),
  } satisfies Record<UploadSize, Turnstile>;
  const largeUploads = new Places(limits.largeUploadsAtOnce, limits.largeUploadsReserved);
  const downloads = new Turnstile(DOWNLOAD_LIMITS.ofCompany, 0, DOWNLOADS);
  const pageDownloads = new Turnstile(DOWNLOAD_LIMITS.ofOrderPages, 0, DOWNLOADS, DOWNLOAD_LIMITS.reserved);
  const longTurns = new Turnstile(limits.companyLongRequestsAtOnce, LONG_REST_MS);
  return {
    countPrincipal: (principal) =>
      count(principals, principal.kind === 'api_key' ? principal.apiKeyId : principal.administratorId),
    countCompany: (companyId) => count(companies, companyId),
    takeTurn: (companyId, work) => turns.pass(companyId, Date.now() + turnMs, work),
    takeUploadTurn: (sender, size, work, { owner, withinMs = turnMs } = {}) => {
      const deadline = Date.now() + withinMs;
      return uploads[size].pass(sender, deadline, size === 'short' ? work : () => inMemory(owner, deadline, work));
    },
    takeLongTurn: (companyId, work, withinMs = turnMs) => longTurns.pass(companyId, Date.now() + withinMs, work),
    takeDownloadTurn: (sender, work, page) =>
      (page === undefined ? downloads : pageDownloads).pass(sender, Date.now() + turnMs, work, page),
    countAddress: (address) => count(addresses, networkOf(address)),
  };

  async function inMemory<T>(owner: string | undefined, deadline: number, work: () => Promise<T>): Promise<T> {
    if (!(await largeUploads.enter(deadline - Date.now(), owner)))
      throw new Refusal('dependency_unavailable', 'too many large files are being received');
    try {
      return await work();
    } finally {
      largeUploads.leave(owner);
    }
  }
}

/** For operations without a credential. */
export const limitPublic = createMiddleware<ApiEnv>(async (c, next) => {
  await countAddress(c);
  await next();
});

/** Runs work that would slow other companies down if the company of the credential did much of it at once. Throws `too_many_requests`. */
export function inLongTurn<T>(c: Context<ApiEnv>, work: () => Promise<T>, withinMs?: number): Promise<T> {
  return c.get('limiter').takeLongTurn(c.get('principal').companyId, () => inPieces(work), withinMs);
}

/**
 * Runs a request with a file when its sender has a turn, from before its body is read; others at once. Throws `too_many_requests`, and
 * `dependency_unavailable` if too many large files of all companies are in memory. The pages of a company have turns of their own.
 */
export function inUploadTurn<T>(
  c: Context<ApiEnv>,
  entrance: 'api' | 'orders' | 'console',
  companyId: string,
  work: () => Promise<T>,
): Promise<T> {
  const size = uploadSizeOf(c);
  if (size === null) return work();
  const owner = isFromConsole(c) ? undefined : companyId; // the page of the console has the company's place
  return c.get('limiter').takeUploadTurn(`${entrance}/${companyId}`, size, work, { owner });
}

/**
 * Answers with a document when its company has a turn, which ends when the whole answer is sent or its client is gone. `page`: the order
 * page that is asked. Throws `too_many_requests`.
 */
export function inDownloadTurn<T>(
  c: Context<ApiEnv>,
  companyId: string,
  answer: () => Promise<T>,
  page?: string,
): Promise<T> {
  const sender = isFromConsole(c) ? `console/${companyId}` : companyId;
  return new Promise((resolve, reject) => {
    const send = async () => {
      resolve(await answer());
      await whenSent(c);
    };
    c.get('limiter').takeDownloadTurn(sender, send, page).catch(reject);
  });
}

/** Counts a request without a valid credential. Throws `too_many_requests`. */
export async function countAddress(c: Context<ApiEnv>): Promise<void> {
  admit(c, await c.get('limiter').countAddress(c.get('clientAddress')), 'address');
}

/** Counts a request of a credential, and of its company. Throws `too_many_requests`. */
export async function countPrincipal(c: Context<ApiEnv>, principal: Principal): Promise<void> {
  const limiter = c.get('limiter');
  const own = await limiter.countPrincipal(principal);
  if (own.left < 0) return admit(c, own, 'credential');
  const all = await limiter.countCompany(principal.companyId);
  if (all.left < own.left) admit(c, all, 'company');
  else admit(c, own, 'credential');
}

/** The headers are those of draft-ietf-httpapi-ratelimit-headers: what is left, and the policy. */
function admit(c: Context<ApiEnv>, { quota, left, resetSeconds }: Allowance, policy: string): void {
  c.header('RateLimit', `"${policy}";r=${Math.max(0, left)};t=${resetSeconds}`);
  c.header('RateLimit-Policy', `"${policy}";q=${quota};w=${WINDOW_SECONDS}`);
  if (left < 0) throw new Refusal('too_many_requests', 'rate limit exceeded', { retryAfterSeconds: resetSeconds });
}

async function count(limiter: RateLimiterMemory, key: string): Promise<Allowance> {
  const result = await limiter.consume(key).catch((rejected: unknown) => {
    if (rejected instanceof RateLimiterRes) return rejected; // the library rejects with its result
    throw rejected;
  });
  return {
    quota: limiter.points,
    left: limiter.points - result.consumedPoints,
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
  };
}
