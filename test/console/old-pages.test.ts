import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PLATFORM, startService, type TestCompany, type TestService } from '../support/service.ts';
import { asked, newHolder } from '../support/treasury.ts';
import { newVisitor, shownForm, type Visitor } from './support/visitor.ts';

/** Two people have the same page open. What the second one sends does nothing that the page did not say. */

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

async function staffOf({ id }: TestCompany): Promise<Visitor> {
  const staff = newVisitor(service);
  await staff.logIn(PLATFORM);
  await staff.submit('/act-for', { companyId: id });
  return staff;
}

describe('a payout whose outcome a colleague has booked', () => {
  const PAID = { marker: 'value="PAID"', typed: {}, status: 'COMPLETED', event: 'Settled', available: '6000' };
  const NOT_PAID = {
    marker: 'NOT_PAID',
    typed: { reason: 'AC04' },
    status: 'FAILED',
    event: 'Rejected',
    available: '10000',
  };

  test.each([
    ['as paid is not given back', PAID, NOT_PAID],
    ['as not paid is not taken again', NOT_PAID, PAID],
    ['as paid is not paid twice', PAID, PAID],
  ])('%s by an old page', async (_name, first, second) => {
    const holder = await newHolder(service);
    await service.sandbox.control('POST', '/payouts', { outcome: 'manual' });
    const { id } = (await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 4_000))).body;
    await service.sandbox.control('POST', '/payouts', { outcome: 'settled' });
    const path = `/withdrawals/${id}`;
    const [one, other] = [await staffOf(holder.company), await staffOf(holder.company)];
    const [page, oldPage] = [await one.get(path), await other.get(path)];
    expect(await one.send(path, { ...shownForm(page.text, path, first.marker), ...first.typed })).toMatchObject({
      status: 303,
    });
    const refused = await other.send(path, { ...shownForm(oldPage.text, path, second.marker), ...second.typed });
    expect(refused.status).toBe(412);
    expect(refused.text).toContain('nothing was done');
    expect(refused.text).toContain(`Since the page was shown: ${first.event} (Admin)`);
    expect((await holder.company.get(`/v1/treasury/withdrawals/${id}`)).body).toMatchObject({ status: first.status });
    expect(await holder.account()).toMatchObject({ available_balance: first.available });
  });
});
