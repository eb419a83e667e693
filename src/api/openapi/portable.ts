import { NAMED_ENUMS } from './named-enums.ts';

/**
 * Rewrites the schemas of the description into forms that generators of clients know: no `allOf`, enumerations and answers with
 * names, null beside a type and never inside an enumeration, booleans without one, and a format for every number.
 */

type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  maximum?: number;
};
type Schemas = Record<string, Schema>;
type Answers = Record<string, { readonly content?: Record<string, { schema?: Schema }> } | undefined>;
type Operation = { readonly operationId?: string; readonly responses?: Answers };
type Document = { readonly paths?: object | undefined; readonly components?: object | undefined };

/** Changes the schemas of the document in place. */
export function makePortable(document: Document): void {
  const components: { schemas?: object } = document.components ?? {};
  components.schemas ??= {};
  const schemas = components.schemas as Schemas; // the generator's own type of schemas is a union of versions
  rewrite(document, schemas);
  for (const [name, { values, means, isOpen }] of Object.entries(NAMED_ENUMS))
    schemas[name] = isOpen
      ? { type: 'string', description: means, ...{ 'x-extensible-enum': values } }
      : { type: 'string', enum: values, description: means };
  for (const operation of operationsOf(document)) nameAnswers(operation, schemas);
}

function operationsOf(document: Document): Operation[] {
  return Object.values<Record<string, Operation>>({ ...document.paths }).flatMap((methods) => Object.values(methods));
}

/** Samples are data, not schemas. */
const SAMPLES = new Set(['example', 'examples', 'default', 'x-codeSamples']);

function rewrite(value: unknown, schemas: Schemas): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) if (!SAMPLES.has(name)) rewrite(inner, schemas);
  const schema: Schema = value;
  if (Array.isArray(schema.allOf)) merge(schema, schema.allOf, schemas);
  if (schema.type === 'boolean') delete schema.enum; // generators for Java read its values as texts
  if (Array.isArray(schema.enum)) nameEnum(schema, schema.enum);
  if (typeof schema.type === 'string' || Array.isArray(schema.type)) addFormat(schema);
}

/** A nullable reference becomes a union, a described one a reference with a description, and an extension one flat object. */
function merge(schema: Schema, parts: readonly Schema[], schemas: Schemas): void {
  delete schema.allOf;
  const [first = {}, second = {}] = parts;
  if (second.properties === undefined && [second.type].flat().includes('null')) {
    Object.assign(schema, second, { anyOf: [first, { type: 'null' }] });
    delete schema.type;
    return;
  }
  const isDescribed = parts.length === 2 && second.properties === undefined && second.$ref === undefined;
  if (isDescribed) {
    Object.assign(schema, second, first);
    return;
  }
  const objects = parts.map((part) => flat(part, schemas));
  Object.assign(schema, {
    type: 'object',
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
    required: [...new Set(objects.flatMap(({ required = [] }) => required))],
  });
}

function flat(part: Schema, schemas: Schemas): Schema {
  if (part.$ref === undefined) return part;
  const named = schemas[part.$ref.split('/').at(-1) ?? ''] ?? {};
  if (named.allOf !== undefined) merge(named, named.allOf, schemas);
  return named;
}

const NAME_OF_VALUES = new Map(Object.entries(NAMED_ENUMS).map(([name, { values }]) => [values.join(), name]));

function nameEnum(schema: Schema, all: readonly unknown[]): void {
  const values = all.filter((value) => value !== null);
  const isNullable = values.length < all.length;
  const name = NAME_OF_VALUES.get(values.join());
  if (name === undefined && !isNullable) return;
  const type: Schema = name === undefined ? { type: 'string', enum: values } : { $ref: `#/components/schemas/${name}` };
  delete schema.enum;
  delete schema.type;
  if (isNullable) schema.anyOf = [type, { type: 'null' }];
  else Object.assign(schema, type);
}

const MAX_INT32 = 2 ** 31 - 1;

/** Without a format some generators choose 32 bits, for which amounts and percentages are too large or too exact. */
function addFormat(schema: Schema): void {
  const types = [schema.type].flat();
  if (types.includes('number')) schema.format ??= 'double';
  if (types.includes('integer'))
    schema.format ??= schema.maximum !== undefined && schema.maximum <= MAX_INT32 ? 'int32' : 'int64';
}

/** Every JSON answer of success is a named schema: of its item for a list, else of its operation. */
function nameAnswers({ operationId = '', responses = {} }: Operation, schemas: Schemas): void {
  for (const [status, response] of Object.entries(responses)) {
    const media = response?.content?.['application/json'];
    if (!status.startsWith('2') || media?.schema === undefined || media.schema.$ref !== undefined) continue;
    const ofOperation = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Answer`;
    const ofItem = answerName(media.schema) ?? ofOperation;
    const name = isFree(ofItem, media.schema, schemas) ? ofItem : ofOperation;
    schemas[name] = media.schema;
    media.schema = { $ref: `#/components/schemas/${name}` };
  }
}

const isFree = (name: string, schema: Schema, schemas: Schemas) =>
  schemas[name] === undefined || JSON.stringify(schemas[name]) === JSON.stringify(schema);

function answerName(schema: Schema): string | undefined {
  const itemOf = (list?: Schema) => list?.items?.$ref?.split('/').at(-1);
  const [item, dataItem] = [itemOf(schema), itemOf(schema.properties?.data)];
  if (item !== undefined) return `${item}List`;
  return dataItem === undefined ? undefined : `${dataItem}Page`;
}
