import { pause, type RetryOptions } from './retries.ts';

/** What a client is made of. Wrong options are refused before the first request. */

export type Credentials = {
  /** The tenant. */
  readonly companyId?: string | undefined;
  /** For servers only. Without an access token. */
  readonly apiKey?: string | undefined;
  /** Of an administrator's session. Without an API key. */
  readonly accessToken?: string | undefined;
};

export type ClientOptions = Credentials & { readonly [Name in keyof RetryOptions]?: RetryOptions[Name] | undefined } & {
  /** Such as `https://escrow.example`. */
  readonly baseUrl: string;
  /** By default the service refuses a body with an unknown field, such as a misspelled one. False: it ignores such fields. */
  readonly isStrict?: boolean | undefined;
};

type CheckedOptions = {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: RetryOptions;
};

const MAX_RETRIES = 7;
const TIMEOUT_MS = 30_000;
const MOST_RETRIES = 100;
/** A timer of Node takes no longer time. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const MAX_HEADER_CHARACTERS = 8_192;

/** Throws a TypeError or a RangeError that names the option and its allowed values. */
export function checked({
  companyId,
  apiKey,
  accessToken,
  baseUrl,
  isStrict = true,
  maxRetries = MAX_RETRIES,
  timeoutMs = TIMEOUT_MS,
  fetch = (request) => globalThis.fetch(request),
  wait = pause,
}: ClientOptions): CheckedOptions {
  for (const [name, value] of Object.entries({ companyId, apiKey, accessToken }))
    if (value !== undefined) checkHeader(name, value);
  if (apiKey !== undefined && accessToken !== undefined)
    throw new TypeError('apiKey and accessToken are two credentials: give one of them');
  if (apiKey !== undefined && isBrowser())
    throw new Error('an API key must not be used in a browser, where everybody can read it');
  checkWhole('maxRetries', maxRetries, 0, MOST_RETRIES);
  checkWhole('timeoutMs', timeoutMs, 1, LONGEST_TIMEOUT_MS);
  checkType('isStrict', isStrict, 'boolean');
  checkType('fetch', fetch, 'function');
  checkType('wait', wait, 'function');
  const headers = {
    ...(companyId === undefined ? {} : { 'x-company-id': companyId }),
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    prefer: isStrict ? 'handling=strict' : 'handling=lenient',
  };
  return { baseUrl: checkedUrl(baseUrl), headers, retries: { maxRetries, timeoutMs, fetch, wait } };
}

/** The value is not part of the message: it may be a secret. */
export function checkHeader(name: string, value: unknown, maxCharacters = MAX_HEADER_CHARACTERS): void {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value) || value.length > maxCharacters)
    throw new TypeError(`${name} must be a string of 1 to ${maxCharacters} visible ASCII characters`);
}

function checkWhole(name: string, value: unknown, min: number, max: number): void {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return;
  const message = `${name} must be a whole number from ${min} to ${max}, and is ${String(value)}`;
  throw typeof value === 'number' ? new RangeError(message) : new TypeError(message);
}

function checkType(name: string, value: unknown, type: 'boolean' | 'function'): void {
  if (typeof value !== type) throw new TypeError(`${name} must be a ${type}, and is ${String(value)}`);
}

/**
 * Without the version: the paths of the operations contain it. Throws a TypeError for an address that no request can be sent to,
 * such as an empty one or one without `https://`.
 */
function checkedUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl must be an address such as https://escrow.example, and is '${baseUrl}'`);
  const { username, password, search, hash } = new URL(baseUrl);
  if (username + password + search + hash !== '')
    throw new TypeError('baseUrl must have no credentials, no query and no fragment');
  return String(baseUrl).replace(/\/+$/, '').replace(/\/v1$/, '');
}

function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
}
