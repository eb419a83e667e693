import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';

test('a thread lowers its own priority, and not that of others', async () => {
  const before = getPriority(process.pid); // of the main thread
  const { href } = new URL('../../src/turns/low-priority.ts', import.meta.url);
  const thread = new Worker(
    `const { readlinkSync } = require('node:fs');
     const { parentPort } = require('node:worker_threads');
     import('${href}').then(({ lowerPriorityOfThread }) => {
       lowerPriorityOfThread();
       const id = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
       parentPort.postMessage(require('node:os').getPriority(id));
     });`,
    { eval: true },
  );
  const [priority] = await once(thread, 'message');
  expect(priority).toBe(Math.min(19, before + 5));
  expect(getPriority(process.pid)).toBe(before);
  await thread.terminate();
});
