import { isIP } from 'node:net';

/** What production refuses although it is well formed. */

/** Hosts of this machine and of sandboxes; gateways name their test hosts like eu-test.oppwa.com or testsecure.peachpayments.com. */
const TEST_HOST = /^\[::1?\]$|^127\.|^0\.0\.0\.0$|(^|[.-])(localhost|sandbox\w*|test\w*|staging|uat)([.-]|$)/i;

/** Whether the address is of a real provider: with TLS, and of no sandbox or test system. A folder (file:) is taken. */
export function isRealProvider(address: string): boolean {
  if (!URL.canParse(address)) return true; // unset, or told of by the schema
  const { protocol, hostname } = new URL(address);
  if (protocol === 'file:') return true;
  return protocol === 'https:' && !TEST_HOST.test(hostname);
}

/** Shorter prefixes cover more than any operator's own network. */
const MIN_PREFIX = { 4: 8, 6: 16 } as const;

/** Whether one of the networks covers so much that a stranger could be in it, and write any address into X-Forwarded-For. */
export function trustsStrangers(networks: readonly string[]): boolean {
  return networks.some((network) => {
    const [address = '', prefix] = network.trim().split('/');
    return prefix !== undefined && Number(prefix) < MIN_PREFIX[isIP(address) === 6 ? 6 : 4];
  });
}
