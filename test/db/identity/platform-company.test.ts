import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findPlatformCompany, requirePlatformCompany } from '../../../src/db/identity/platform-company.ts';
import { addCompany, type Books, openBooks } from '../ledger/books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

test("the platform's company is found as soon as it exists, and never mistaken for another value before", async () => {
  await addCompany(books.owner.em.fork());
  expect(await findPlatformCompany(books.api.em.fork())).toBeNull();
  await expect(requirePlatformCompany(books.api.em.fork())).rejects.toThrow('there is no platform company');
  const { id } = await addCompany(books.owner.em.fork(), { isPlatform: true });
  expect(await findPlatformCompany(books.api.em.fork())).toBe(id);
  expect(await requirePlatformCompany(books.api.em.fork())).toBe(id);
});
