import { Worker } from 'node:worker_threads';
import { Refusal, refusedFor } from '../../domain/errors.ts';
import { Places } from '../../turns/places.ts';
import { BANK_FILE_LIMITS } from '../limits.ts';
import type { BankFileNews } from './bank-file-thread.ts';

type BankFile = Extract<BankFileNews, { kind: 'read' }>;

/**
 * Reads the bank's files in threads, one file at a time in each, because a large one takes seconds of processor time. A thread takes
 * longer to start than to read the file of a day, so it stays for the next file. One that has read a large file ends, which gives its
 * memory back. A company has one large file here at most, because its request has a long turn (uploads.ts), and its short ones leave places to
 * other companies. Throws `statement_invalid`, `statement_too_large`, and `dependency_unavailable` if too many files are being read or
 * one takes too long.
 */
export type BankFileReader = (companyId: string, bytes: Uint8Array<ArrayBuffer>) => Promise<BankFile>;

export function createBankFileReader(
  limits: { readonly [Name in keyof typeof BANK_FILE_LIMITS]: number } = BANK_FILE_LIMITS,
  entry: URL = new URL('./bank-file-thread.ts', import.meta.url),
): BankFileReader {
  const files = new Places(limits.filesAtWork + limits.filesWaiting, limits.filesReserved);
  const atWork = new Places(limits.filesAtWork, limits.filesAtWorkReserved);
  const idle: Worker[] = [];
  return async (companyId, bytes) => {
    if (!(await files.enter(0, companyId))) throw unavailable('too many bank files are being read');
    try {
      const news = await atWork.hold(() => readInThread(bytes), companyId);
      if (news.kind === 'refused') throw refusedFor(news.code, news.reason);
      return news;
    } finally {
      files.leave(companyId);
    }
  };

  function startThread(): Worker {
    const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib } });
    thread.unref();
    thread.on('error', () => undefined); // one that fails between two files is replaced
    thread.once('exit', () => {
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    });
    return thread;
  }

  function readInThread(bytes: Uint8Array<ArrayBuffer>): Promise<BankFileNews> {
    const isKept = bytes.byteLength <= limits.keptBelowBytes;
    const thread = idle.pop() ?? startThread();
    return new Promise((resolve, reject) => {
      const overdue = setTimeout(() => {
        end(() => reject(unavailable('the bank file took too long to read')));
        void thread.terminate();
      }, limits.readWithinMs);
      const onMessage = (news: BankFileNews) => {
        end(() => resolve(news));
        if (isKept) idle.push(thread);
        else void thread.terminate();
      };
      // A file that needs more memory than it should is not one that a bank sends.
      const onError = (error: Error) =>
        end(() =>
          reject(
            'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
              ? refusedFor('statement_invalid', { code: 'too_much_memory' })
              : error,
          ),
        );
      const onExit = () => end(() => reject(unavailable('the bank file could not be read')));
      const end = (settle: () => void) => {
        clearTimeout(overdue);
        thread.off('message', onMessage).off('error', onError).off('exit', onExit);
        settle();
      };
      thread.on('message', onMessage).on('error', onError).on('exit', onExit);
      thread.postMessage(bytes, [bytes.buffer]);
    });
  }
}

function unavailable(detail: string): Refusal {
  return new Refusal('dependency_unavailable', detail, { retryAfterSeconds: BANK_FILE_LIMITS.retryAfterSeconds });
}
