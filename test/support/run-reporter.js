import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const SAMPLE_MS = 5_000;
/** A lane may take this much more than its budget, because machines and runs differ. */
const MAX_GROWTH = 1.2;
const TICKS_PER_SECOND = 100; // of /proc, on every Linux

/**
 * Prints what a run of a lane took: time, processor time, and the most memory that its processes had together. In CI (CI=true) a run of a
 * whole lane fails if it took a fifth more than test/budget.json says, or if tests are missing. It compares processor time, because the
 * time that passes depends on what else the machine does. Only Linux tells what processes take. Tests that passed only when CI repeated
 * them are named.
 *
 * With TEST_COUNTS_FILE it adds a line to that file: how many tests passed and failed.
 */
export default class RunReporter {
  #peakMb = 0;
  /** @type {Error | undefined} */
  #error;

  /** @param {import('@jest/types').Config.GlobalConfig} globalConfig @param {{ lane: 'default' | 'slow' | 'all' }} options */
  constructor(globalConfig, { lane }) {
    this.lane = lane;
    this.isWhole = globalConfig.nonFlagArgs.length === 0 && !globalConfig.testNamePattern;
  }

  onRunStart() {
    this.timer = setInterval(() => {
      this.#peakMb = Math.max(this.#peakMb, memoryMb());
    }, SAMPLE_MS);
    this.timer.unref();
  }

  /** @param {unknown} _contexts @param {import('@jest/test-result').AggregatedResult} results */
  onRunComplete(_contexts, results) {
    clearInterval(this.timer);
    // A file that fails to load counts as one failure, because its tests are not counted.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const file = process.env.TEST_COUNTS_FILE;
    if (file) writeFileSync(file, `${results.numPassedTests} ${failed}\n`, { flag: 'a' });

    const took = {
      tests: results.numPassedTests + results.numFailedTests,
      processorSeconds: Math.round(processorSeconds()),
      memoryMb: Math.round(Math.max(this.#peakMb, memoryMb())),
    };
    const seconds = Math.round((Date.now() - results.startTime) / 1_000);
    console.log(
      `Lane ${this.lane}: ${took.tests} tests, ${seconds} s, ${took.processorSeconds} s of processors, ${took.memoryMb} MB at most`,
    );
    for (const { testFilePath, testResults } of results.testResults)
      for (const { fullName, invocations = 1, status } of testResults)
        if (invocations > 1 && status === 'passed')
          console.log(`Passed only when repeated: ${relative('', testFilePath)}: ${fullName}`);
    if (process.env.CI === 'true' && this.isWhole) this.#compare(took);
  }

  /** @param {{ tests: number, processorSeconds: number, memoryMb: number }} took */
  #compare(took) {
    const budget = JSON.parse(readFileSync(new URL('../budget.json', import.meta.url), 'utf8'))[this.lane];
    if (budget === undefined) return;
    const excess = [];
    if (took.tests < budget.tests) excess.push(`${budget.tests - took.tests} tests are missing`);
    for (const [what, unit] of /** @type {const} */ ([
      ['processorSeconds', 's'],
      ['memoryMb', 'MB'],
    ])) {
      if (took[what] > MAX_GROWTH * budget[what])
        excess.push(`${what} ${took[what]} ${unit} exceeds ${budget[what]} ${unit} by more than a fifth`);
    }
    if (excess.length === 0) return;
    this.#error = new Error(`test/budget.json, lane ${this.lane}: ${excess.join('; ')}`);
    console.error(this.#error.message); // jest fails the run without a word
  }

  getLastError() {
    return this.#error;
  }
}

/** This process and its descendants. */
function family() {
  /** @type {Map<number, { parent: number, ticks: number }>} */
  const all = new Map();
  for (const name of listed('/proc').filter((entry) => /^\d+$/.test(entry))) {
    // The name of the program, which may contain spaces, ends with the last bracket.
    const fields = text(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    if (fields.length > 14) {
      // Its own time in user and kernel mode, and that of the children which have ended: proc(5), fields 14 to 17.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      all.set(Number(name), { parent: Number(fields[1]), ticks });
    }
  }
  const isOurs = (/** @type {number} */ pid) => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  return [...all].filter(([pid]) => isOurs(pid));
}

function processorSeconds() {
  return family().reduce((sum, [, { ticks }]) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** Memory that processes share counts once. */
function memoryMb() {
  const kilobytes = family().map(([pid]) => Number(/^Pss: *(\d+)/m.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1_024;
}

/** @param {string} directory */
function listed(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return []; // not Linux
  }
}

/** @param {string} file */
function text(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process has ended
  }
}
