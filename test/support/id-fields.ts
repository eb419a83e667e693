import type { RequestOptions } from './service.ts';

/** The fields of requests that take an id, as the API's description says. */

type Schema = {
  readonly $ref?: string;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
export type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** `at`: the names from the outside in. `kind`: the prefix of the ids. */
export type IdField = {
  readonly in: 'path' | 'query' | 'body';
  readonly at: readonly string[];
  readonly kind: string;
};
type Operation = { readonly id: string; readonly method: string; readonly path: string; readonly fields: IdField[] };

export type Call = { readonly method: string; readonly path: string; readonly options: RequestOptions | undefined };

/** Filters that take ids of several kinds. */
const SEVERAL_KINDS: Readonly<Record<string, string>> = { actorId: 'adm', objectId: 'usr' };
const ID_PATTERN = /^\^\(\?:([a-z]+)_\)\?\[0-9a-fA-F\]\{8\}/;

export function operationsOf({ paths, components }: Description): Operation[] {
  const fieldsIn = (place: IdField['in'], at: readonly string[], given: Schema = {}): IdField[] => {
    const schema = components.schemas[given.$ref?.split('/').at(-1) ?? ''] ?? given;
    const filtered = place === 'query' ? SEVERAL_KINDS[at.join()] : undefined;
    const kind = ID_PATTERN.exec(schema.pattern ?? '')?.[1] ?? filtered;
    return [
      ...(kind === undefined ? [] : [{ in: place, at, kind }]),
      ...(schema.anyOf ?? []).flatMap((one) => fieldsIn(place, at, one)),
      ...(schema.items === undefined ? [] : fieldsIn(place, [...at, '0'], schema.items)),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => fieldsIn(place, [...at, name], one)),
    ];
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      fields: [
        ...parameters.flatMap(({ in: place, name, schema }) =>
          place === 'path' || place === 'query' ? fieldsIn(place, [name], schema) : [],
        ),
        ...fieldsIn('body', [], requestBody?.content['application/json']?.schema),
      ],
    })),
  );
}

/** The operation that a request calls, if the description has it. */
export function operationOf(operations: readonly Operation[], { method, path }: Call): Operation | undefined {
  const [address = ''] = path.split('?');
  const matches = ({ path: pattern }: Operation) =>
    new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(address);
  const found = operations.filter((one) => one.method === method && matches(one));
  return found.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
}

/** What a request has in a field. */
export function valueIn({ path }: Operation, call: Call, field: IdField): unknown {
  const [address = '', query = ''] = call.path.split('?');
  const [name = ''] = field.at;
  if (field.in === 'path') return address.split('/')[path.split('/').indexOf(`{${name}}`)];
  if (field.in === 'query') return new URLSearchParams(query).get(name) ?? undefined;
  return field.at.reduce<unknown>((value, key) => childOf(value, key), call.options?.body);
}

/** The request with another value in a field. */
export function withValue({ path }: Operation, call: Call, field: IdField, value: string): Call {
  const [address = '', query = ''] = call.path.split('?');
  const [name = ''] = field.at;
  if (field.in === 'body') {
    const body = structuredClone(call.options?.body);
    const parent = field.at.slice(0, -1).reduce<unknown>((one, key) => childOf(one, key), body);
    Object.assign(parent as object, { [field.at.at(-1) ?? '']: value }); // a story sends every object and list around an id
    return { ...call, options: { ...call.options, body } };
  }
  const parameters = new URLSearchParams(query);
  const segments = address.split('/');
  if (field.in === 'query') parameters.set(name, value);
  else segments[path.split('/').indexOf(`{${name}}`)] = value;
  return { ...call, path: [segments.join('/'), parameters].filter(String).join('?') };
}

function childOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined;
}
