import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { visitorAs } from '../console/support/visitor.ts';
import { bare, sql } from '../support/api.ts';
import { ordered, switchOn } from '../support/order-pages.ts';
import { newCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/** What a later version wrote, read by this one: after a rollback, and while both run. `npm run try:upgrade` runs two versions. */

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

test('an escrow with an event of a later version is shown everywhere, and continues', async () => {
  const company = await newCompany(service);
  await switchOn(company);
  const { id, path, read, timeline, buyerPage } = await ordered(service, company);
  await sql(
    service,
    `with moved as (
       update escrow set seq = seq + 1, state = state || jsonb_build_object('seq', seq + 1, 'laterAt', updated_at)
       where id = $1 returning *
     )
     insert into escrow_event (escrow_id, seq, company_id, command_id, type, actor, at, status, data, source)
     select id, seq, company_id, gen_random_uuid(), 'LATER', 'COMPANY', now(), status, '{"type": "LATER"}', 'API' from moved`,
    [bare(id)],
  );
  expect(await timeline()).toMatchObject([{ event: 'INITIATED' }, { event: 'LATER', details: {} }]);
  expect((await buyerPage.get()).status).toBe(200);
  const page = await (await visitorAs(service, company, 'owner')).get(`/escrows/${id}`);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Later') });
  expect(await company.post(`${path}/release`)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  expect(await read()).toMatchObject({ status: 'COMPLETED' });
});
