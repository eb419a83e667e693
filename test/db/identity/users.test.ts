import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { FieldCipher } from '../../../src/db/core/field-cipher.ts';
import { inTenant } from '../../../src/db/core/orm.ts';
import { createUser } from '../../../src/db/identity/users.ts';
import type { UserId } from '../../../src/domain/ids.ts';
import { FIELD_KEY } from '../../support/keys.ts';
import { addCompany, type Books, openBooks } from '../ledger/books.ts';

let books: Books;

beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

/** The first attempt's commit took longer than its client waited, so the second began before it and did not see the user. */
test('an attempt that meets the user of an earlier one is not told that a value is taken', async () => {
  const company = await addCompany(books.owner.em.fork(), { users: 0 });
  const id = uuidv7() as UserId;
  const create = () =>
    inTenant(books.api, company.id, (em) =>
      createUser(em, new FieldCipher([FIELD_KEY]), company.id, id, {
        mobileNumber: '+263770000001',
        idNumber: '63-0000001A00',
        firstName: null,
        lastName: null,
        email: null,
        metadata: {},
        customReference: null,
        bankAccount: null,
      }),
    );
  await create();
  await expect(create()).rejects.toMatchObject({ code: 'dependency_unavailable' });
});
