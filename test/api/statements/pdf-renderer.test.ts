import { afterEach, describe, expect, test } from '@jest/globals';
import { PDF_LIMITS } from '../../../src/api/limits.ts';
import { createPdfRenderer, type PdfRenderer } from '../../../src/api/statements/pdf-renderer.ts';
import { createLog } from '../../../src/observability/log.ts';
import { statementDocument } from '../../support/statement-document.ts';

/** Statements are drawn in a thread of their own, with bounds on their number, time and memory. */

const NAMES = ['Tariro Moyo', '王小明', '김민준', 'محمد الأمين', 'नरेन्द्र शर्मा', 'สมชาย ใจดี', 'Анна Иванова'];
const small = statementDocument(NAMES);
const long = statementDocument(Array.from({ length: 700 }, (_, index) => `${NAMES[index % NAMES.length]} ${index}`));

const OWN = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';

const log = createLog('silent');
const renderers: PdfRenderer[] = [];
afterEach(async () => {
  await Promise.all(renderers.splice(0).map((renderer) => renderer.stop()));
});

function renderer(limits: Partial<Record<keyof typeof PDF_LIMITS, number>> = {}, code?: string): PdfRenderer {
  const entry = code === undefined ? [] : [new URL(`data:text/javascript,${encodeURIComponent(code)}`)];
  const made = createPdfRenderer(
    log,
    { ...PDF_LIMITS, filesAtWorkReserved: 0, filesReserved: 0, beginWithinMs: 60_000, ...limits },
    ...entry,
  );
  renderers.push(made);
  return made;
}

const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer());
const unavailable = (detail: RegExp) => ({
  code: 'dependency_unavailable',
  message: expect.stringMatching(detail),
  retryAfterSeconds: PDF_LIMITS.retryAfterSeconds,
});
const PARENT = "import { parentPort } from 'node:worker_threads';";
/** Begins every file, and never ends one. */
const BEGINS = `${PARENT} parentPort.on('message', ({ kind, id }) => {
  if (kind === 'draw') parentPort.postMessage({ kind: 'part', id, bytes: new Uint8Array(3) });
  if (kind === 'cancel') parentPort.postMessage({ kind: 'ended', id });
});`;
const SILENT = `${PARENT} parentPort.on('message', () => undefined);`;
const DIES = `${PARENT} parentPort.on('message', () => process.exit(1));`;

describe('a statement', () => {
  test('is drawn while this thread stays idle', async () => {
    const { draw } = renderer();
    await bytesOf(await draw(OWN, small)); // loads the fonts
    const before = { ofThread: process.threadCpuUsage(), ofProcess: process.cpuUsage() };
    const file = await bytesOf(await draw(OWN, long));
    const [ofThread, ofProcess] = [process.threadCpuUsage(before.ofThread), process.cpuUsage(before.ofProcess)];
    expect(file.subarray(0, 8).toString()).toBe('%PDF-1.7');
    expect(file.subarray(-6).toString()).toBe('%%EOF\n');
    // Processor time: a busy machine does not change it.
    expect((ofThread.user + ofThread.system) / (ofProcess.user + ofProcess.system)).toBeLessThan(0.5);
  });

  test('that is short does not wait for a long one', async () => {
    const { draw } = renderer();
    const ended: string[] = [];
    const first = draw(OWN, long).then(bytesOf);
    await Promise.all([
      first.then(() => ended.push('long')),
      draw(OWN, small)
        .then(bytesOf)
        .then(() => ended.push('short')),
    ]);
    expect(ended).toEqual(['short', 'long']);
  });

  test('whose reader leaves makes room for the next', async () => {
    const { draw } = renderer({ filesAtWork: 1, filesWaiting: 1 }, BEGINS);
    const left = await draw(OWN, small);
    const next = draw(OWN, small);
    await expect(draw(OWN, small)).rejects.toMatchObject(unavailable(/too many/));
    await left.cancel();
    expect(await next).toBeInstanceOf(ReadableStream);
  });
});

test('files of a company leave room for those of another', async () => {
  const { draw } = renderer({ filesAtWork: 3, filesAtWorkReserved: 1, filesWaiting: 9 }, BEGINS);
  const [first, , third] = [draw(OWN, small), draw(OWN, small), draw(OWN, small)];
  const other = await draw(OTHER, small); // the third would have begun before it
  await other.cancel();
  await (await first)?.cancel();
  expect(await third).toBeInstanceOf(ReadableStream);
});

test.each([1, 5])('a queue that is filled by %i others has a place for a company', async (count) => {
  const { filesAtWork, filesAtWorkReserved, filesWaiting, filesReserved } = PDF_LIMITS;
  const { draw, stop } = renderer({ filesAtWork, filesAtWorkReserved, filesWaiting, filesReserved }, SILENT);
  const outcomeFor = (company: string) => draw(company, small).catch((error: unknown) => error);
  const companies = Array.from({ length: count }, (_, index) => `company ${index}`);
  for (let sent = 0; sent < 24; sent += 1) for (const company of companies) void outcomeFor(company);
  const own = outcomeFor(OTHER);
  for (const company of companies) expect(await outcomeFor(company)).toMatchObject(unavailable(/too many PDF files/));
  await stop();
  expect(await own).toMatchObject(unavailable(/stopping/)); // it waited
});

describe('is refused', () => {
  test('when too many are at work and waiting', async () => {
    const { draw } = renderer({ filesAtWork: 2, filesWaiting: 1 }, SILENT);
    const kept = [draw(OWN, small), draw(OWN, small), draw(OWN, small)].map((file) =>
      file.catch((error: unknown) => error),
    );
    await expect(draw(OWN, small)).rejects.toMatchObject(unavailable(/too many PDF files/));
    await renderers[0]?.stop();
    for (const file of kept) expect(await file).toMatchObject(unavailable(/stopping/));
  });

  test('when it is not begun in time', async () => {
    const { draw } = renderer({ beginWithinMs: 20 }, SILENT);
    await expect(draw(OWN, small)).rejects.toMatchObject(unavailable(/not begun in time/));
  });

  test('when the thread dies, and the next one is drawn by another thread', async () => {
    const { draw } = renderer({}, DIES);
    await expect(draw(OWN, small)).rejects.toMatchObject(unavailable(/could not be rendered/));
    await expect(draw(OWN, small)).rejects.toMatchObject(unavailable(/could not be rendered/));
  });

  test('when the thread needs more memory than it may have', async () => {
    const greedy = `${PARENT} parentPort.on('message', () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length + 0.5)); });`;
    const { draw } = renderer({ memoryMib: 32 }, greedy);
    await expect(draw(OWN, small)).rejects.toMatchObject(unavailable(/could not be rendered/));
  });

  test('after the renderer has stopped', async () => {
    const { draw, stop } = renderer();
    await stop();
    await expect(draw(OWN, small)).rejects.toMatchObject(unavailable(/too many|stopping/));
  });
});

test('a file that takes too long breaks off, and its thread is ended', async () => {
  const { draw } = renderer({ drawWithinMs: 50 }, BEGINS);
  await expect(draw(OWN, small).then(bytesOf)).rejects.toMatchObject(unavailable(/too long/));
});

test('a file at work breaks off when the renderer stops', async () => {
  const { draw, stop } = renderer({}, BEGINS);
  const begun = await draw(OWN, small);
  await stop();
  await expect(bytesOf(begun)).rejects.toMatchObject(unavailable(/stopping/));
});
