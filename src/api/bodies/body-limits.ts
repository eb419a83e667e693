import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../domain/errors.ts';
import { paceReading } from '../../turns/turns.ts';
import { type ApiEnv, isFromConsole, type UploadSize } from '../context.ts';
import { BODY_LIMITS, type BodyKind, bodyKindOf, isFileBody, MAX_DRAINED_BYTES, SHORT } from '../limits.ts';

export function isMultipart(c: Context): boolean {
  return /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '');
}

export function isXml(c: Context): boolean {
  return /^(application|text)\/xml\b/i.test(c.req.header('content-type') ?? '');
}

/** Which limits apply to the body of this request. */
function bodyKind(c: Context): BodyKind {
  return bodyKindOf(c.req.method, c.req.path, isMultipart(c) || isXml(c));
}

function isInChunks(c: Context): boolean {
  return c.req.header('transfer-encoding') !== undefined;
}

/** The length that the server holds the client to; null for a body in chunks, or without one. */
function announcedBytes(c: Context): number | null {
  const length = isInChunks(c) ? undefined : c.req.header('content-length');
  return length === undefined ? null : Number(length);
}

function tooLarge(c: Context, kind: BodyKind): Refusal {
  if ((announcedBytes(c) ?? 0) > MAX_DRAINED_BYTES) c.header('Connection', 'close');
  return new Refusal('payload_too_large', `the body is larger than ${BODY_LIMITS[kind].words}`);
}

/** A client that has sent no more than this gets no memory for the rest. */
const FIRST_BYTES = 65_536;

/**
 * The bytes of a body, which are copied chunk by chunk when they come. Memory for a whole body makes V8 look for what it can free, so it is
 * taken late.
 */
class Collected {
  readonly #mostBytes: number;
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(mostBytes, FIRST_BYTES));
  }

  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** False, without the chunk, if the body would be larger than it may be. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#mostBytes) return false;
    if (length > this.#bytes.length) {
      const begun = this.bytes;
      this.#bytes = Buffer.allocUnsafeSlow(this.#mostBytes);
      this.#bytes.set(begun);
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
    return true;
  }
}

/** Reads a body, those with a file at the pace of all of them. Refuses one that is too large, with or without a `Content-Length`. */
export async function readBody(c: Context, kind: BodyKind = bodyKind(c)): Promise<Buffer<ArrayBuffer>> {
  const { maxBytes } = BODY_LIMITS[kind];
  const announced = announcedBytes(c);
  if ((announced ?? 0) > maxBytes) throw tooLarge(c, kind);
  if (!hasBody(c)) return Buffer.alloc(0);
  const body = new Collected(announced ?? maxBytes);
  for await (const chunk of chunksOf(c)) {
    if (!body.add(chunk)) throw tooLarge(c, kind);
    if (isFileBody(kind)) await paceReading(chunk.length);
  }
  return body.bytes;
}

/**
 * The chunks of a body, each until the next one, when its memory is freed. A web stream would copy each of them. The body stays open if not
 * all of it is read, because the answer goes out over its connection.
 */
export async function* chunksOf(c: Context): AsyncGenerator<Uint8Array> {
  const incoming = incomingOf(c);
  if (incoming === undefined) return yield* c.req.raw.body?.values({ preventCancel: true }) ?? [];
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    yield chunk;
    if (chunk.length === chunk.buffer.byteLength) freeMemory(chunk);
  }
}

/**
 * Frees the memory behind bytes that nobody reads any more. V8 would free it in a full collection, which comes after every 64 MB and holds
 * up the event loop for 20 to 60 ms.
 */
export function freeMemory({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (!buffer.detached) buffer.transfer(0);
}

/** Of a body with a file, as far as the head of the request tells; null for other bodies. */
export function uploadSizeOf(c: Context): UploadSize | null {
  const kind = bodyKind(c);
  if (!isFileBody(kind)) return null;
  const isShort = !hasBody(c) || (announcedBytes(c) ?? Number.POSITIVE_INFINITY) <= SHORT.bytes;
  if (isShort) return 'short';
  return kind === 'bankFile' ? kind : 'document';
}

/** Waits until the client has sent the body. `uploads.ts` and `json-bodies.ts` find it there. */
export async function receiveBody(c: Context<ApiEnv>): Promise<void> {
  c.set('body', await readBody(c));
}

/**
 * Refuses a JSON body with a larger `Content-Length` than its limit before anything else. One in chunks is counted when it is read, which is
 * after the credential: a caller without one cannot fill the memory. Uploads are limited behind the guard, and callbacks and forms of the
 * console where they are read.
 */
export const limitBodies = createMiddleware<ApiEnv>((c, next) => {
  const kind = bodyKind(c);
  if ((kind === 'json' || kind === 'order') && (announcedBytes(c) ?? 0) > BODY_LIMITS[kind].maxBytes)
    throw tooLarge(c, kind);
  return next();
});

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Closes the connection of a client that takes longer than `withinMs` to send a body, so that slow senders cannot hold
 * connections.
 */
export function limitSending(limits: Readonly<Record<BodyKind, { readonly sendWithinMs: number }>> = BODY_LIMITS) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const incoming = incomingOf(c);
    if (incoming === undefined || incoming.complete || !hasBody(c)) return next();
    const overdue = setTimeout(() => {
      if (incoming.complete) return;
      if (outgoingOf(c).writableEnded) incoming.destroy();
      else incoming.socket.end(TIMED_OUT, () => incoming.destroy());
    }, limits[bodyKind(c)].sendWithinMs);
    incoming.once('close', () => clearTimeout(overdue));
    await next();
    if (incoming.complete) return clearTimeout(overdue);
    // A client that is answered before its body is read may keep sending for no longer than other clients.
    overdue.unref();
    outgoingOf(c).once('finish', () => dropRest(incoming));
  });
}

/**
 * Reads what a client still sends after its answer. A connection that was closed instead would be reset, and the client might lose the answer.
 * A body that nobody has begun to read is dropped by Node.
 */
function dropRest(incoming: IncomingMessage): void {
  let bytes = 0;
  incoming.on('data', (chunk: Uint8Array<ArrayBuffer>) => {
    bytes += chunk.length;
    if (chunk.length === chunk.buffer.byteLength) freeMemory(chunk);
    if (bytes > MAX_DRAINED_BYTES) incoming.destroy();
  });
}

function outgoingOf(c: Context): ServerResponse {
  return (c.env as { readonly outgoing: ServerResponse }).outgoing;
}

/** Disconnects the client if it has not taken its answer after this time, because writing waits for it. */
export function closeUnread(c: Context, withinMs: number): void {
  const outgoing = outgoingOf(c);
  const overdue = setTimeout(() => outgoing.destroy(), withinMs);
  outgoing.once('close', () => clearTimeout(overdue));
}

function hasBody(c: Context): boolean {
  const incoming = incomingOf(c);
  if (incoming === undefined) return c.req.raw.body !== null;
  const { headers } = incoming;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the client has closed its connection, or was disconnected while it sent its body. Nobody reads an answer then. */
export function isClientGone(c: Context): boolean {
  const incoming = incomingOf(c);
  return c.req.raw.signal.aborted || (incoming?.destroyed === true && !incoming.complete);
}

/** Resolves when the whole answer is sent, or its client is gone; at once without a server. */
export async function whenSent(c: Context): Promise<void> {
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse }; // the Node server sets it
  if (outgoing !== undefined && !outgoing.closed) await once(outgoing, 'close');
}

/** Undefined if the request came without a server, as from the console and in a test. */
export function incomingOf(c: Context): IncomingMessage | undefined {
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }; // the Node server sets it
  return isFromConsole(c) ? undefined : incoming;
}

/**
 * The raw body of a provider's callback; `undefined` if it exceeds `maxBytes`. The rest is read and dropped, so that the sender gets a
 * response: a provider retries a refused callback for weeks. These operations have no JSON limit.
 */
export async function readCallback(c: Context<ApiEnv>, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> {
  let body: Collected | undefined = new Collected(Math.min(announcedBytes(c) ?? maxBytes, maxBytes));
  let bytes = 0;
  for await (const chunk of chunksOf(c)) {
    if (body?.add(chunk) === false) body = undefined;
    bytes += chunk.length;
    if (bytes <= MAX_DRAINED_BYTES) continue;
    c.header('Connection', 'close'); // the rest of the body is never read
    break;
  }
  return body?.bytes;
}
