import { parentPort } from 'node:worker_threads';
import type { StatementEntry } from '../../domain/ledger/statement.ts';
import type { StatementDocument } from './document.ts';
import { pdfStatement } from './pdf.ts';

/** The entry of the thread that draws statements: pdf-renderer.ts starts it. Documents at work take turns, page by page. */

/** To the thread. */
export type PdfOrder =
  /** `entries`: the number of entries that follow in pieces. The document itself has none. */
  | { readonly kind: 'draw'; readonly id: number; readonly document: StatementDocument; readonly entries: number }
  | { readonly kind: 'entries'; readonly id: number; readonly entries: readonly StatementEntry[] }
  | { readonly kind: 'cancel'; readonly id: number };

/** From the thread. Every order to draw ends with `ended` or `failed`, also after it was cancelled. */
export type PdfNews =
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'ended'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error };

/** pdfkit writes many small pieces. Each message costs the receiving thread a turn. */
const MIN_PART_BYTES = 65_536;

type Job = {
  readonly document: StatementDocument;
  readonly total: number;
  readonly entries: StatementEntry[];
  readonly abort: AbortController;
};

const jobs = new Map<number, Job>();

function tell(news: PdfNews): void {
  parentPort?.postMessage(news, news.kind === 'part' ? [news.bytes.buffer as ArrayBuffer] : []); // made in `send`
}

async function draw(id: number, { document, entries, abort }: Job): Promise<void> {
  const whole = { ...document, statement: { ...document.statement, entries } };
  let pieces: Uint8Array[] = [];
  let size = 0;
  const send = () => {
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
    pieces = [];
    size = 0;
    tell({ kind: 'part', id, bytes });
  };
  try {
    // The first part is sent at once, because the response waits for it.
    let isFirst = true;
    for await (const piece of pdfStatement(whole, abort.signal)) {
      pieces.push(piece);
      size += piece.byteLength;
      if (!isFirst && size < MIN_PART_BYTES) continue;
      isFirst = false;
      send();
    }
    if (size > 0) send();
    tell({ kind: 'ended', id });
  } catch (error) {
    tell({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) });
  } finally {
    jobs.delete(id);
  }
}

function receive(order: PdfOrder): void {
  const { id } = order;
  if (order.kind === 'draw') {
    jobs.set(id, { document: order.document, total: order.entries, entries: [], abort: new AbortController() });
  }
  const job = jobs.get(id);
  if (job === undefined) return; // it was cancelled
  if (order.kind === 'entries') job.entries.push(...order.entries);
  const isWhole = job.entries.length === job.total;
  if (order.kind !== 'cancel') {
    if (isWhole) void draw(id, job);
  } else if (isWhole) job.abort.abort();
  else {
    jobs.delete(id);
    tell({ kind: 'failed', id, error: new Error('cancelled') });
  }
}

parentPort?.on('message', receive);
