import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread that reads one address at a steady pace, for as many seconds as a message says. It answers how long each read took. */

export type Reading = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A key may send 600 requests a minute. */
const EVERY_MS = 100;

const { url, headers }: Reading = workerData;
const agent = new Agent({ keepAlive: true });

function read(): Promise<number> {
  const at = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { ...headers } }, (response) =>
      response.resume().once('end', () => resolve(performance.now() - at)),
    ).once('error', reject);
  });
}

parentPort?.on('message', async (seconds: number) => {
  const until = performance.now() + seconds * 1_000;
  const tookMs: number[] = [];
  while (performance.now() < until) {
    const took = await read();
    tookMs.push(took);
    await wait(Math.max(0, EVERY_MS - took));
  }
  parentPort?.postMessage(tookMs);
});
