import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request } from 'undici';
import { codeOf } from '../../observability/thrown.ts';
import { type AddressRules, isAllowedAddress, refusalOfUrl } from './addresses.ts';

/** Sends one signed request to an endpoint of a company, and to no address inside. */

type WebhookRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
};

/** `status` null: no answer came, and `error` says why. */
type WebhookAnswer = {
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
    async send({ url, headers, body, timeoutMs }) {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      const failure = (error: string): WebhookAnswer => ({
        status: null,
        error,
        answer: null,
        durationMs: durationMs(),
      });
      const refusal = refusalOfUrl(url, rules);
      if (refusal !== null) return failure(`the URL ${refusal}`);
      try {
        // undici's request follows no redirect.
        const response = await request(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'escrow-payments-webhooks' },
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const answer = await beginningOf(response.body);
        return { status: response.statusCode, error: null, answer, durationMs: durationMs() };
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
