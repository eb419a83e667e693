import { BlockList, isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';

/** Returns the address from which a request came. */
type ClientAddress = (c: Context) => string;

const MAX_HOPS = 20;

/**
 * The peer's address; behind trusted proxies, the last address in `X-Forwarded-For` that is not a trusted proxy. The header is
 * ignored if the peer is not trusted.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (c) => canonicalAddress(peerOf(c));
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (c) => {
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',').slice(-MAX_HOPS);
    let address = canonicalAddress(peerOf(c));
    while (address !== '' && isTrusted(address)) {
      const next = canonicalAddress(hops.pop() ?? '');
      if (next === '') break;
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

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/**
 * The one spelling of an address: without brackets, port and zone, in lower case, and an IPv4-mapped IPv6 address as IPv4. Empty
 * if the text is not an address. Limits and logs then count and show one client under one name.
 */
export function canonicalAddress(text: string): string {
  const trimmed = text.trim();
  const [bare = ''] = (BRACKETED.exec(trimmed)?.[1] ?? WITH_PORT.exec(trimmed)?.[1] ?? trimmed).split('%');
  const version = isIP(bare);
  if (version === 4) return bare;
  return version === 0 ? '' : ipaddr.process(bare).toString();
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
