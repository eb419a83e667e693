import ipaddr from 'ipaddr.js';

/** Which addresses webhooks may be sent to. Everything that is not a public address of the internet is refused. */

export type AddressRules = {
  /** In production only https on the ports 443 and 8443, and no loopback. */
  readonly isProduction: boolean;
};

/** Deprecated (RFC 4291), and no range of its own to ipaddr.js. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96');
const PORTS: readonly string[] = ['443', '8443'];

/** Why a URL is refused as an endpoint; null if it is not. An address in place of a name is checked too. */
export function refusalOfUrl(text: string, { isProduction }: AddressRules): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (url.username !== '' || url.password !== '') return 'must have no credentials';
  if (url.hash !== '') return 'must have no fragment';
  if (url.protocol !== 'https:' && (isProduction || url.protocol !== 'http:')) return 'must be an https URL';
  if (isProduction && url.port !== '' && !PORTS.includes(url.port)) return `must have the port ${PORTS.join(' or ')}`;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(host) && !isAllowedAddress(host, { isProduction })) return 'must not be an internal address';
  return null;
}

/**
 * Whether an address may be connected to. `unicast` is what ipaddr.js calls an address outside all special ranges. IPv4 in IPv6
 * (mapped, compatible, 6to4, Teredo, NAT64) is refused in every form, because it may lead to an internal IPv4 address.
 */
export function isAllowedAddress(address: string, { isProduction }: AddressRules): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'unicast' && parsed.kind() === 'ipv6' && parsed.match(IPV4_COMPATIBLE)) return false;
  return range === 'unicast' || (range === 'loopback' && !isProduction);
}
