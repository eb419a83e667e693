import { readFileSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/** Minutes of browsers, programs and random lives. Late ones would leave the other workers without work at the end. */
const LONG = ['browser/pages', 'e2e/order-money', 'browser/console-pages', 'e2e/month', 'e2e/lifecycle-model'];

/**
 * Files with a service of their own run first, one after the other: the first one of a worker loads and compiles the service for the
 * next ones. Among the other files, the worker would be replaced in between, because its heap has grown. Long files follow.
 */
export default class OwnServicesFirst extends TestSequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const inOrder = super.sort(tests);
    const first = inOrder.filter(({ path }) => /\/(own|whole)-service\.ts'/.test(readFileSync(path, 'utf8')));
    const long = LONG.flatMap((name) => inOrder.filter(({ path }) => path.endsWith(`/test/${name}.slow.test.ts`)));
    return [...new Set([...first, ...long, ...inOrder])];
  }
}
