import { describe, expect, test } from '@jest/globals';
import { Batcher } from '../../src/db/batcher.ts';

/** Work that waits until it is let go, and remembers what it was asked. */
function stoppedWork() {
  const calls: number[][] = [];
  const gates: (() => void)[] = [];
  const work = async (items: readonly number[]) => {
    calls.push([...items]);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map((item) => item * 10);
  };
  return { calls, work, letGo: () => gates.shift()?.() };
}

describe('a batcher', () => {
  test('sends the first item at once, and gathers the rest while calls are in flight', async () => {
    const { calls, work, letGo } = stoppedWork();
    const batcher = new Batcher(work, { maxItems: 3, maxInFlight: 1 });
    const results = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.submit(item)));
    expect(calls).toEqual([[1]]);
    for (let call = 0; call < 3; call++) {
      letGo();
      await new Promise(setImmediate);
    }
    expect(await results).toEqual([10, 20, 30, 40, 50]);
    expect(calls).toEqual([[1], [2, 3, 4], [5]]);
  });

  test('lets an item that breaks its call fail alone', async () => {
    const batcher = new Batcher(
      async (items: readonly number[]) => {
        if (items.includes(13)) throw new Error('thirteen');
        return items;
      },
      { maxItems: 10, maxInFlight: 1 },
    );
    const results = await Promise.allSettled([1, 12, 13, 14].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  test('does not hammer a database that is away: everybody in the call is told', async () => {
    let calls = 0;
    const batcher = new Batcher(
      async (_items: readonly number[]) => {
        calls += 1;
        throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      },
      { maxItems: 10, maxInFlight: 1 },
    );
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.submit(item)));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(calls).toBe(2);
  });

  test('never has more calls in flight than it may', async () => {
    let inFlight = 0;
    let most = 0;
    const batcher = new Batcher(
      async (items: readonly number[]) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await new Promise(setImmediate);
        inFlight -= 1;
        return items;
      },
      { maxItems: 2, maxInFlight: 2 },
    );
    await Promise.all(Array.from({ length: 50 }, (_, item) => batcher.submit(item)));
    expect(most).toBe(2);
  });
});
