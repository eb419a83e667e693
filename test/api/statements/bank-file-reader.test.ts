import { expect, test } from '@jest/globals';
import { BANK_FILE_LIMITS } from '../../../src/api/limits.ts';
import { createBankFileReader } from '../../../src/api/statements/bank-file-reader.ts';
import { MAX_BANK_ENTRIES } from '../../../src/api/statements/read-camt053.ts';
import type { Refusal } from '../../../src/domain/errors.ts';
import { writeBankFile } from '../../support/bank-writer.ts';

const OWN = 'company';

const TELLS_ITS_THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', () => parentPort.postMessage({ kind: 'read', statements: [], threadId }));`)}`,
);

const fileOf = (entries: number) =>
  Uint8Array.from(
    Buffer.from(
      writeBankFile({
        ...{ day: '2026-01-31', opening: '0.00' },
        lines: Array.from(
          { length: entries },
          (_, index) => ({ amount: '0.01', sign: 'CRDT', ref: `B${index}` }) as const,
        ),
      }),
    ),
  );

test('the process goes on while a file of 10,000 entries is read', async () => {
  let turns = 0;
  let isRead = false;
  const turn = () => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  const bytes = fileOf(MAX_BANK_ENTRIES);
  setImmediate(turn);
  const { statements } = await createBankFileReader()(OWN, bytes);
  isRead = true;
  expect(statements.map(({ entries }) => entries)).toEqual([MAX_BANK_ENTRIES]);
  expect(turns).toBeGreaterThan(100);
});

test.each([
  ['too many files wait', { filesAtWork: 0, filesWaiting: 0 }, 'dependency_unavailable'],
  ['it takes too long', { readWithinMs: 1 }, 'dependency_unavailable'],
  ['it needs too much memory', { memoryMib: 4 }, 'statement_invalid'],
])('a file is refused if %s', async (_why, limits, code) => {
  await expect(createBankFileReader({ ...BANK_FILE_LIMITS, ...limits })(OWN, fileOf(2_000))).rejects.toMatchObject({
    code,
  });
});

test('a file that waits is read when its turn comes', async () => {
  const read = createBankFileReader({ ...BANK_FILE_LIMITS, filesAtWork: 1 });
  const found = await Promise.all([1, 2, 3].map((entries) => read(OWN, fileOf(entries))));
  expect(found.map(({ statements }) => statements[0]?.entries)).toEqual([1, 2, 3]);
});

test.each([1, 5])('a queue that is filled by %i others has a place for a company', async (count) => {
  const read = createBankFileReader(BANK_FILE_LIMITS, TELLS_ITS_THREAD);
  const outcomeFor = (company: string) =>
    read(company, new Uint8Array(1)).then(
      () => 'read',
      (error: Refusal) => error.code,
    );
  const companies = Array.from({ length: 24 * count }, (_, index) => `company ${index % count}`);
  const all = companies.map(outcomeFor);
  expect(await outcomeFor('other')).toBe('read');
  expect(await Promise.all(all)).toContain('dependency_unavailable');
});

test('a thread reads file after file, and ends after a large one', async () => {
  const read = createBankFileReader({ ...BANK_FILE_LIMITS, keptBelowBytes: 10 }, TELLS_ITS_THREAD);
  const threads: unknown[] = [];
  for (const bytes of [1, 10, 11, 1]) threads.push(await read(OWN, new Uint8Array(bytes)));
  const [first, second, large, next] = threads;
  expect(second).toEqual(first);
  expect(large).toEqual(first);
  expect(next).not.toEqual(first);
});
