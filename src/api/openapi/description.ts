import type { RefusalCode } from '../../domain/errors.ts';
import { maxBodyBytesOf } from '../limits.ts';
import { STATUS_OF } from '../problem.ts';

/**
 * What the description of an operation gets besides what the operation says itself: the largest body it takes, and the refusals
 * that follow from an operation's shape: the walls it is behind, the headers and the body it takes. An operation says
 * only what is its own; its description gets the others here, so that no status is left out and none is there that cannot be.
 */

type Described = {
  readonly security?: readonly object[] | undefined;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[] | undefined;
  readonly requestBody?: { readonly content?: object } | undefined;
  responses?: Record<string, { description?: string; content?: object } | undefined>;
  'x-rate-limit'?: string;
  'x-max-body-bytes'?: number;
};

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
      'not_found', // the company, for a super administrator
      'dependency_unavailable',
    ],
  },
  { applies: (operation) => operation['x-rate-limit'] !== undefined, codes: ['too_many_requests'] },
  { applies: takes('path'), codes: ['invalid_id'] },
  { applies: takes('query'), codes: ['validation_failed'] },
  {
    applies: takes('header', 'x-idempotency-key'),
    codes: ['validation_failed', 'idempotency_in_progress', 'idempotency_key_reused'],
  },
  {
    applies: ({ requestBody }) => requestBody !== undefined,
    codes: ['validation_failed', 'invalid_json', 'payload_too_large', 'unsupported_media_type'],
  },
];

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** The description with every operation complete. */
export function completeDescription<Document extends { paths?: object | undefined }>(document: Document): Document {
  for (const [path, methods] of Object.entries<Record<string, Described>>({ ...document.paths }))
    for (const [method, operation] of Object.entries(methods)) {
      completeRefusals(operation);
      if (operation.requestBody !== undefined)
        operation['x-max-body-bytes'] = maxBodyBytesOf(`${method.toUpperCase()} ${path}`);
    }
  return document;
}

function completeRefusals(operation: Described): void {
  operation.responses ??= {};
  const { responses } = operation;
  for (const { applies, codes } of SHAPES) {
    if (!applies(operation)) continue;
    for (const code of codes) {
      const status = String(STATUS_OF[code]);
      const { description = '', content = PROBLEM } = responses[status] ?? {};
      const names = description === '' ? [] : description.split(', ');
      const name = `\`${code}\``;
      responses[status] = { description: [...new Set([...names, name])].join(', '), content };
    }
  }
}
