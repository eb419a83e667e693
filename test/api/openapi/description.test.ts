import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATION_IDS, TAGS } from '../../../src/api/openapi/operation-names.ts';
import { AMOUNT_REFUSALS } from '../../../src/domain/errors.ts';
import { EVENT_TYPE_NAMES } from '../../../src/domain/events/event-types.ts';
import { counted } from '../../support/counted.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** The description, as client generators read it. */

type Response = { headers?: Record<string, { $ref: string }>; content?: Record<string, { schema: unknown }> };
type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};
type Operation = {
  operationId: string;
  tags: string[];
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
};

let service: TestService;
let company: TestCompany;
let document: {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { headers: object; schemas: Record<string, Schema> };
};
let operations: [string, Operation][];

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  document = (await service.request('GET', '/openapi.json')).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => service.stop());

test('booleans have no enumeration, whose values generators for Java read as texts', () => {
  expect(JSON.stringify(document)).not.toMatch(/"type":"boolean","enum"|"enum":\[(true|false)\]/);
});

const isNullable = ({ type, anyOf = [] }: Schema) => [type, ...anyOf.map((one) => one.type)].flat().includes('null');

test('a field that a POST may leave out may also be null, which is the same request', () => {
  const refusing = operations.flatMap(([name, operation]) => {
    const { $ref = '' } = operation.requestBody?.content['application/json']?.schema ?? {};
    const { properties = {}, required = [] } = document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    const optional = Object.entries(properties).filter(([field]) => !required.includes(field));
    return name.startsWith('POST ') && !('x-callback' in operation)
      ? optional.filter(([, schema]) => !isNullable(schema)).map(([field]) => `${name} ${field}`)
      : [];
  });
  expect(refusing).toEqual([]);
});

test('a setting may be null where the description says so, and only there', async () => {
  const described = Object.entries(document.components.schemas.CompanySettings?.properties ?? {});
  const accepted: string[] = [];
  for (const [field] of described) {
    const { status } = await company.request('PATCH', '/v1/core/companies/me', { body: { [field]: null } });
    if (status === 200) accepted.push(field);
  }
  expect(accepted).toEqual(described.filter(([, schema]) => isNullable(schema)).map(([field]) => field));
});

test('redocly lint, recommended: 0 errors and 0 warnings', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(directory, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const local = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        local('node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        file,
        '--config',
        local('redocly.yaml'),
        '--format',
        'json',
      ],
      {
        env: {
          PATH: process.env.PATH,
          REDOCLY_TELEMETRY: 'off',
          REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
          NODE_OPTIONS: '',
        },
      },
    ).catch((error: { stdout: string }) => error);
    const { totals, problems } = JSON.parse(stdout);
    counted(`redocly lint: ${operations.length} operations, ${totals.errors} errors, ${totals.warnings} warnings`);
    expect([totals, problems]).toEqual([{ errors: 0, warnings: 0, ignored: 0 }, []]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('every operation has an id of its own, in camel case', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [name, { operationId }] of operations)
    expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z]+([A-Z][a-z]+)+$/)]);
  // An operation without a row in the table has a name that nobody chose.
  expect(operations.map(([name]) => name).filter((name) => !Object.hasOwn(OPERATION_IDS, name))).toEqual([]);
});

test('tags are in the order of a first integration, health last, and every operation has one of them', () => {
  const names = document.tags.map(({ name }) => name);
  expect(names).toEqual(TAGS.map(({ name }) => name));
  expect(names[0]).toBe('Companies');
  expect(names.at(-1)).toBe('Health');
  for (const [name, { tags }] of operations) expect([name, names]).toEqual([name, expect.arrayContaining(tags)]);
});

test('the server is where this service is reached', () => {
  expect(document.servers).toEqual([{ url: service.url }]);
});

describe('headers of answers', () => {
  const LIMITS = ['RateLimit', 'RateLimit-Policy'];
  const headersOf = (name: string, status: string) => {
    const [, operation] = operations.find(([one]) => one === name) ?? [];
    return Object.keys(operation?.responses[status]?.headers ?? {});
  };

  test('are described where they are sent', () => {
    expect(headersOf('GET /v1/escrow', '200')).toEqual(['X-Request-Id', 'X-Total-Count', 'Link', ...LIMITS]);
    expect(headersOf('POST /v1/payments/deposit', '201')).toEqual([
      'X-Request-Id',
      'Idempotent-Replayed',
      'X-Ignored-Fields',
      'Preference-Applied',
      ...LIMITS,
    ]);
    expect(headersOf('GET /v1/escrow', '401')).toEqual(['X-Request-Id', ...LIMITS, 'WWW-Authenticate']);
    expect(headersOf('GET /health', '200')).toEqual(['X-Request-Id']);
    expect(headersOf('GET /v1/escrow', '429')).toEqual(['X-Request-Id', ...LIMITS, 'Retry-After']);
  });

  test('refer to existing headers only', () => {
    for (const [name, { responses }] of operations)
      for (const { headers = {} } of Object.values(responses))
        for (const [header, { $ref }] of Object.entries(headers)) {
          expect([name, $ref]).toEqual([name, `#/components/headers/${header}`]);
          expect(document.components.headers).toHaveProperty([header]);
        }
  });

  test('a list sends the headers that are described, and besides them only those of every answer', async () => {
    const { headers } = await company.get('/v1/ledger/company/accounts?limit=1');
    const described = headersOf('GET /v1/ledger/company/accounts', '200').map((name) => name.toLowerCase());
    expect(described).toContain('x-total-count');
    const { headers: ofHealth } = await service.request('GET', '/health');
    const ofEveryAnswer = [...ofHealth.keys(), 'cache-control'].filter((name) => name !== 'x-request-id');
    expect([...headers.keys()].toSorted()).toEqual([...described, ...ofEveryAnswer].toSorted());
  });
});

test('every refusal is a reference to the one problem, with the codes of the operation under that status', () => {
  for (const [name, { responses }] of operations)
    for (const [status, { content = {}, ...response }] of Object.entries(responses)) {
      const problem = content['application/problem+json'];
      if (problem === undefined) continue;
      expect([name, status, problem.schema]).toEqual([name, status, { $ref: '#/components/schemas/Problem' }]);
      const { description, 'x-codes': codes } = response as { description: string; 'x-codes': string[] };
      expect([name, status, description]).toEqual([name, status, codes.map((code) => `\`${code}\``).join(', ')]);
      expect([name, status, codes.length]).not.toEqual([name, status, 0]);
    }
});

test('every operation, parameter and field is described', () => {
  type Node = { [keyword: string]: unknown };
  const { schemas = {} } = document.components as { schemas?: Record<string, Node> };
  /** A field may also leave it to the schema that it refers to. */
  const isDescribed = ({ description, $ref, anyOf = [] }: Node): boolean =>
    (typeof description === 'string' && description !== '') ||
    (typeof $ref === 'string' && isDescribed(schemas[$ref.split('/').at(-1) ?? ''] ?? {})) ||
    (anyOf as Node[]).some((one) => one.$ref !== undefined && isDescribed(one));
  let count = 0;
  const missing: string[] = [];
  const check = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    for (const [name, field] of Object.entries((node.properties ?? {}) as Record<string, Node>)) {
      count += 1;
      if (!isDescribed(field)) missing.push(`${path}.${name}`);
    }
    for (const [name, inner] of Object.entries(node))
      if (!['example', 'examples', 'default'].includes(name)) check(`${path}/${name}`, inner);
  };
  for (const [name, schema] of Object.entries(schemas)) check(name, schema);
  expect(count).toBeGreaterThan(1_000);
  for (const [name, operation] of operations) {
    const { parameters = [], ...rest } = operation as Operation & Node;
    if (!isDescribed(rest)) missing.push(name);
    for (const parameter of parameters) if (!isDescribed(parameter as Node)) missing.push(`${name} ${parameter.name}`);
  }
  expect(missing).toEqual([]);
});

describe('schemas have forms that every generator knows', () => {
  type Schema = { [keyword: string]: unknown };
  const schemas = () => (document.components as { schemas?: Record<string, Schema> }).schemas ?? {};

  test('every JSON answer of success is a reference to a named schema', () => {
    for (const [name, { responses }] of operations)
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const json = content['application/json'];
        if (status.startsWith('2') && json !== undefined)
          expect([name, json.schema]).toEqual([name, { $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) }]);
      }
  });

  const everyNode = () => {
    const found: [string, Schema][] = [];
    const collect = (path: string, value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      found.push([path, { ...value }]);
      for (const [name, inner] of Object.entries(value))
        if (!['example', 'examples', 'default'].includes(name)) collect(`${path}/${name}`, inner);
    };
    collect('components', schemas());
    collect('paths', document.paths);
    expect(found.length).toBeGreaterThan(10_000);
    return found;
  };

  test('a field whose description says what null means may be null', () => {
    const saying = everyNode().filter(([, { description }]) => /\bnull: /i.test(String(description)));
    expect(saying.length).toBeGreaterThan(50);
    expect(saying.filter(([, schema]) => !isNullable(schema)).map(([path]) => path)).toEqual([]);
  });

  test('none is an intersection, a nullable enumeration, a type of null alone, or a number without a format', () => {
    const found = everyNode();
    const isUnknown = ({ allOf, enum: values, type, format }: Schema) =>
      allOf !== undefined ||
      (Array.isArray(values) && values.includes(null)) ||
      (['integer', 'number'].some((one) => [type].flat().includes(one)) && format === undefined);
    expect(found.filter(([, schema]) => isUnknown(schema)).map(([path]) => path)).toEqual([]);
    const isUnion = (path: string) => /\/anyOf\/\d+$/.test(path);
    expect(found.filter(([path, { type }]) => type === 'null' && !isUnion(path)).map(([path]) => path)).toEqual([]);
  });

  test('currencies, actors and states have one name each, wherever they are used', () => {
    expect(schemas().Currency).toMatchObject({ type: 'string', enum: ['USD', 'ZIG'] });
    const { properties = {} } = schemas().Escrow as { properties?: Schema };
    expect(properties.currency).toMatchObject({ $ref: '#/components/schemas/Currency' });
    expect(properties.status).toMatchObject({ $ref: '#/components/schemas/EscrowStatus' });
    const { properties: entry = {} } = schemas().TimelineFunded as { properties?: Schema };
    expect(entry.actor).toMatchObject({ $ref: '#/components/schemas/Actor' });
    expect(JSON.stringify(document).match(/"enum":\["USD","ZIG"\]/g)).toHaveLength(1);
  });

  test('what every event has is open: a parser that was generated today reads the events of tomorrow', () => {
    expect(schemas().EventType).toEqual({
      type: 'string',
      description: expect.stringContaining('ignore those that you do not know'),
      'x-extensible-enum': [...EVENT_TYPE_NAMES],
    });
    const enumerations = Object.values(schemas().Event?.properties ?? {}).filter((field) => 'enum' in field);
    expect(enumerations).toEqual([]);
    for (const name of ['EventObjectKind', 'Source'])
      expect(schemas()[name]).toMatchObject({ type: 'string', 'x-extensible-enum': expect.any(Array) });
  });

  test('a text that may be sent has the format that it is checked for', () => {
    /** What no expression describes: phone numbers, secrets, and values that are only compared. */
    const others = /(number|password|code|token|otp|slug|hash|resourcePath|zone|cursor|last-event-id|prefer)$/i;
    const found: string[] = [];
    const collect = (name: string, { type, properties = {}, items, anyOf = [], ...schema }: Schema): void => {
      const isBare = ['pattern', 'format', 'enum', '$ref', 'x-extensible-enum'].every(
        (keyword) => !(keyword in schema),
      );
      if ([type].flat().includes('string') && isBare) found.push(name);
      for (const [field, inner] of Object.entries(properties as Record<string, Schema>)) collect(field, inner);
      for (const inner of [...(items === undefined ? [] : [items]), ...(anyOf as Schema[])])
        collect(name, inner as Schema);
    };
    for (const [, operation] of operations) {
      if ('x-callback' in operation) continue;
      const { parameters = [], requestBody } = operation as Operation & {
        parameters?: { name: string; schema: Schema }[];
      };
      for (const { name, schema } of parameters) collect(name, schema);
      const json = requestBody?.content['application/json']?.schema as { $ref?: string } | undefined;
      if (json !== undefined) collect('', schemas()[json.$ref?.split('/').at(-1) ?? ''] ?? {});
    }
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter((name) => !others.test(name))).toEqual([]);
  });

  test('a percentage is a number of two decimals', () => {
    const milestone = schemas().EscrowQuoteRequest as { properties: { milestones: { items: { properties: Schema } } } };
    expect(milestone.properties.milestones.items.properties.percentage).toMatchObject({
      type: 'number',
      format: 'double',
      multipleOf: 0.01,
      minimum: 0,
      maximum: 100,
    });
  });
});

test('callbacks describe the payloads of providers without validating them', async () => {
  for (const name of ['POST /v1/payments/eft-pay/webhook', 'POST /v1/messaging/webhook']) {
    const [, operation] = operations.find(([one]) => one === name) ?? [];
    expect(operation?.requestBody?.content).toHaveProperty(['application/json']);
    expect(Object.keys(operation?.responses ?? {})).not.toContain('400');
  }
  const answer = await service.request('POST', '/v1/payments/eft-pay/webhook', { rawBody: 'no JSON at all' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'OK' } });
});

test('a field of a form has one type', () => {
  const text = JSON.stringify((document.components as { schemas?: Record<string, unknown> }).schemas?.NewUserForm);
  expect(text).not.toContain('allOf');
  expect(JSON.parse(text).properties.metadata).toMatchObject({ type: 'string' });
});

test('no component is null: null is described where it is allowed', () => {
  const { schemas = {} } = document.components as { schemas?: Record<string, { type?: unknown }> };
  const nullable = Object.entries(schemas).filter(([, { type }]) => Array.isArray(type) && type.includes('null'));
  expect(nullable.map(([name]) => name)).toEqual([]);
  const fieldOf = (schema: string, field: string) => {
    const { properties = {} } = (schemas[schema] ?? {}) as { properties?: Record<string, unknown> };
    return properties[field];
  };
  const reference = { $ref: '#/components/schemas/SplitPlanRequest' };
  expect(fieldOf('Proposal', 'newSplitPlan')).toMatchObject(reference);
  expect(fieldOf('NewEscrow', 'splitPlan')).toMatchObject({ anyOf: [reference, { type: 'null' }] });
});

test('every type of event has a webhook with a schema of its own', () => {
  const { webhooks = {} } = document as { webhooks?: Record<string, { post: object }> };
  expect(Object.keys(webhooks)).toEqual([...EVENT_TYPE_NAMES, 'webhook.ping']);
  const schemas = Object.values(webhooks).map(({ post }) => JSON.stringify(post).match(/schemas\/(\w+Event)"/)?.[1]);
  expect(new Set(schemas).size).toBe(EVENT_TYPE_NAMES.length + 1);
});

test('the entries of a timeline are a union whose last member reads events that are not known yet', () => {
  const { schemas = {} } = document.components as { schemas?: Record<string, { properties?: object }> };
  const { anyOf = [] } = schemas.TimelineEntry as { anyOf?: { $ref: string }[] };
  expect(anyOf.length).toBeGreaterThan(10);
  for (const { $ref } of anyOf) expect($ref).toMatch(/^#\/components\/schemas\/Timeline\w+$/);
  expect(anyOf.at(-1)).toEqual({ $ref: '#/components/schemas/TimelineOther' });
  expect(schemas.TimelineOther?.properties).toMatchObject({ event: { type: 'string' } });
});

test('the description for clients is the same without webhooks and the schemas that only they use', async () => {
  const { body } = await service.request('GET', '/openapi-client.json');
  const { webhooks, components, tags, ...rest } = document as typeof document & { webhooks: object };
  const { components: ofClient, tags: ofClientTags, ...restOfClient } = body;
  expect(restOfClient).toEqual(rest);
  expect(ofClientTags).toEqual(tags.filter(({ name }) => name !== 'Webhook messages'));
  const { schemas, ...others } = components as { schemas?: Record<string, unknown> };
  expect(ofClient).toEqual({ ...others, schemas: expect.anything() });
  const dropped = Object.keys(schemas ?? {}).filter((name) => !Object.hasOwn(ofClient.schemas, name));
  expect(dropped).toContain('EscrowFundedEvent');
  for (const [name, schema] of Object.entries(ofClient.schemas))
    expect([name, schema]).toEqual([name, schemas?.[name]]);
  const text = JSON.stringify(body);
  for (const name of dropped) expect(text).not.toContain(`"#/components/schemas/${name}"`);
  for (const { post } of Object.values<{ post: Operation }>({ ...webhooks }))
    expect(post.tags).toEqual(['Webhook messages']);
});

test.each(['/openapi.json', '/openapi-client.json'])(
  '%s is compressed, and sent once to who keeps it',
  async (path) => {
    const fetched = (headers: Record<string, string>) => fetch(`${service.url}${path}`, { headers });
    const texts = new Set<string>();
    let tag = '';
    for (const encoding of ['br', 'gzip', 'identity', 'br;q=0, gzip']) {
      const response = await fetched({ 'accept-encoding': encoding });
      const sent = { br: 'br', gzip: 'gzip', identity: null, 'br;q=0, gzip': 'gzip' }[encoding];
      expect([encoding, response.headers.get('content-encoding')]).toEqual([encoding, sent]);
      tag = response.headers.get('etag') ?? '';
      texts.add(tag + (await response.text())); // fetch decompresses it
    }
    expect(texts.size).toBe(1);
    expect(await fetched({ 'if-none-match': tag })).toMatchObject({ status: 304 });
    expect(await fetched({ 'if-none-match': 'W/"other"' })).toMatchObject({ status: 200 });
  },
);

test('the statement has a schema for each media type', () => {
  const [, operation] = operations.find(([name]) => name.endsWith('/{accountId}/statement')) ?? [];
  const content = operation?.responses['200']?.content ?? {};
  expect(Object.keys(content)).toEqual(['application/json', 'text/csv', 'application/pdf', 'application/xml']);
});

test('the amounts of a refusal are described for each code', () => {
  const { schemas = {} } = document.components as {
    schemas?: Record<string, { description?: string; properties?: Record<string, object>; required?: string[] }>;
  };
  expect(JSON.stringify(schemas.Problem?.properties?.details)).toContain('#/components/schemas/AmountDetails');
  expect(schemas.AmountDetails?.required).toEqual(['available', 'requested', 'currency']);
  for (const { code } of AMOUNT_REFUSALS) expect(schemas.AmountDetails?.description).toContain(`\`${code}\``);
});
