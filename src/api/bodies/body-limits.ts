import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';
import { BODY_LIMITS, type BodyKind, bodyKindOf } from '../limits.ts';

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

/** Refuses a body of this kind that is too large, with or without a `Content-Length`. */
export function limitBodyOf(kind: BodyKind): MiddlewareHandler {
  const { maxBytes, words } = BODY_LIMITS[kind];
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: (c) => {
      c.header('Connection', 'close'); // the rest of the body is never read
      throw new Refusal('payload_too_large', `the body is larger than ${words}`);
    },
  });
  return (c, next) => {
    const announced = c.req.header('transfer-encoding') === undefined ? c.req.header('content-length') : undefined;
    // The server reads no more than `Content-Length` announces. Hono's limit opens the body as a stream first, which costs more
    // than most requests do otherwise.
    return announced !== undefined && Number(announced) <= maxBytes ? next() : limit(c, next);
  };
}

const LIMITS = { json: limitBodyOf('json'), order: limitBodyOf('order') };

/** Limits JSON bodies before anything else, uploads behind the guard, and callbacks where they are read. */
export const limitBodies = createMiddleware<ApiEnv>((c, next) => {
  const kind = bodyKind(c);
  return kind === 'json' || kind === 'order' ? LIMITS[kind](c, next) : next();
});

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Closes the connection of a client that takes longer than `withinMs` to send a body, so that slow senders cannot hold
 * connections.
 */
export function limitSending(withinMs: Readonly<Record<BodyKind, number>>) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const incoming = incomingOf(c);
    if (incoming === undefined || incoming.complete || !hasBody(incoming)) return next();
    const overdue = setTimeout(() => {
      if (!incoming.complete) incoming.socket.end(TIMED_OUT, () => incoming.destroy());
    }, withinMs[bodyKind(c)]);
    incoming.once('close', () => clearTimeout(overdue));
    await next();
    if (incoming.complete) clearTimeout(overdue);
    // A client that is answered before its body is read may keep sending for no longer than other clients.
    else overdue.unref();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Undefined if the application is called without a server, as in a test. */
function incomingOf(c: Context): IncomingMessage | undefined {
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }; // the Node server sets it
  return incoming;
}
