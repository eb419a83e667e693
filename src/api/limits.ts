/**
 * Everything that bounds a request, in one place. The middleware, the description at /openapi.json and the tests read it here, and
 * docs/limits.md is generated from it.
 */

const KIB = 1_024;
const MIB = 1_048_576;

/** The largest document itself. */
export const MAX_DOCUMENT_BYTES = 10 * MIB;

export type BodyKind = 'json' | 'upload' | 'callback';

/** What a body may have, and how long a client may take to send it. */
export const BODY_LIMITS = {
  json: { maxBytes: MIB, sendWithinMs: 30_000, words: '1 MiB' },
  /** A document, and all the fields that come with one. */
  upload: { maxBytes: MAX_DOCUMENT_BYTES + 128 * KIB, sendWithinMs: 120_000, words: '10 MiB' },
  /** Larger than any provider's notification: the messaging platform's have up to 3 MB. */
  callback: { maxBytes: 4 * MIB, sendWithinMs: 30_000, words: '4 MiB' },
} as const satisfies Record<BodyKind, { maxBytes: number; sendWithinMs: number; words: string }>;

/** The operations that take something else than JSON alone. */
const OTHER_BODIES: Readonly<Record<string, Exclude<BodyKind, 'json'>>> = {
  'POST /v1/identity/users': 'upload',
  'POST /v1/identity/users/{id}/document': 'upload',
  'POST /v1/payments/eft-pay/webhook': 'callback',
  'POST /v1/messaging/webhook': 'callback',
};
const PATTERNS = Object.entries(OTHER_BODIES).map(([operation, kind]) => ({
  pattern: new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`),
  kind,
}));

/** What a request to `path` may carry at most; an upload is one only where it is multipart. */
export function bodyKindOf(method: string, path: string, isMultipart: boolean): BodyKind {
  const kind = PATTERNS.find(({ pattern }) => pattern.test(`${method} ${path}`))?.kind ?? 'json';
  return kind === 'upload' && !isMultipart ? 'json' : kind;
}

/** The same for an operation as it is described: the most that any of its bodies may have. */
export function maxBodyBytesOf(operation: string): number {
  return BODY_LIMITS[OTHER_BODIES[operation] ?? 'json'].maxBytes;
}

/** Parts of a form. */
export const MAX_UPLOAD_PARTS = 16;
/** A callback with more is read and not parsed: no notification that we act upon is as large. */
export const MAX_PARSED_CALLBACK_BYTES = 64 * KIB;
/** So much of a callback that is too large is read and dropped, so that the sender gets to read its answer. */
export const MAX_DRAINED_BYTES = 32 * MIB;

/** The server's own, before any route is known. */
export const SERVER_LIMITS = {
  /** Request line and headers together; more is 431. */
  maxHeaderBytes: 16 * KIB,
  /** A client that sends its headers more slowly is cut off with 408. */
  headersWithinMs: 15_000,
  /** The same for a whole request, however it is made: the longest that any body may take. */
  requestWithinMs: BODY_LIMITS.upload.sendWithinMs,
  /** Longer than load balancers keep theirs, so that it is never us who close a connection under a request. */
  keepAliveMs: 65_000,
} as const;

/**
 * How long requests wait for others. A provider's budget (`HTTP_LIMITS` in providers/http.ts) is smaller than a command's, and a
 * command's is smaller than what every answer may take: each layer can still report that the one below was too slow.
 */
export const WAIT_LIMITS = {
  /** Every request is answered within this time, whatever is down. */
  answerMs: 10_000,
  /** A request at work when the process ends is given this long. */
  drainMs: 9_000,
  /** Then a command is answered 503, and the same idempotency key resumes it. */
  commandMs: 8_000,
  /** For the buyer to approve a mobile-money prompt. */
  chargeMs: 22_000,
} as const;

/**
 * Commands in flight on one run, for each process; the rest wait here. Temporal takes 10 in all. Past that it refuses, and also
 * discards the step that the worker is at, which is then done again.
 */
export const MAX_COMMANDS_IN_FLIGHT_PER_RUN = 3;

/** What the database counts. The migrations have the same numbers; a test compares them. */
export const DATABASE_LIMITS = {
  passwordsPerMinute: 1,
  passwordsPerHour: 5,
  passwordsPerHourFromAnywhere: 15,
  triesPerPassword: 5,
  gatewayQuestionsPerMinute: 2,
} as const;

/** Requests a minute, for each process; docs/adr/0006 says why. */
export const RATE_LIMITS = { requestsPerMinute: 600, publicRequestsPerMinute: 30 } as const;

/** Rows of a list; asking for more is 400, not silently less. */
export const LIST_LIMITS = {
  /** Lists that are arrays, and the transactions of a ledger. */
  array: { maxLimit: 1_000, defaultLimit: 1_000 },
  /** Lists with `data` and `total`. */
  page: { maxLimit: 100, defaultLimit: 20 },
  maxOffset: 1_000_000_000,
} as const;

export type ListKind = 'array' | 'page';
