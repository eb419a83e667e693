import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_MISMATCHES } from '../../../src/db/ledger/audit/mismatch.ts';
import { MAX_POSTINGS } from '../../../src/db/ledger/post.ts';
import { FINAL_STATUSES } from '../../../src/domain/escrow/escrow.ts';
import { LOCALES } from '../../../src/domain/locale.ts';
import { MAX_TOTAL_CENTS } from '../../../src/domain/money.ts';
import { KYC_VERIFIED } from '../../../src/domain/users.ts';
import { type Books, openBooks } from '../ledger/books.ts';

/** SQL cannot import a constant. What it has to repeat is read from the migrated schema here. */

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

async function textOf(sql: string, name: string): Promise<string> {
  const [row] = await books.owner.em.fork().execute<{ text: string }[]>(sql, [name]);
  if (row === undefined) throw new Error(`the schema has no ${name}`);
  return row.text;
}

const functionText = (name: string) => textOf('select pg_get_functiondef(?::regproc) as text', name);
const indexText = (name: string) => textOf('select indexdef as text from pg_indexes where indexname = ?', name);
const checkText = (name: string) =>
  textOf(
    `select string_agg(pg_get_constraintdef(oid), ' ') as text from pg_constraint
     where contype = 'c' and conrelid = ?::regclass`,
    name,
  );

const quoted = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, word]) => word);
/** The only group of every match, and at least one. */
function groups(text: string, pattern: RegExp): string[] {
  const found = [...text.matchAll(pattern)].map(([, group = '']) => group);
  expect(found).not.toEqual([]);
  return found;
}

describe('the schema has the value of the constant', () => {
  test('MAX_TOTAL_CENTS in the check of a transaction, and in ledger_post', async () => {
    expect(groups(await checkText('ledger_transaction'), /amount <= '(\d+)'/g)).toEqual([MAX_TOTAL_CENTS.toString()]);
    expect(groups(await functionText('ledger_post'), /max_total constant bigint := (\d+);/g)).toEqual([
      MAX_TOTAL_CENTS.toString(),
    ]);
  });

  test('MAX_POSTINGS in ledger_post', async () => {
    const found = groups(await functionText('ledger_post'), /max_postings constant integer := (\d+);/g);
    expect(found).toEqual([String(MAX_POSTINGS)]);
  });

  test('MAX_MISMATCHES in ledger_verify', async () => {
    const found = groups(await functionText('ledger_verify'), /from mismatch limit (\d+)/g);
    expect(found).toEqual([String(MAX_MISMATCHES)]);
  });

  test('LOCALES in the check of a payment link', async () => {
    const [list = ''] = groups(await checkText('payment_link'), /locale = ANY \(ARRAY\[([^\]]*)\]/g);
    expect(quoted(list)).toEqual([...LOCALES]);
  });

  test('KYC_VERIFIED in the facts of users', async () => {
    const found = groups(await functionText('user_fact'), /kyc_level (?:<|>=) (\d+)/g);
    expect(new Set(found)).toEqual(new Set([String(KYC_VERIFIED)]));
  });

  test('FINAL_STATUSES in the index of open escrows', async () => {
    const [list = ''] = groups(await indexText('escrow_open'), /status <> ALL \(ARRAY\[([^\]]*)\]/g);
    expect(quoted(list)).toEqual([...FINAL_STATUSES]);
  });

  test.each(['open_escrow_changed', 'operations_snapshot', 'derived_mismatches', 'user_erasure_obstacle'])(
    'FINAL_STATUSES in %s',
    async (name) => {
      for (const list of groups(await functionText(name), /status not in \(([^)]*)\)/g))
        expect(quoted(list)).toEqual([...FINAL_STATUSES]);
    },
  );

  test('FINAL_STATUSES in no other function', async () => {
    const excluding = await books.owner.em.fork().execute<{ name: string }[]>(
      `select proname::text as name from pg_proc
         where pronamespace = 'public'::regnamespace and prosrc like '%status not in (%' order by 1`,
    );
    expect(excluding.map(({ name }) => name)).toEqual([
      'derived_mismatches',
      'open_escrow_changed',
      'operations_snapshot',
      'user_erasure_obstacle',
    ]);
  });
});
