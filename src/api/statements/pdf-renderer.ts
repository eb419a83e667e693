import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Refusal } from '../../domain/errors.ts';
import { PDF_LIMITS } from '../limits.ts';
import { type Drawing, type PdfNews, type PdfOrder, rowsOf, withRows } from './pdf-orders.ts';

/**
 * Draws PDF files in a thread of its own: a long statement takes seconds of processor time, and other requests
 * are answered meanwhile. The thread is started by the first file and keeps its fonts. See docs/adr/0030.
 */
export type PdfRenderer = {
  /**
   * The file, as soon as its first part is drawn. Throws `dependency_unavailable` if too many files are being drawn, if the first
   * part takes too long, or if the thread ends before it. After the first part such an end breaks the stream. The files of an owner
   * leave room for those of others.
   */
  readonly draw: (owner: string, drawing: Drawing) => Promise<ReadableStream<Uint8Array>>;
  /** Ends the thread. Files at work break off. */
  readonly stop: () => Promise<void>;
};

type Limits = { readonly [Name in keyof typeof PDF_LIMITS]: number };

type Job = {
  readonly id: number;
  /** The company, or the page of a receipt. */
  readonly owner: string;
  readonly drawing: Drawing;
  readonly onPart: (bytes: Uint8Array) => void;
  readonly onEnd: () => void;
  readonly onFailure: (reason: Error) => void;
  /** Runs while the thread is at work on the file. */
  overdue?: NodeJS.Timeout;
};

const ROWS_AT_ONCE = 500;

/** `entry`: the code of the thread. */
export function createPdfRenderer(
  log: Pick<Logger, 'error'>,
  limits: Limits = PDF_LIMITS,
  entry: URL = new URL('./pdf-thread.ts', import.meta.url),
): PdfRenderer {
  const waiting: Job[] = [];
  const atWork = new Map<number, Job>();
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
      const job = atWork.get(news.id);
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
    const jobs = [...atWork.values()];
    for (const { id, onFailure } of jobs) {
      onFailure(unavailable(why));
      leave(id);
    }
  }

  function leave(id: number): void {
    clearTimeout(atWork.get(id)?.overdue);
    atWork.delete(id);
    startNext();
  }

  function mayBegin({ owner }: Job): boolean {
    const own = [...atWork.values()].filter((job) => job.owner === owner);
    return own.length < limits.filesOfOwner;
  }

  function startNext(): void {
    while (!isStopped && atWork.size < limits.filesAtWork && waiting.some(mayBegin)) {
      const [job] = waiting.splice(waiting.findIndex(mayBegin), 1);
      if (job === undefined) return;
      atWork.set(job.id, job);
      job.overdue = setTimeout(() => endLate(job), limits.drawWithinMs).unref();
      send(job).catch((error: unknown) => {
        job.onFailure(error instanceof Error ? error : new Error(String(error)));
        leave(job.id);
      });
    }
  }

  function endLate({ drawing }: Job): void {
    log.error({ rows: rowsOf(drawing).length }, 'rendering a PDF file took too long; its thread was stopped');
    const late = thread;
    if (late === undefined) return;
    lose(late, 'a file took too long to draw; ask for a shorter window, or for another format');
    void late.terminate();
  }

  /** Copying a long file to the thread takes a while, so other requests run between its pieces. */
  async function send({ id, drawing }: Job): Promise<void> {
    const rows = rowsOf(drawing);
    order({ kind: 'draw', id, drawing: withRows(drawing, []), rows: rows.length });
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await nextTurn();
      if (!atWork.has(id)) return;
      order({ kind: 'rows', id, rows: rows.slice(from, from + ROWS_AT_ONCE) });
    }
  }

  function draw(owner: string, drawing: Drawing): Promise<ReadableStream<Uint8Array>> {
    return new Promise((resolve, reject) => {
      if (isStopped || atWork.size + waiting.length >= limits.filesAtWork + limits.filesWaiting)
        return reject(unavailable('too many PDF files are being drawn'));
      const id = ++lastId;
      let isOver = false;
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const giveUp = () => {
        isOver = true;
        clearTimeout(unbegun);
        const place = waiting.findIndex((job) => job.id === id);
        if (place >= 0) waiting.splice(place, 1);
        else if (atWork.has(id)) order({ kind: 'cancel', id });
      };
      const stream = new ReadableStream<Uint8Array>({
        start: (own) => {
          controller = own;
        },
        cancel: giveUp,
      });
      const unbegun = setTimeout(() => {
        giveUp();
        reject(unavailable('the PDF file was not begun in time, because others are being drawn'));
      }, limits.beginWithinMs).unref();
      waiting.push({
        id,
        owner,
        drawing,
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
        onFailure: (reason) => {
          if (isOver) return;
          isOver = true;
          clearTimeout(unbegun);
          reject(reason); // no effect after the first part
          controller?.error(reason);
        },
      });
      startNext();
    });
  }

  return {
    draw,
    async stop() {
      isStopped = true;
      const last = thread;
      for (const { onFailure } of waiting.splice(0)) onFailure(unavailable('the service is stopping'));
      if (last === undefined) return;
      lose(last, 'the service is stopping');
      await last.terminate();
    },
  };
}

function unavailable(detail: string): Refusal {
  return new Refusal('dependency_unavailable', detail, { retryAfterSeconds: PDF_LIMITS.retryAfterSeconds });
}
