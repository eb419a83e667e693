import { afterAll, beforeAll, test } from '@jest/globals';
import { beginEscrow } from '../../../support/escrows.ts';
import { expectSameReportsAfter, instant } from '../../../support/reports.ts';
import { newCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

test('a report of an instant has the same bytes after 10,000 later postings, a chargeback and a reversal', async () => {
  const company = await newCompany(service);
  const { path } = await beginEscrow(company);
  await company.post(`${path}/release`);
  await beginEscrow(company);
  await expectSameReportsAfter(service, company, await instant(service), 10_000);
});
