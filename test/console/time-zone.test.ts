import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clockOf, dayAfter, dayIn, startOfDay } from '../../src/domain/time-zone.ts';
import { beginEscrow } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import { newCompany, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { type Visitor, visitorAs } from './support/visitor.ts';

/** The pages of a company whose day began at another time than that of UTC. */

const HOUR_MS = 3_600_000;
/** A zone in which it is about 23:30, so that its day is never that of UTC for long. */
function zoneNearMidnight(now: Date): string {
  const ahead = (23 - now.getUTCHours() + 24) % 24;
  return ahead <= 14 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`;
}

let service: TestService;
let company: TestCompany;
let manager: Visitor;
let escrow: Awaited<ReturnType<typeof beginEscrow>>;
const zone = zoneNearMidnight(new Date());
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Zone');
  const changed = await company.request('PATCH', '/v1/core/companies/me', { body: { time_zone: zone } });
  expect(changed.body.time_zone).toBe(zone);
  manager = await visitorAs(service, company, 'manager');
  escrow = await beginEscrow(company);
});
afterAll(() => service?.stop());

test('filters, tables and month links are in the zone, which the page names', async () => {
  const { createdAt } = await escrow.read();
  const today = dayIn(zone, new Date(createdAt));
  const shown = async (query: Record<string, string>) =>
    (await manager.get(`/escrows?${new URLSearchParams(query)}`)).text.includes(escrow.id);
  expect(await shown({ startDate: today, endDate: today })).toBe(true);
  expect(await shown({ endDate: dayAfter(today, -1) })).toBe(false);
  expect(await shown({ startDate: dayAfter(today) })).toBe(false);
  const { text } = await manager.get('/escrows');
  expect(text).toContain(`Times are in \u2068${zone}\u2069.`.replaceAll(/[\u2068\u2069]/g, ''));
  expect(text).toContain(`startDate=${today.slice(0, 8)}01`);
});

test('the opening balance of an account page is that of its file, for the days that are typed', async () => {
  const account = escrow.buyer.usdAccountId;
  const now = new Date();
  const [today, yesterday] = [dayIn(zone, now), dayIn(zone, new Date(now.getTime() - 24 * HOUR_MS))];
  const path = `/ledger/accounts/${account}`;
  const csv = async (day: string) =>
    (await manager.get(`${path}/statement?startDate=${day}&endDate=${day}&format=csv`)).text;
  expect(await csv(today)).toContain(startOfDay(today, zone).slice(0, 16));
  expect(await csv(yesterday)).not.toContain('ESCROW_HOLD');
  const { text } = await manager.get(`${path}?startDate=${today}&endDate=${today}`);
  expect(text).toMatch(new RegExp(`form="window" name="format" value="csv" formaction="/console${path}/statement"`));
});

test('the overview shows what came in by days of the zone', async () => {
  const { createdAt } = await escrow.read();
  const today = dayIn(zone, new Date(createdAt)).slice(5);
  const { text } = await manager.get('');
  const days = [...text.matchAll(/<th scope="row">(\d\d-\d\d)</g)].map(([, day]) => day);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toBe(today);
});

test('the times of a replay are those of the zone', async () => {
  const owner = await visitorAs(service, company, 'owner');
  const at = Date.now();
  const { body } = await company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] });
  const path = `/webhooks/${body.id}`;
  const local = (ms: number) => clockOf(zone)(new Date(ms)).replace(' ', 'T').slice(0, 16);
  expect((await owner.get(path)).text).toContain(`time of ${zone}`);
  const replayed = async (from: number, to: number) => {
    await owner.submit(path, { do: 'replay', from: local(from), to: local(to) });
    return (await owner.get(path)).text.includes('The events of that time are queued once more.');
  };
  expect(await replayed(at + HOUR_MS, at + 2 * HOUR_MS)).toBe(false);
  await eventually(() => replayed(at - HOUR_MS, at + HOUR_MS)); // an event of that time may have no position yet
});

test('an unknown time zone is refused', async () => {
  const answer = await company.request('PATCH', '/v1/core/companies/me', { body: { time_zone: 'Mars/Olympus' } });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});
