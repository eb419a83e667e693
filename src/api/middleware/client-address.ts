import { BlockList, isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Finds the address a request came from. */
export type ClientAddress = (c: Context) => string;

const MAX_HOPS = 20;

/**
 * The peer's address; behind configured proxies, the nearest one in `X-Forwarded-For` that is none of them. What anybody else
 * writes into that header is not believed.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
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

/** Not there where the application is called without a server, as by a test. */
function peerOf(c: Context): string {
  try {
    return getConnInfo(c).remote.address ?? '';
  } catch {
    return '';
  }
}

/** An IPv4 address in IPv6's clothes as what it is. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
