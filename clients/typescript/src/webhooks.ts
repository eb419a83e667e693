import { createHmac, timingSafeEqual } from 'node:crypto';
import type { webhooks } from './description.ts';

/** Checks the notifications of the service, which are signed as https://www.standardwebhooks.com says. */

export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookToVerify = {
  /** The body as it arrived: parsed and serialized again it has another signature. */
  readonly payload: string | Uint8Array;
  /** Of the request. Names in any case. */
  readonly headers: WebhookHeaders;
  /** `whsec_…`; several while a secret is being replaced. */
  readonly secret: string | readonly string[];
  /** How old or how far ahead a notification may be; 300 by default. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
};

/** The notification is not from the service, was changed on the way, or is too old. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/** What an endpoint receives: `switch (event.type)` tells the compiler what `event.data` is. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/**
 * The parsed body of a genuine notification. Throws WebhookVerificationError. A later release of the service may send types of
 * events that this one does not know. Throws a TypeError or a RangeError for an argument that no notification can be checked with.
 */
export function verifyWebhook<Event = WebhookEvent>({
  payload,
  headers,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = new Date(),
}: WebhookToVerify): Event {
  checkArguments({ payload, headers, toleranceSeconds });
  const keys = keysOf(secret);
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const signatures = required(headers, 'webhook-signature');
  const ageSeconds = now.getTime() / 1_000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError('webhook-timestamp is not within the tolerance');

  const body = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  const expected = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(payload).digest());
  const sent = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  const isSigned = sent.some((one) => expected.some((own) => one.length === own.length && timingSafeEqual(one, own)));
  if (!isSigned) throw new WebhookVerificationError('webhook-signature does not match');
  return JSON.parse(body);
}

function checkArguments({ payload, headers, toleranceSeconds }: Omit<WebhookToVerify, 'secret'>): void {
  if (typeof payload !== 'string' && !ArrayBuffer.isView(payload))
    throw new TypeError('payload must be the body as it arrived, a string or bytes: in Express, use express.raw()');
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('headers must be the headers of the request, a Headers or an object');
  if (!(Number(toleranceSeconds) >= 0)) throw new RangeError('toleranceSeconds must be a number of at least 0');
}

/** Throws a TypeError if there is no secret, or a malformed one. The secret is not part of the message. */
export function keysOf(secret: string | readonly string[]): readonly Buffer[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const keys = secrets.map((one) =>
    Buffer.from(typeof one === 'string' && one.startsWith(PREFIX) ? one.slice(PREFIX.length) : '', 'base64'),
  );
  if (keys.length === 0 || keys.some(({ length }) => length === 0))
    throw new TypeError(`secret must be ${PREFIX} followed by base64, or an array with at least one such string`);
  return keys;
}

function required(headers: WebhookHeaders, name: string): string {
  const found = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value: unknown = Array.isArray(found) ? found.join(' ') : found;
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`the header ${name} is missing`);
  return value;
}

/** A Headers, of any implementation. */
function isHeaders(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}
