import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { AMOUNT_REFUSALS, REFUSAL_CODES } from '../../src/domain/errors.ts';
import { apiDocument } from '../support/api-document.ts';

/** The parts of clients/typescript that follow from the service: types, keyed operations, and problem codes. */

const HEADER = '/** Generated from the description of the API by `npm run client`. */\n\n';

type Operation = {
  parameters?: { readonly name: string; readonly in: string }[];
  responses: Record<string, { headers?: object }>;
};
type Methods = Record<string, Record<string, Operation>>;
type Schema = { 'x-extensible-enum'?: string[]; enum?: string[]; anyOf?: { readonly $ref: string }[] };
type Document = {
  readonly paths: Methods;
  readonly webhooks: Methods;
  readonly components: { readonly schemas: Record<string, Schema> };
};

/** The files by name, relative to `clients/typescript/src`. */
export async function clientFiles(): Promise<Record<string, string>> {
  return {
    'description.ts': HEADER + astToString(await openapiTypescript(...described())),
    'keyed-operations.ts': keyedOperations(),
    'problem-codes.ts': problemCodes(),
  };
}

/** A field with a default may be left out. */
function described(): Parameters<typeof openapiTypescript> {
  return [successesOnly() as unknown as OpenAPI3, { defaultNonNullable: false }]; // it is OpenAPI
}

/** A copy of the description that a test or a generator may change. */
function documentCopy(): Document {
  return JSON.parse(JSON.stringify(apiDocument()));
}

/**
 * The description without the parts that the client handles itself: headers and refusals. Open enumerations are closed, and
 * unions have only the members that are known, so that TypeScript can tell them apart.
 */
function successesOnly(): Document {
  const document = documentCopy();
  const { schemas } = document.components;
  for (const schema of Object.values(schemas))
    if (schema['x-extensible-enum']) schema.enum = schema['x-extensible-enum'];
  const { TimelineEntry: union } = schemas;
  if (union?.anyOf === undefined) throw new Error('the entries of a timeline are not a union');
  union.anyOf = union.anyOf.filter(({ $ref }) => !$ref.endsWith('/TimelineOther'));
  for (const operation of [...operationsOf(document.paths), ...operationsOf(document.webhooks)]) {
    operation.parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { headers: _headers, ...response }]) => [status, response]),
    );
  }
  return document;
}

const operationsOf = (all: Methods) => Object.values(all).flatMap((methods) => Object.values(methods));

function keyedOperations(): string {
  const names = Object.entries(documentCopy().paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'x-idempotency-key'))
      .map(([method]) => `${method} ${path}`),
  );
  const lines = names.sort().map((name) => `  '${name}',\n`);
  return `${HEADER}/** The operations that take an idempotency key. */\nexport const KEYED_OPERATIONS: ReadonlySet<string> = new Set([\n${lines.join('')}]);\n`;
}

function problemCodes(): string {
  const union = (name: string, codes: readonly string[]) =>
    `export type ${name} =\n${[...codes]
      .sort()
      .map((code) => `  | '${code}'`)
      .join('\n')};\n`;
  return (
    `${HEADER}/** The problem codes of the service. */\n` +
    union('KnownProblemCode', [...REFUSAL_CODES, 'internal_error']) +
    '\n/** The codes of refusals about money, whose problems have `details`. */\n' +
    union(
      'AmountProblemCode',
      AMOUNT_REFUSALS.map(({ code }) => code),
    )
  );
}
