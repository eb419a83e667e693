import { createHmac, timingSafeEqual } from 'node:crypto';
import type { webhooks } from './description.ts';

/** Checks the notifications of the service, which are signed as https://www.standardwebhooks.com says. */

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookToVerify = {
  /** The body as it arrived: parsed and serialized again it has another signature. */
  readonly payload: string | Uint8Array;
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
const SECRET_PREFIX = 'whsec_';

/** What an endpoint receives: `switch (event.type)` tells the compiler what `event.data` is. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/**
 * The parsed body of a genuine notification. Throws WebhookVerificationError. A later release of the service may send types of
 * events that this one does not know.
 */
export function verifyWebhook<Event = WebhookEvent>({
  payload,
  headers,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = new Date(),
}: WebhookToVerify): Event {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const signatures = required(headers, 'webhook-signature');
  const ageSeconds = now.getTime() / 1_000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError('webhook-timestamp is not within the tolerance');

  const body = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const expected = secrets.map((one) =>
    createHmac('sha256', keyOf(one)).update(`${id}.${timestamp}.`).update(payload).digest(),
  );
  const sent = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'));
  const isSigned = sent.some((one) => expected.some((own) => one.length === own.length && timingSafeEqual(one, own)));
  if (!isSigned) throw new WebhookVerificationError('webhook-signature does not match');
  return JSON.parse(body);
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '', 'base64');
  if (key.length === 0) throw new TypeError(`a webhook secret is ${SECRET_PREFIX} followed by base64`);
  return key;
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`the header ${name} is missing`);
  return value;
}
