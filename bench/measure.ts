import type { ShowProgress } from './progress.ts';

/** How throughput is measured: callers in a closed loop, rounds in turns, medians and ranges. */

export type Rate = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };

export type Settings = {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly show?: ShowProgress;
};

/**
 * The subject of a measurement: one unit of work, which `callers` loops repeat concurrently; or a program that measures itself.
 */
export type Subject = {
  readonly name: string;
  /** Waits until earlier subjects have left no pending work. */
  readonly settled?: () => Promise<unknown>;
} & (
  | {
      readonly callers: number;
      /** `caller` counts from 0. */
      readonly once: (caller: number) => Promise<unknown>;
    }
  | { readonly measure: (seconds: number) => Promise<Rate> }
);

export function rateOf(subject: Subject, seconds: number): Promise<Rate> {
  return 'measure' in subject ? subject.measure(seconds) : closedLoop(subject, seconds);
}

/** Runs `callers` loops for `seconds`. Each sends its next request as soon as the last one is answered. */
async function closedLoop(
  { callers, once }: Extract<Subject, { readonly callers: number }>,
  seconds: number,
): Promise<Rate> {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < endsAt) {
        const at = performance.now();
        await once(caller);
        tookMs.push(performance.now() - at);
      }
    }),
  );
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  return {
    perSecond: tookMs.length / elapsedSeconds,
    p50Ms: percentile(tookMs, 50),
    p99Ms: percentile(tookMs, 99),
  };
}

/** Runs `work` for each index before `count`, `atOnce` at a time. */
export async function inParallel(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  const left = Array.from({ length: count }).keys();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const index of left) await work(index);
    }),
  );
}

/** Runs every subject once per round, in turns, so that drift of the machine affects all of them alike. */
export async function inTurns(subjects: readonly Subject[], options: Settings): Promise<Map<string, Rate[]>> {
  const rates = new Map<string, Rate[]>(subjects.map(({ name }) => [name, []]));
  const total = (options.rounds + 1) * subjects.length; // each subject also warms up once
  let done = 0;
  const show = (what: string) => options.show?.({ what, done, total });
  for (const subject of subjects) {
    show(subject.name);
    await rateOf(subject, options.warmUpSeconds);
    done += 1;
  }
  for (let round = 0; round < options.rounds; round++)
    for (const subject of subjects) {
      show(subject.name);
      await subject.settled?.();
      rates.get(subject.name)?.push(await rateOf(subject, options.seconds));
      done += 1;
    }
  show('');
  return rates;
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

export type Summary = { readonly median: number; readonly least: number; readonly most: number };

export function summarize(values: readonly number[]): Summary {
  return { median: percentile(values, 50), least: Math.min(...values), most: Math.max(...values) };
}
