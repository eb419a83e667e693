import type { RefusalCode } from '../../domain/errors.ts';
import { maxBodyBytesOf } from '../limits.ts';
import { statusOf } from '../problem.ts';
import type { Described } from './described.ts';
import { addExamples, codeSample, codesIn, problemExampleReferences, problemExamples } from './examples.ts';
import { HEADERS, headersOf } from './headers.ts';
import { operationIdOf, TAGS } from './operation-names.ts';
import { makePortable } from './portable.ts';

/**
 * Completes the description of an operation: its id, its largest body, the headers of its responses, and the refusals that
 * follow from its guard, headers and body. An operation declares only its own refusals.
 */

const takes = (place: string, name?: string) => (operation: Described) =>
  (operation.parameters ?? []).some((one) => one.in === place && (name === undefined || one.name === name));

/** What is sent to an operation without a body is read too: its fields are unknown ones. */
function readsBody(operation: Described, name: string): boolean {
  return !name.startsWith('GET ') && operation['x-callback'] !== true;
}

const SHAPES: readonly {
  readonly applies: (operation: Described, name: string) => boolean;
  readonly codes: readonly RefusalCode[];
}[] = [
  {
    applies: ({ security = [] }) => security.length > 0,
    codes: [
      'unauthenticated',
      'missing_header',
      'company_mismatch',
      'password_change_required',
      'mfa_required',
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
    applies: readsBody,
    codes: ['validation_failed', 'invalid_json', 'payload_too_large', 'unsupported_media_type'],
  },
];

/** RFC 7240. */
function preferHeader({ 'x-unknown-fields': rule }: Described) {
  const strict = 'With `handling=strict`, a body field that the operation does not have is 400 instead of ignored.';
  const always = 'A body field that the operation does not have is 400; with `handling=lenient` it is ignored.';
  const sometimes = `${strict} Without that it is 400 too where the body has \`${typeof rule === 'object' ? rule.refusedWith : ''}\` or a misspelling of it; with \`handling=lenient\` it is ignored.`;
  return {
    name: 'prefer',
    in: 'header',
    required: false,
    description: rule === undefined ? strict : rule === 'refused' ? always : sometimes,
    schema: { type: 'string', example: rule === 'refused' ? 'handling=lenient' : 'handling=strict' },
  };
}

/** Callbacks of providers. Their bodies are described but not enforced: a callback is always answered. */
const CALLBACK_BODIES: Readonly<Record<string, { readonly name: string; readonly schema: object }>> = {
  'POST /v1/payments/eft-pay/webhook': {
    name: 'GatewayNotification',
    schema: {
      type: 'object',
      description:
        'The id of a checkout, plain, nested or encrypted (AES-256-GCM, as hex). It is verified with the gateway.',
      properties: {
        id: { type: 'string', description: 'The id of the checkout.' },
        payload: {
          type: 'object',
          description: 'The payment.',
          properties: { id: { type: 'string', description: 'The id of the checkout.' } },
        },
        encryptedBody: { type: 'string', description: 'All of it, encrypted.' },
      },
    },
  },
  'POST /v1/messaging/webhook': {
    name: 'MessagingNotification',
    schema: {
      type: 'object',
      description: 'A notification of the WhatsApp Cloud API.',
      properties: {
        object: { type: 'string', description: 'The kind of account.' },
        entry: {
          type: 'array',
          description: 'Incoming messages and reports of delivery.',
          items: { type: 'object', additionalProperties: {} },
        },
      },
    },
  },
};

/** The OpenAPI document, with every operation complete. */
export function completeDescription<
  Document extends { paths?: object | undefined; components?: object | undefined; tags?: unknown },
>(document: Document): Document {
  const named = Object.entries<Record<string, Described>>({ ...document.paths }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  for (const { operation, name } of named) completeOperation(operation, name);
  const examples = problemExamples(named.map(({ operation }) => operation));
  const { schemas, ...components } = { schemas: {}, ...document.components };
  for (const { name, schema } of Object.values(CALLBACK_BODIES)) Object.assign(schemas, { [name]: schema });
  const complete = { ...document, tags: TAGS, components: { ...components, schemas, headers: HEADERS, examples } };
  makePortable(complete);
  return complete;
}

function completeOperation(operation: Described, name: string): void {
  operation.operationId = operationIdOf(name);
  completeRefusals(operation, name);
  const callbackBody = CALLBACK_BODIES[name];
  if (callbackBody !== undefined) {
    operation.requestBody = {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${callbackBody.name}` } } },
    };
    operation.responses = { ...operation.responses, 408: { description: 'Sending the body took too long.' } };
  }
  if (operation.requestBody !== undefined) {
    operation['x-max-body-bytes'] = maxBodyBytesOf(name);
  }
  if (readsBody(operation, name)) operation.parameters = [...(operation.parameters ?? []), preferHeader(operation)];
  for (const [status, response] of Object.entries(operation.responses ?? {}))
    if (response !== undefined) response.headers = { ...response.headers, ...headersOf(operation, Number(status)) };
  addExamples(operation);
  operation['x-codeSamples'] = [codeSample(operation, name)];
}

function completeRefusals(operation: Described, name: string): void {
  operation.responses ??= {};
  const { responses } = operation;
  for (const { applies, codes } of SHAPES) {
    if (!applies(operation, name)) continue;
    for (const code of codes) {
      const status = String(statusOf(code));
      const { description = '' } = responses[status] ?? {};
      const names = description === '' ? [] : description.split(', ');
      const name = `\`${code}\``;
      responses[status] ??= { content: { 'application/problem+json': {} } };
      responses[status].description = [...new Set([...names, name])].join(', ');
    }
  }
  for (const response of Object.values(responses)) {
    if (response?.content === undefined || !('application/problem+json' in response.content)) continue;
    const codes = codesIn(response.description ?? '');
    response['x-codes'] = codes;
    response.content = {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: problemExampleReferences(codes),
      },
    };
  }
}
