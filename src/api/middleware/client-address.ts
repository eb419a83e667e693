import { BlockList, isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Returns the address from which a request came. */
export type ClientAddress = (c: Context) => string;

const MAX_HOPS = 20;

/**
 * The peer's address; behind trusted proxies, the last address in `X-Forwarded-For` that is not a trusted proxy. The header is
 * ignored if the peer is not trusted.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (c) => plain(peerOf(c));
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (c) => {
    const hops = (c.req.header('x-forwarded-for') ?? '')
      .split(',')
      .slice(-MAX_HOPS)
      .map((hop) => hop.trim());
    let address = plain(peerOf(c));
    while (isIP(address) !== 0 && isTrusted(address)) {
      const next = plain(hops.pop() ?? '');
      if (isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/** Empty if the application is called without a server, as in a test. */
function peerOf(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? '';
  } catch {
    return '';
  }
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

const GROUPS_OF_A_NETWORK = 4;

/**
 * The key for rate limits: an IPv4 address, or the /64 network of an IPv6 address. One customer gets at least a /64, so a limit
 * on single IPv6 addresses would limit nobody.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0);
  if (tail !== undefined) {
    const zeros = 8 - groups.length - after;
    groups.push(...Array.from({ length: zeros }, () => '0'), ...(tail === '' ? [] : tail.split(':')));
  }
  const network = groups.slice(0, GROUPS_OF_A_NETWORK).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
