import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newCompany, newUser, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** No body, query, cursor, path or header makes the service fail: requests are made from the description, and damaged. */

const REQUESTS_PER_OPERATION = 4;
/** Of the values of a request. */
const DAMAGED_PERCENT = 15;
const AT_ONCE = 8;

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
};
type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema };
type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
};

let service: TestService;
let company: TestCompany;
let known: string[];
let operations: Operation[];
let schemas: Readonly<Record<string, Schema>>;

/** These change the clock of all tests, or the key of this one. */
const LEFT_OUT = ['POST /v1/sandbox/clock', 'POST /v1/core/companies/api-keys/roll'];

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  const user = await newUser(company);
  const accounts: { id: string; ledgerId: string }[] = (await company.get('/v1/ledger/company/accounts')).body;
  known = [
    user.id,
    company.id,
    company.owner.id,
    ...accounts.slice(0, 2).flatMap(({ id, ledgerId }) => [id, ledgerId]),
  ];
  const { body } = await service.request('GET', '/openapi.json');
  schemas = body.components.schemas;
  operations = Object.entries<Record<string, { parameters?: Parameter[]; requestBody?: { content?: object } }>>(
    body.paths,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const [described] = Object.values<{ schema?: Schema }>({ ...requestBody?.content });
      const name = `${method.toUpperCase()} ${path}`;
      return { name, method: method.toUpperCase(), path, parameters, body: described?.schema };
    }),
  );
});
afterAll(() => service.stop());

const TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'İ',
    '‮',
    '💶'.repeat(200),
    'x'.repeat(300),
    '../..',
    '%',
    '%00',
    '%ff',
    "'",
    '{}',
  ],
  ...[
    '2026-02-30',
    '0000-01-01',
    '9999-12-31',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '+275760-09-13T00:00:00Z',
  ],
  ...['http://', 'https://a b', 'https://[', 'javascript:1', '//x', 'https://user:pass@host/', 'https://xn--a'],
  ...['99999999999999999999', '1e400', '-1', '0x10', 'NaN', 'true', 'null', '00000000-0000-0000-0000-000000000000'],
];
const damaged = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[]], { a: { b: [null] } }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);
const sound = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return anyOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (options !== undefined) return fc.oneof(...options.map(anyOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties !== undefined) {
    const fields = Object.entries(schema.properties ?? {});
    return fc.record(Object.fromEntries(fields.map(([name, inner]) => [name, anyOf(inner)])), {
      requiredKeys: [...(schema.required ?? [])],
    });
  }
  if (type === 'array') return fc.array(anyOf(schema.items ?? {}), { maxLength: 3 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number')
    return fc.integer({ min: Math.max(schema.minimum ?? 0, 0), max: Math.min(schema.maximum ?? 1_000, 100_000) });
  const samples = schema.example === undefined ? ['Moyo', '+263771234567'] : [schema.example];
  return fc.constantFrom<unknown>(...samples, ...known, randomUUID(), '2026-01-31', '2026-01-31T09:30:00Z');
};
const anyOf = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 100 - DAMAGED_PERCENT, arbitrary: sound(schema) },
    { weight: DAMAGED_PERCENT, arbitrary: damaged },
  );

const cursor = fc
  .tuple(
    fc.constantFrom('-createdAt', 'createdAt', '-updatedAt', '-position'),
    fc.constantFrom(
      '2026-02-30 00:00:00',
      '2026-01-01 00:00:00',
      '0000-01-01 00:00:00',
      '9999-12-31 23:59:59',
      '7',
      'x',
    ),
    fc.constantFrom('7', '999999999999999999', randomUUID(), 'x'),
  )
  .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));
const headerText = fc.string({ unit: fc.constantFrom(...'aZ09 "*,;=/-_.~:\t\u00e9'), maxLength: 30 });

const requestOf = ({ parameters, body }: Operation) => {
  const of = (place: string) => parameters.filter((one) => one.in === place);
  const anyOfAll = (place: string, value: (one: Parameter) => fc.Arbitrary<unknown>) =>
    fc.record(Object.fromEntries(of(place).map((one) => [one.name, value(one)])), {
      requiredKeys: of(place).flatMap(({ name, required }) => (required ? [name] : [])),
    });
  return fc.record({
    path: anyOfAll('path', ({ schema }) => anyOf(schema)),
    query: anyOfAll('query', ({ name, schema }) => (name === 'cursor' ? cursor : anyOf(schema))),
    headers: fc.record(
      {
        prefer: fc.constantFrom('handling=lenient', 'handling=strict', 'handling='),
        'if-match': fc.oneof(headerText, fc.constantFrom('"1"', '*')),
        'last-event-id': headerText,
        accept: fc.constantFrom('*/*', 'text/csv', 'application/pdf', 'application/xml', 'x'),
        'x-idempotency-key': fc.oneof(headerText, fc.uuid(), fc.uuid()),
        'content-type': fc.constantFrom('application/json', 'application/json', 'multipart/form-data; boundary=x', 'x'),
      },
      { requiredKeys: [] },
    ),
    body: body === undefined ? fc.constant(undefined) : anyOf(body),
    isPlatform: fc.boolean(),
  });
};

test('every operation answers below 500 to any request', async () => {
  const seed = Date.now();
  const requests = operations
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .flatMap((operation, index) =>
      fc
        .sample(requestOf(operation), { seed: seed + index, numRuns: REQUESTS_PER_OPERATION })
        .map((sent) => ({ operation, sent })),
    );
  const failures: unknown[] = [];
  const statuses = new Map<number, number>();
  const waiting = [...requests];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const answer = await send(next.operation, next.sent);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status >= 500 && !isAnnounced(answer))
          failures.push({ seed, name: next.operation.name, sent: next.sent, ...answer });
      }
    }),
  );
  expect(failures).toEqual([]);
  // Otherwise the requests test the first check only.
  const share = (from: number, to: number) =>
    [...statuses].reduce((sum, [status, count]) => sum + (status >= from && status < to ? count : 0), 0) /
    requests.length;
  expect(share(200, 300)).toBeGreaterThan(0.02);
  expect(share(404, 423)).toBeGreaterThan(0.05);
}, 120_000);

/** A provider of the sandbox, or a busy machine, is not the fault of the request. */
function isAnnounced({ status, code }: { status: number; code: unknown }): boolean {
  return status === 503 && (code === 'dependency_unavailable' || code === 'provider_unavailable');
}

type Sent = ReturnType<typeof requestOf> extends fc.Arbitrary<infer Value> ? Value : never;

async function send({ method, path: template, parameters }: Operation, sent: Sent) {
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => encoded(textOf(Reflect.get(sent.path, name))));
  const query = new URLSearchParams(
    Object.entries(sent.query).map(([name, value]): [string, string] => [name, textOf(value)]),
  );
  const gone = new AbortController();
  const headers = {
    'x-api-key': sent.isPlatform ? service.platform.apiKey : company.apiKey,
    'x-company-id': company.id,
    'content-type': 'application/json',
    ...(parameters.some(({ name }) => name === 'x-idempotency-key') ? { 'x-idempotency-key': randomUUID() } : {}),
    ...Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name, value.trim()])),
  };
  const answer = await fetch(`${service.url}${path}?${query}`, {
    method,
    headers,
    signal: gone.signal,
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const body: unknown = answer.status >= 400 && isJson ? await answer.json() : {};
  gone.abort(); // a stream goes on
  return { status: answer.status, code: Object(body).code };
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

function encoded(text: string): string {
  return encodeURIComponent(text === '' || /^\.+$/.test(text) ? 'x' : text);
}
