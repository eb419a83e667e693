import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FieldCipher } from '../../../src/db/core/field-cipher.ts';
import { inTenant } from '../../../src/db/core/orm.ts';
import { deleteAbandonedTexts, storeText } from '../../../src/db/escrow/escrows.ts';
import { deleteAbandonedDestinations, storeDestination } from '../../../src/db/treasury/withdrawals.ts';
import type { CommandId, TransactionId } from '../../../src/domain/ids.ts';
import { addCompany, type Books, newId, openBooks, type TestCompany } from '../ledger/books.ts';

let books: Books;
let company: TestCompany;
beforeAll(async () => {
  books = await openBooks();
  company = await addCompany(books.owner.em.fork());
});
afterAll(() => books.close());

/** Stores a destination, as the API does before it requests the withdrawal, with an age in days. */
async function keep(ageDays: number): Promise<TransactionId> {
  const id = newId<TransactionId>();
  const cipher = new FieldCipher([{ id: 'test', key: Buffer.alloc(32, 1) }]);
  const destination = {
    externalReference: id,
    bankName: 'CBZ',
    branchCode: '6101',
    accountNumber: '0123456789',
    accountName: 'T. Moyo',
    notBefore: null,
    personId: null,
  };
  await inTenant(books.api, company.id, (em) => storeDestination(em, cipher, company.id, id, destination));
  const age = 'update payout_destination set created_at = now() - make_interval(days => ?) where id = ?';
  await books.owner.em.fork().execute(age, [ageDays, id]);
  return id;
}

test('the destination of a withdrawal that was never created is deleted after its time, and no other', async () => {
  const [fresh, abandoned, paid] = [await keep(6), await keep(8), await keep(8)];
  await books.owner.em.fork().execute(
    `insert into withdrawal (id, company_id, account_id, status, seq, currency, amount_cents, tax_cents, external_reference, state,
       created_at, updated_at)
     values (?, ?, ?, 'COMPLETED', 1, 'USD', 1, 0, 'paid', '{}', now(), now())`,
    [paid, company.id, company.user(0)],
  );
  const worker = books.worker.em.fork();
  expect(await deleteAbandonedDestinations(worker)).toBe(1);
  expect(await deleteAbandonedDestinations(worker)).toBe(0);
  const left = await worker.execute<{ id: string }[]>('select id from payout_destination');
  expect(left.map(({ id }) => id).sort()).toEqual([fresh, paid].sort());
  expect(left).not.toContainEqual({ id: abandoned });
});

test('the text of a command that was never carried out is deleted after its time, and no other', async () => {
  const owner = books.owner.em.fork();
  const withdrawalId = newId<TransactionId>();
  const text = async (ageDays: number, about: TransactionId | null) => {
    const id = newId<CommandId>();
    await inTenant(books.api, company.id, (em) => storeText(em, company.id, id, { reason: 'a word' }, about));
    const age = 'update command_text set created_at = now() - make_interval(days => ?) where command_id = ?';
    await owner.execute(age, [ageDays, id]);
    return id;
  };
  const kept = [await text(6, withdrawalId), await text(8, null), await text(8, withdrawalId)];
  const abandoned = await text(8, withdrawalId);
  await owner.execute(
    `insert into withdrawal (id, company_id, account_id, status, seq, currency, amount_cents, tax_cents, external_reference, state,
       created_at, updated_at)
     values (?, ?, ?, 'COMPLETED', 1, 'USD', 1, 0, 'told', '{}', now(), now())`,
    [withdrawalId, company.id, company.user(0)],
  );
  await owner.execute(
    `insert into withdrawal_event (withdrawal_id, seq, company_id, command_id, type, actor, at, status, data)
     values (?, 1, ?, ?, 'CANCELLED', 'SYSTEM', now(), 'COMPLETED', '{}')`,
    [withdrawalId, company.id, kept[2]],
  );
  expect(await deleteAbandonedTexts(books.worker.em.fork())).toBe(1);
  const left = await owner.execute<{ id: string }[]>('select command_id as id from command_text');
  expect(left.map(({ id }) => id).sort()).toEqual(kept.toSorted());
  expect(left).not.toContainEqual({ id: abandoned });
});
