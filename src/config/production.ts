import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Well-formed values that production refuses. */

/**
 * Hosts of this machine and of sandboxes; gateways name their test hosts like eu-test.oppwa.com or
 * testsecure.peachpayments.com.
 */
const TEST_HOST = /^\[::1?\]$|^127\.|^0\.0\.0\.0$|(^|[.-])(localhost|sandbox\w*|test\w*|staging|uat)([.-]|$)/i;

/** Whether the address is a real provider's: with TLS, and not of a sandbox or test system. A folder (file:) is accepted. */
export function isRealProvider(address: string): boolean {
  if (!URL.canParse(address)) return true; // unset, or reported by the schema
  const { protocol, hostname } = new URL(address);
  if (protocol === 'file:') return true;
  return protocol === 'https:' && !TEST_HOST.test(hostname);
}

type Network = { readonly bits: 32 | 128; readonly start: bigint; readonly prefix: number };

/** Shorter prefixes cover more than any operator's own network. */
export const MIN_PREFIX = { 32: 8, 128: 16 } as const;
/** All networks together cover at most as much as this many of the largest. */
export const MAX_LARGEST = 4n;
/** IPv6 networks whose addresses contain an IPv4 address, and the bit at which it starts: mapped, compatible, NAT64, 6to4. */
const EMBEDDINGS = [
  ['::ffff:0:0/96', 96],
  ['::/96', 96],
  ['64:ff9b::/96', 96],
  ['64:ff9b:1::/48', 96],
  ['2002::/16', 16],
] as const;

/** Whether the networks cover so much that a stranger could be in one, and write any address into X-Forwarded-For. */
export function trustsStrangers(networks: readonly string[]): boolean {
  const covered = networks.flatMap((text) => coveredBy(text.trim()));
  return (
    covered.some(({ bits, prefix }) => prefix < MIN_PREFIX[bits]) ||
    ([32, 128] as const).some((bits) => {
      const largest = 1n << BigInt(bits - MIN_PREFIX[bits]);
      return sizeOfUnion(covered.filter((one) => one.bits === bits)) > MAX_LARGEST * largest;
    })
  );
}

/** The network itself, and the IPv4 networks whose addresses its own addresses contain. */
function coveredBy(text: string): Network[] {
  const network = networkOf(text);
  if (network === undefined) return []; // the schema reports it
  if (network.bits === 32) return [network];
  return [network, ...EMBEDDINGS.flatMap(([embedding, from]) => embeddedIn(network, embedding, from))];
}

function embeddedIn(network: Network, embedding: string, from: number): Network[] {
  const other = networkOf(embedding);
  if (other === undefined || !overlap(network, other)) return [];
  const start = (network.start >> BigInt(128 - from - 32)) & 0xffff_ffffn;
  return [{ bits: 32, start, prefix: Math.min(32, Math.max(0, network.prefix - from)) }];
}

function overlap(one: Network, other: Network): boolean {
  const apart = BigInt(128 - Math.min(one.prefix, other.prefix));
  return one.start >> apart === other.start >> apart;
}

function networkOf(text: string): Network | undefined {
  const [address = '', prefix] = text.split('/');
  if (isIP(address) === 0) return undefined;
  const bytes = ipaddr.parse(address).toByteArray();
  const bits = bytes.length === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (!(length >= 0 && length <= bits)) return undefined;
  const host = BigInt(bits - length);
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return { bits, start: (value >> host) << host, prefix: length };
}

/** How many addresses are in at least one of the networks. */
function sizeOfUnion(networks: readonly Network[]): bigint {
  let size = 0n;
  let counted = 0n; // all addresses below
  for (const { bits, start, prefix } of networks.toSorted((a, b) => (a.start < b.start ? -1 : 1))) {
    const end = start + (1n << BigInt(bits - prefix));
    const from = start > counted ? start : counted;
    if (end > from) size += end - from;
    if (end > counted) counted = end;
  }
  return size;
}
