import { randomUUID } from 'node:crypto';
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { errorOf } from './errors.ts';
import { KEYED_OPERATIONS } from './keyed-operations.ts';
import { type ClientOptions, type Credentials, checked, checkHeader } from './options.ts';
import { IDEMPOTENCY_KEY, retryAfterSeconds, retryingFetch } from './retries.ts';
import type { AnswerOf, Arguments, ListPath, Method, Operation, PathOf, RequestOptions, RowOf } from './types.ts';

type AnyRequest = RequestOptions & { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown };

const PAGE_SIZE = 100;
const MAX_KEY_CHARACTERS = 255;

/**
 * A client of the Escrow Payments Service. Requests and answers are typed by the service's description. Every refusal is thrown
 * as an EscrowError. Requests are repeated where that is safe, with the idempotency key that they had.
 */
export class EscrowClient {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: ReturnType<typeof retryingFetch>;

  /** Throws a TypeError or a RangeError for an option that no request can be sent with. */
  constructor(options: ClientOptions) {
    const { baseUrl, headers, retries } = checked(options);
    this.#options = options;
    this.#baseUrl = baseUrl;
    this.#headers = headers;
    this.#fetch = retryingFetch(retries);
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

  put<Path extends PathOf<'put'>>(path: Path, ...[request]: Arguments<Operation<'put', Path>>) {
    return this.#answer<AnswerOf<Operation<'put', Path>>>('put', path, request);
  }

  /** `not_found` may mean that the first try removed it and its answer was lost. */
  delete<Path extends PathOf<'delete'>>(path: Path, ...[request]: Arguments<Operation<'delete', Path>>) {
    return this.#answer<AnswerOf<Operation<'delete', Path>>>('delete', path, request);
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
    return (await this.#send('get', path, request ?? {}, 'stream')).response;
  }

  async #answer<Answer>(method: Method, path: string, request: AnyRequest = {}): Promise<Answer> {
    return (await this.#send(method, path, request)).data as Answer; // the description says so
  }

  async #send(method: Method, path: string, asked: AnyRequest, read: 'whole' | 'stream' = 'whole') {
    const request = this.#requestOf(method, path, asked);
    const response = await this.#fetch(request, read);
    if (response.ok && (read === 'stream' || response.status === 204)) return { data: undefined, response };
    const data = jsonOf(await response.text());
    if (response.ok && data !== undefined) return { data, response };
    const type = response.headers.get('content-type')?.split(';')[0] ?? 'without a type';
    const cure = response.ok && type !== 'text/html' ? 'use download for a file' : `check baseUrl (${this.#baseUrl})`;
    throw errorOf(
      response.status,
      data,
      retryAfterSeconds(response),
      request.headers.get(IDEMPOTENCY_KEY) ?? undefined,
      `the answer to ${request.method} ${path} is ${response.status} ${type}, not one of the service: ${cure}`,
    );
  }

  #requestOf(method: Method, path: string, asked: AnyRequest): Request {
    const { path: inPath, query, body, idempotencyKey = randomUUID(), ifMatch, signal = null } = asked;
    checkHeader('idempotencyKey', idempotencyKey, MAX_KEY_CHARACTERS);
    if (ifMatch !== undefined) checkHeader('ifMatch', ifMatch, MAX_KEY_CHARACTERS);
    for (const [name, value] of Object.entries(Object(inPath)))
      if (['undefined', '', '.', '..'].includes(String(value)))
        throw new TypeError(`path.${name} of ${path} is empty or dots`);
    const url = createFinalURL(path, {
      baseUrl: this.#baseUrl,
      params: { path: Object(inPath), query: Object(query) },
      querySerializer: createQuerySerializer(),
      pathSerializer: defaultPathSerializer,
    });
    const headers = new Headers(this.#headers);
    if (KEYED_OPERATIONS.has(`${method} ${path}`)) headers.set(IDEMPOTENCY_KEY, idempotencyKey);
    if (ifMatch !== undefined) headers.set('if-match', ifMatch);
    const isForm = body instanceof FormData; // it brings its own type
    if (body !== undefined && !isForm) headers.set('content-type', 'application/json');
    const content = isForm ? body : body === undefined ? null : JSON.stringify(body);
    return new Request(url, { method: method.toUpperCase(), headers, body: content, signal });
  }
}

/** Undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The query of the next page. The service's own address is not followed: a proxy may give it another one. */
function nextPage(response: Response): Readonly<Record<string, string>> | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return next === undefined ? undefined : Object.fromEntries(new URL(next, 'http://localhost').searchParams);
}
