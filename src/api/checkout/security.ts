import type { Context, Next } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';

/**
 * What a browser may do with our pages. The link's hash is the buyer's only credential and there are no cookies, so another
 * site cannot make a browser act for the buyer unless it knows the hash. Posts from other sites are refused all the same. The
 * hash is part of the address, so no Referer is sent.
 */

const STRICT = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
} as const;

/**
 * The page with the gateway's widget also runs the gateway's script. The widget sets inline styles and puts card fields into
 * frames. Frames and forms may lead to any https address, because 3-D Secure pages are served by the banks.
 */
function withWidget(gateway: string): Record<string, string> {
  return {
    ...STRICT,
    'script-src': `'self' ${gateway}`,
    'style-src': `'self' 'unsafe-inline' ${gateway}`,
    'img-src': `'self' data: ${gateway}`,
    'font-src': gateway,
    'connect-src': gateway,
    'frame-src': `${gateway} https:`,
    'form-action': `'self' ${gateway} https:`,
  };
}

/**
 * `scriptUrl`: the gateway's widget script, on the one page that loads it. `framedBy`: the hosts whose pages may show this one in a
 * frame.
 */
export function secure(c: Context<ApiEnv>, scriptUrl?: string, framedBy: readonly string[] = []): void {
  const own = scriptUrl === undefined ? STRICT : withWidget(new URL(scriptUrl).origin);
  const policy =
    framedBy.length === 0 ? own : { ...own, 'frame-ancestors': framedBy.map((host) => `https://${host}`).join(' ') };
  c.header(
    'Content-Security-Policy',
    Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
  );
  c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex, nofollow');
}

/** A page in a frame is for reading: a click in it may be meant for the page around it. */
export async function refuseFrames(c: Context<ApiEnv>, next: Next): Promise<void> {
  if (c.req.method === 'POST' && isFramed(c)) throw new Refusal('forbidden', 'the form was sent from a frame');
  await next();
}

/** Whether a browser asks for the page to show it inside of another page. */
export function isFramed(c: Context<ApiEnv>): boolean {
  return ['iframe', 'frame', 'embed', 'object'].includes(c.req.header('sec-fetch-dest') ?? '');
}

/**
 * Browsers state where a form comes from: new ones in `Sec-Fetch-Site`, old ones in `Origin`, which is "null" for our own pages, because
 * they send no Referer. A client that states nothing is not a browser, so another site cannot make it act for a user.
 */
export async function refuseOtherSites(c: Context<ApiEnv>, next: Next): Promise<void> {
  if (c.req.method === 'POST' && isFromOtherSite(c))
    throw new Refusal('forbidden', 'the form was sent from another site');
  await next();
}

function isFromOtherSite(c: Context<ApiEnv>): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = c.req.header('origin') ?? 'null';
  return origin !== 'null' && origin.replace(/^https?:\/\//, '') !== c.req.header('host');
}
