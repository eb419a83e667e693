import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dialled } from '../../src/domain/phone.ts';
import { createLog } from '../../src/observability/log.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { SCHEDULES, scheduleIdOf } from '../../src/temporal/schedules.ts';
import { bare, sql } from '../support/api.ts';
import { apiDocument } from '../support/api-document.ts';
import { eventually } from '../support/eventually.ts';
import { OTHER_FIELDS, PERSONAL as PERSONAL_COLUMNS, PERSONAL_FIELDS } from '../support/personal-columns.ts';
import { found, textOf, traces } from '../support/search.ts';
import { servers } from '../support/servers.ts';
import { type Answer, companyClient, newCompany, type TestCompany } from '../support/service.ts';
import { type OwnService, startService } from '../support/whole-service.ts';
import { echo, MARKER, MarkedLife, noted, type Sent } from './marked-life.ts';
import { done, PERSONAL, PersonalDay, SECRET } from './personal-day.ts';

/**
 * Runs escrows with names and words that are easy to recognise, and then searches for them everywhere except
 * in their intended place: in Temporal, in the log, in refusals, and, for national ids and account numbers, in the database.
 */

const ALL = { ...SECRET, ...PERSONAL };
/** Runs whose data is searched at the same time. */
const AT_ONCE = 6;

let service: OwnService;
let company: TestCompany;
let day: PersonalDay;
const logged: string[] = [];

beforeAll(async () => {
  service = await startService({ log: createLog('debug', { write: (line) => void logged.push(line) }) });
  company = await newCompany(service);
  day = new PersonalDay(service, company);
  await day.live();
});
afterAll(() => service.stop());

/** All events of a company, page by page. */
async function everyEventOf(whose: TestCompany) {
  const events: Answer['body'][] = [];
  for (let path: string | null = '/v1/events?limit=100'; path !== null; ) {
    const { data, hasMore }: { data: Answer['body'][]; hasMore: boolean } = (await whose.get(path)).body;
    events.push(...data);
    path = hasMore ? `/v1/events?limit=100&after=${data.at(-1).id}` : null;
  }
  return events;
}

/** All events of the company. The last one is of an endpoint, with this secret, that is made for this: events come a moment late. */
async function everyEvent() {
  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
  const { id, secret } = await done(company.post('/v1/webhooks', webhook));
  await done(company.request('PATCH', `/v1/webhooks/${id}`, { body: { status: 'DISABLED' } }));
  const events: Answer['body'][] = [];
  await eventually(async () => {
    const after = events.length > 0 ? `&after=${events.at(-1).id}` : '';
    const { body } = await company.get(`/v1/events?limit=100${after}`);
    events.push(...body.data);
    return events.some(({ type, object }) => type === 'webhook_endpoint.disabled' && object.id === id);
  });
  return { events, secret: String(secret) };
}

/**
 * All that Temporal has of every run of the service, open or ended. Fails if one of the words is in it. Histories come decoded, and
 * the test's service encrypts no payload, so both forms are searched.
 */
async function searchedRuns(words: Readonly<Record<string, string>>): Promise<string> {
  const query = `TaskQueue = '${service.taskQueue}'`;
  const entities = await sql(
    service,
    `select 'escrow/esc_' || id as id from escrow union all select 'payment-link/pay_' || id from payment_link
     union all select 'withdrawal/txn_' || id from withdrawal`,
  );
  const executions = await eventually(async () => {
    const listed: { readonly workflowId: string; readonly runId: string }[] = [];
    for await (const execution of service.temporal.workflow.list({ query })) listed.push(execution);
    return entities.every(({ id }) => listed.some(({ workflowId }) => workflowId === id)) && listed;
  });
  expect(entities.length).toBeGreaterThanOrEqual(10);
  const isEntity = (workflowId: string) => entities.some(({ id }) => id === workflowId);
  let text = '';
  const waiting = [...executions];
  const searchOneByOne = async () => {
    for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) {
      const { workflowId, runId } = run;
      const handle = service.temporal.workflow.getHandle(workflowId, runId);
      const shown = isEntity(workflowId) ? ['__temporal_workflow_metadata', 'state', 'timeline'] : [];
      const [history, { raw }, ...answers] = await Promise.all([
        handle.fetchHistory(),
        handle.describe(),
        ...shown.map((name) => handle.query(name)),
      ]);
      const told = [history, raw, answers].map((part) => textOf(part)).join('\n');
      expect({ workflowId, found: found(told, words) }).toEqual({ workflowId, found: [] });
      text += told;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, searchOneByOne));
  return text;
}

describe('personal data', () => {
  test('is in no workflow: not in a history, a memo, a search attribute, an id, a description or an answer to a query', async () => {
    const text = await searchedRuns(ALL);
    // Expected values are found, so the search does read payloads, memos and attributes.
    for (const word of ['sellerPayoutCents', 'RESOLVED', 'EscrowCompany', '**COMPLETED**', 'FUNDS_RELEASED 247.50 USD'])
      expect({ word, isThere: text.includes(word) }).toEqual({ word, isThere: true });
  });

  test('is in no event: no national id, account number, phone number, one-time password or key', async () => {
    const { events, secret } = await everyEvent();
    // They include every kind of object, so the search covers them all.
    expect([...new Set(events.map(({ object }) => object.kind))].toSorted()).toEqual(
      expect.arrayContaining([
        'api_key',
        'deposit',
        'escrow',
        'payment_link',
        'user',
        'webhook_endpoint',
        'withdrawal',
      ]),
    );
    const { buyerNumber, sellerNumber, checkoutNumber } = PERSONAL;
    const numbers = [buyerNumber, sellerNumber, checkoutNumber].map((number) => number.slice('+263'.length));
    const text = JSON.stringify(events.map(({ data }) => data));
    const secrets = [...Object.values(SECRET), ...numbers, company.apiKey, secret, secret.slice('whsec_'.length)];
    expect(secrets.filter((value) => text.includes(value))).toEqual([]);
    // A code is a short number, which ids may contain by chance, so only the code as a separate word counts.
    expect(day.made.length).toBeGreaterThan(0);
    expect(day.made.filter((code) => new RegExp(`(?<![0-9a-f-])${code}(?![0-9a-f-])`).test(text))).toEqual([]);
  });

  test('is in no line of the log', () => {
    const text = logged.join('');
    expect(text).toContain('/v1/escrow/:id/release');
    expect(logged.length).toBeGreaterThan(40);
    expect(found(text, ALL)).toEqual([]);
  });

  test("is in no line of PostgreSQL's log, statements that fail included", async () => {
    const values = { ...SECRET, ...PERSONAL };
    const literals = Object.values(values)
      .map((value) => `'${value.replaceAll("'", "''")}'`)
      .join(', ');
    await withClient(service.database.apiUrl, async (client) => {
      await client.query('begin');
      await client.query("select set_config('app.company_id', $1, true)", [company.id.slice('cmp_'.length)]);
      // A literal, a bound value, a row that breaks a constraint, and a role's password.
      for (const [statement, bound] of [
        [`select 1 / 0 where 'x' in (${literals})`, []],
        ['select 1 / length($1) - length($1), 1 / 0 where $1 <> $2', [PERSONAL.buyerNumber, SECRET.buyerIdNumber]],
        [
          `insert into app_user (id, company_id, mobile_number, id_number) select gen_random_uuid(), company_id, mobile_number, id_number
           from app_user where mobile_number = $1`,
          [PERSONAL.buyerNumber],
        ],
        [`alter role escrow_owner password '${SECRET.accountNumber}'`, []],
      ] as const) {
        await client.query('savepoint before');
        await expect(client.query(statement, [...bound])).rejects.toThrow();
        await client.query('rollback to savepoint before');
      }
    });
    const log = readFileSync(servers().postgresLogFile, 'utf8');
    expect(log).not.toMatch(/ (DETAIL|STATEMENT|QUERY): /);
    // Tests of other databases send the same words as forged arguments, which PostgreSQL repeats in its errors.
    const inOurs = new RegExp(`^\\S+ \\S+ \\S+ \\[\\d+\\] ${service.database.name} `);
    const entries = log.split(/^(?=\d{4}-\d\d-\d\d )/m);
    const text = entries.filter((entry) => inOurs.test(entry)).join('');
    expect(text).toContain('ERROR:  division by zero');
    const key =
      /ERROR: {2}duplicate key value violates unique constraint "app_user(_p\d+)?_company_id_mobile_number_key"/;
    expect(text).toMatch(key); // of the table, or of its partition
    expect(found(text, values)).toEqual([]);
  });

  test('of people and accounts is in no event', async () => {
    const { events } = await everyEvent();
    expect(events.length).toBeGreaterThan(30);
    const text = JSON.stringify(events);
    const { buyerNumber, sellerNumber, checkoutNumber } = PERSONAL;
    expect(found(text, { ...SECRET, buyerNumber, sellerNumber, checkoutNumber })).toEqual([]);
    const hashes = await sql(service, 'select hash from payment_link');
    for (const { hash } of hashes) expect(text).not.toContain(hash);
    expect(found(text, { item: PERSONAL.item })).toEqual(['item']); // the search works
  });

  test('is in no refusal', () => {
    expect(day.refusals.length).toBeGreaterThan(15);
    for (const { body } of day.refusals)
      expect({ body, found: found(JSON.stringify(body), ALL) }).toMatchObject({ found: [] });
  });

  test('of the kinds that are encrypted is in no table', async () => {
    const tables = await sql(
      service,
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm')`,
    );
    const everything: string[] = [];
    for (const { name } of tables) {
      const rows = await sql(service, `select t::text as text from ${String(name)} t`);
      const text = rows.map((row) => String(row.text)).join('\n');
      everything.push(text);
      expect({ table: name, found: found(text, SECRET) }).toEqual({ table: name, found: [] });
    }
    // Unencrypted values are found, so the search works.
    expect(found(everything.join('\n'), PERSONAL)).toEqual(
      expect.arrayContaining(['buyerNumber', 'buyerFirstName', 'deliveryNote', 'disputeReason', 'item', 'document']),
    );
  });

  test('is returned in full to permitted readers', async () => {
    const { body: users } = await company.get('/v1/identity/users');
    const numbers = await Promise.all(
      users.map(async ({ id }: { id: string }) => (await company.get(`/v1/identity/users/${id}`)).body.idNumber),
    );
    expect(numbers.toSorted()).toEqual(
      [SECRET.linkedIdNumber, SECRET.sellerIdNumber, SECRET.checkoutIdNumber].toSorted(),
    );
  });
});

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};

/** What requests may contain, from the description of the API. */
const { paths, components } = apiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const IS_ID = /\[0-9a-fA-F\]\{8\}/;

/** The texts, files and JSON objects in a request, by their places. Ids, times and words of the service are none. */
function textsIn(schema: Schema, at: string): string[] {
  const { $ref, type = [], format = '', pattern = '', properties, items, anyOf = [] } = schema;
  if ($ref !== undefined) return textsIn(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, at);
  const types = [type].flat();
  const isText = types.includes('string') && !('enum' in schema || 'const' in schema || IS_ID.test(pattern));
  const isOwn = (isText && !/^(uuid|date)/.test(format)) || (types.includes('object') && properties === undefined);
  return [
    ...(isOwn ? [at] : []),
    ...anyOf.flatMap((one) => textsIn(one, at)),
    ...(items === undefined ? [] : textsIn(items, `${at}[]`)),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => textsIn(inner, at === '' ? name : `${at}.${name}`)),
  ];
}

function textsOf({ parameters = [], requestBody }: Described): string[] {
  const [body] = Object.values(requestBody?.content ?? {});
  return [
    ...parameters.flatMap((one) => (one.in === 'header' ? [] : textsIn(one.schema, `${one.in}.${one.name}`))),
    ...(body === undefined ? [] : textsIn(body.schema, '')),
  ];
}

/** The places of a request in which one of the words stands. */
function placesOf(value: unknown, words: readonly string[], at = ''): string[] {
  if (typeof value === 'string') return words.some((word) => value.includes(word)) ? [at] : [];
  if (value instanceof FormData) return [...value.keys()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    placesOf(inner, words, Array.isArray(value) ? `${at}[]` : at === '' ? name : `${at}.${name}`),
  );
}

describe('the erasure of a person', () => {
  const sent: Sent[] = [];
  let life: MarkedLife;
  let own: TestCompany;
  let receiver: Awaited<ReturnType<typeof echo>>;
  /** Every form in which something about the person was sent. */
  let words: Readonly<Record<string, string>>;

  beforeAll(async () => {
    receiver = await echo();
    own = await newCompany(noted(service, sent));
    life = new MarkedLife(noted(service, sent), own);
    const { mobileNumber, otherPhone } = life;
    expect([mobileNumber, otherPhone].map(dialled)).toEqual([mobileNumber, otherPhone]);
    words = { MARKER, mobileNumber, otherPhone };
    await life.live(receiver.url);
  });
  afterAll(() => receiver.close());

  const published = () =>
    eventually(async () => {
      const [row] = await sql(service, 'select count(*)::int as n from event_fact where company_id = $1', [
        bare(own.id),
      ]);
      return row?.n === 0;
    });

  test('every text in requests is listed as personal or not, and the person said something in each personal one', () => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        ...{ method: method.toUpperCase(), id: described.operationId, texts: textsOf(described) },
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      })),
    );
    const listed = (list: Readonly<Record<string, string>>, id: string) => list[id]?.split(' ') ?? [];
    const known = (id: string) => [PERSONAL_FIELDS, OTHER_FIELDS].flatMap((list) => listed(list, id));
    const unlisted = operations.flatMap(({ id, texts }) =>
      texts.filter((text) => !known(id).includes(text) && !known('any').includes(text)).map((text) => `${id} ${text}`),
    );
    expect(unlisted).toEqual([]);
    const said = new Map(Object.keys(PERSONAL_FIELDS).map((id) => [id, new Set<string>()]));
    for (const { method, path, options } of sent) {
      const { pathname, searchParams } = new URL(path, service.url);
      const found = operations.find((one) => one.method === method && one.path.test(pathname));
      const query = Object.fromEntries(searchParams);
      for (const place of placesOf({ ...Object(options.body), query }, Object.values(words)))
        said.get(found?.id ?? '')?.add(place.replace(/^metadata\..*/, 'metadata'));
      for (const place of placesOf(options.form, [])) said.get(found?.id ?? '')?.add(place);
    }
    const silent = Object.keys(PERSONAL_FIELDS).flatMap((id) =>
      listed(PERSONAL_FIELDS, id)
        .filter((field) => !said.get(id)?.has(field))
        .map((field) => `${id} ${field}`),
    );
    expect(silent).toEqual([]);
  });

  /** The words of the person are in every personal column and in the export. */
  const findWords = async () => {
    await published();
    await eventually(async () =>
      (await traces(service, `${MARKER} default holder`)).some((one) => one.startsWith('webhook_attempt')),
    );
    const unmarked: string[] = [];
    for (const [table, columns] of Object.entries(PERSONAL_COLUMNS))
      for (const column of columns.split(' ')) {
        const rows = await sql(
          service,
          `select from "${table}" t where "${column}"::text ilike '%' || $1 || '%' or "${column}"::text like '%' || $2 || '%'
             or "${column}"::text like '%' || $3 || '%'
             or "${column}"::text ilike '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%' limit 1`,
          [MARKER, life.mobileNumber.slice(1), life.otherPhone.slice(1)],
        );
        if (rows.length === 0) unmarked.push(`${table}.${column}`);
      }
    expect(unmarked).toEqual(UNMARKED);
    const exported = await own.get(`/v1/identity/users/${life.id}/export`);
    const text = JSON.stringify(exported.body);
    // The bytes of files are downloaded.
    expect(life.words.filter((word) => !text.includes(word))).toEqual([`${MARKER} document`, `${MARKER} file`]);
  };

  /** No trace is in any table, event, list, search, run or line of the log; books and ids stay. */
  const eraseAndFindNothing = async () => {
    await life.leave();
    const erase = () => own.post(`/v1/identity/users/${life.id}/erase`, { reason: 'the person asked' });
    const erased = await eventually(async () => {
      const answer = await erase();
      return answer.status === 200 && answer;
    });
    const { erasedAt } = erased.body;
    expect(erased.body).toEqual({ userId: life.id, erasedAt: expect.any(String) });
    expect((await erase()).body).toEqual(erased.body);
    const user = await own.get(`/v1/identity/users/${life.id}`);
    expect(user).toMatchObject({
      status: 200,
      body: {
        ...{ id: life.id, mobileNumber: null, idNumber: null, firstName: null, lastName: null, email: null },
        ...{ metadata: null, documentUrl: null, bankAccount: null, customReference: null, erasedAt },
        identityStatus: 'BLACKLISTED',
      },
    });
    // A registration without a link made a user of the platform too.
    const asPlatform = { ...own, id: service.platform.companyId, apiKey: service.platform.apiKey };
    const platform = companyClient(service, asPlatform);
    expect((await own.get(`/v1/identity/users/${life.registrationId}`)).status).toBe(404);
    const { id: twin } = (await platform.get(`/v1/identity/users/${life.registrationId}`)).body;
    await done(platform.post(`/v1/identity/users/${twin}/erase`, { reason: 'the person asked' }));
    await published();
    for (const word of Object.values(words)) expect([word, await traces(service, word)]).toEqual([word, []]);

    const { escrowIds, linkIds, withdrawalId } = life;
    const shown = [
      ...escrowIds.flatMap((id) => [`/v1/escrow/${id}`, `/v1/escrow/${id}/timeline`, `/v1/escrow/${id}/requests`]),
      ...linkIds.map((id) => `/v1/payments/links/${id}`),
      ...[`/v1/treasury/withdrawals/${withdrawalId}`, '/v1/identity/users', `/v1/identity/users/${life.id}/export`],
      ...['/v1/escrow', '/v1/payments/links', '/v1/treasury/withdrawals', '/v1/treasury/receivables', '/v1/work'],
      ...['/v1/ledger/reports/liabilities', '/v1/core/audit-log?limit=100', '/v1/sandbox/messages'],
    ];
    for (const path of shown) {
      const { status, body } = await own.get(path);
      expect({ path, status, found: found(JSON.stringify(body), words) }).toEqual({ path, status: 200, found: [] });
    }
    for (const word of [MARKER, life.mobileNumber])
      expect((await own.get(`/v1/identity/users?q=${encodeURIComponent(word)}`)).body).toEqual([]);
    const lines = (await own.get('/v1/core/audit-log?limit=100')).body.data;
    expect(lines.filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'party')).toMatchObject(
      Array.from({ length: 4 }, () => ({ ip: null })),
    );
    const events = await everyEventOf(own);
    expect(events).toContainEqual(expect.objectContaining({ type: 'user.erased' }));
    expect(found(JSON.stringify(events), words)).toEqual([]);

    for (const { name } of SCHEDULES)
      await service.temporal.schedule.getHandle(scheduleIdOf(name, service.taskQueue)).trigger();
    await searchedRuns(words);
    expect(found(logged.join(''), words)).toEqual([]);
    expect((await own.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true });
  };

  /** A repetition of each request says nothing of the person. */
  const repeatRequests = async () => {
    const answered: unknown[] = [];
    for (const { method, path, options } of sent) {
      if (options.headers?.['x-idempotency-key'] === undefined || path.endsWith('/quote')) continue;
      const { status, body } = await service.request(method, path, options);
      expect({ path, status, found: found(JSON.stringify(body), words) }).toMatchObject({ path, found: [] });
      expect(status).not.toBe(500);
      answered.push(body);
    }
    expect(answered.length).toBeGreaterThan(40);
    for (const word of Object.values(words)) expect([word, await traces(service, word)]).toEqual([word, []]);
  };

  const useNumberAgain = async () => {
    const refused = { status: 422, body: { code: 'unknown_user' } };
    expect(await own.post('/v1/payments/deposit', { userId: life.id, amount: 1, currency: 'USD' })).toMatchObject(
      refused,
    );
    const settings = { default_seller_id: life.id };
    expect(await own.request('PATCH', '/v1/core/companies/me', { body: settings })).toMatchObject(refused);
    const linked = await own.post(`/v1/identity/users/${life.id}/link-id`, { idNumber: 'again' });
    expect(linked).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
    const again = await own.post('/v1/identity/users', { mobileNumber: life.mobileNumber, idNumber: 'another' });
    expect(again).toMatchObject({ status: 201, body: { identityStatus: 'BLACKLISTED' } });
  };

  test('leaves no trace of their words, the number to others, and the blacklisting to the person', async () => {
    await findWords();
    await eraseAndFindNothing();
    await repeatRequests();
    await useNumberAgain();
  });
});

/** Personal columns that the life above leaves without the marker. */
const UNMARKED = [
  // They are encrypted or masked.
  ...['account_number', 'masked_number', 'number_to_tell'].map((column) => `bank_details.${column}`),
  ...['app_user.bank_account', 'app_user.id_number', 'checkout_registration.id_number'],
  // They are empty, or deleted soon.
  ...['event_fact.snapshot', 'event_set_aside.snapshot', 'order_request.secret', 'payout_destination.account_number'],
];
