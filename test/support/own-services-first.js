import { readFileSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/**
 * Files with a service of their own run first, one after the other: the first one of a worker loads and compiles the service for the
 * next ones. Among the other files, the worker would be replaced in between, because its heap has grown.
 */
export default class OwnServicesFirst extends TestSequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const inOrder = super.sort(tests);
    const first = inOrder.filter(({ path }) => /\/(own|whole)-service\.ts'/.test(readFileSync(path, 'utf8')));
    return [...new Set([...first, ...inOrder])];
  }
}
