import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PAGES } from '../../src/console/pages/index.ts';
import { beginEscrow } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import {
  done,
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { hiddenFields, newVisitor, type Visitor, visitorAs } from './support/visitor.ts';

/** What a browser could be made to do against its user's will, and decisions that pay somebody who is blacklisted. */

const EVIL = `"'><img src=x onerror=alert(1)></textarea><script>alert(1)</script>`;

let service: TestService & WithTemporal;
let company: TestCompany;
let owner: Visitor;

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service);
  owner = await visitorAs(service, company, 'owner');
});
afterAll(() => service.stop());

test('a page may not be framed, runs no inline script, and is not kept', async () => {
  // Of a company without the users of another test, whose names are markup.
  const { headers, text } = await (await visitorAs(service, await newCompany(service), 'owner')).get('');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe/);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style| style=| on\w+=/);
});

test('assets are cached for ever under a name that changes with them', async () => {
  const { text } = await owner.get('');
  const assets = [...text.matchAll(/\/console(\/assets\/[\w.-]+)"/g)].map(([, path = '']) => path);
  expect(assets).toHaveLength(3);
  for (const path of assets) {
    const { status, headers } = await newVisitor(service).get(path);
    expect({ status, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      cache: 'public, max-age=31536000, immutable',
    });
  }
  expect(await newVisitor(service).get('/assets/console-000000000000.js')).toMatchObject({ status: 404 });
});

test('markup in any text that a user can send stays text', async () => {
  const buyer = await newUser(company, { firstName: EVIL, lastName: EVIL });
  const seller = await newUser(company, { firstName: EVIL, lastName: EVIL });
  await company.post('/v1/payments/deposit', { userId: buyer.id, amount: 50_000, currency: 'USD' });
  const { body } = await company.post('/v1/escrow/initiate', {
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId: buyer.usdAccountId,
    items: [{ name: EVIL, description: EVIL, quantity: 1, pricePerUnit: 1_000 }],
    externalReference: EVIL,
    externalInvoiceNumber: EVIL,
    milestones: [{ title: EVIL, description: EVIL, percentage: 100 }],
  });
  const id: string = body.id;
  await company.post(`/v1/escrow/${id}/negotiate`, {
    actor: 'BUYER',
    notes: EVIL,
    newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 1 },
  });
  const actions = PAGES.filter(({ path }) => path.startsWith('/escrows/:id')).map(({ path }) =>
    path.replace(':id', id),
  );
  const pages = async (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await owner.get(path)).text));
  const before = await pages([...actions, '/escrows', `/search?q=${encodeURIComponent(EVIL)}`]);
  await company.post(`/v1/escrow/${id}/dispute`, { actor: 'SELLER', reason: EVIL });
  const documentUrl = `https://files.example/?q=${encodeURIComponent('"><img src=x>')}`;
  await company.post(`/v1/escrow/${id}/dispute/evidence`, { actor: 'BUYER', note: EVIL, documentUrl });
  await company.post(`/v1/escrow/${id}/dispute/notes`, { note: EVIL });
  const decision = { seller: EVIL, systemFee: '0', serviceFee: '0', reason: EVIL, step: 'review' };
  const refused = await owner.submit(`/disputes/${id}`, decision);
  const reviewed = await owner.submit(`/disputes/${id}`, { ...decision, seller: '0' });
  const after = await pages([`/escrows/${id}`, `/disputes/${id}`, '/disputes', '/login?next=%22%3E%3Cimg']);
  for (const text of [...before, ...after, refused.text, reviewed.text]) {
    expect(text).not.toMatch(/<img|<script>|<\/textarea><script/);
    expect(text).not.toContain(EVIL);
  }
});

describe('a decision that pays a blacklisted seller is carried out', () => {
  const plan = { system_fee_cents: 250, service_fee_cents: 0, seller_payout_cents: 20_000 };
  const disputed = async () => {
    const { seller, escrow } = await newParties(company);
    const { body } = await company.post('/v1/escrow/initiate', escrow());
    const path = `/v1/escrow/${body.id}`;
    await company.post(`${path}/dispute`, { actor: 'BUYER', reason: 'late' });
    const blacklisted = await service.request('POST', `/v1/identity/admin/users/${seller.id}/status`, {
      headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id },
      body: { status: 'BLACKLISTED' },
    });
    expect(blacklisted.status).toBe(200);
    return {
      id: String(body.id),
      path,
      isPaid: async () => {
        const { body: account } = await company.get(`/v1/ledger/accounts/${seller.usdAccountId}`);
        return account.balance === '20000';
      },
    };
  };

  test('by REST', async () => {
    const { path, isPaid } = await disputed();
    const decision = { newSplitPlan: plan, adminId: company.owner.id };
    expect(await company.post(`${path}/admin-resolve`, decision)).toMatchObject({ status: 200 });
    expect(await isPaid()).toBe(true);
  });

  test('by signal', async () => {
    const { id, isPaid } = await disputed();
    const decision = { newSplitPlan: plan, adminId: company.owner.id };
    await service.temporal.workflow.getHandle(`escrow/${id}`).signal('admin-resolve', decision);
    await eventually(isPaid);
  });

  test('in the console, after a warning that has to be confirmed', async () => {
    const { id, isPaid } = await disputed();
    const page = `/disputes/${id}`;
    const decision = { seller: '200.00', systemFee: '2.50', serviceFee: '0', reason: 'It came.' };
    const { text } = await owner.submit(page, { ...decision, step: 'review' });
    expect(text).toContain('The seller is blacklisted, and this decision pays them.');
    await owner.submit(page, { ...decision, step: 'confirm' });
    expect(await isPaid()).toBe(false);
    await owner.submit(page, { ...decision, step: 'confirm', acknowledged: 'true' });
    expect(await isPaid()).toBe(true);
  });
});

test('a link from another site gets a page that asks again, because the cookie is not sent with it', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  const page = await newVisitor(service).get('/escrows', headers);
  expect({ status: page.status, refresh: page.headers.get('refresh') }).toEqual({ status: 200, refresh: '0' });
});

test('a form that is sent twice acts once', async () => {
  const items = [{ name: 'Maize, 50 kg', quantity: 4, pricePerUnit: 12_500 }];
  const { id } = await beginEscrow(company, { items });
  const visitor = owner;
  const form = hiddenFields((await visitor.get(`/escrows/${id}/delivery-note`)).text, `/escrows/${id}/delivery-note`);
  const { body: escrow } = await company.get(`/v1/escrow/${id}`);
  const fields = { ...form, [`quantity.${escrow.items[0].id}`]: '3', notes: 'Sent twice.' };
  const answers = await Promise.all([1, 2].map(() => visitor.send(`/escrows/${id}/delivery-note`, fields)));
  expect(answers.some(({ status }) => status === 303)).toBe(true);
  const { body: timeline } = await company.get(`/v1/escrow/${id}/timeline`);
  const sent = timeline.filter(({ details }: { details: { notes?: string } }) => details.notes === 'Sent twice.');
  expect(sent).toHaveLength(1);
});

test('the form of a receipt proposes what is still missing, and the one of a delivery note all that was ordered', async () => {
  const escrow = await beginEscrow(company);
  const counted = { items: [{ itemId: escrow.itemId, quantity: 1, price_per_item: 12_500 }] };
  await company.post(`${escrow.path}/goods-received`, counted);
  const proposedIn = async (step: string) => {
    const { text } = await owner.get(`/escrows/${escrow.id}/${step}`);
    return /<input[^>]*name="quantity\.[^>]*>/.exec(text)?.[0];
  };
  expect(await proposedIn('goods-received')).toMatch(/(?=.* value="1")(?=.* max="1")/);
  expect(await proposedIn('delivery-note')).toMatch(/(?=.* value="2")(?=.* max="2")/);
});

describe('a milestone', () => {
  const chosenIn = (page: string, name: string) =>
    [
      ...(new RegExp(`<select[^>]* name="${name}"[^]*?</select>`).exec(page)?.[0] ?? '').matchAll(
        /value="([^"]*)" selected/g,
      ),
    ].map(([, value]) => value);
  const newEscrow = async () => {
    const { escrow } = await newParties(company);
    const milestones = ['Drilling', 'Casing', 'Pump'].map((title, index) => ({
      title,
      percentage: index === 0 ? 50 : 25,
    }));
    const made = await company.post('/v1/escrow/initiate', escrow({ milestones }));
    const { body } = await company.get(`/v1/escrow/${made.body.id}`);
    return { id: String(body.id), ids: body.milestones.map(({ id }: { id: string }) => id) as string[] };
  };
  const released = async (id: string) => {
    const { body } = await company.get(`/v1/escrow/${id}`);
    return body.milestones.filter(({ status }: { status: string }) => status === 'RELEASED').length;
  };

  test('that somebody else released is never replaced by another one', async () => {
    const {
      id,
      ids: [first = '', second = ''],
    } = await newEscrow();
    const path = `/escrows/${id}/release-milestone`;
    const fields = { ...hiddenFields((await owner.get(path)).text, path), milestoneId: first };
    await company.post(`/v1/escrow/${id}/release?milestoneId=${first}`);
    const refused = await owner.send(path, fields);
    expect(refused.status).toBe(412);
    expect(chosenIn(refused.text, 'milestoneId')).toEqual(['']);
    expect(refused.text).toContain('Choose again');
    expect(chosenIn((await owner.get(`${path}?milestoneId=${second}`)).text, 'milestoneId')).toEqual([second]);
  });

  test.each(['', 'mst_1', 'all'])('"%s" releases nothing', async (milestoneId) => {
    const { id } = await newEscrow();
    for (const action of ['release-milestone', 'adjust-milestone']) {
      const typed = { actor: 'SELLER', payout: '1', milestoneId };
      const refused = await owner.submit(`/escrows/${id}/${action}`, typed);
      expect(refused.status).toBe(422);
      expect(refused.text).toMatch(/name="milestoneId"[^>]* aria-invalid="true"/);
    }
    const nothing = await owner.submit(`/escrows/${id}/release-milestone`);
    expect(nothing.status).toBe(422);
    expect(await released(id)).toBe(0);
  });

  test('of a form that is sent twice is released once, and both get the answer', async () => {
    const {
      id,
      ids: [first = ''],
    } = await newEscrow();
    const path = `/escrows/${id}/release-milestone`;
    const fields = { ...hiddenFields((await owner.get(path)).text, path), milestoneId: first };
    for (let time = 0; time < 2; time += 1) expect(await owner.send(path, fields)).toMatchObject({ status: 303 });
    expect(await released(id)).toBe(1);
  });

  test.each(['escrow', 'milestone'])(
    'an answer that is sent twice to a proposal about the %s acts once',
    async (about) => {
      const {
        id,
        ids: [first = ''],
      } = await newEscrow();
      const newSplitPlan = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 1_000 };
      if (about === 'escrow') await company.post(`/v1/escrow/${id}/negotiate`, { actor: 'BUYER', newSplitPlan });
      else {
        const body = { actor: 'SELLER', proposedSellerPayoutCents: 1_000 };
        await company.post(`/v1/escrow/${id}/milestones/${first}/adjust`, body);
      }
      const path = `/escrows/${id}/answer`;
      const { text } = await owner.get(path);
      const [, negotiationId = ''] = /value="(neg_[^"]*)"/.exec(text) ?? [];
      const inAnotherTab = { ...hiddenFields((await owner.get(path)).text, path), negotiationId };
      const fields = { ...hiddenFields(text, path), negotiationId, answer: 'reject' };
      for (let time = 0; time < 2; time += 1) expect(await owner.send(path, fields)).toMatchObject({ status: 303 });
      expect((await owner.get(`/escrows/${id}`)).text).toContain('The proposal is rejected.');
      expect(await owner.send(path, { ...inAnotherTab, answer: 'accept' })).toMatchObject({ status: 412 });
    },
  );

  test('a party and the answer to a proposal are chosen by the reader', async () => {
    const {
      id,
      ids: [first = ''],
    } = await newEscrow();
    const proposal = { actor: 'SELLER', proposedSellerPayoutCents: 1_000 };
    await company.post(`/v1/escrow/${id}/milestones/${first}/adjust`, proposal);
    const open = async (action: string) => (await owner.get(`/escrows/${id}/${action}`)).text;
    expect(chosenIn(await open('release-milestone'), 'milestoneId')).toEqual(['']);
    const adjust = await open('adjust-milestone');
    expect([chosenIn(adjust, 'milestoneId'), chosenIn(adjust, 'actor')]).toEqual([[''], ['']]);
    expect(adjust).toMatch(/name="payout"[^>]* value=""/);
    const answer = await open('answer');
    expect([chosenIn(answer, 'negotiationId'), chosenIn(answer, 'answer')]).toEqual([
      [expect.stringMatching(/^neg_/)],
      [''],
    ]);
    const [, negotiationId = ''] = /value="(neg_[^"]*)"/.exec(answer) ?? [];
    const path = `/escrows/${id}/answer`;
    expect(await owner.submit(path, { negotiationId })).toMatchObject({ status: 422 });
    expect(await owner.submit(path, { answer: 'accept' })).toMatchObject({ status: 422 });
    for (const action of ['propose', 'dispute', 'cancel']) expect(chosenIn(await open(action), 'actor')).toEqual(['']);
  });
});

test('a proposal after a released milestone is prefilled with a split of what is still held', async () => {
  const milestones = [1, 2].map((part) => ({ title: `part ${part}`, percentage: 50 }));
  const { id, path, milestoneIds } = await beginEscrow(company, { milestones });
  await done(company.post(`${path}/release?milestoneId=${milestoneIds[0]}`));
  const page = await owner.get(`/escrows/${id}/propose`);
  const typed = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page.text)?.[1] ?? '';
  const fields = Object.fromEntries(['seller', 'systemFee', 'serviceFee'].map((name) => [name, typed(name)]));
  const cents = Object.values(fields).map((text) => Math.round(Number(text) * 100));
  expect(cents.reduce((sum, one) => sum + one, 0)).toBe(12_500);
  const sent = await owner.submit(`/escrows/${id}/propose`, { actor: 'SELLER', ...fields });
  expect({ status: sent.status, location: sent.location }).toEqual({
    status: 303,
    location: `/console/escrows/${id}`,
  });
});

test('a decision that is sent twice acts once, and a decision in another tab comes too late', async () => {
  const escrow = await beginEscrow(company);
  await done(company.post(`${escrow.path}/dispute`, { actor: 'BUYER', reason: 'wet bags' }));
  const path = `/disputes/${escrow.id}`;
  const [first, second] = [await owner.get(path), await owner.get(path)];
  const split = { seller: '150.00', systemFee: '2.50', serviceFee: '0', reason: 'Half and half.', step: 'confirm' };
  const confirmed = { ...hiddenFields(first.text, path), ...split };
  for (let time = 0; time < 2; time += 1) expect(await owner.send(path, confirmed)).toMatchObject({ status: 303 });
  const other = { ...hiddenFields(second.text, path), ...split };
  for (const [step, status] of Object.entries({ review: 409, confirm: 412 })) {
    const late = await owner.send(path, { ...other, step });
    expect([step, late.status]).toEqual([step, status]);
    expect(late.text).toContain('changed after the page was shown');
  }
  expect(await escrow.read()).toMatchObject({ status: 'RESOLVED', releasedAmount: '15000' });
  const page = await owner.get(path);
  expect(page.text).toContain('Over. Opened by the buyer');
  expect(page.text).not.toContain('Assign to me');
});
