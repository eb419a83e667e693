import { randomUUID } from 'node:crypto';
import createFetchClient from 'openapi-fetch';
import type { paths } from './description.ts';
import { errorOf } from './errors.ts';
import { KEYED_OPERATIONS } from './keyed-operations.ts';
import { type RetryOptions, retryAfterSeconds, retryingFetch } from './retries.ts';
import type { AnswerOf, Arguments, ListPath, Method, Operation, PathOf, RequestOptions, RowOf } from './types.ts';

export type Credentials = {
  /** The tenant. */
  readonly companyId?: string;
  /** For servers only. */
  readonly apiKey?: string;
  /** Of an administrator's session. */
  readonly accessToken?: string;
};

export type ClientOptions = Credentials &
  Partial<RetryOptions> & {
    /** Such as `https://escrow.example`. */
    readonly baseUrl: string;
    /** By default the service refuses a body with an unknown field, such as a misspelled one. False: it ignores such fields. */
    readonly isStrict?: boolean;
  };

type AnyRequest = RequestOptions & { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown };
type Parsing = { readonly parseAs?: 'stream'; readonly headers?: Readonly<Record<string, string>> };

const MAX_RETRIES = 4;
const TIMEOUT_MS = 30_000;
const PAGE_SIZE = 100;

/**
 * A client of the Escrow Payments Service. Requests and answers are typed by the service's description. Every refusal is thrown
 * as an EscrowError. Requests are repeated where that is safe, with the idempotency key that they had.
 */
export class EscrowClient {
  readonly #options: ClientOptions;
  readonly #http: ReturnType<typeof createFetchClient<paths>>;

  constructor(options: ClientOptions) {
    if (options.apiKey !== undefined && isBrowser())
      throw new Error('an API key must not be used in a browser, where everybody can read it');
    const {
      maxRetries = MAX_RETRIES,
      timeoutMs = TIMEOUT_MS,
      fetch = (request) => globalThis.fetch(request),
    } = options;
    this.#options = options;
    this.#http = createFetchClient<paths>({
      baseUrl: checkedUrl(options.baseUrl),
      headers: headersOf(options),
      fetch: retryingFetch({ maxRetries, timeoutMs, fetch }, ({ method, headers }) =>
        method === 'GET' || headers.has('x-idempotency-key') ? 'repeatable' : 'once',
      ),
    });
  }

  /** The same client with other credentials. */
  as(credentials: Credentials): EscrowClient {
    const { apiKey: _apiKey, accessToken: _accessToken, ...options } = this.#options;
    return new EscrowClient({ ...options, ...credentials });
  }

  get<Path extends PathOf<'get'>>(path: Path, ...[request]: Arguments<Operation<'get', Path>>) {
    return this.#answer<AnswerOf<Operation<'get', Path>>>('get', path, request);
  }

  post<Path extends PathOf<'post'>>(path: Path, ...[request]: Arguments<Operation<'post', Path>>) {
    return this.#answer<AnswerOf<Operation<'post', Path>>>('post', path, request);
  }

  patch<Path extends PathOf<'patch'>>(path: Path, ...[request]: Arguments<Operation<'patch', Path>>) {
    return this.#answer<AnswerOf<Operation<'patch', Path>>>('patch', path, request);
  }

  /** All rows of a list, page by page. `query.limit` is the size of a page. */
  async *list<Path extends ListPath & PathOf<'get'>>(
    path: Path,
    ...[request]: Arguments<Operation<'get', Path>>
  ): AsyncGenerator<RowOf<Operation<'get', Path>>, void, undefined> {
    const first: AnyRequest = request ?? {};
    let query: unknown = { limit: PAGE_SIZE, ...Object(first.query) };
    while (query !== undefined) {
      const { data, response } = await this.#send('get', path, { ...first, query });
      const rows: unknown = Array.isArray(data) ? data : (data as { data?: unknown }).data;
      yield* rows as RowOf<Operation<'get', Path>>[]; // the description says so
      query = nextPage(response);
    }
  }

  /** A file: a document, or a statement in another format than JSON. Read it from the response's body. */
  async download<Path extends PathOf<'get'>>(path: Path, ...[request]: Arguments<Operation<'get', Path>>) {
    const parsing = { parseAs: 'stream', headers: { accept: '*/*' } } as const;
    return (await this.#send('get', path, request ?? {}, parsing)).response;
  }

  async #answer<Answer>(method: Method, path: string, request: AnyRequest = {}): Promise<Answer> {
    return (await this.#send(method, path, request)).data as Answer; // the description says so
  }

  async #send(
    method: Method,
    path: string,
    { path: inPath, query, body, idempotencyKey, signal }: AnyRequest,
    { headers, ...parsing }: Parsing = {},
  ) {
    const isKeyed = KEYED_OPERATIONS.has(`${method} ${path}`);
    for (const [name, value] of Object.entries(Object(inPath)))
      if (value === undefined || value === '') throw new TypeError(`path.${name} of ${path} is empty`);
    const request = {
      params: { path: inPath, query },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      headers: { ...headers, ...(isKeyed ? { 'x-idempotency-key': idempotencyKey ?? randomUUID() } : {}) },
      ...parsing,
    };
    // The types of openapi-fetch know one operation at a time; the public methods above check the request.
    const send = this.#http.request as (method: Method, path: string, init: object) => Promise<Answered>;
    const { data, error, response } = await send(method, path, request).catch((cause: unknown) => {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw new TypeError(`the answer to ${path} is not JSON: use download`, { cause });
    });
    if (response.ok) return { data, response };
    throw errorOf(response.status, error, retryAfterSeconds(response));
  }
}

/** Throws a TypeError for an address that no request can be sent to, such as an empty one or one without `https://`. */
/** Without the version: the paths of the operations contain it. */
function checkedUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl must be an address such as https://escrow.example, and is '${baseUrl}'`);
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}

type Answered = { readonly data?: unknown; readonly error?: unknown; readonly response: Response };

function headersOf({ companyId, apiKey, accessToken, isStrict = true }: ClientOptions): Record<string, string> {
  return {
    ...(companyId === undefined ? {} : { 'x-company-id': companyId }),
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    ...(isStrict ? { prefer: 'handling=strict' } : {}),
  };
}

/** The query of the next page. The service's own address is not followed: a proxy may give it another one. */
function nextPage(response: Response): Readonly<Record<string, string>> | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return next === undefined ? undefined : Object.fromEntries(new URL(next, 'http://localhost').searchParams);
}

function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
}
