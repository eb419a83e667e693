import { writeFileSync } from 'node:fs';

/** Writes how many tests passed and failed to the file named by TEST_COUNTS_FILE, for scripts: `<passed> <failed>`. */
export default class CountReporter {
  /** @param {unknown} _contexts @param {import('@jest/test-result').AggregatedResult} results */
  onRunComplete(_contexts, results) {
    // A file that fails to load counts as one failure, because its tests are not counted.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    writeFileSync(process.env.TEST_COUNTS_FILE ?? '', `${results.numPassedTests} ${failed}\n`);
  }
}
