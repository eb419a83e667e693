import type { RefusalCode } from '../../domain/errors.ts';
import { maxBodyBytesOf } from '../limits.ts';
import { statusOf } from '../problem.ts';
import { codeSample } from './code-samples.ts';
import type { Described } from './described.ts';
import { addExamples, codesIn, problemExampleReferences, problemExamples } from './examples.ts';
import { HEADERS, headersOf } from './headers.ts';
import { operationIdOf, TAGS } from './operation-names.ts';

/**
 * Completes the description of an operation: its id, its largest body, the headers of its responses, and the refusals that
 * follow from its guard, headers and body. An operation declares only its own refusals.
 */

const takes = (place: string, name?: string) => (operation: Described) =>
  (operation.parameters ?? []).some((one) => one.in === place && (name === undefined || one.name === name));

const SHAPES: readonly {
  readonly applies: (operation: Described) => boolean;
  readonly codes: readonly RefusalCode[];
}[] = [
  {
    applies: ({ security = [] }) => security.length > 0,
    codes: [
      'unauthenticated',
      'missing_header',
      'company_mismatch',
      'password_change_required',
      'forbidden',
      'not_found', // for a super administrator: the company does not exist
      'dependency_unavailable',
    ],
  },
  { applies: (operation) => operation['x-rate-limit'] !== undefined, codes: ['too_many_requests'] },
  { applies: takes('path'), codes: ['invalid_id'] },
  // Unknown query parameters are refused.
  { applies: (operation) => operation['x-callback'] !== true, codes: ['validation_failed'] },
  {
    applies: takes('header', 'x-idempotency-key'),
    codes: ['validation_failed', 'idempotency_in_progress', 'idempotency_key_reused'],
  },
  {
    applies: ({ requestBody }) => requestBody !== undefined,
    codes: ['validation_failed', 'invalid_json', 'payload_too_large', 'unsupported_media_type'],
  },
];

/** RFC 7240. */
const PREFER = {
  name: 'prefer',
  in: 'header',
  required: false,
  description: 'With `handling=strict`, a body field that the operation does not have is 400 instead of ignored.',
  schema: { type: 'string', example: 'handling=strict' },
} as const;

/** Callbacks of providers. Their bodies are described but not enforced: a callback is always answered. */
const CALLBACK_BODIES: Readonly<Record<string, object>> = {
  'POST /v1/payments/eft-pay/webhook': {
    type: 'object',
    description:
      'The id of a checkout, plain, nested or encrypted (AES-256-GCM, as hex). It is verified with the gateway.',
    properties: {
      id: { type: 'string' },
      payload: { type: 'object', properties: { id: { type: 'string' } } },
      encryptedBody: { type: 'string' },
    },
  },
  'POST /v1/messaging/webhook': {
    type: 'object',
    description: 'A notification of the WhatsApp Cloud API.',
    properties: { object: { type: 'string' }, entry: { type: 'array', items: { type: 'object' } } },
  },
};

/** The OpenAPI document, with every operation complete. */
export function completeDescription<
  Document extends { paths?: object | undefined; components?: object | undefined; tags?: unknown },
>(document: Document): Document {
  describeNulls(document);
  const named = Object.entries<Record<string, Described>>({ ...document.paths }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  for (const { operation, name } of named) complete(operation, name);
  const examples = problemExamples(named.map(({ operation }) => operation));
  return { ...document, tags: TAGS, components: { ...document.components, headers: HEADERS, examples } };
}

function complete(operation: Described, name: string): void {
  operation.operationId = operationIdOf(name);
  completeRefusals(operation);
  const callbackBody = CALLBACK_BODIES[name];
  if (callbackBody !== undefined) {
    operation.requestBody = { required: true, content: { 'application/json': { schema: callbackBody } } };
    operation.responses = { ...operation.responses, 408: { description: 'Sending the body took too long.' } };
  }
  if (operation.requestBody !== undefined) {
    operation['x-max-body-bytes'] = maxBodyBytesOf(name);
    if (callbackBody === undefined) operation.parameters = [...(operation.parameters ?? []), PREFER];
  }
  for (const [status, response] of Object.entries(operation.responses ?? {}))
    if (response !== undefined) response.headers = { ...response.headers, ...headersOf(operation, Number(status)) };
  addExamples(operation);
  operation['x-codeSamples'] = [codeSample(operation, name)];
}

function completeRefusals(operation: Described): void {
  operation.responses ??= {};
  const { responses } = operation;
  for (const { applies, codes } of SHAPES) {
    if (!applies(operation)) continue;
    for (const code of codes) {
      const status = String(statusOf(code));
      const { description = '' } = responses[status] ?? {};
      const names = description === '' ? [] : description.split(', ');
      const name = `\`${code}\``;
      responses[status] ??= { content: { 'application/problem+json': {} } };
      responses[status].description = [...new Set([...names, name])].join(', ');
    }
  }
  for (const [status, response] of Object.entries(responses))
    if (response?.content !== undefined && 'application/problem+json' in response.content)
      response.content = problemOf(Number(status), codesIn(response.description ?? ''));
}

/** The one schema of problems, limited to the codes that an operation answers with this status. */
function problemOf(status: number, codes: readonly RefusalCode[]): object {
  const own = { type: 'object', properties: { status: { const: status }, code: { type: 'string', enum: codes } } };
  return {
    'application/problem+json': {
      schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, own] },
      examples: problemExampleReferences(codes),
    },
  };
}

/**
 * The generator describes a component that may be null as `allOf` of its reference and of null, which no value satisfies but an
 * object. Says `anyOf` instead, everywhere in `value`.
 */
function describeNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) describeNulls(inner);
  const schema: { allOf?: unknown; anyOf?: unknown } = value;
  const reference = nullableReference(schema.allOf);
  if (reference === undefined) return;
  delete schema.allOf;
  schema.anyOf = [reference, { type: 'null' }];
}

function nullableReference(allOf: unknown): object | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 2) return undefined;
  const [reference, beside]: unknown[] = allOf;
  const isReference = typeof reference === 'object' && reference !== null && '$ref' in reference;
  return isReference && JSON.stringify(beside) === '{"type":["object","null"]}' ? reference : undefined;
}
