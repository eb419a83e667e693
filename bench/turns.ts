import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { LOOPBACK } from '../src/sandbox/stack/ports.ts';

/**
 * Measures the event loop of the program into which it is loaded: `TURNS_PORT=… node --import=./bench/turns.ts program`. A timer rings
 * every millisecond, so a turn that takes longer shows in the time between two rings: in that of the processor, which other processes
 * do not lengthen, and in that of the clock. `GET /` on the port answers the figures since the last request; the first one begins.
 */
export type Turns = {
  /** The longest turn, in milliseconds of processor time. */
  readonly longestMs: number;
  /** How late the timer rang, each time. */
  readonly delaysMs: readonly number[];
};

const TICK_MS = 1;
const { TURNS_PORT: port } = process.env;

if (isMainThread && port !== undefined) measure(Number(port));

function measure(at: number): void {
  let longestMs = 0;
  let delaysMs: number[] = [];
  let used = usedMs();
  let rang = performance.now();
  let isMeasuring = false;
  const begin = () => {
    longestMs = 0;
    delaysMs = [];
    used = usedMs();
    rang = performance.now();
    if (!isMeasuring) setInterval(ring, TICK_MS).unref();
    isMeasuring = true;
  };
  const ring = () => {
    const [nowUsed, now] = [usedMs(), performance.now()];
    longestMs = Math.max(longestMs, nowUsed - used);
    delaysMs.push(Math.max(0, now - rang - TICK_MS));
    used = nowUsed;
    rang = now;
  };
  createServer((_request, response) => {
    const turns: Turns = { longestMs, delaysMs };
    response.end(JSON.stringify(turns), begin);
  })
    .listen(at, LOOPBACK)
    .unref();
}

/** Of this thread alone. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The figures of the program with this port since the last call. */
export async function turnsAt(at: number): Promise<Turns> {
  return (await (await fetch(`http://${LOOPBACK}:${at}/`)).json()) as Turns; // what `measure` sends
}
