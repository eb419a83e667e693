import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Refusal } from '../../domain/errors.ts';
import { Places } from '../../turns/places.ts';
import { PDF_LIMITS } from '../limits.ts';
import { type Drawing, type PdfNews, type PdfOrder, rowsOf, withRows } from './pdf-orders.ts';

/**
 * Draws PDF files in a thread of its own: a long statement takes seconds of processor time, and other requests
 * are answered meanwhile. The thread is started by the first file and keeps its fonts. See docs/adr/0030.
 */
export type PdfRenderer = {
  /**
   * The file, as soon as its first part is drawn. Throws `dependency_unavailable` if too many files are being drawn, if the first
   * part takes too long, or if the thread ends before it. After the first part such an end breaks the stream. The files of a company
   * leave places to those of others. A file has its places until it is drawn, which is after its response began.
   */
  readonly draw: (companyId: string, drawing: Drawing) => Promise<ReadableStream<Uint8Array>>;
  /** Ends the thread. Files at work break off. */
  readonly stop: () => Promise<void>;
};

type Limits = { readonly [Name in keyof typeof PDF_LIMITS]: number };

type Job = {
  readonly id: number;
  readonly companyId: string;
  readonly onPart: (bytes: Uint8Array) => void;
  readonly onEnd: () => void;
  readonly onFailure: (reason: Error) => void;
  readonly overdue: NodeJS.Timeout;
};

const ROWS_AT_ONCE = 500;

const LATE = 'the PDF file was not begun in time, because others are being drawn';
const STOPPING = 'the service is stopping';

/** `entry`: the code of the thread. */
export function createPdfRenderer(
  log: Pick<Logger, 'error'>,
  limits: Limits = PDF_LIMITS,
  entry: URL = new URL('./pdf-thread.ts', import.meta.url),
): PdfRenderer {
  const files = new Places(limits.filesAtWork + limits.filesWaiting, limits.filesReserved);
  const atWork = new Places(limits.filesAtWork, limits.filesAtWorkReserved);
  /** Those at work. */
  const jobs = new Map<number, Job>();
  let thread: Worker | undefined;
  let lastId = 0;
  let isStopped = false;

  function order(message: PdfOrder): void {
    thread ??= startThread();
    thread.postMessage(message);
  }

  function startThread(): Worker {
    const started = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib } });
    started.unref();
    started.on('message', (news: PdfNews) => {
      const job = jobs.get(news.id);
      if (news.kind === 'part') return job?.onPart(news.bytes);
      if (news.kind === 'ended') job?.onEnd();
      else job?.onFailure(news.error);
      leave(news.id);
    });
    started.on('error', (error) => {
      log.error({ err: error }, 'the PDF thread failed');
      lose(started, 'the PDF file could not be rendered');
    });
    started.on('exit', () => lose(started, 'the PDF file could not be rendered'));
    return started;
  }

  /** The thread has ended. The next file starts another one. */
  function lose(lost: Worker, why: string): void {
    if (thread !== lost) return;
    thread = undefined;
    for (const { id, onFailure } of [...jobs.values()]) {
      onFailure(unavailable(why));
      leave(id);
    }
  }

  function leave(id: number): void {
    const job = jobs.get(id);
    if (job === undefined) return;
    clearTimeout(job.overdue);
    jobs.delete(id);
    atWork.leave(job.companyId);
    files.leave(job.companyId);
  }

  function endLate(drawing: Drawing): void {
    log.error({ rows: rowsOf(drawing).length }, 'rendering a PDF file took too long; its thread was stopped');
    const late = thread;
    if (late === undefined) return;
    lose(late, 'a file took too long to draw; ask for a shorter window, or for another format');
    void late.terminate();
  }

  /** Copying a long file to the thread takes a while, so other requests run between its pieces. */
  async function send(id: number, drawing: Drawing): Promise<void> {
    const rows = rowsOf(drawing);
    order({ kind: 'draw', id, drawing: withRows(drawing, []), rows: rows.length });
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await nextTurn();
      if (!jobs.has(id)) return;
      order({ kind: 'rows', id, rows: rows.slice(from, from + ROWS_AT_ONCE) });
    }
  }

  async function draw(companyId: string, drawing: Drawing): Promise<ReadableStream<Uint8Array>> {
    const beginUntil = Date.now() + limits.beginWithinMs;
    if (isStopped || !(await files.enter(0, companyId))) throw unavailable('too many PDF files are being drawn');
    const isItsTurn = await atWork.enter(beginUntil - Date.now(), companyId);
    if (isItsTurn && !isStopped) return begin(companyId, drawing, beginUntil);
    if (isItsTurn) atWork.leave(companyId);
    files.leave(companyId);
    throw unavailable(isStopped ? STOPPING : LATE);
  }

  function begin(companyId: string, drawing: Drawing, until: number): Promise<ReadableStream<Uint8Array>> {
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      let isOver = false;
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const giveUp = () => {
        isOver = true;
        clearTimeout(unbegun);
        if (jobs.has(id)) order({ kind: 'cancel', id });
      };
      const stream = new ReadableStream<Uint8Array>({
        start: (own) => {
          controller = own;
        },
        cancel: giveUp,
      });
      const unbegun = setTimeout(() => {
        giveUp();
        reject(unavailable(LATE));
      }, until - Date.now()).unref();
      const onFailure = (reason: Error) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(unbegun);
        reject(reason); // no effect after the first part
        controller?.error(reason);
      };
      jobs.set(id, {
        id,
        companyId,
        onPart: (bytes) => {
          if (isOver) return;
          clearTimeout(unbegun);
          resolve(stream);
          controller?.enqueue(bytes);
        },
        onEnd: () => {
          if (!isOver) controller?.close();
          isOver = true;
        },
        onFailure,
        overdue: setTimeout(() => endLate(drawing), limits.drawWithinMs).unref(),
      });
      send(id, drawing).catch((error: unknown) => {
        onFailure(error instanceof Error ? error : new Error(String(error)));
        leave(id);
      });
    });
  }

  return {
    draw,
    async stop() {
      isStopped = true;
      const last = thread;
      if (last === undefined) return;
      lose(last, STOPPING); // frees the places, so those that wait are refused too
      await last.terminate();
    },
  };
}

function unavailable(detail: string): Refusal {
  return new Refusal('dependency_unavailable', detail, { retryAfterSeconds: PDF_LIMITS.retryAfterSeconds });
}
