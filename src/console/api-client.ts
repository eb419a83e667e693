import type { AnswerOf, Arguments, Method, Operation, PathOf } from '../../clients/typescript/src/types.ts';
import { bytePiecesOf } from '../turns/turns.ts';
import type { Text } from './language/message.ts';

/**
 * The console's only way to data: the operations of the REST interface, called in the same process with the session's bearer
 * token. Roles, tenancy, idempotency, rate limits and the audit log apply to a page as to any client.
 */

/** Answers a request as the HTTP interface does. `env` holds the connection from which the client's address is read. */
export type Dispatch = (request: Request, env: unknown) => Response | Promise<Response>;

/** The reason of a problem, as the API sends it. */
export type SentReason = { readonly code: string; readonly value?: string };

export type FieldError = { readonly path: string; readonly message: Text };

/** An operation answered with a problem (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;
  /** The id of the existing resource; null if the problem names none. */
  readonly duplicateOf: string | null;
  /** Why, where the code leaves that open. */
  readonly reason: SentReason | undefined;

  constructor(problem: {
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly errors?: readonly FieldError[];
    readonly retryAfterSeconds?: number | null;
    readonly duplicateOf?: string | undefined;
    readonly reason?: SentReason | undefined;
  }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.retryAfterSeconds = problem.retryAfterSeconds ?? null;
    this.duplicateOf = problem.duplicateOf ?? null;
    this.reason = problem.reason;
  }
}

type SentFile = { readonly type: string; readonly bytes: Uint8Array };

type Request_ = {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly file?: SentFile;
  readonly idempotencyKey?: string;
};

/** Every method throws ApiProblem for an answer that is not a success. */
export type ApiClient = {
  get<Path extends PathOf<'get'>>(
    path: Path,
    ...request: Arguments<Operation<'get', Path>>
  ): Promise<AnswerOf<Operation<'get', Path>>>;
  post<Path extends PathOf<'post'>>(
    path: Path,
    ...request: Arguments<Operation<'post', Path>>
  ): Promise<AnswerOf<Operation<'post', Path>>>;
  patch<Path extends PathOf<'patch'>>(
    path: Path,
    ...request: Arguments<Operation<'patch', Path>>
  ): Promise<AnswerOf<Operation<'patch', Path>>>;
  delete<Path extends PathOf<'delete'>>(
    path: Path,
    ...request: Arguments<Operation<'delete', Path>>
  ): Promise<AnswerOf<Operation<'delete', Path>>>;
  /** Sends a file as it is, in place of JSON. */
  upload<Path extends PathOf<'post'>>(
    path: Path,
    file: SentFile,
    idempotencyKey: string,
  ): Promise<AnswerOf<Operation<'post', Path>>>;
  /** The same client. What it changes is refused with `precondition_failed` if the resource does not have this version any more. */
  onlyIf(version: string): ApiClient;
  /** The whole answer of a list, with its `Link` and `X-Total-Count` headers. */
  list<Path extends PathOf<'get'>>(
    path: Path,
    ...request: Arguments<Operation<'get', Path>>
  ): Promise<ListAnswer<AnswerOf<Operation<'get', Path>>>>;
  /** A file: a document, or a statement in the format that `accept` names. */
  download<Path extends PathOf<'get'>>(
    path: Path,
    accept: string,
    ...request: Arguments<Operation<'get', Path>>
  ): Promise<Response>;
};

export type ListAnswer<Body> = {
  readonly body: Body;
  /** Null if the list does not count its rows. */
  readonly total: number | null;
  /** The cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

export type Caller = {
  readonly dispatch: Dispatch;
  /** The context's environment of the request that the page answers. */
  readonly env: unknown;
  readonly requestId: string;
  /** Proxies' statement of the client's address, as the request had it. */
  readonly forwardedFor: string | undefined;
  /** The browser, which a session names. */
  readonly userAgent: string | undefined;
};

type Credential = {
  readonly accessToken: string;
  readonly companyId: string;
  /** Of the second factor. */
  readonly mfaCode?: string | undefined;
};
/** Asked before each request: work that takes longer than an access token lives gets a new one. */
type Credentials = () => Promise<Credential>;

/** Nobody connects to this address: requests to it are answered in the process. */
const ORIGIN = 'http://console.invalid';

/** Without credentials: for login and refresh. */
export function createApiClient(
  caller: Caller,
  credentials: Credentials | null,
  expectedVersion: string | null = null,
): ApiClient {
  const answer = async (method: Method, path: string, [request]: readonly unknown[]) => {
    const response = await send(method, path, (request ?? {}) as Request_); // the methods' types check it
    return response.json();
  };
  const send = async (method: Method, path: string, request: Request_, accept = 'application/json') => {
    const { file } = request;
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const content = file ?? (body === undefined ? undefined : { type: 'application/json', bytes: Buffer.from(body) });
    const credential = (await credentials?.()) ?? null;
    const response = await caller.dispatch(
      new Request(`${ORIGIN}${addressOf(method, path, request)}`, {
        method: method.toUpperCase(),
        headers: headersOf(caller, credential, {
          accept,
          content,
          idempotencyKey: request.idempotencyKey,
          ifMatch: expectedVersion === null || method === 'get' ? undefined : expectedVersion,
        }),
        ...(file === undefined ? {} : { body: ReadableStream.from(bytePiecesOf(file.bytes)), duplex: 'half' }),
        ...(body === undefined ? {} : { body }),
      }),
      caller.env,
    );
    if (!response.ok) throw await problemOf(response);
    return response;
  };
  const client = {
    get: (path: string, ...request: unknown[]) => answer('get', path, request),
    post: (path: string, ...request: unknown[]) => answer('post', path, request),
    patch: (path: string, ...request: unknown[]) => answer('patch', path, request),
    delete: (path: string, ...request: unknown[]) => answer('delete', path, request),
    upload: (path: string, file: SentFile, idempotencyKey: string) => answer('post', path, [{ file, idempotencyKey }]),
    onlyIf: (version: string) => createApiClient(caller, credentials, version),
    list: async (path: string, request: Request_ = {}) => {
      const response = await send('get', path, request);
      const total = response.headers.get('x-total-count');
      return {
        body: await response.json(),
        total: total === null ? null : Number(total),
        nextCursor: nextCursor(response.headers.get('link')),
      };
    },
    download: (path: string, accept: string, request: Request_ = {}) => send('get', path, request, accept),
  };
  return client as unknown as ApiClient; // the description of the API says what each path answers
}

/** An empty filter of a list means no filter. An empty parameter of an action could mean another action, so it is refused. */
function addressOf(method: Method, path: string, { path: values = {}, query = {} }: Request_): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === '' && method !== 'get') throw missing(name);
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** An empty segment or one of dots would lead to the path of another operation. */
function segmentOf(name: string, value: unknown): string {
  const text = String(value);
  if (/^\.{0,2}$/.test(text)) throw missing(name);
  return encodeURIComponent(text);
}

function missing(path: string): ApiProblem {
  const errors = [{ path, message: 'must not be empty' }];
  return new ApiProblem({ status: 422, code: 'validation_failed', detail: `${path} is missing`, errors });
}

function headersOf(
  { requestId, forwardedFor, userAgent }: Caller,
  credential: Credential | null,
  sent: {
    readonly accept: string;
    readonly content: SentFile | undefined;
    readonly idempotencyKey: string | undefined;
    readonly ifMatch: string | undefined;
  },
): Record<string, string> {
  return {
    accept: sent.accept,
    'x-request-id': requestId,
    prefer: 'handling=strict',
    ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    ...(credential?.mfaCode === undefined ? {} : { 'x-mfa-code': inHeader(credential.mfaCode) }),
    ...(credential === null
      ? {}
      : { authorization: `Bearer ${credential.accessToken}`, 'x-company-id': inHeader(credential.companyId) }),
    ...(sent.content === undefined
      ? {}
      : { 'content-type': sent.content.type, 'content-length': String(sent.content.bytes.length) }),
    ...(sent.idempotencyKey === undefined ? {} : { 'x-idempotency-key': sent.idempotencyKey }),
    ...(sent.ifMatch === undefined ? {} : { 'if-match': `"${inHeader(sent.ifMatch)}"` }),
  };
}

/** Ids and versions need no escapes. Another text that stood in an address or a form must not have what no header can carry. */
const inHeader = (text: string) => encodeURIComponent(text);

function nextCursor(link: string | null): string | null {
  const next = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return next === undefined ? null : new URL(next, ORIGIN).searchParams.get('cursor');
}

/** The API begins each message with the field's path. The console's forms have their own labels. */
function withoutPath({ path, message }: SentError): FieldError {
  return { path, message: message.startsWith(`${path} `) ? message.slice(path.length + 1) : message };
}

type SentError = { readonly path: string; readonly message: string };
type ProblemBody = {
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
  readonly duplicateOf?: string;
  readonly reason?: SentReason;
};

async function problemOf(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => ({}))) as ProblemBody & { errors?: readonly SentError[] }; // RFC 9457
  const retryAfter = response.headers.get('retry-after');
  return new ApiProblem({
    status: response.status,
    code: body.code ?? 'internal_error',
    detail: body.detail ?? body.title ?? 'The operation failed.',
    duplicateOf: body.duplicateOf,
    reason: body.reason,
    ...(body.errors === undefined ? {} : { errors: body.errors.map(withoutPath) }),
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
  });
}
