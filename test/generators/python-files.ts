import { readFileSync } from 'node:fs';
import { REFUSAL_CODES } from '../../src/domain/errors.ts';
import { apiDocument } from '../support/api-document.ts';

/** The parts of clients/python that follow from the service: models, operations of both clients, and errors. */

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly enum?: readonly (string | boolean)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
};
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly description?: string;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const HEADER = '# Generated from the description of the API by `npm run client`.\n';
/** Names that Python or pydantic keeps for itself. */
const RESERVED = new Set([
  'from',
  'type',
  'id',
  'class',
  'import',
  'global',
  'in',
  'is',
  'schema',
  'copy',
  'json',
  'validate',
]);
const KEPT = new Set(['type', 'id']);

/** The files by name, relative to `clients/python/src/escrow_payments`. */
export function pythonFiles(): Record<string, string> {
  const document = JSON.parse(JSON.stringify(apiDocument())) as Document; // it is OpenAPI
  const asynchronous = operations(document);
  return {
    '_models.py': models(document),
    '_async_operations.py': asynchronous,
    '_operations.py': synchronous(asynchronous),
    '_transport.py': synchronous(written('_async_transport.py'), '_async_transport.py'),
    '_client.py': synchronous(written('_async_client.py'), '_async_client.py'),
    '_codes.py': codes(),
  };
}

const written = (name: string) =>
  readFileSync(new URL(`../../clients/python/src/escrow_payments/${name}`, import.meta.url), 'utf8');

/** What differs between the asynchronous client, which is written, and the other, which follows from it. */
const SYNCHRONOUS: readonly (readonly [RegExp, string])[] = [
  [/\basync def /g, 'def '],
  [/\basync (?=with|for)/g, ''],
  [/\bawait /g, ''],
  [/\b_async_(?=client|operations|transport)/g, '_'],
  [/\bAsync(?=Client|EscrowClient|Iterator|Operations|Transport)/g, ''],
  [/\ba(?=close\(|read\()/g, ''],
  [/\b__a(?=enter__|exit__)/g, '__'],
  [/Awaitable\[None\]/g, 'None'],
  [/\bAwaitable, /g, ''],
  [/import Iterator, Callable/g, 'import Callable, Iterator'],
  [/\basyncio\b(?!:)/g, 'time'],
  [/ for asyncio: every method is awaited, and the iterators are asynchronous/g, ''],
];

function synchronous(source: string, from?: string): string {
  const result = SYNCHRONOUS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source);
  const left = /\b(async|await|asyncio|Awaitable)\b/.exec(result);
  if (left !== null) throw new Error(`the synchronous client would contain ${left[0]}`);
  return from === undefined ? result : `# Generated from ${from} by \`npm run client\`.\n${result}`;
}

const nameOf = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) ?? '';
const snake = (name: string) =>
  name
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
const fieldName = (name: string) => {
  const plain = snake(name);
  return RESERVED.has(plain) && !KEPT.has(plain) ? `${plain}_` : plain;
};
const pascal = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll('_', '');
const doc = (text: string, indent: string) =>
  `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')}"""\n`;

// Models

function models({ components: { schemas }, webhooks }: Document): string {
  const written: string[] = [];
  const names = new Set(Object.keys(schemas));
  // What is read when the module is loaded comes after what it names.
  const place = ({ properties, type }: Schema) => (type === 'string' ? 0 : properties === undefined ? 2 : 1);
  const inOrder = Object.entries(schemas).toSorted(
    ([, a], [, b]) => place(a) - place(b) || Number(a.type === 'array') - Number(b.type === 'array'),
  );
  for (const [name, schema] of inOrder) writeNamed(name, schema, written, names);
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const { schema = {} } = post.requestBody?.content['application/json'] ?? {};
    return [type, nameOf(schema)] as const;
  });
  return `${HEADER}from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal, Union

from pydantic import Field, SkipValidation

from ._base import Model

${written.join('\n')}
AnyEvent = Union[${[...events.map(([, name]) => name), 'Event'].join(', ')}]
"""An event of a known type, told apart by \`type\`, or an \`Event\` of a type of a later version."""

EVENT_MODELS: dict[str, type[AnyEvent]] = {
${events.map(([type, name]) => `    "${type}": ${name},\n`).join('')}}
`;
}

function writeNamed(name: string, schema: Schema, written: string[], names: Set<string>): void {
  if (schema.properties !== undefined) {
    written.push(modelOf(name, schema, written, names));
    return;
  }
  const about = schema.description === undefined ? '' : doc(schema.description, '');
  written.push(`${name} = ${typeOf(schema, name, written, names, 'alias')}\n${about}`);
}

/** Its inner objects become classes before it. */
function modelOf(
  name: string,
  { properties = {}, required = [], description }: Schema,
  written: string[],
  names: Set<string>,
): string {
  const lines = Object.entries(properties).map(([field, schema]) => {
    const attribute = fieldName(field);
    const type = typeOf(schema, name + pascal(field), written, names, 'field');
    const isRequired = required.includes(field);
    const optional = isRequired || type.endsWith('| None') ? type : `${type} | None`;
    const options = [...(isRequired ? [] : ['default=None']), ...(attribute === field ? [] : [`alias="${field}"`])];
    const value = options.length === 0 ? '' : ` = Field(${options.join(', ')})`;
    const about = schema.description === undefined ? '' : doc(schema.description, '    ');
    return `    ${attribute}: ${optional}${value}\n${about}`;
  });
  const about = description === undefined ? '' : `${doc(description, '    ')}\n`;
  return `\nclass ${name}(Model):\n${about}${lines.join('') || '    pass\n'}`;
}

type Place = 'field' | 'alias' | 'argument';

function typeOf(schema: Schema, name: string, written: string[], names: Set<string>, place: Place): string {
  const inner = (one: Schema, suffix = '') => typeOf(one, name + suffix, written, names, place);
  if (schema.$ref !== undefined) return referenced(schema, place);
  if (schema.anyOf !== undefined) {
    const members = schema.anyOf.map((one) => inner(one));
    const isNullable = members.includes('None');
    const others = members.filter((member) => member !== 'None');
    const union = others.length === 1 ? (others[0] ?? 'Any') : ordered(others);
    return isNullable ? `${union} | None` : union;
  }
  const types = [schema.type ?? []].flat();
  const isNullable = types.includes('null');
  const type = types.find((one) => one !== 'null');
  const plain = plainType(schema, type, name, written, names, place);
  return isNullable && plain !== 'None' ? `${plain} | None` : plain;
}

/** The first that fits is taken. */
const ordered = (members: readonly string[]) =>
  `Annotated[Union[${members.join(', ')}], Field(union_mode="left_to_right")]`;

/** Values of enumerations are not checked in answers: a later version of the service may have more. */
function referenced(schema: Schema, place: Place): string {
  const name = nameOf(schema);
  return place === 'argument' ? `m.${name}` : isEnum(name) && place === 'field' ? `SkipValidation[${name}]` : name;
}

const enums = new Set<string>();
const isEnum = (name: string) => enums.has(name);

function plainType(
  schema: Schema,
  type: string | undefined,
  name: string,
  written: string[],
  names: Set<string>,
  place: Place,
): string {
  if (schema.enum !== undefined) {
    const literal = `Literal[${schema.enum.map((value) => (typeof value === 'string' ? JSON.stringify(value) : 'True')).join(', ')}]`;
    return place === 'field' && schema.enum.length > 1 ? `SkipValidation[${literal}]` : literal;
  }
  if (type === 'string')
    return schema.format === 'date-time'
      ? place === 'argument'
        ? 'str | datetime.datetime'
        : 'datetime.datetime'
      : schema.format === 'binary'
        ? 'bytes'
        : 'str';
  if (type === 'integer') return 'int';
  if (type === 'number') return 'float';
  if (type === 'boolean') return 'bool';
  if (type === 'null') return 'None';
  if (type === 'array') return `list[${typeOf(schema.items ?? {}, `${name}Item`, written, names, place)}]`;
  if (schema.properties !== undefined) {
    if (names.has(name)) throw new Error(`${name} is the name of two schemas`);
    names.add(name);
    written.push(modelOf(name, schema, written, names));
    return name;
  }
  if (typeof schema.additionalProperties === 'object')
    return `dict[str, ${typeOf(schema.additionalProperties, `${name}Value`, written, names, place)}]`;
  return type === 'object' ? 'dict[str, Any]' : 'Any';
}

// Operations

function operations({ paths, components: { schemas } }: Document): string {
  const methods = Object.entries(paths).flatMap(([path, all]) =>
    Object.entries(all)
      .filter(([, operation]) => isCalledByClients(operation))
      .map(([method, operation]) => methodOf(method, path, operation, schemas)),
  );
  return `${HEADER}from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal

import httpx

from . import _models as m
from ._base import OMIT, File, Omit
from ._async_transport import AsyncTransport


class AsyncOperations(AsyncTransport):
${methods.join('\n')}`;
}

/** Neither callbacks of providers, nor the stream that never ends: `iter_events` reads the same. */
const isCalledByClients = (operation: Operation) =>
  !('x-callback' in operation) && operation.operationId !== 'streamEvents';

type Argument = {
  readonly name: string;
  readonly wire: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly place: string;
};

function methodOf(
  method: string,
  path: string,
  operation: Operation,
  schemas: Readonly<Record<string, Schema>>,
): string {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const content = requestBody?.content ?? {};
  const json = content['application/json']?.schema;
  const form = content['multipart/form-data']?.schema;
  const bodySchema = schemas[nameOf(json ?? form ?? {})] ?? {};
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const has = (name: string) => parameters.some((one) => one.name.toLowerCase() === name);
  const given: Argument[] = [
    ...inPath.map(
      (one): Argument => ({ name: fieldName(one.name), wire: one.name, type: 'str', isRequired: true, place: 'path' }),
    ),
    ...inQuery.map(
      (one): Argument => ({
        name: fieldName(one.name),
        wire: one.name,
        type: queryType(one.schema),
        isRequired: one.required === true,
        place: 'query',
      }),
    ),
    ...Object.entries(bodySchema.properties ?? {}).map(
      ([field, schema]): Argument => ({
        name: parameters.some((one) => one.in !== 'header' && one.name === field)
          ? `${fieldName(field)}_`
          : fieldName(field),
        wire: field,
        type: argumentType(schema),
        isRequired: (bodySchema.required ?? []).includes(field),
        place: 'body',
      }),
    ),
  ];
  const positional = given.filter(({ place }) => place === 'path');
  const named = given
    .filter(({ place }) => place !== 'path')
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const isKeyed = has('x-idempotency-key');
  const isVersioned = has('if-match');
  const answer = answerOf(responses);
  const signature = (extra: readonly string[]) =>
    [
      'self',
      ...positional.map(({ name }) => `${name}: str`),
      ...(named.length + extra.length === 0 ? [] : ['*']),
      ...named.map(({ name, type, isRequired }) =>
        isRequired ? `${name}: ${type}` : `${name}: ${type} | Omit = OMIT`,
      ),
      ...extra,
    ].join(', ');
  const extra = [
    ...(isKeyed ? ['idempotency_key: str | None = None'] : []),
    ...(isVersioned ? ['if_match: str | None = None'] : []),
  ];
  const dict = (place: string) => {
    const fields = given.filter((one) => one.place === place);
    return fields.length === 0 ? 'None' : `{${fields.map(({ name, wire }) => `"${wire}": ${name}`).join(', ')}}`;
  };
  const isFile = form !== undefined && json === undefined;
  const call = (target: string) =>
    [
      `"${method.toUpperCase()}"`,
      `"${path}"`,
      target,
      `path=${dict('path')}`,
      `query=${dict('query')}`,
      ...(json === undefined && form === undefined ? [] : [`${isFile ? 'form' : 'body'}=${dict('body')}`]),
      ...(isKeyed ? ['idempotency_key=idempotency_key', 'keyed=True'] : []),
      ...(isVersioned ? ['if_match=if_match'] : []),
    ].join(', ');
  const about = doc(
    [operation.summary, operation.description].filter(Boolean).join('. ').replaceAll('..', '.'),
    '        ',
  );
  const name = snake(operationId);
  if (answer === 'raw')
    return `    async def ${name}(${signature([])}) -> httpx.Response:\n${about}        return await self.download("${path}", path=${dict('path')}, query=${dict('query')})\n`;
  const result = answer === undefined ? 'None' : `m.${answer.name}`;
  const isUnion = answer !== undefined && schemas[answer.name]?.anyOf !== undefined; // no type[…] has a union
  const sent = `self._send(${call(answer === undefined ? 'type(None)' : result)})${isUnion ? '  # type: ignore[arg-type]' : ''}`;
  const one = `    async def ${name}(${signature(extra)}) -> ${result}:\n${about}        return await ${sent}\n`;
  const row = answer === undefined ? undefined : rowOf(answer, schemas);
  if (row === undefined || !inQuery.some(({ name: parameter }) => parameter === 'limit')) return one;
  const all = `    def ${name.replace(/^list_/, 'iter_').replace(/^(?!iter_)/, 'iter_')}(${signature([])}) -> AsyncIterator[m.${row}]:\n        """All rows of \`${name}\`, page by page. \`limit\` is the size of a page."""\n        return self._rows("${path}", m.${row}, path=${dict('path')}, query=${dict('query')})\n`;
  return `${one}\n${all}`;
}

function answerOf(responses: Operation['responses']): { readonly name: string } | 'raw' | undefined {
  const found = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const content = found?.[1].content;
  if (content === undefined) return undefined;
  const json = content['application/json'];
  return json === undefined ? 'raw' : { name: nameOf(json.schema) };
}

/** The rows of a list: of the array itself, or of its \`data\`. */
function rowOf({ name }: { readonly name: string }, schemas: Readonly<Record<string, Schema>>): string | undefined {
  const schema = schemas[name] ?? {};
  const items = schema.items ?? schema.properties?.data?.items;
  return items?.$ref === undefined ? undefined : nameOf(items);
}

function queryType({ type, enum: values, $ref, pattern }: Schema): string {
  if ($ref !== undefined) return `m.${nameOf({ $ref })}`;
  if (values !== undefined) return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const isDate = pattern?.startsWith('^\\d{4}-') === true;
  return type === 'integer' ? 'int' : type === 'boolean' ? 'bool' : isDate ? 'str | datetime.date' : 'str';
}

/** Objects may also be given as dictionaries in the form of the API. */
function argumentType(schema: Schema): string {
  if (schema.$ref !== undefined)
    return isEnum(nameOf(schema)) ? `m.${nameOf(schema)}` : `m.${nameOf(schema)} | Mapping[str, Any]`;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(argumentType))].join(' | ');
  const types = [schema.type ?? []].flat();
  const ofType = (type: string): string => {
    if (type === 'null') return 'None';
    if (schema.enum !== undefined) return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`;
    if (type === 'array') {
      const item = schema.items ?? {};
      return `Sequence[${item.$ref !== undefined || item.properties === undefined ? argumentType(item) : 'Mapping[str, Any]'}]`;
    }
    if (type === 'string')
      return schema.format === 'binary' ? 'File' : schema.format === 'date-time' ? 'str | datetime.datetime' : 'str';
    return { integer: 'int', number: 'float', boolean: 'bool' }[type] ?? 'Mapping[str, Any]';
  };
  return types.length === 0 ? 'Any' : types.map(ofType).join(' | ');
}

function codes(): string {
  const all = [...REFUSAL_CODES, 'internal_error'].sort();
  const classes = all.map((code) => {
    const name = pascal(code);
    return `\nclass ${name}(EscrowError):\n    """The service answered \`${code}\`."""\n`;
  });
  const table = all.map((code) => `    "${code}": ${pascal(code)},\n`);
  return `${HEADER}from ._errors import EscrowError

${classes.join('\n')}

ERRORS: dict[str, type[EscrowError]] = {
${table.join('')}}
`;
}

for (const [name, schema] of Object.entries((JSON.parse(JSON.stringify(apiDocument())) as Document).components.schemas))
  if (schema.type === 'string') enums.add(name);
