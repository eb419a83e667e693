import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import {
  concatInTurns,
  indexOfInTurns,
  inTurn,
  isLongJson,
  jsonInTurns,
  mapInTurns,
  paceReading,
  sha256InTurns,
} from '../../src/turns/turns.ts';

/** Uses the processor for this long. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** How many turns of the event loop others have while `work` runs. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns += 1) await nextTurn();
  await ended;
  return turns;
}

describe('mapInTurns', () => {
  test('keeps the order, and lets others run after each few milliseconds', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => index);
    const mapping = mapInTurns(rows, (row) => {
      busy(1);
      return row * 2;
    });
    expect(await turnsDuring(mapping)).toBeGreaterThan(8);
    expect(await mapping).toEqual(rows.map((row) => row * 2));
  });

  test('passes the error of a row on, and others go on after it', async () => {
    const failing = mapInTurns([1, 2, 3], (row) => {
      busy(5);
      if (row === 3) throw new Error('third');
    });
    await expect(failing).rejects.toThrow('third');
    expect(await inTurn(() => 'next')).toBe('next');
  });
});

test('pieces of several requests take turns, one at a time', async () => {
  const order: string[] = [];
  const work = (name: string) =>
    mapInTurns([1, 2, 3], (row) => {
      busy(5);
      order.push(`${name}${row}`);
    });
  await Promise.all([work('a'), work('b')]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
});

describe('jsonInTurns', () => {
  const many = Array.from({ length: 500 }, (_, id) => ({ id, text: 'é"\n', none: undefined, at: new Date(id) }));
  test.each<[string, object]>([
    ['a list', many],
    [
      'an object with lists, and fields without a value',
      { data: many, none: undefined, total: 500, empty: [], few: [1] },
    ],
    ['a list of what JSON cannot say', [...Array(30).fill(undefined), ...Array(30).fill(null)]],
    ['an empty object', {}],
    ['an empty list', []],
  ])('writes what JSON.stringify writes: %s', async (_what, value) => {
    expect(Buffer.from(await jsonInTurns(value)).toString()).toBe(JSON.stringify(value));
  });

  test('is for long lists', () => {
    expect([many, { data: many }, { data: [1] }, [1], null, 'text'].map(isLongJson)).toEqual([
      ...[true, true, false, false, false, false],
    ]);
  });
});

describe('bytes', () => {
  const chunks = Array.from({ length: 40 }, (_, index) => Buffer.alloc(50_000, `${index},`));
  const whole = Buffer.concat(chunks);

  test('are joined and hashed in turns as they would be at once', async () => {
    expect((await concatInTurns(chunks)).equals(whole)).toBe(true);
    expect(await sha256InTurns(whole)).toEqual(createHash('sha256').update(whole).digest());
  });

  test.each([
    ['at the border of two pieces', Buffer.from('needle'), 262_141],
    ['in the first piece', Buffer.from('n'), 0],
    ['at the end', Buffer.from('needle'), whole.length - 6],
    ['nowhere', Buffer.from('missing'), -1],
  ])('are found %s', async (_where, searched, at) => {
    const bytes = Buffer.from(whole);
    if (at !== -1) searched.copy(bytes, at);
    for (const from of [0, 1, 250_000])
      expect(await indexOfInTurns(bytes, searched, from)).toBe(bytes.indexOf(searched, from));
  });
});

test('large bodies are read at a limited rate, all together, and the first bytes at once', async () => {
  const beganAt = performance.now();
  // What does not wait for a timer is done before the loop's next turn.
  const first = await Promise.race([paceReading(500_000).then(() => 'at once'), nextTurn('later')]);
  const bodies = [1, 2, 3].map(async () => {
    for (let read = 0; read < 20; read += 1) await paceReading(65_536);
  });
  await Promise.all(bodies);
  expect(performance.now() - beganAt).toBeGreaterThan(165);
  expect(first).toBe('at once');
});
