import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { bare, refused } from '../support/api.ts';
import { offerLink } from '../support/links.ts';
import { ordered, switchOn, visitor } from '../support/order-pages.ts';
import { newCompany, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/**
 * Copies that no audit compares decide nothing: a superuser changes them without triggers, and no buyer is led to another order or
 * loads another script.
 */

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  await switchOn(company);
});
afterAll(() => service.stop());

const tamper = (statement: string, values: readonly unknown[]) =>
  withClient(service.database.superuserUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    expect((await client.query(statement, [...values])).rowCount).toBe(1);
  });
const lead = (kind: string, key: string, id: string) =>
  tamper('update directory set id = $3 where kind = $1 and key = $2', [kind, key, id]);

test('the address of a payment link shows no other link', async () => {
  const [mine, other] = [await offerLink(service, company), await offerLink(service, company)];
  await lead('payment_link', mine.hash, other.linkId);
  expect(await service.request('GET', `/v1/payments/link-details/${mine.hash}`)).toMatchObject(
    refused(404, 'not_found'),
  );
  expect(await mine.say('eft-pay/initiate')).toMatchObject(refused(404, 'not_found'));
});

test('the address of an order page shows no other order', async () => {
  const [mine, other] = [await ordered(service, company), await ordered(service, company)];
  const page = visitor(service, mine.urls.buyerUrl);
  expect((await page.get()).status).toBe(200);
  const hash = createHash('sha256')
    .update(mine.urls.buyerUrl.split('/orders/')[1] ?? '')
    .digest('hex');
  await lead('order_page_buyer', hash, bare(other.id));
  expect((await page.get()).status).toBe(404);
});

test('a card form loads the script of the configured gateway', async () => {
  const link = await offerLink(service, company);
  const { body: form } = await link.say('eft-pay/initiate');
  await tamper("update payment_attempt set script_url = 'https://evil.example/form.js' where link_id = $1", [
    link.linkId,
  ]);
  expect((await link.say('eft-pay/initiate')).body).toEqual(form);
  const page = await fetch(`${service.url}${link.path}/card`);
  expect(await page.text()).toContain(form.scriptUrl);
  expect(page.headers.get('content-security-policy')).not.toContain('evil.example');
});
