import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { codeOf } from '../observability/thrown.ts';

/** Signs a message, and sends it to an endpoint of a company, and to no address inside. */

type WebhookRequest = {
  readonly url: string;
  /** The current one first. */
  readonly secrets: readonly string[];
  /** The body, as JSON. */
  readonly message: { readonly id: string };
  readonly timeoutMs: number;
};

/** `status` null: no answer came, and `error` says why. */
type WebhookAnswer = {
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of the answer's body. */
  readonly answer: string | null;
  readonly durationMs: number;
};

export type WebhookSender = {
  /** Never rejects: a failure is an answer without a status. */
  readonly send: (request: WebhookRequest) => Promise<WebhookAnswer>;
  /** Why events must not be sent to a URL; null if they may. Resolves its name. */
  readonly refusalOf: (url: string) => Promise<string | null>;
  readonly close: () => Promise<void>;
};

const MAX_ANSWER_BYTES = 2_048;
const MAX_HEADER_BYTES = 16_384;
const KEEP_ALIVE_MS = 10_000;

type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type SenderOptions = AddressRules & {
  /** Resolves names; the system's resolver unless a test has its own. */
  readonly resolve?: Resolve;
};

export function createWebhookSender({ isProduction, resolve = systemLookup }: SenderOptions): WebhookSender {
  const rules: AddressRules = { isProduction };
  // Without a limit per origin: endpoints of several companies may be at one host, and each has its own limit in flight.
  const agent = new Agent({
    connect: { lookup: checkedLookup(rules, resolve) },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
  });
  return {
    async refusalOf(url) {
      const refusal = refusalOfUrl(url, rules);
      if (refusal !== null) return refusal;
      const { hostname } = new URL(url);
      if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
      return new Promise((done) => {
        checkedLookup(rules, resolve)(hostname, { all: true }, (error) =>
          done(error === null ? null : `cannot be used: ${reasonOf(error)}`),
        );
      });
    },
    async send({ url, secrets, message, timeoutMs }) {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      const failure = (error: string): WebhookAnswer => ({
        ...{ isDelivered: false, status: null, error, answer: null },
        durationMs: durationMs(),
      });
      const refusal = refusalOfUrl(url, rules);
      if (refusal !== null) return failure(`the URL ${refusal}`);
      const body = JSON.stringify(message);
      const signed = webhookHeaders(secrets, { id: message.id, body, now: new Date() });
      try {
        // undici's request follows no redirect.
        const response = await request(url, {
          method: 'POST',
          headers: { ...signed, 'content-type': 'application/json', 'user-agent': 'escrow-payments-webhooks' },
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const answer = await beginningOf(response.body);
        const { statusCode: status } = response;
        const isDelivered = status >= 200 && status < 300;
        return { isDelivered, status, error: null, answer, durationMs: durationMs() };
      } catch (error) {
        return failure(reasonOf(error));
      }
    },
    close: () => agent.close(),
  };
}

/**
 * Resolves a name to its allowed addresses. The connection goes to an address of this result, so that another answer of the name
 * server a moment later has no effect. One internal address among them refuses the name.
 */
function checkedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const [first] = addresses;
      const isAllowed = addresses.every(({ address }) => isAllowedAddress(address, rules));
      if (first === undefined || !isAllowed) return callback(new InternalAddress(), '', 0);
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family || isIP(first.address));
    });
  };
}

/** A name led to an address that webhooks may not be sent to. */
class InternalAddress extends Error {
  override readonly name = 'InternalAddress';
  readonly code = 'INTERNAL_ADDRESS';
  constructor() {
    super('the name leads to an internal address');
  }
}

const REASONS: Readonly<Record<string, string>> = {
  INTERNAL_ADDRESS: 'the name leads to an internal address',
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'the name server did not answer',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
};

function reasonOf(error: unknown): string {
  const isTimeout = typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
  if (isTimeout) return 'no answer in time';
  const code = codeOf(error) ?? '';
  return REASONS[code] ?? `the request failed${code === '' ? '' : ` (${code})`}`;
}

/** Reads up to `MAX_ANSWER_BYTES`, and drops the rest with the connection. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) {
      body.destroy();
      break;
    }
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
  return text.replaceAll('\0', '\ufffd');
}

/** Which addresses webhooks may be sent to. Everything that is not a public address of the internet is refused. */

type AddressRules = {
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

/** Signatures after Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body. */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The headers of a message. While a secret is being replaced there is a signature for each. */
export function webhookHeaders(
  secrets: readonly string[],
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: Date },
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000).toString();
  const sign = (secret: string) =>
    createHmac('sha256', createSecretKey(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
