import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import { newCompany, newParties, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { hiddenFields, newVisitor, type Page, type Visitor } from './support/visitor.ts';

/** A form acts once, moves what its page said, and is read in the language in which it was shown. */

let service: TestService;
let company: TestCompany;
let visitor: Visitor;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
/** Each test counts the receipts of its own company. */
beforeEach(async () => {
  company = await newCompany(service);
  visitor = newVisitor(service);
  await visitor.logIn(company.owner);
});

const RECEIPT = { reference: 'payment of tendai', currency: 'USD' };
const receipts = async () =>
  (await company.get('/v1/treasury/captures')).body.data.map(({ amount }: { amount: string }) => amount);
const formOf = (page: Page, path: string, fields: Record<string, string>) => ({
  ...hiddenFields(page.text, path),
  ...fields,
});

/** Writing to the audit log fails during `work`: of a change of rows everything is lost, of an act of an escrow only the answer. */
function whileAnswersAreLost<T>(work: () => Promise<T>): Promise<T> {
  return withClient(service.database.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table audit_log in share row exclusive mode');
    let isOver = false;
    const result = work().finally(() => {
      isOver = true;
    });
    // Who waits for the lock is not kept until its time limit.
    await eventually(async () => {
      await client.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return isOver;
    });
    await client.query('rollback');
    return result;
  });
}

async function newEscrow(fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(company);
  const { id } = (await company.post('/v1/escrow/initiate', escrow(fields))).body;
  return { id: String(id), read: async () => (await company.get(`/v1/escrow/${id}`)).body };
}

test('a form whose change was not recorded did nothing, acts once when it is sent again, and not with other values', async () => {
  const path = '/receipts/new';
  const fields = formOf(await visitor.get(path), path, { ...RECEIPT, amount: '700.00' });
  const first = await whileAnswersAreLost(() => visitor.sendOnce(path, fields));
  expect(first.status).toBe(503);
  expect(await receipts()).toEqual([]);

  // From the page that shows it again.
  const again = formOf(first, path, { ...RECEIPT, amount: '700.00' });
  expect(await visitor.send(path, again)).toMatchObject({ status: 303 });
  expect(await receipts()).toEqual(['70000']);

  const changed = await visitor.send(path, { ...again, amount: '800.00' });
  expect(changed.status).toBe(422);
  expect(changed.text).toContain('may have taken effect');
  expect(await visitor.send(path, fields)).toMatchObject({ status: 303 });
  expect(await receipts()).toEqual(['70000']);
});

test('a form that was refused can be sent again with other values, and acts', async () => {
  const path = '/receipts/new';
  const first = await visitor.send(path, formOf(await visitor.get(path), path, { ...RECEIPT, amount: 'much' }));
  expect(first.status).toBe(422);
  expect(await visitor.send(path, formOf(first, path, { ...RECEIPT, amount: '12.50' }))).toMatchObject({ status: 303 });
  expect(await receipts()).toEqual(['1250']);
});

describe('an escrow that has changed since the page was shown', () => {
  const milestones = [
    { title: 'Drilling', percentage: 50 },
    { title: 'Pump', percentage: 50 },
  ];

  test.each([
    ['cancel', { reason: 'not needed', actor: 'SELLER' }],
    ['release', {}],
  ])('is not moved by the form to %s, and the page then says what would move now', async (slug, typed) => {
    const escrow = await newEscrow({ milestones });
    const path = `/escrows/${escrow.id}/${slug}`;
    const page = await visitor.get(path);
    const { milestones: parts } = await escrow.read();
    await company.post(`/v1/escrow/${escrow.id}/release?milestoneId=${parts[0].id}`);
    const before = await escrow.read();
    const refused = await visitor.send(path, formOf(page, path, typed));
    expect(refused.status).toBe(412);
    expect(refused.text).toContain('nothing was done');
    expect(await escrow.read()).toEqual(before);
    expect(await visitor.send(path, formOf(refused, path, typed))).toMatchObject({ status: 303 });
    expect(await escrow.read()).toMatchObject({ heldAmount: '0' });
  });

  test('by the form itself, whose answer was lost, is not moved twice, and the form succeeds', async () => {
    const escrow = await newEscrow();
    const path = `/escrows/${escrow.id}/dispute`;
    const typed = { actor: 'BUYER', reason: 'broken' };
    const fields = formOf(await visitor.get(path), path, typed);
    const first = await whileAnswersAreLost(() => visitor.sendOnce(path, fields));
    expect(first.status).toBe(503);
    // The steps of the worker were cut off too, so that it may repeat one.
    const before = await eventually(async () => {
      const read = await escrow.read();
      return read.status === 'DISPUTED' && read;
    });
    const changed = await visitor.send(path, { ...fields, reason: 'late' });
    expect(changed.status).toBe(422);
    expect(changed.text).toContain('may have taken effect');
    expect(await visitor.send(path, fields)).toMatchObject({ status: 303 });
    expect(await escrow.read()).toEqual(before);
  });

  test('is not decided by a decision that was reviewed before', async () => {
    const escrow = await newEscrow();
    const path = `/disputes/${escrow.id}`;
    await company.post(`/v1/escrow/${escrow.id}/dispute`, { actor: 'BUYER', reason: 'broken' });
    const split = { seller: '0.00', systemFee: '0.00', serviceFee: '0.00', reason: 'returned' };
    const review = await visitor.send(path, formOf(await visitor.get(path), path, { ...split, step: 'review' }));
    expect(review.status).toBe(200);
    await company.post(`/v1/escrow/${escrow.id}/dispute/evidence`, { actor: 'SELLER', note: 'a signed receipt' });
    const refused = await visitor.send(path, hiddenFields(review.text, path));
    expect(refused.status).toBe(412);
    expect(await escrow.read()).toMatchObject({ status: 'DISPUTED' });
  });

  test('is not decided by a form that was filled in before, and the review is not shown either', async () => {
    const escrow = await newEscrow();
    const path = `/disputes/${escrow.id}`;
    await company.post(`/v1/escrow/${escrow.id}/dispute`, { actor: 'BUYER', reason: 'broken' });
    const page = await visitor.get(path);
    await company.post(`/v1/escrow/${escrow.id}/dispute/evidence`, { actor: 'SELLER', note: 'a signed receipt' });
    const split = { seller: '0.00', systemFee: '0.00', serviceFee: '0.00', reason: 'returned', step: 'review' };
    const refused = await visitor.send(path, formOf(page, path, split));
    expect(refused.status).toBe(412);
    expect(refused.text).toContain('a signed receipt');
    expect(await visitor.send(path, formOf(refused, path, split))).toMatchObject({ status: 200 });
  });

  test.each(['', '１', 'x', '1e9', '99999999999'])('is not moved by a form with the version %j', async (version) => {
    const escrow = await newEscrow();
    const path = `/escrows/${escrow.id}/release`;
    const refused = await visitor.send(path, formOf(await visitor.get(path), path, { version }));
    expect(refused.status).toBe(412);
    expect(await escrow.read()).toMatchObject({ status: 'ACTIVE', version: 1 });
  });
});

describe('the language of a form', () => {
  test.each([
    ['fr', '12,50', '1250'],
    ['pt', '1500,5', '150050'],
    ['en', '1,500', '150000'],
  ])('%s is the one in which it was shown, whatever is chosen in between', async (tag, typed, cents) => {
    const path = '/receipts/new';
    await visitor.send('/language', { language: tag });
    const fields = formOf(await visitor.get(path), path, { ...RECEIPT, amount: typed });
    for (const chosen of ['fr', 'pt', 'en'].filter((one) => one !== tag))
      await visitor.send('/language', { language: chosen });
    expect(await visitor.send(path, fields)).toMatchObject({ status: 303 });
    expect(await receipts()).toEqual([cents]);
  });

  test.each(['fr', 'pt'])('%s refuses what only English writes, and the page stays in it', async (tag) => {
    const path = '/receipts/new';
    await visitor.send('/language', { language: tag });
    const fields = formOf(await visitor.get(path), path, { ...RECEIPT, amount: '1,500' });
    await visitor.send('/language', { language: 'en' });
    const refused = await visitor.send(path, fields);
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(`<html lang="${tag}">`) });
    expect(await visitor.send(path, formOf(refused, path, { ...RECEIPT, amount: '1,500' }))).toMatchObject({
      status: 422,
    });
    expect(await receipts()).toEqual([]);
  });
});
