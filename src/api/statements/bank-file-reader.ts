import { Worker } from 'node:worker_threads';
import { Refusal } from '../../domain/errors.ts';
import { BANK_FILE_LIMITS } from '../limits.ts';
import type { BankFileNews } from './bank-file-thread.ts';

export type BankFile = Extract<BankFileNews, { kind: 'read' }>;

/**
 * Reads the bank's files, each in a thread of its own, because a large one takes seconds of processor time. Throws
 * `statement_invalid`, `statement_too_large`, and `dependency_unavailable` if too many files are being read or one takes too long.
 */
export type BankFileReader = (bytes: Uint8Array<ArrayBuffer>) => Promise<BankFile>;

export function createBankFileReader(
  limits: { readonly [Name in keyof typeof BANK_FILE_LIMITS]: number } = BANK_FILE_LIMITS,
  entry: URL = new URL('./bank-file-thread.ts', import.meta.url),
): BankFileReader {
  let atWork = 0;
  const waiting: (() => void)[] = [];
  return async (bytes) => {
    if (waiting.length >= limits.filesWaiting) throw unavailable('too many bank files are being read');
    if (atWork >= limits.filesAtWork) await new Promise<void>((turn) => waiting.push(turn));
    else atWork += 1;
    try {
      const news = await readInThread(bytes);
      if (news.kind === 'refused') throw new Refusal(news.code, news.detail);
      return news;
    } finally {
      const next = waiting.shift();
      if (next === undefined) atWork -= 1;
      else next(); // the turn passes on
    }
  };

  function readInThread(bytes: Uint8Array<ArrayBuffer>): Promise<BankFileNews> {
    return new Promise((resolve, reject) => {
      const thread = new Worker(entry, {
        workerData: bytes,
        transferList: [bytes.buffer],
        resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib },
      });
      const overdue = setTimeout(() => {
        reject(unavailable('the bank file took too long to read'));
        void thread.terminate();
      }, limits.readWithinMs);
      const end = (settle: () => void) => {
        clearTimeout(overdue);
        settle();
      };
      thread.once('message', (news: BankFileNews) => end(() => resolve(news)));
      // A file that needs more memory than it should is not one that a bank sends.
      thread.once('error', (error) =>
        end(() =>
          reject(
            'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
              ? new Refusal('statement_invalid', 'the file needs too much memory')
              : error,
          ),
        ),
      );
      thread.once('exit', () => end(() => reject(unavailable('the bank file could not be read'))));
    });
  }
}

function unavailable(detail: string): Refusal {
  return new Refusal('dependency_unavailable', detail, { retryAfterSeconds: BANK_FILE_LIMITS.retryAfterSeconds });
}
