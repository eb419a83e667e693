import { readFileSync } from 'node:fs';
import { isRefusalCode, REFUSALS, type RefusalCode, refusalRow } from '../../domain/errors.ts';
import { publicId } from '../../domain/ids.ts';
import { problemBody, statusOf } from '../problem.ts';
import type { Described } from './described.ts';

/**
 * The examples of the description. `examples.json` holds the requests and answers of a first integration, recorded from the
 * service: a test repeats it and compares. `npm run record-examples` records it again.
 */

export type Example = { readonly request?: unknown; readonly status: number; readonly response?: unknown };
/** By operation id, then by name. */
export type ApiExamples = Readonly<Record<string, Readonly<Record<string, Example>>>>;

export const EXAMPLES_FILE = new URL('examples.json', import.meta.url);

export const EXAMPLES: ApiExamples = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8'));

type Media = { examples?: Record<string, unknown> };

/** Adds the recorded requests and answers to an operation. */
export function addExamples(operation: Described): void {
  for (const [name, { request, status, response }] of Object.entries(EXAMPLES[operation.operationId ?? ''] ?? {})) {
    if (request !== undefined) addExample(operation.requestBody?.content, name, { value: request });
    if (response !== undefined) addExample(operation.responses?.[status]?.content, name, { value: response });
  }
}

function addExample(content: object | undefined, name: string, example: object): void {
  const media = new Map<string, Media>(Object.entries(content ?? {})).get('application/json');
  if (media !== undefined) media.examples = { ...media.examples, [name]: example };
}

/** One example for each problem code that an operation answers, for the components of the description. */
export function problemExamples(operations: readonly Described[]): Record<string, object> {
  const used = new Set(
    operations
      .flatMap(({ responses }) => Object.values(responses ?? {}))
      .flatMap((response) => codesIn(response?.description ?? '')),
  );
  return Object.fromEntries(
    [...used].map((code) => {
      const { title, cure } = REFUSALS[code];
      return [code, { summary: title, description: cure, value: problemExample(code) }];
    }),
  );
}

/** The problem codes in the description of a response. */
export function codesIn(description: string): RefusalCode[] {
  return [...description.matchAll(/`(\w+)`/g)].map(([, name]) => name).filter(isRefusalCode);
}

/** References to the examples of these codes. */
export function problemExampleReferences(codes: readonly RefusalCode[]): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

const SHOWN_ID = '01900000-0000-7000-8000-000000000001';
const FIELD_ERROR = { path: 'amount', message: 'amount must be a whole number of cents, at least 1' };

function problemExample(code: RefusalCode): object {
  const { title, amounts } = refusalRow(code);
  return problemBody({
    status: statusOf(code),
    code,
    title,
    detail: code === 'validation_failed' ? FIELD_ERROR.message : title,
    requestId: SHOWN_ID,
    errors: code === 'validation_failed' ? [FIELD_ERROR] : [],
    details:
      amounts !== undefined && code !== 'wrong_state'
        ? { available: '20000', requested: '25000', currency: 'USD' }
        : undefined,
    duplicateOf: code === 'duplicate_reference' ? publicId('transaction', SHOWN_ID) : undefined,
  });
}

/** A code sample of every operation with the TypeScript client. The reference page shows it beside curl. */
export function codeSample(operation: Described, name: string): object {
  const [method = '', path = ''] = name.split(' ');
  const request = Object.values(EXAMPLES[operation.operationId ?? ''] ?? {}).at(0)?.request;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
  const parts = [
    ...(names.length === 0 ? [] : [`path: { ${names.join(', ')} }`]),
    ...(request === undefined ? [] : [`body: ${literal(request)}`]),
  ];
  const sent = parts.length === 0 ? '' : `, {\n${parts.map((part) => `${indented(part)},\n`).join('')}}`;
  return {
    lang: 'TypeScript',
    label: 'escrow-payments-client',
    source: `const answer = await escrow.${method.toLowerCase()}('${path}'${sent});`,
  };
}

/** JSON as a TypeScript literal: names without quotation marks. */
const literal = (value: unknown) => JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
const indented = (text: string) => text.replace(/^/gm, '  ');
