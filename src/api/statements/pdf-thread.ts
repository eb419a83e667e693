import { parentPort } from 'node:worker_threads';
import { lowerPriorityOfThread } from '../../turns/low-priority.ts';
import { pdfReceipt, type Receipt } from '../checkout/receipt.ts';
import { pdfStatement } from './pdf.ts';
import { type Drawing, type PdfNews, type PdfOrder, type Row, withRows } from './pdf-orders.ts';
import { pdfReport } from './report-files.ts';

/** The entry of the thread that draws statements, reports and receipts: pdf-renderer.ts starts it. Files at work take turns, page by page. */

/** pdfkit writes many small pieces. Each message costs the receiving thread a turn. */
const MIN_PART_BYTES = 65_536;

type Job = {
  readonly drawing: Drawing;
  readonly total: number;
  readonly rows: Row[];
  readonly abort: AbortController;
};

const jobs = new Map<number, Job>();

function tell(news: PdfNews): void {
  parentPort?.postMessage(news, news.kind === 'part' ? [news.bytes.buffer as ArrayBuffer] : []); // made in `send`
}

async function draw(id: number, { drawing, rows, abort }: Job): Promise<void> {
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
    const file = await fileOf(withRows(drawing, rows), abort.signal);
    for await (const piece of file) {
      abort.signal.throwIfAborted();
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

function fileOf(drawing: Drawing, signal: AbortSignal): ReadableStream<Uint8Array> | Promise<ReadableStream> {
  if ('receipt' in drawing) return pdfReceipt(drawing.receipt as Receipt); // what the checkout sends
  return 'statement' in drawing ? pdfStatement(drawing, signal) : pdfReport(drawing);
}

function receive(order: PdfOrder): void {
  const { id } = order;
  if (order.kind === 'draw') {
    jobs.set(id, { drawing: order.drawing, total: order.rows, rows: [], abort: new AbortController() });
  }
  const job = jobs.get(id);
  if (job === undefined) return; // it was cancelled
  if (order.kind === 'rows') job.rows.push(...order.rows);
  const isWhole = job.rows.length === job.total;
  if (order.kind !== 'cancel') {
    if (isWhole) void draw(id, job);
  } else if (isWhole) job.abort.abort();
  else {
    jobs.delete(id);
    tell({ kind: 'failed', id, error: new Error('cancelled') });
  }
}

lowerPriorityOfThread();
parentPort?.on('message', receive);
