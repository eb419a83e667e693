import type { Context, Next } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';

/**
 * What a browser may do with our pages. A link's hash is all a buyer has to prove themselves with: no cookie goes along, so
 * no other site can make a browser act for its buyer without knowing the hash, and whoever knows it needs no such trick.
 * Posts from other sites are refused all the same. The hash stands in the address, so it goes out in no Referer.
 */

const STRICT = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
} as const;

/**
 * The page with the gateway's widget runs the gateway's script, and no other. The widget writes styles of its own and puts
 * card fields into frames. Frames and forms may lead to any https address, because a bank's 3-D Secure page is at the bank's.
 */
function withWidget(gateway: string): Record<string, string> {
  return {
    ...STRICT,
    'script-src': gateway,
    'style-src': `'self' 'unsafe-inline' ${gateway}`,
    'img-src': `'self' data: ${gateway}`,
    'font-src': gateway,
    'connect-src': gateway,
    'frame-src': `${gateway} https:`,
    'form-action': `'self' ${gateway} https:`,
  };
}

/** `scriptUrl`: of the gateway's widget, on the one page that has it. */
export function secure(c: Context<ApiEnv>, scriptUrl?: string): void {
  const policy = scriptUrl === undefined ? STRICT : withWidget(new URL(scriptUrl).origin);
  c.header(
    'Content-Security-Policy',
    Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
  );
  c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex, nofollow');
}

/** Browsers say where a request comes from; what says nothing is no browser, and has nobody to act for. */
export async function refuseOtherSites(c: Context<ApiEnv>, next: Next): Promise<void> {
  const site = c.req.header('sec-fetch-site');
  if (c.req.method === 'POST' && site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Refusal('forbidden', 'the form was sent from another site');
  await next();
}
