import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../src/observability/log.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { found, textOf } from '../support/search.ts';
import { servers } from '../support/servers.ts';
import { type Answer, newCompany, type TestCompany } from '../support/service.ts';
import { type OwnService, startService } from '../support/whole-service.ts';
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

describe('personal data', () => {
  test('is in no workflow: not in a history, a memo, a search attribute, an id, a description or an answer to a query', async () => {
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
        expect({ workflowId, found: found(told, ALL) }).toEqual({ workflowId, found: [] });
        text += told;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, searchOneByOne));
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
    const text = readFileSync(servers().postgresLogFile, 'utf8');
    expect(text).toContain('ERROR:  division by zero');
    const key =
      /ERROR: {2}duplicate key value violates unique constraint "app_user(_p\d+)?_company_id_mobile_number_key"/;
    expect(text).toMatch(key); // of the table, or of its partition
    expect(found(text, values)).toEqual([]);
    expect(text).not.toMatch(/ (DETAIL|STATEMENT|QUERY): /);
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
