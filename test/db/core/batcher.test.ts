import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, jest, test } from '@jest/globals';
import { Batcher, batchedBy } from '../../../src/db/core/batcher.ts';

const nextTurn = () => new Promise(setImmediate);

/** Work that waits until it is released, and records its calls. */
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
  test('sends items that arrive together in one call, and gathers others while calls are in flight', async () => {
    const { calls, work, letGo } = stoppedWork();
    const batcher = new Batcher(work, { maxItems: 3, maxInFlight: 1 });
    const first = [1, 2].map((item) => batcher.submit(item));
    await nextTurn();
    expect(calls).toEqual([[1, 2]]);
    const others = [3, 4, 5, 6].map((item) => batcher.submit(item));
    for (let call = 0; call < 3; call++) {
      await nextTurn();
      expect(calls).toHaveLength(call + 1);
      letGo();
      await nextTurn();
    }
    expect(await Promise.all([...first, ...others])).toEqual([10, 20, 30, 40, 50, 60]);
    expect(calls).toEqual([[1, 2], [3, 4, 5], [6]]);
  });

  test('makes a call in the context of its first item, even if it takes items that another call left', async () => {
    const name = new AsyncLocalStorage<string>();
    const names: (string | undefined)[] = [];
    const batcher = new Batcher(
      async (items: readonly number[]) => {
        names.push(name.getStore());
        await nextTurn();
        return items;
      },
      { maxItems: 2, maxInFlight: 1 },
    );
    await Promise.all([1, 2, 3, 4, 5].map((item) => name.run(`item ${item}`, () => batcher.submit(item))));
    expect(names).toEqual(['item 1', 'item 3', 'item 5']);
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

  test('finds the item that breaks its call by halves, not one by one', async () => {
    let calls = 0;
    const batcher = new Batcher(
      async (items: readonly number[]) => {
        calls += 1;
        if (items.includes(13)) throw new Error('thirteen');
        return items;
      },
      { maxItems: 64, maxInFlight: 1 },
    );
    const results = await Promise.allSettled(Array.from({ length: 64 }, (_, item) => batcher.submit(item)));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(calls).toBe(13); // the whole, and two halves at each of six levels
  });

  test('does not retry when the database is down: every caller of the batch gets the error', async () => {
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
    expect(calls).toBe(1);
  });

  test.each([
    ['a silent database', new Error('Connection terminated unexpectedly'), ['rejected', 'rejected', 'fulfilled']],
    [
      'a slow statement',
      Object.assign(new Error('too slow'), { code: '57014' }),
      ['rejected', 'fulfilled', 'fulfilled'],
    ],
  ])(
    'after %s, those that waited long fail with their call only if the next would wait too',
    async (_name, error, expected) => {
      let nowMs = 0;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
      let fail = () => {};
      const work = async (items: readonly number[]) => {
        if (items[0] === 1)
          await new Promise((_, reject) => {
            fail = () => reject(error);
          });
        return items;
      };
      const batcher = new Batcher(work, { maxItems: 10, maxInFlight: 1 });
      const inFlight = batcher.submit(1);
      await nextTurn();
      const early = batcher.submit(2);
      nowMs = 5_500;
      const late = batcher.submit(3);
      nowMs = 6_000;
      fail();
      const results = await Promise.allSettled([inFlight, early, late]);
      clock.mockRestore();
      expect(results.map(({ status }) => status)).toEqual(expected);
    },
  );

  test('never has more calls in flight than it may', async () => {
    let inFlight = 0;
    let most = 0;
    const batcher = new Batcher(
      async (items: readonly number[]) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await nextTurn();
        inFlight -= 1;
        return items;
      },
      { maxItems: 2, maxInFlight: 2 },
    );
    await Promise.all(Array.from({ length: 50 }, (_, item) => batcher.submit(item)));
    expect(most).toBe(2);
  });
});

describe('batchers by group', () => {
  test('a group whose call does not end holds up no other group', async () => {
    const { calls, work, letGo } = stoppedWork();
    const { submit } = batchedBy((item: number) => String(item % 2), work, {
      maxItems: 10,
      maxInFlight: 1,
      maxGroups: 2,
    });
    const odd = [1, 3].map(submit);
    await nextTurn();
    const later = [2, 5].map(submit);
    await nextTurn();
    expect(calls).toEqual([[1, 3], [2]]);
    for (let call = 0; call < 3; call++) {
      letGo();
      await nextTurn();
    }
    expect(await Promise.all([...odd, ...later])).toEqual([10, 30, 20, 50]);
    expect(calls).toEqual([[1, 3], [2], [5]]);
  });
});
