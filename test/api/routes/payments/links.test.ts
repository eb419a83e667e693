import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused, sql } from '../../../support/api.ts';
import { LINK_CENTS, offerLink, type TestLink } from '../../../support/links.ts';
import { done, newCompany, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let [oldest, rejected, expired]: TestLink[] = [];

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  oldest = await offerLink(service, company, { externalReference: 'order-1', userReference: 'For your room' });
  rejected = await offerLink(service, company);
  await done(rejected.say('reject-payment'));
  expired = await offerLink(service, company);
  // Its deadline has passed, and no worker has recorded the expiry.
  await sql(service, 'update payment_link set expires_at = now() where id = $1', [expired.linkId]);
});
afterAll(() => service.stop());

const list = (query = '') => company.get(`/v1/payments/links${query}`);
const hashesOf = (links: readonly (TestLink | undefined)[]) => links.map((link) => ({ hash: link?.hash }));

describe('GET /v1/payments/links', () => {
  test('lists links newest first, each with its subject and status', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, data: hashesOf([expired, rejected, oldest]) });
    expect(body.data[2]).toEqual({
      id: `pay_${oldest?.linkId}`,
      hash: oldest?.hash,
      url: expect.stringMatching(new RegExp(`/${oldest?.hash}$`)),
      status: 'PENDING',
      escrowId: oldest?.escrowId,
      amount: String(LINK_CENTS),
      currency: 'USD',
      buyer: { id: oldest?.buyer.id, name: 'Bea Buyerson' },
      externalReference: 'order-1',
      userReference: 'For your room',
      successUrl: null,
      cancelUrl: null,
      locale: null,
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test.each([
    ['PENDING', () => [oldest]],
    ['REJECTED', () => [rejected]],
    ['EXPIRED', () => [expired]],
    ['ACCEPTED', () => []],
  ] as const)('by status %s, as it is shown', async (status, links) => {
    const data = hashesOf(links()).map((link) => ({ ...link, status }));
    expect((await list(`?status=${status}`)).body).toMatchObject({ total: data.length, data });
    expect((await list(`?status=${status}`)).body.data).toHaveLength(data.length);
  });

  test('by the reference of the order', async () => {
    expect((await list('?externalReference=order-1')).body).toMatchObject({ total: 1, data: hashesOf([oldest]) });
    expect((await list('?externalReference=order-2')).body).toEqual({ total: 0, data: [], limit: 20, offset: 0 });
  });

  test('has pages, with the total of all', async () => {
    expect((await list('?limit=1&offset=1')).body).toMatchObject({ total: 3, data: hashesOf([rejected]) });
    expect((await list('?offset=3')).body).toEqual({ total: 3, data: [], limit: 20, offset: 3 });
  });

  test.each(['status=PAID', 'limit=0', 'limit=101', 'offset=-1'])('?%s: validation_failed', async (query) => {
    expect(await list(`?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('shows none of them to another company', async () => {
    const other = await newCompany(service);
    expect((await other.get('/v1/payments/links')).body).toEqual({ total: 0, data: [], limit: 20, offset: 0 });
  });
});
