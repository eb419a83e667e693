import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from '../../src/domain/events/event-types.ts';
import { bare, sql } from '../support/api.ts';
import { counted } from '../support/counted.ts';
import { playAll } from '../support/event-acts/all.ts';
import type { Caused } from '../support/event-acts/stage.ts';
import { eventually } from '../support/eventually.ts';
import { type Event, publishedEvents } from '../support/published-events.ts';
import { newCompany, type TestCompany, type TestService, type WithTemporal, withTemporal } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { BANK } from '../support/treasury.ts';
import { historiesOf } from '../upgrade/fixture.ts';
import { releasedWorkflows, unreadableFor } from '../upgrade/released-workflows.ts';

/** Every type of event is caused once through an interface of the service. */

const HISTORIES_OF_A_KIND = 100;

let service: TestService & WithTemporal;
let begunAt: string;
let acts: ReadonlyMap<EventType, Promise<Caused>>;
let disagreements: (event: Event) => readonly string[];

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  begunAt = new Date().toISOString();
  disagreements = await publishedEvents(service);
  acts = await playAll({ service, company: await newCompany(service) });
});
afterAll(() => service?.stop());

async function feedOf(company: TestCompany, query: string): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (let hasMore = true; hasMore; ) {
    const after = events.length === 0 ? '' : `&after=${events.at(-1)?.id}`;
    const { body } = await company.get(`/v1/events?limit=100${query}${after}`);
    events.push(...body.data);
    hasMore = body.hasMore;
  }
  return events;
}

test.each(EVENT_TYPE_NAMES)('%s', async (type) => {
  const act = await acts.get(type);
  if (act === undefined) throw new Error('no act');
  const { company, objectId, data, requestId } = act;
  const events = await eventually(async () => {
    const found = await feedOf(company, `&type=${type}&objectId=${objectId}`);
    return found.length > 0 && found;
  });
  expect(events).toMatchObject([
    {
      ...{ type, companyId: company.id, object: { kind: EVENT_TYPES[type].object, id: objectId } },
      requestId: requestId === undefined ? events[0]?.requestId : requestId,
    },
  ]);
  const [event] = events;
  expect(event?.data).toMatchObject({ id: objectId, ...data });
  expect(event && disagreements(event)).toEqual([]);
});

/** What the acts sent, or were given, and no event may name. */
const NEVER = {
  'a phone number': /\+263\d{6}/,
  'a national id': /63-\d{7}A00/,
  'an account number': new RegExp(BANK.account_number),
  'an API key': /esc_[lt]_\w{16}/,
  'a secret of an endpoint': /whsec_|token=/,
  'the words of a payer at the bank': /thank you/,
  'the hash of a proof': /argon2|proof/,
};

describe('all events of all stories', () => {
  const companies = new Set<TestCompany>();
  let events: readonly Event[];

  beforeAll(async () => {
    for (const act of acts.values()) companies.add((await act).company);
    await eventually(async () => (await sql(service, 'select from event_fact')).length === 0);
    events = (await Promise.all([...companies].map((company) => feedOf(company, '')))).flat();
  });

  test('name no secret, phone number, national id or account number, and no words of a payer', () => {
    const text = JSON.stringify(events);
    for (const [what, pattern] of Object.entries(NEVER))
      expect([what, text.match(pattern)?.[0]]).toEqual([what, undefined]);
  });

  test('are as their schemas say, and about the object in their data', () => {
    for (const event of events)
      expect([event.type, event.data.id, disagreements(event)]).toEqual([event.type, event.object.id, []]);
  });

  test('come once: no two tell of the same change, and every change could be described', async () => {
    const told = events.map(({ type, data }) => JSON.stringify([type, data]));
    expect(told.filter((one, index) => told.indexOf(one) !== index)).toEqual([]);
    const setAside = 'select object_kind, change, reason from event_set_aside where company_id = any($1)';
    expect(await sql(service, setAside, [[...companies].map(({ id }) => bare(id))])).toEqual([]);
  });
});

/** If a step cannot be avoided that it does not know, the changelog says which runs a rollback must terminate. */
test('workers of the last release can continue the runs of all stories, after a rollback', async () => {
  const query = `TaskQueue = "${service.taskQueue}" AND StartTime >= "${begunAt}"`;
  const histories = await historiesOf(service.temporal, query, HISTORIES_OF_A_KIND);
  const kinds = histories.map(({ workflowId }) => workflowId.split('/')[0]);
  expect(kinds).toEqual(expect.arrayContaining(['escrow', 'payment-link', 'withdrawal']));
  const { version, code } = releasedWorkflows();
  expect(await unreadableFor({ code }, histories)).toEqual([]);
  counted(`rollback: ${histories.length} histories replayed by ${version}`);
});
