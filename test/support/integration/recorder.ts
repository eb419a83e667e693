import type { ApiExamples, Example } from '../../../src/api/openapi/examples.ts';
import { documentForm, png } from '../documents.ts';
import { eventually } from '../eventually.ts';
import { logoForm } from '../logos.ts';
import { type Answer, type TestService, untilAnswered } from '../service.ts';
import { createSanitizer } from './sanitizer.ts';

/** Sends requests by the names of their operations, and records requests and answers as examples. */

type Caller = 'key' | 'owner' | 'platform' | 'nobody';

export type Sent = {
  /** The credential; by default the API key. */
  readonly as?: Caller;
  /** The name of the example, where an operation has several. */
  readonly example?: string;
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** The name of a file to upload. */
  readonly document?: string;
  /** Uploads a logo. */
  readonly logo?: true;
  /** A statement of the bank, sent as it is. */
  readonly bankFile?: string;
  /** Repeats the request with new keys until this is the answer. */
  readonly until?: (body: Answer['body']) => boolean;
  /** The request has no key, and a repetition is the same command. */
  readonly isSameTwice?: true;
};

export type Recorder = {
  (operationId: string, sent: Sent): Promise<Answer['body']>;
  /** The same, without an example. */
  quietly(operationId: string, sent: Sent): Promise<Answer['body']>;
  /** Names the tenant of all further requests. */
  actFor(companyId: string): void;
  /** Replaces `value` in examples by `shown`. */
  hide(value: string, shown: string): void;
  /** The same, but only where `word` is a whole word. */
  hideWord(word: string, shown: string): void;
  readonly credentials: { key?: string; owner?: string; platform?: string };
  readonly examples: ApiExamples;
};

type Described = { readonly operationId: string; readonly parameters?: readonly { readonly name: string }[] };
type Operation = { readonly method: string; readonly path: string; readonly isKeyed: boolean };

export async function createRecorder(service: TestService): Promise<Recorder> {
  const operations = operationsOf((await service.request('GET', '/openapi.json')).body.paths);
  const sanitizer = createSanitizer(service);
  const examples: Record<string, Record<string, Example>> = {};
  const credentials: Recorder['credentials'] = { platform: service.platform.apiKey };
  let companyId: string | undefined;

  const send = async (operationId: string, sent: Sent): Promise<Answer> => {
    const operation = operations.get(operationId);
    if (operation === undefined) throw new Error(`the description has no operation ${operationId}`);
    const { method, path, isKeyed } = operation;
    const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => sent.path?.[name] ?? `{${name}}`);
    const query = sent.query === undefined ? '' : `?${new URLSearchParams(sent.query)}`;
    const sendOnce = (key: string) =>
      service.request(method, `${address}${query}`, {
        headers: {
          ...credentialsOf(sent.as ?? 'key', credentials, companyId),
          ...(isKeyed ? { 'x-idempotency-key': key } : {}),
          prefer: 'handling=strict',
          ...(sent.bankFile === undefined ? {} : { 'content-type': 'application/xml' }),
          ...sent.headers,
        },
        ...(sent.bankFile === undefined ? {} : { rawBody: sent.bankFile }),
        ...(sent.body === undefined ? {} : { body: sent.body }),
        ...(sent.document === undefined ? {} : { form: documentForm(png(), sent.document) }),
        ...(sent.logo === undefined ? {} : { form: logoForm(png()) }),
      });
    // A busy machine may answer 503.
    const isRepeatable = isKeyed || method === 'GET' || sent.isSameTwice === true;
    const answer = await untilAnswered(sendOnce, isRepeatable ? {} : { repeated: [] });
    if (answer.status >= 300)
      throw new Error(`${operationId} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  };

  const patiently = (operationId: string, sent: Sent): Promise<Answer> =>
    eventually(async () => {
      const answer = await send(operationId, sent);
      return (sent.until?.(answer.body) ?? true) && answer;
    });

  const record = async (operationId: string, sent: Sent): Promise<Answer['body']> => {
    const { status, headers, body } = await patiently(operationId, sent);
    const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
    sanitizer.learn(body);
    const named = examples[operationId] ?? {};
    examples[operationId] = named;
    named[sent.example ?? operationId] ??= {
      ...(sent.body === undefined ? {} : { request: sanitizer.sanitize(sent.body) }),
      status,
      ...(isJson ? { response: sanitizer.sanitize(body) } : {}),
    };
    return body;
  };
  const quietly = async (operationId: string, sent: Sent) => (await patiently(operationId, sent)).body;
  const actFor = (id: string) => {
    companyId = id;
  };
  const { hide, hideWord } = sanitizer;
  return Object.assign(record, { quietly, actFor, hide, hideWord, credentials, examples });
}

function operationsOf(paths: Record<string, Record<string, Described>>): Map<string, Operation> {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [] }]): [string, Operation] => [
        operationId,
        { method: method.toUpperCase(), path, isKeyed: parameters.some(({ name }) => name === 'x-idempotency-key') },
      ]),
    ),
  );
}

function credentialsOf(
  caller: Caller,
  { key = '', owner = '', platform = '' }: Recorder['credentials'],
  companyId = '',
): Record<string, string> {
  const tenant = { 'x-company-id': companyId };
  switch (caller) {
    case 'key':
      return { 'x-api-key': key, ...tenant };
    case 'owner':
      return { authorization: `Bearer ${owner}`, ...tenant };
    case 'platform':
      return { 'x-api-key': platform, ...tenant };
    case 'nobody':
      return {};
  }
}
