import { randomUUID } from 'node:crypto';
import type { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EVENT_DATA, EventSchema } from '../../../../src/api/schemas/events.ts';
import type { Subjects } from '../../../../src/db/events/subjects.ts';
import { EVENT_VIEWS } from '../../../../src/db/views/events.ts';
import type { EventObject } from '../../../../src/domain/events/event-types.ts';
import { bare, newAdministrator, newKey, nobody, refused, sql } from '../../../support/api.ts';
import { documentForm, pdf } from '../../../support/documents.ts';
import { eventually } from '../../../support/eventually.ts';
import { offerLink } from '../../../support/links.ts';
import type { Event } from '../../../support/published-events.ts';
import {
  done,
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, ended } from '../../../support/treasury.ts';

/** What the worker renders has the form that the API describes: the compiler compares them. */
const VIEWS: { readonly [Kind in EventObject]: (record: Subjects[Kind]) => z.infer<(typeof EVENT_DATA)[Kind]> } =
  EVENT_VIEWS;

/** The highest balance that the ledger accepts. */
const MOST_CENTS = '9200000000000000000';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** Every event of the company, oldest first, page by page. */
async function feedOf(company: TestCompany, query = ''): Promise<Event[]> {
  const events: Event[] = [];
  for (let path: string | undefined = `/v1/events?limit=5${query}`; path !== undefined; ) {
    const { status, body, headers } = await company.get(path);
    expect(status).toBe(200);
    events.push(...body.data);
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    expect(next !== undefined).toBe(body.hasMore);
    path = next?.slice(service.url.length);
  }
  return events;
}

/** Waits until the last of these types is in the feed. */
const feedWith = (company: TestCompany, type: string) =>
  eventually(async () => {
    const events = await feedOf(company);
    return events.some((event) => event.type === type) && events;
  });

const typesOf = (events: readonly Event[], id: string) =>
  events.filter(({ object }) => object.id === id).map(({ type }) => type);

test('the description has a schema for every kind of object', () => {
  expect(Object.keys(EVENT_DATA)).toEqual(Object.keys(VIEWS));
});

describe('the feed of a company', () => {
  test('has the events of an escrow in order, each with the escrow as the API returned it at that time', async () => {
    const company = await newCompany(service);
    const parties = await newParties(company);
    const { body: made } = await company.post('/v1/escrow/initiate', parties.escrow());
    const before = (await company.get(`/v1/escrow/${made.id}`)).body;
    await company.post(`/v1/escrow/${made.id}/dispute`, { actor: 'BUYER', reason: 'it never came' });
    await company.post(`/v1/escrow/${made.id}/cancel`, { actor: 'ADMIN', reason: 'agreed' });
    const events = await feedWith(company, 'escrow.cancelled');
    const after = (await company.get(`/v1/escrow/${made.id}`)).body;

    const [initiated, disputed, cancelled] = events.filter(({ object }) => object.id === made.id);
    expect(initiated).toMatchObject({ type: 'escrow.initiated', data: before });
    expect(disputed).toMatchObject({ type: 'escrow.disputed', data: { status: 'DISPUTED', heldAmount: '25000' } });
    expect(cancelled).toMatchObject({ type: 'escrow.cancelled', data: after });
    expect(typesOf(events, parties.buyer.id)).toEqual(['user.created']);
    expect(await company.get(`/v1/events/${cancelled?.id}`)).toMatchObject({ status: 200, body: cancelled });
  });

  test('has deposits, receipts, reversals, users, accounts, keys, administrators, withdrawals and links, in their described form', async () => {
    const company = await newCompany(service);
    const user = await newUser(company);
    const platform = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
    const onUser = (path: string, body: unknown) =>
      service.request('POST', `/v1/identity/admin/users/${user.id}/${path}`, { headers: platform, body });
    await onUser('approve', {});
    await onUser('status', { status: 'BLACKLISTED' });
    await onUser('status', { status: 'CLEAR' });
    await company.request('POST', `/v1/identity/users/${user.id}/document`, { form: documentForm(pdf()) });

    const money = { amount: 700, currency: 'USD' };
    const reference = `ref-${randomUUID()}`;
    const deposit = { userId: user.id, ...money };
    const { body: inTransit } = await company.post('/v1/payments/deposit', {
      ...deposit,
      externalReference: reference,
      isTransit: true,
    });
    await company.post('/v1/treasury/bank/capture', { ...money, reference });
    const { body: settled } = await company.post('/v1/payments/deposit', deposit);
    await company.post(`/v1/payments/transaction/${settled.id}/reverse`, { reason: 'bounced' });
    const { body: capture } = await company.post('/v1/treasury/bank/capture', { ...money, reference: 'unknown' });
    await company.post(`/v1/treasury/captures/${capture.id}/assign`, { userId: user.id });
    const { body: withdrawal } = await company.post('/v1/treasury/withdraw', asked(user.usdAccountId, 100));
    await ended(company, withdrawal.id);

    const account = `/v1/ledger/accounts/${user.usdAccountId}`;
    await company.request('PATCH', account, { body: { is_frozen: true, reason: 'a question' } });
    await company.request('PATCH', account, { body: { is_frozen: false, reason: 'answered' } });
    const admin = await newAdministrator(service, company, 'admin');
    const key = await newKey(admin);
    await company.post(`/v1/core/companies/api-keys/${key.id}/revoke`);
    await company.post(`/v1/core/companies/admins/${admin.id}/remove`);
    const link = await offerLink(service, company);
    await done(link.say('reject-payment'));

    await feedWith(company, 'withdrawal.completed');
    const events = await feedWith(company, 'payment_link.rejected');
    expect(typesOf(events, user.id)).toEqual([
      'user.created',
      'user.approved',
      'user.blacklisted',
      'user.cleared',
      'user.document_changed',
      'user.approval_withdrawn',
    ]);
    expect(typesOf(events, inTransit.id)).toEqual(['deposit.received', 'deposit.settled']);
    expect(typesOf(events, settled.id)).toEqual(['deposit.received', 'deposit.reversed']);
    expect(typesOf(events, capture.id)).toEqual(['capture.received', 'capture.assigned']);
    const payout = typesOf(events, withdrawal.id);
    expect([payout[0], payout.at(-1)]).toEqual(['withdrawal.requested', 'withdrawal.completed']);
    const requestsOf = events.filter(({ object }) => object.id === withdrawal.id).map(({ requestId }) => requestId);
    expect([requestsOf[0], requestsOf.at(-1)]).toEqual([expect.any(String), null]); // the bank was asked on a timer
    expect(typesOf(events, user.usdAccountId)).toEqual(['account.frozen', 'account.unfrozen']);
    expect(typesOf(events, key.id)).toEqual(['api_key.created', 'api_key.revoked']);
    expect(typesOf(events, admin.id)).toEqual(['administrator.added', 'administrator.removed']);
    expect(typesOf(events, `pay_${link.linkId}`)).toEqual(['payment_link.created', 'payment_link.rejected']);
    for (const event of events) {
      expect(EventSchema.safeParse(event).error).toBeUndefined();
      expect([event.type, EVENT_DATA[event.object.kind].safeParse(event.data).error]).toEqual([event.type, undefined]);
      expect(event.data.id).toBe(event.object.id);
    }
    expect(events.map(({ position }) => position)).toEqual(
      events.map(({ position }) => position).toSorted((a, b) => a - b),
    );
  });

  test('names the request that caused each change, also for concurrent deposits, and none if time was the cause', async () => {
    const company = await newCompany(service);
    const parties = await newParties(company);
    const as = (requestId: string, path: string, body: unknown) =>
      untilAnswered(() =>
        company.request('POST', path, { body, headers: { 'x-request-id': requestId, 'x-idempotency-key': requestId } }),
      );
    const { body: made } = await as('the-start', '/v1/escrow/initiate', parties.escrow());
    await as('the-note', `/v1/escrow/${made.id}/dispute`, { actor: 'BUYER', reason: 'it never came' });
    const amounts = Array.from({ length: 12 }, (_, index) => index + 1);
    await Promise.all(
      amounts.map((amount) => as(`deposit-${amount}`, '/v1/payments/deposit', { amount, currency: 'USD' })),
    );
    const events = await eventually(async () => {
      const all = await feedOf(company);
      return (
        all.filter(({ requestId }) => requestId?.startsWith('deposit-')).length === amounts.length &&
        all.some(({ type }) => type === 'escrow.disputed') &&
        all
      );
    });
    const requestOf = (type: string) => events.find((event) => event.type === type)?.requestId;
    expect([requestOf('escrow.initiated'), requestOf('escrow.disputed')]).toEqual(['the-start', 'the-note']);
    for (const { type, data, requestId } of events)
      if (type === 'deposit.received' && requestId?.startsWith('deposit-'))
        expect(requestId).toBe(`deposit-${data.amount}`);
  });

  test('has no event for a deposit that the ledger refused', async () => {
    const company = await newCompany(service);
    const user = await newUser(company);
    const deposit = () => company.post('/v1/payments/deposit', { userId: user.id, amount: 700, currency: 'USD' });
    await sql(service, 'update account set posted = $1 where id = $2', [MOST_CENTS, bare(user.usdAccountId)]);
    expect(await deposit()).toMatchObject(refused(422, 'amount_too_large'));
    const { body: last } = await company.post('/v1/payments/deposit', { amount: 1, currency: 'USD' });
    const events = await eventually(async () => {
      const all = await feedOf(company, '&type=deposit.received');
      return all.some(({ object }) => object.id === last.id) && all;
    });
    expect(events.length).toBe(1);
  });

  test('can be filtered by type, object and time, and read from a given event', async () => {
    const company = await newCompany(service);
    const user = await newUser(company);
    const other = await newUser(company);
    await feedWith(company, 'user.created');
    await eventually(async () => (await feedOf(company, `&objectId=${other.id}`)).length === 1);
    const events = await feedOf(company);
    const only = async (query: string) => (await feedOf(company, query)).map(({ id }) => id);
    const idsOf = (chosen: readonly Event[]) => chosen.map(({ id }) => id);
    expect(await only('&type=user.created')).toEqual(idsOf(events.filter(({ type }) => type === 'user.created')));
    expect(await only('&type=user.created,api_key.created')).toEqual(
      idsOf(events.filter(({ type }) => ['user.created', 'api_key.created'].includes(type))),
    );
    expect(await only(`&objectId=${user.id}`)).toEqual(idsOf(events.filter(({ object }) => object.id === user.id)));
    expect(await only(`&after=${events[0]?.id}`)).toEqual(idsOf(events.slice(1)));
    expect(await only('&createdFrom=2099-01-01')).toEqual([]);
    const middle = events[Math.floor(events.length / 2)]?.createdAt ?? '';
    const since = events.filter(({ createdAt }) => Date.parse(createdAt) >= Date.parse(middle));
    expect(since.length).toBeLessThan(events.length);
    const from = `&createdFrom=${encodeURIComponent(middle)}`;
    expect(await only(from)).toEqual(idsOf(since));
    expect(await only(`${from}&type=user.created`)).toEqual(idsOf(since.filter(({ type }) => type === 'user.created')));
    expect(await only(`${from}&after=${since[0]?.id}`)).toEqual(idsOf(since.slice(1)));
  });

  test.each([
    ['a type that does not exist', 'type=escrow.exploded'],
    ['an id of no object', 'objectId=7'],
    ['an event of nobody', `after=${nobody('evt')}`],
    ['too many', 'limit=101'],
  ])('is refused with %s', async (_what, query) => {
    const company = await newCompany(service);
    expect(await company.get(`/v1/events?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });

  test("has no event of another company, and refuses such an event's id", async () => {
    const [ours, theirs] = [await newCompany(service), await newCompany(service)];
    const [event] = await feedWith(theirs, 'api_key.created');
    expect(await ours.get(`/v1/events/${event?.id}`)).toMatchObject(refused(404, 'not_found'));
    expect(await ours.get(`/v1/events?after=${event?.id}`)).toMatchObject(refused(400, 'validation_failed'));
    const own = await feedWith(ours, 'api_key.created');
    const [count] = await sql(service, 'select count(*)::integer as events from event where company_id = $1', [
      ours.id.slice(4),
    ]);
    expect(own.length).toBe(count?.events);
  });
});
