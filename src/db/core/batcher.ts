import { AsyncLocalStorage } from 'node:async_hooks';
import { Places } from '../../turns/places.ts';
import { isOutage, isSilence } from './database-errors.ts';

/** Matches result rows to the inputs of a batch by `ordinal`, which counts from 1. The result is in the order of the inputs. */
export function rowsFor<Row extends { readonly ordinal: string }>(
  inputs: readonly unknown[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const found = new Map(rows.map((row) => [Number(row.ordinal), row]));
  return inputs.map((_, index) => found.get(index + 1));
}

export type BatcherOptions = {
  /** The maximum number of items in one call. */
  readonly maxItems: number;
  /**
   * The maximum number of concurrent calls. Two keep the database busy while the next batch gathers; more would only make
   * batches smaller.
   */
  readonly maxInFlight: number;
};

/** After a call without an answer, items that have waited this long fail too, instead of waiting for the next call. */
const LONG_WAIT_MS = 1_000;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly sinceMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** Runs a function in the context of the item's submitter. Only the first item of a call has it. */
  readonly inContext: InContext | undefined;
};

type InContext = (work: () => Promise<void>) => Promise<void>;

/**
 * Group commit for concurrent callers: items that arrive while calls are in flight go together in the next call. No item waits
 * for a batch to fill. If a call slot is free, the item is sent with the others of the same event-loop turn. If an item makes its
 * call fail, the call is repeated for each half of its items, so that in the end only this item fails; `work` must therefore be
 * all or nothing, and safe to repeat. If the database does not answer a call, the items that have waited for it fail with it,
 * because the next call would take as long again.
 *
 * A call with several items is traced and logged under its first item.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatcherOptions;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #isLeaving = false;
  #onIdle: ((value: unknown) => void)[] = [];

  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, options: BatcherOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Rejects with the error that `work` throws for this item alone. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const isFirst = this.#waiting.length % this.#options.maxItems === 0;
      const inContext = isFirst ? AsyncLocalStorage.snapshot() : undefined;
      this.#waiting.push({ item, sinceMs: performance.now(), resolve, reject, inContext });
      this.#leave();
    });
  }

  /** Settles when no item waits or is in flight; never rejects. */
  async idle(): Promise<void> {
    while (this.#inFlight > 0 || this.#waiting.length > 0) await new Promise((resolve) => this.#onIdle.push(resolve));
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
        if (this.#inFlight === 0 && this.#waiting.length === 0)
          for (const resolve of this.#onIdle.splice(0)) resolve(undefined);
      });
    }
  }

  /** The oldest items are the first ones. */
  #takeLongWaiting(): Waiting<Item, Result>[] {
    const now = performance.now();
    const shorter = this.#waiting.findIndex(({ sinceMs }) => now - sinceMs < LONG_WAIT_MS);
    return this.#waiting.splice(0, shorter < 0 ? this.#waiting.length : shorter);
  }

  /** Settles every item of the batch; never rejects. */
  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`${batch.length} items, but ${results.length} results`);
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result); // as many as there are items: checked above
      });
    } catch (error) {
      if (batch.length === 1 || isOutage(error)) {
        const waited = isSilence(error) ? this.#takeLongWaiting() : [];
        for (const { reject } of [...batch, ...waited]) reject(error);
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await this.#run(batch.slice(0, middle));
      await this.#run(batch.slice(middle));
    }
  }
}

/** A batcher for each group. */
type GroupBatcher<Item, Result> = {
  readonly submit: (item: Item) => Promise<Result>;
  /** Whether an item of the same group waits or is in flight. */
  readonly isBusy: (item: Item) => boolean;
};

/** `maxGroups`: the maximum number of groups whose calls are in flight. Those of further groups wait, in their order. */
type GroupOptions = BatcherOptions & { readonly maxGroups: number };

/**
 * A batcher for each group that has items, for example for each company: no call of a group fails with another group, or waits for one
 * while fewer than `maxGroups` are in flight. The other options apply to each group.
 */
export function batchedBy<Item, Result>(
  groupOf: (item: Item) => string,
  callback: (items: readonly Item[]) => Promise<readonly Result[]>,
  { maxGroups, ...options }: GroupOptions,
): GroupBatcher<Item, Result> {
  const places = new Places(maxGroups * options.maxInFlight);
  const work = (items: readonly Item[]) => places.hold(() => callback(items));
  const batchers = new Map<string, Batcher<Item, Result>>();
  const submit = (item: Item) => {
    const group = groupOf(item);
    const known = batchers.get(group);
    if (known !== undefined) return known.submit(item);
    const batcher = new Batcher(work, options);
    batchers.set(group, batcher);
    const result = batcher.submit(item);
    void batcher.idle().then(() => batchers.delete(group));
    return result;
  };
  return { submit, isBusy: (item) => batchers.has(groupOf(item)) };
}
