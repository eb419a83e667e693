import { MAX_ITEMS } from '../domain/escrow/escrow.ts';
import { GATEWAY_REQUESTS_PER_MINUTE } from '../domain/payment-link/link.ts';

/**
 * The limits of the HTTP interface. The middleware, the description at /openapi.json and the tests read them here. docs/limits.md is
 * generated from them, and from the limits of single fields and operations beside their code.
 */

const KIB = 1_024;
const MIB = 1_048_576;

/** Of the document alone. */
export const MAX_DOCUMENT_BYTES = 10 * MIB;
/** Of all files that a party sends with one act on an order page: five photos of a phone. Each is a document too. */
export const MAX_ORDER_FILES_BYTES = 32 * MIB;
/** Of a company's logo, as uploaded. */
export const MAX_LOGO_BYTES = MIB;
/** Of a statement of the bank. */
export const MAX_BANK_FILE_BYTES = 32 * MIB;
/** Of an image in a document, over all its pages. Phones have up to 50 megapixels. */
export const MAX_IMAGE_PIXELS = 50_000_000;

export type FileBodyKind = 'upload' | 'orderFiles' | 'logo' | 'bankFile';
export type BodyKind = 'json' | 'order' | 'callback' | 'page' | FileBodyKind;

/** How large a body may be, and how long a client may take to send it. */
export const BODY_LIMITS = {
  json: { maxBytes: 64 * KIB, sendWithinMs: 30_000, words: '64 KiB' },
  /** JSON with up to 100 items. */
  order: { maxBytes: 512 * KIB, sendWithinMs: 30_000, words: '512 KiB' },
  /**
   * A form of the console, which refuses a longer one with a page. More than the longest: a link with all of its items, in letters that
   * take nine characters each.
   */
  page: { maxBytes: 512 * KIB, sendWithinMs: 30_000, words: '512 KiB' },
  /** A document together with all other fields of its form. */
  upload: { maxBytes: MAX_DOCUMENT_BYTES + 128 * KIB, sendWithinMs: 120_000, words: '10 MiB' },
  /** The form of an act with its files. One of each page is read at a time. */
  orderFiles: { maxBytes: MAX_ORDER_FILES_BYTES + 128 * KIB, sendWithinMs: 120_000, words: '32 MiB' },
  /** A logo and the rest of its form. */
  logo: { maxBytes: MAX_LOGO_BYTES + 16 * KIB, sendWithinMs: 30_000, words: '1 MiB' },
  /** A statement of the bank, as it is or in a form. */
  bankFile: { maxBytes: MAX_BANK_FILE_BYTES + 16 * KIB, sendWithinMs: 120_000, words: '32 MiB' },
  /** Larger than any provider's notification: the messaging platform's have up to 3 MB. */
  callback: { maxBytes: 4 * MIB, sendWithinMs: 30_000, words: '4 MiB' },
} as const satisfies Record<BodyKind, { maxBytes: number; sendWithinMs: number; words: string }>;

/** Of all JSON bodies. They are counted before the body is parsed. Metadata of 16 KiB may have 8,000 values. */
export const JSON_LIMITS = { names: 4_096, values: 20_000, depth: 32 } as const;

/** The operations that accept other types than JSON, or more of it. */
const OTHER_BODIES: Readonly<Record<string, Exclude<BodyKind, 'json'>>> = {
  'POST /v1/escrow/initiate': 'order',
  'POST /v1/payments/generate-escrow-payment-link': 'order',
  'POST /v1/escrow/{id}/delivery-note': 'order',
  'POST /v1/escrow/{id}/goods-received': 'order',
  'POST /v1/identity/users': 'upload',
  'POST /v1/identity/users/{id}/document': 'upload',
  'PUT /v1/core/companies/me/logo': 'logo',
  'POST /v1/treasury/bank/statements': 'bankFile',
  'POST /orders/{token}/act': 'orderFiles',
  'POST /console/bank': 'bankFile',
  'POST /v1/payments/eft-pay/webhook': 'callback',
  'POST /v1/messaging/webhook': 'callback',
};
const PATTERNS = Object.entries(OTHER_BODIES).map(([operation, kind]) => ({
  pattern: new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`),
  kind,
}));

/** The kind of body that a request to `path` has. The limits for files apply to multipart bodies and to XML only. */
export function bodyKindOf(method: string, path: string, isFile: boolean): BodyKind {
  const usual = path.startsWith('/console/') ? 'page' : 'json';
  if (method === 'GET') return usual;
  const operation = `${method} ${path}`;
  const kind = PATTERNS.find(({ pattern }) => pattern.test(operation))?.kind ?? usual;
  return isFileBody(kind) && !isFile ? usual : kind;
}

export function isFileBody(kind: BodyKind): kind is FileBodyKind {
  return kind === 'upload' || kind === 'orderFiles' || kind === 'logo' || kind === 'bankFile';
}

/** The maximum body of an operation in the description: the largest limit of its body types. */
export function maxBodyBytesOf(operation: string): number {
  return BODY_LIMITS[OTHER_BODIES[operation] ?? 'json'].maxBytes;
}

/** Parts of a multipart form. */
export const MAX_UPLOAD_PARTS = 16;
/** Of the form of an act on an order page: the pieces of each item, the other fields and more files than are taken at once. */
export const MAX_ORDER_FORM_PARTS = MAX_ITEMS + 100;
/** A larger callback is read but not parsed: no notification that we act on is as large. */
export const MAX_PARSED_CALLBACK_BYTES = 64 * KIB;
/** This much of an oversized body is read and dropped, so that the sender can read its response. */
export const MAX_DRAINED_BYTES = 64 * MIB;

/** The HTTP server's own limits, which apply before routing. */
export const SERVER_LIMITS = {
  /** Request line and headers together; a larger head is answered 431. */
  maxHeaderBytes: 16 * KIB,
  /** A client that sends its headers more slowly is answered 408 and disconnected. */
  headersWithinMs: 15_000,
  /** For the whole request, any kind of body: the longest time that a body may take. */
  requestWithinMs: BODY_LIMITS.upload.sendWithinMs,
  /**
   * A connection on which nothing moves for this long, because its client does not read, is closed. Longer than the time for a
   * request: a client that sends slowly is answered 408.
   */
  silentMs: 180_000,
  /** Longer than the keep-alive of load balancers, so that the service never closes a connection under a request. */
  keepAliveMs: 65_000,
} as const;

/**
 * How long requests wait for other systems. A provider's budget (`HTTP_LIMITS` in providers/http.ts) is shorter than a
 * command's, and a command's is shorter than a response's: each layer can still report that the one below was too slow.
 */
export const WAIT_LIMITS = {
  /** The time for a response while a dependency is down. Requests that wait for a buyer or for a file store may take longer. */
  answerMs: 10_000,
  /** Requests in progress at shutdown get this long to finish. */
  drainMs: 9_000,
  /** After this time a command is answered 503; the same idempotency key resumes it. */
  commandMs: 8_000,
  /** A request whose turn does not come within this time is answered 429. A command would have no time left, and has had no effect. */
  turnMs: 7_000,
  /** The time in which the buyer can approve a mobile-money prompt. */
  chargeMs: 22_000,
  /** For the answer of a webhook endpoint to a ping. */
  pingMs: 6_000,
} as const;

/** The waits of requests. Tests shorten them. */
export type CommandWaits = { readonly [Wait in 'commandMs' | 'turnMs' | 'chargeMs']: number };

/**
 * Commands in flight on one run, for each process; further commands wait here. Temporal allows 10 in total. Beyond that it
 * refuses updates and discards the worker's current workflow task, which is then repeated.
 */
export const MAX_COMMANDS_IN_FLIGHT_PER_RUN = 3;

/** Limits that the database counts. The migrations contain the same numbers; a test compares them. */
export const DATABASE_LIMITS = {
  /** For a number and a link. */
  passwordsPerMinute: 1,
  passwordsPerHour: 5,
  /** For a number over all links and companies. */
  passwordsOfNumberPerTenMinutes: 5,
  passwordsOfNumberPerDay: 30,
  /** For a number without a link, once a minute too. */
  passwordsWithoutLinkPerDay: 5,
  triesPerPassword: 5,
  /** Messages about orders to a number, over all companies. */
  orderMessagesPerHour: 20,
  orderMessagesPerDay: 60,
  gatewayQuestionsPerMinute: GATEWAY_REQUESTS_PER_MINUTE,
} as const;

/** Requests per minute, for each process; docs/adr/0006 says why. */
export const RATE_LIMITS = {
  requestsPerMinute: 600,
  companyRequestsPerMinute: 1_800,
  /** Fewer than the connections to the database, so that one company cannot use all of them. */
  companyRequestsAtOnce: 6,
  /** Long pages, and the work on statements and files. Each takes a core of the API or of PostgreSQL. */
  companyLongRequestsAtOnce: 1,
  /** Documents of more than 1 MiB, which are in memory until their request is answered. Bank files have as many places as long requests. */
  companyLargeUploadsAtOnce: 2,
  /** Such documents and bank files of all companies together: their memory is a half of what the chart gives the API. */
  largeUploadsAtOnce: 12,
  /** The last free ones of these are for companies that have none: eight companies that send slowly leave one to others. */
  largeUploadsReserved: 8,
  publicRequestsPerMinute: 30,
} as const;

/**
 * One-time passwords from one network in ten minutes, as a multiple of its requests a minute. They are counted in the database. Buyers
 * of one operator may share an address.
 */
export const PASSWORDS_FROM_NETWORK_FACTOR = 2;

/** Documents that are sent at once, for each process. A part of each is in memory until its client has it. */
export const DOWNLOAD_LIMITS = {
  /** Of a company, by the API, and as many in the console. */
  ofCompany: 6,
  /** On the order pages of a company. */
  ofOrderPages: 24,
  /** The last free ones of these are for pages that have none: who reads slowly on a few pages holds up no other. */
  reserved: 18,
} as const;

/** Active API keys of a company. */
export const MAX_ACTIVE_KEYS = 50;

/** The credential of a request that waits longer for its turn, or of a stream whose reader takes longer for a page, is checked again. */
export const CHECKED_FOR_MS = 1_000;

/** Streams of events, for each process. */
export const STREAM_LIMITS = {
  streamsPerCompany: 10,
  streamsPerProcess: 500,
  /** The time between comments that keep an idle stream open. */
  heartbeatMs: 15_000,
  /** After this time a stream ends. A stream whose credential stops being valid ends earlier, before its next message. */
  lifetimeMs: 5 * 60_000,
  /** A reader that has not taken the rest by then is disconnected. */
  closeWithinMs: 5_000,
} as const;

/** PDF files of statements, for each process. One thread draws them; docs/adr/0030 says why. */
export const PDF_LIMITS = {
  /** These take turns, page by page. */
  filesAtWork: 4,
  /** The last free one of these is for a company that has none: further files of a company wait, and those of others begin before them. */
  filesAtWorkReserved: 1,
  /** More are answered 503. */
  filesWaiting: 16,
  /** The last free places, at work and waiting, are for companies that have none: ten companies that fill the queue leave one to others. */
  filesReserved: 10,
  /** A file of which nothing is drawn within this time is answered 503. */
  beginWithinMs: WAIT_LIMITS.answerMs - 1_000,
  /** The thread is ended if a file takes longer. */
  drawWithinMs: 180_000,
  /** Of the thread. It is ended if it needs more. */
  memoryMib: 512,
  retryAfterSeconds: 10,
} as const;

/** Files of the bank, for each process. They are read in threads. */
export const BANK_FILE_LIMITS = {
  filesAtWork: 2,
  /** As of PDF files. */
  filesAtWorkReserved: 1,
  /** More are answered 503. */
  filesWaiting: 16,
  filesReserved: 9,
  readWithinMs: 30_000,
  /** After a larger file its thread ends. */
  keptBelowBytes: MIB,
  /** Of a thread. It is ended if it needs more. */
  memoryMib: 512,
  retryAfterSeconds: 10,
} as const;

/** Rows of a list. A larger page size is answered 400, not silently reduced. */
export const LIST_LIMITS = {
  /** Lists that are arrays, and the transactions of a ledger. */
  array: { maxLimit: 1_000, defaultLimit: 1_000 },
  /** Lists with `data` and `total`. */
  page: { maxLimit: 100, defaultLimit: 20 },
  /** The open items of a reconciliation, whose sums are read together. */
  openItems: { maxLimit: 10_000, defaultLimit: 10_000 },
  maxOffset: 1_000_000_000,
} as const;

/** Of one export of the console. A longer one breaks off, so that nobody takes its file for the whole list. */
export const MAX_EXPORTED_ROWS = 1_000_000;

/** A page or a statement with more rows is long, and so is a file with more bytes. */
export const SHORT = { rows: 200, bytes: MIB } as const;

export type ListKind = 'array' | 'page' | 'openItems';
