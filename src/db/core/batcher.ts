import { AsyncLocalStorage } from 'node:async_hooks';
import { isOutage } from './outage.ts';

/** Rows that carry the number of the question they answer, counted from 1, in the order of the questions. */
export function answersTo<Row extends { readonly ordinal: string }>(
  questions: readonly unknown[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [Number(row.ordinal), row]));
  return questions.map((_, index) => found.get(index + 1));
}

export type BatcherOptions = {
  /** Most items of one call. */
  readonly maxItems: number;
  /** Calls at the same time. Two keep the database busy while the next batch gathers; more would only make batches smaller. */
  readonly maxInFlight: number;
};

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** Runs a function as if whoever submitted the item had called it. Only the first of a call has it. */
  readonly inContext: InContext | undefined;
};

type InContext = (work: () => Promise<void>) => Promise<void>;

/**
 * Group commit for whoever asks at the same time: items that arrive while calls are in flight go together in the next one.
 * Nobody waits for company: an item that finds a free call leaves with those that the same turn of the event loop brought. An
 * item that breaks its call fails alone, because the call is then repeated item by item; so `work` must be safe to repeat.
 *
 * A call that is made for many is traced, and logged, as that of its first item.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatcherOptions;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #isLeaving = false;

  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, options: BatcherOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Rejects with what `work` throws for this item alone. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const isFirst = this.#waiting.length % this.#options.maxItems === 0;
      const inContext = isFirst ? AsyncLocalStorage.snapshot() : undefined;
      this.#waiting.push({ item, resolve, reject, inContext });
      this.#leave();
    });
  }

  #leave(): void {
    if (this.#isLeaving || this.#inFlight === this.#options.maxInFlight) return;
    this.#isLeaving = true;
    setImmediate(() => {
      this.#isLeaving = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#inFlight < this.#options.maxInFlight && this.#waiting.length > 0) {
      const [first, ...others] = this.#waiting.splice(0, this.#options.maxItems);
      if (first === undefined) return;
      this.#inFlight += 1;
      const { inContext = (work: () => Promise<void>) => work() } = first;
      void inContext(() => this.#run([first, ...others])).finally(() => {
        this.#inFlight -= 1;
        this.#leave();
      });
    }
  }

  /** Settles every item of the batch; never rejects. */
  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`${batch.length} items, but ${results.length} results`);
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result); // as many as items: checked above
      });
    } catch (error) {
      const [only, ...others] = batch;
      if (others.length === 0 || isOutage(error)) for (const { reject } of batch) reject(error);
      else for (const one of [only, ...others]) if (one !== undefined) await this.#run([one]);
    }
  }
}
